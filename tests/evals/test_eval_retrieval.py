"""`pincite eval retrieval` over a small data set and over a user's own questions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ir_measures")
pytest.importorskip("scipy")

from pincite.cli.app import run
from pincite.corpus.sync import sync
from pincite.errors import NothingUsableError, UsageError
from pincite.evals.beir import read_beir
from pincite.evals.questions import read_questions

DOCUMENTS = [
    ("a/1", "Otters", "Otters swim in cold rivers and eat fish."),
    ("b", "Kestrels", "Kestrels hover over meadows and catch voles."),
    ("c", "Badgers", "Badgers dig setts and sleep by day. <script>alert(1)</script>"),
]
QUERIES = [("1", "what do otters eat <b>now</b>"), ("2", "which birds hover"), ("3", "nobody judged this")]
JUDGEMENTS = "query-id\tcorpus-id\tscore\n1\ta/1\t2\n2\tb\t1\n2\tc\t0\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "animals"
    (root / "qrels").mkdir(parents=True)
    documents = [json.dumps({"_id": i, "title": title, "text": text}) for i, title, text in DOCUMENTS]
    (root / "corpus.jsonl").write_text("\n".join(documents), encoding="utf-8")
    queries = [json.dumps({"_id": i, "text": text}) for i, text in QUERIES]
    (root / "queries.jsonl").write_text("\n".join(queries), encoding="utf-8")
    (root / "qrels" / "test.tsv").write_text(JUDGEMENTS, encoding="utf-8")
    return root


def printed(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_a_data_set_is_measured_by_keyword(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["eval", "retrieval", str(folder), "--no-vectors", "--db", str(tmp_path / "db"), "--json"]
    assert run(arguments) == 0
    first = printed(capsys)
    assert first["metrics"]["nDCG@10"] == 1.0
    assert first["metrics"]["precision@5"] == pytest.approx(0.2)
    assert (first["queries"], first["unjudged"], first["documents"]) == (2, 1, 3)
    assert list(first["by_leg"]) == ["keyword"]
    assert first["seconds"] > 0
    assert first["tokens_returned"]["mean"] > 0
    assert run(arguments) == 0  # from the index that is there
    again = printed(capsys)
    assert again["metrics"] == first["metrics"]


def test_a_saved_run_is_compared_and_the_page_escapes_what_it_shows(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved, page = tmp_path / "run.json", tmp_path / "report.html"
    common = ["eval", "retrieval", str(folder), "--no-vectors", "--db", str(tmp_path / "db")]
    assert run([*common, "--save", str(saved), "--html", str(page)]) == 0
    assert "nDCG@10" in capsys.readouterr().out
    html = page.read_text(encoding="utf-8")
    assert html.count("<svg") == 3
    assert "&lt;b&gt;now&lt;/b&gt;" in html
    assert "<b>now" not in html
    assert "<script" not in html
    assert "http:" not in html
    assert "https:" not in html
    assert run([*common, "--compare", str(saved), "--html", str(page), "--json"]) == 0
    assert "Compared with the earlier run" in page.read_text(encoding="utf-8")
    comparison = printed(capsys)["comparison"]
    assert comparison[0]["measure"] == "nDCG@10"
    assert (comparison[0]["difference"], comparison[0]["p"]) == (0.0, 1.0)


def test_own_questions_are_measured_over_the_synced_documents(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "lease.md").write_text(
        "# Lease\n\n## Rent\n\nThe rent is 900 euros.\n\n## Notice\n\nThree months' notice is needed.\n",
        encoding="utf-8",
    )
    db = tmp_path / "db"
    sync([docs], db, vectors=False)
    questions = tmp_path / "mine.jsonl"
    rows = [
        {"question": "How high is the rent?", "expected": [{"document": "lease.md", "section": "Rent"}]},
        {
            "question": "How much notice?",
            "expected": {"document": "docs/lease.md", "quote": "three months’ notice"},
        },
        {"question": "Where is the parking garage?", "expected": "no answer"},
        {"question": "What does the annex say of rent?", "expected": [{"document": "annex.md"}]},
    ]
    questions.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    assert run(["eval", "retrieval", str(questions), "--db", str(db), "--json"]) == 0
    found = printed(capsys)
    assert found["queries"] == 3
    assert found["metrics"]["hit@3"] == pytest.approx(2 / 3, abs=1e-4)
    assert found["no_answer"] == {"queries": 1, "found_nothing": 1}


def test_two_places_in_one_short_section_are_both_shown_by_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "lease.md").write_text(
        "# Lease\n\n## Rent\n\nThe rent is 900 euros a month. The deposit is 1800 euros.\n\n"
        "## Pets\n\nDogs are allowed.\n",
        encoding="utf-8",
    )
    sync([tmp_path / "docs"], tmp_path / "db", vectors=False)
    quotes = ("The rent is 900 euros a month.", "The deposit is 1800 euros.")
    places = [{"document": "lease.md", "quote": quote} for quote in quotes]
    row = {"question": "What are rent and deposit?", "expected": places, "kind": "two"}
    questions = tmp_path / "mine.jsonl"
    questions.write_text(json.dumps(row), encoding="utf-8")
    common = ["eval", "retrieval", str(questions), "--db", str(tmp_path / "db")]
    assert (
        run([*common, "--html", str(tmp_path / "r.html"), "--save", str(tmp_path / "s.json"), "--json"]) == 0
    )
    found = printed(capsys)
    for name in (
        "recall@1",
        "recall@10",
        "complete@1",
        "complete@10",
        "nDCG@10",
        "MAP",
        "MRR",
        "precision@1",
    ):
        assert found["metrics"][name] == 1.0, name
    assert found["by_kind"]["two"]["complete@10"] == 1.0
    (query,) = json.loads((tmp_path / "s.json").read_text(encoding="utf-8"))["per_query"]
    assert (query["relevant"], query["ranks"]) == (2, [1, 1])


def test_without_an_expected_place_there_are_no_figures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "lease.md").write_text("# Lease\n\nThe rent is 900 euros.\n", encoding="utf-8")
    sync([tmp_path / "docs"], tmp_path / "db", vectors=False)
    questions = tmp_path / "mine.jsonl"
    questions.write_text('{"question": "Zebras?", "expected": "no answer"}', encoding="utf-8")
    common = ["eval", "retrieval", str(questions), "--db", str(tmp_path / "db")]
    page = tmp_path / "r.html"
    assert run([*common, "--json", "--html", str(page)]) == 0
    found = printed(capsys)
    assert (found["metrics"], found["intervals"], found["by_leg"]["keyword"]["metrics"]) == ({}, {}, {})
    assert found["no_answer"] == {"queries": 1, "found_nothing": 1}
    assert "NaN" not in page.read_text(encoding="utf-8")
    assert run(common) == 0
    out = capsys.readouterr().out
    assert "no figures: no query has an expected place" in out and "0.0000" not in out


def test_judgements_may_be_those_of_trec(folder: Path) -> None:
    (folder / "qrels" / "trec.tsv").write_text("1\t0\ta/1\t1\n", encoding="utf-8")
    assert read_beir(folder, "trec").judgements == {"1": {"a/1": 1}}
    assert read_beir(folder).split == "test"


def test_what_cannot_be_used_is_said_with_its_line(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="dev"):
        read_beir(folder, "dev")
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n1\ta/1\thigh\n", encoding="utf-8")
    with pytest.raises(NothingUsableError, match="line 2"):
        read_beir(folder)
    (folder / "corpus.jsonl").write_text('{"_id": "x"}\nnot json\n', encoding="utf-8")
    (folder / "qrels" / "test.tsv").write_text(JUDGEMENTS, encoding="utf-8")
    with pytest.raises(NothingUsableError, match="line 2"):
        list(read_beir(folder).documents())
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"question": "x"}\n', encoding="utf-8")
    with pytest.raises(NothingUsableError, match="line 1: expected"):
        read_questions(bad)
