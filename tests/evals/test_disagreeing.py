"""Documents that disagree or replace one another: a search shows both sides, with their places and dates."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync
from pincite.evals.places import Locator
from pincite.evals.questions import read_questions
from pincite.tools.retrieve import Retriever
from pincite.tools.toolbox import Toolbox

DATA = Path(__file__).parents[2] / "evals" / "data" / "disagreeing"
DATED = re.compile(r"\| version of \d{4}-\d{2}-\d{2}⟧")


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    db = tmp_path_factory.mktemp("disagreeing")
    assert sync([DATA / "corpus"], db, vectors=False).failed == []
    return Index.open(db)


def test_there_are_twenty_questions_with_two_sides_each(index: Index) -> None:
    questions = read_questions(DATA / "questions.jsonl")
    kinds = [question.kind for question in questions]
    assert (kinds.count("superseded"), kinds.count("disagreeing")) == (10, 10)
    locator = Locator(index, Scope())
    for question in questions:
        located = locator.locate(question)
        assert len({spot.document for place in located for spot in place.spots}) == 2


def test_both_sides_are_shown_with_their_places_and_dates(index: Index) -> None:
    locator = Locator(index, Scope())
    short = []
    for question in read_questions(DATA / "questions.jsonl"):
        tools = Toolbox(index, Retriever(index, None), Scope(), seed="disagreeing")
        result = tools.call("search", {"query": question.question, "limit": 10})
        for place in locator.locate(question):
            shown = [
                passage
                for passage in result.passages
                if any(
                    spot.shown_by(passage.document, passage.section, passage.start, passage.end)
                    for spot in place.spots
                )
            ]
            if not shown:
                short.append((question.question, place.place.document))
                continue
            head = next(line for line in result.text.splitlines() if f" {shown[0].handle} | " in line)
            assert f"| {shown[0].document} | " in head
            assert DATED.search(head), head
    assert short == []
