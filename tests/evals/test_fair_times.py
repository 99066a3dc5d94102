"""No question is charged for what is loaded once."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

pytest.importorskip("sklearn")

from tests.corpus.word_encoder import WordEncoder

from pincite.agent.scripted import ScriptedModel, calls
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync
from pincite.evals.answering import Bench, evaluate_answers
from pincite.evals.questions import Place, Question
from pincite.tools.retrieve import Retriever

LOADING = 2.0


def test_loading_the_encoder_is_in_no_questions_time(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "lease.md").write_text("# Lease\n\nThe rent is 900 euros.\n", encoding="utf-8")
    sync([tmp_path / "docs"], tmp_path / "db", encoder=WordEncoder())
    loaded: list[float] = []

    def load() -> WordEncoder:
        time.sleep(LOADING)
        loaded.append(time.perf_counter())
        return WordEncoder()

    index = Index.open(tmp_path / "db")
    bench = Bench(index, Retriever(index, load), Scope(), None)
    steps = [
        calls(("search", {"query": "rent"})),
        calls(("answer", {"status": "not_found", "statements": []})),
    ]
    question = Question(
        id="q", question="How high is the rent?", expected=(Place(document="lease.md"),), answers=()
    )
    _, asked = evaluate_answers(bench, ScriptedModel([*steps, *steps]), [question, question])
    assert len(loaded) == 1
    assert asked[0].answer.retrieval[0].used == "fused"
    assert all(one.seconds < LOADING for one in asked)
