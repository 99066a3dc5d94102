"""`pincite eval answers` and `eval locate` over a few documents, in the built-in mode and by keyword."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ir_measures")

from pincite.agent.answer import Answer, AnswerUsage, Citation, Statement
from pincite.agent.outcome import Status, StopReason
from pincite.cli.app import run
from pincite.corpus.sync import sync
from pincite.evals.answer_figures import Asked, figures
from pincite.evals.places import Located, Spot
from pincite.evals.questions import Place, Question

LEASE = (
    "# Lease\n\n## Rent\n\nThe rent is 900 euros a month.\n\n"
    "## Notice\n\nThe tenant may end the lease with three months' notice in writing.\n"
)
ROWS: list[dict[str, Any]] = [
    {
        "id": "rent",
        "question": "How high is the rent a month?",
        "expected": [{"document": "lease.md", "section": "Rent", "quote": "The rent is 900 euros a month."}],
        "answers": ["900 euros"],
    },
    {"id": "pets", "question": "Which llama breeds does the zeppelin allow?", "expected": "no answer"},
    {"id": "gone", "question": "How high is the rent a month?", "expected": [{"document": "annex.md"}]},
    {
        "id": "elsewhere",
        "question": "How high is the rent a month?",
        "expected": [{"document": "lease.md", "section": "Rent", "quote": "a deposit of 50"}],
    },
]


@pytest.fixture
def db(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "lease.md").write_text(LEASE, encoding="utf-8")
    sync([docs], tmp_path / "db", vectors=False)
    return tmp_path / "db"


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "mine.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in ROWS), encoding="utf-8")
    return path


def test_answers_are_measured_against_labels(
    db: Path, questions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["eval", "answers", str(questions), "--db", str(db), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["model"], found["questions"], found["no_answer"]) == ("extractive", 4, 1)
    assert (found["abstention_recall"], found["abstention_precision"]) == (1.0, 1.0)
    assert found["quote_validity"] == 1.0
    assert found["answer_contains"] == 1.0
    assert found["citation_recall"] == pytest.approx(1 / 3, abs=1e-4)
    assert found["baseline"] is None
    assert run(["eval", "answers", str(questions), "--db", str(db)]) == 0
    assert "citation recall" in capsys.readouterr().out


def test_lost_questions_are_counted_by_stage(
    db: Path, questions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["eval", "locate", str(questions), "--db", str(db), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["stages"] == {"not in the corpus": 2, "found": 2}
    assert {lost["id"]: lost["why"] for lost in found["lost"]} == {
        "gone": "no such document",
        "elsewhere": "the quote does not stand there",
    }


def asked(status: Status, *, expected: bool, spans: tuple[tuple[int, int], ...] = ()) -> Asked:
    place = Place(document="d")
    question = Question(question="q", expected=(place,) if expected else (), answers=("900",))
    located = (Located(place, (Spot("d", "s", 10, 20, False),)),) if expected else ()
    citations = tuple(
        Citation(
            handle="P1", document="d", document_title="d", version="v", section="s", number=None,
            heading_path="", page=None, page_end=None, line=None, span=span, quote="x", match="exact",
        )
        for span in spans
    )  # fmt: skip
    usage = AnswerUsage(
        model_calls=1, tool_calls=2, searches=1, input_tokens=8, output_tokens=2, seconds=0.1, cost=None
    )
    answer = Answer(
        status=status,
        stop_reason=StopReason.answered,
        text="",
        statements=(Statement(text="It is 900.", citations=citations),) if citations else (),
        usage=usage,
        model="m",
        session="s",
    )
    return Asked(question, located, answer, 0.5)


def test_questions_without_an_answer_count_in_abstention_and_nowhere_else() -> None:
    found = figures(
        [
            asked(Status.answered, expected=True, spans=((12, 15), (40, 50))),
            asked(Status.not_found, expected=True),
            asked(Status.not_found, expected=False),
            asked(Status.answered, expected=False, spans=((40, 50),)),
        ],
        lambda citation: citation.span[0] < 20,
    )
    assert (found.abstention_precision, found.abstention_recall, found.null_rate) == (0.5, 0.5, 0.5)
    assert (found.citation_precision, found.citation_recall) == (0.5, 0.5)
    assert found.quote_validity == pytest.approx(1 / 3, abs=1e-4)
    assert (found.answer_contains, found.answer_exact) == (0.5, 0.0)
    assert (found.tool_calls, found.tokens, found.cost) == (2.0, 10.0, None)
