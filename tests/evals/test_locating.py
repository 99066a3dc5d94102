"""Every stage at which evidence can be lost, each reached by real searches and a scripted model."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any

import pytest

pytest.importorskip("sklearn")

from pincite.agent.messages import ModelTurn
from pincite.agent.model import ModelError
from pincite.agent.scripted import ScriptedModel, Step, calls
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync
from pincite.errors import ServiceError
from pincite.evals.answering import Bench
from pincite.evals.locating import ORDER, LocateReport, Lost, Stage, locate
from pincite.evals.questions import Place, Question
from pincite.tools.chain import Chain, RetrievalSettings
from pincite.tools.retrieve import Retriever

FILLER = " ".join(f"Item {n} of the inventory is a plain wooden chair." for n in range(140))
KEYS = (
    "The caretaker keeps the spare keys of every flat in the blue cupboard behind the door and writes each "
    "loan of a key into the green book, so that nobody needs to wonder in the evening where a key went or "
    "who has it now."
)
SECTIONS = {
    "lease.md": "The rent is 900 euros a month.",
    "pumps.md": "The pump has a seal and a valve. A pump pumps; the pump of the pump house.",
    "works.md": "Below the floor a pump stands ready at all times for the case of a flood.",
    "garden.md": KEYS,
    "yard.md": KEYS,
    "stock.md": f"The boiler is a boiler of boilers. {FILLER} The boiler key hangs on nail 7.",
}
NOT_FOUND = calls(("answer", {"status": "not_found", "statements": []}))
NOTHING = (calls(("search", {"query": "valve"})), NOT_FOUND)
QUOTES = {
    "rent": ("lease.md", "The rent is 900 euros a month."),
    "pit": ("works.md", "a pump stands ready at all times"),
    "garden": ("garden.md", "writes each loan of a key into the green book"),
    "yard": ("yard.md", "writes each loan of a key into the green book"),
    "key": ("stock.md", "The boiler key hangs on nail 7."),
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    folder = tmp_path_factory.mktemp("locate")
    (folder / "docs").mkdir()
    for name, text in SECTIONS.items():
        written = f"# Things\n\n## Section of {name}\n\n{text}\n"
        (folder / "docs" / name).write_text(written, encoding="utf-8")
    sync([folder / "docs"], folder / "db", vectors=False)
    return Index.open(folder / "db")


def located(index: Index, questions: Sequence[Question], *steps: Step, limit: int = 6) -> LocateReport:
    """What is said of questions to a scripted model."""
    bench = Bench(index, Retriever(index, None), Scope(), None)
    chain = Chain(index, RetrievalSettings(), encoder=None, reranker=None, fail=(), clock=time.monotonic)
    return locate(bench, chain, ScriptedModel(steps), questions, limit=limit)


def asking(question: str, where: str | None, name: str = "q") -> Question:
    expected: tuple[Place, ...] = ()
    if where is not None:
        document, quote = QUOTES[where]
        expected = (Place(document=document, quote=quote),)
    return Question(id=name, question=question, expected=expected, answers=())


def lost(index: Index, question: str, where: str | None, *steps: Step, limit: int = 6) -> Lost:
    """What is said of one question to a scripted model."""
    report = located(index, [asking(question, where)], *steps, limit=limit)
    assert report.questions == 1
    assert sum(report.stages.values()) == 1
    if not report.lost:
        return Lost(id="q", question=question, stage=Stage.found)
    (found,) = report.lost
    return found


def cited(quote: str, text: str, passage: str = "P1") -> ModelTurn:
    said: dict[str, Any] = {"text": text, "citations": [{"passage": passage, "quote": quote}]}
    return calls(("answer", {"status": "answered", "statements": [said]}))


RENT = cited("The rent is 900 euros", "The rent is 900 euros.")


def test_found(index: Index) -> None:
    found = lost(index, "How high is the rent?", "rent", calls(("search", {"query": "rent"})), RENT)
    assert found.stage is Stage.found


def test_answered_although_nothing_should_be_there(index: Index) -> None:
    found = lost(index, "How high is the rent?", None, calls(("search", {"query": "rent"})), RENT)
    assert (found.stage, found.oracle) == (Stage.answered_anyway, None)


def test_not_among_the_candidates(index: Index) -> None:
    found = lost(index, "Which valve do we owe the landlord?", "rent", *NOTHING, RENT)
    assert (found.stage, found.rank, found.oracle) == (Stage.not_in_candidates, None, True)
    assert found.place == "lease.md > The rent is 900 euros a month."


def test_lost_in_the_order_of_the_results(index: Index) -> None:
    found = lost(
        index,
        "What is said of the pump?",
        "pit",
        calls(("search", {"query": "seal", "limit": 1})),
        NOT_FOUND,
        NOT_FOUND,
        limit=1,
    )
    assert (found.stage, found.rank, found.oracle) == (Stage.lost_in_fusion, 2, False)


def test_lost_in_narrowing(index: Index) -> None:
    found = lost(
        index,
        "boiler of boilers",
        "key",
        *NOTHING,
        cited("The boiler key hangs on nail 7", "It hangs on nail 7.", "P7"),
        limit=1,
    )
    assert found.stage is Stage.lost_in_narrowing
    assert (found.rank or math.inf) > 1


def test_not_searched(index: Index) -> None:
    found = lost(index, "How high is the rent?", "rent", *NOTHING, RENT)
    assert (found.stage, found.rank, found.oracle) == (Stage.not_searched, 1, True)


def test_in_the_context_and_not_used(index: Index) -> None:
    found = lost(
        index, "How high is the rent?", "rent", calls(("search", {"query": "rent"})), NOT_FOUND, RENT
    )
    assert (found.stage, found.oracle) == (Stage.not_used, True)


def test_rejected_by_the_check(index: Index) -> None:
    wrong = cited("The rent is 900 euros", "The rent is 950 euros.")
    found = lost(
        index, "How high is the rent?", "rent", calls(("search", {"query": "rent"})), wrong, wrong, NOT_FOUND
    )
    assert (found.stage, found.oracle) == (Stage.rejected, False)
    assert found.why.startswith("number_not_in_source")


def test_a_rejected_answer_from_elsewhere_is_not_what_lost_it(index: Index) -> None:
    wrong = cited("A pump pumps", "There are 12 pumps.", "P2")
    both = calls(("search", {"query": "rent", "queries": ["pump house"]}))
    found = lost(index, "How high is the rent?", "rent", both, wrong, wrong, NOT_FOUND)
    assert found.stage is Stage.not_used


def test_what_the_check_said_is_no_reason_for_what_a_search_lost(index: Index) -> None:
    wrong = cited("The rent is 900 euros", "The rent is 950 euros.")
    question = "Which valve do we owe the landlord?"
    found = lost(
        index, question, "rent", calls(("search", {"query": "valve"})), wrong, wrong, NOT_FOUND, RENT
    )
    assert (found.stage, found.why) == (Stage.not_in_candidates, "")


BOOK = calls(("search", {"query": "green book of spare keys"}))
GREEN = cited("writes each loan of a key into the green book", "Each loan goes into the green book.")


@pytest.mark.parametrize("where", ["garden", "yard"])
def test_words_shown_once_for_two_documents_count_as_both(index: Index, where: str) -> None:
    found = lost(index, "Where are loans of keys written down?", where, BOOK, GREEN)
    assert found.stage is Stage.found


def test_lost_in_deduplication(index: Index) -> None:
    question = "Where are loans of keys written down?"
    stages = [lost(index, question, where, BOOK, NOT_FOUND, NOT_FOUND).stage for where in ("garden", "yard")]
    assert sorted(stages) == sorted([Stage.not_used, Stage.lost_in_deduplication])


DOWN = ModelError("the server says no", code="rejected")


@pytest.mark.parametrize("number", [1, 2, 5])
def test_a_model_that_fails_from_the_first_question_on_ends_it(index: Index, number: int) -> None:
    questions = [asking("How high is the rent?", "rent", str(at)) for at in range(number)]
    first = "question" if number == 1 else f"{min(number, 3)} questions"
    with pytest.raises(ServiceError, match=f"failed on the first {first}: .*the server says no"):
        located(index, questions, *[DOWN] * 5)


def test_a_model_that_fails_later_is_no_stage_of_retrieval(index: Index) -> None:
    questions = [asking("How high is the rent?", "rent", "a"), asking("How high is the rent?", "rent", "b")]
    search = calls(("search", {"query": "rent"}))
    report = located(index, [*questions, asking("Llamas?", None, "c")], search, RENT, DOWN, DOWN)
    assert report.stages == {"found": 1, "the model or a service failed": 2}
    assert all("the server says no" in one.why and one.oracle is None for one in report.lost)


def test_a_model_that_fails_at_its_place_alone_did_not_leave_it_unused(index: Index) -> None:
    found = lost(index, "How high is the rent?", "rent", *NOTHING, DOWN)
    assert (found.stage, found.oracle) == (Stage.not_searched, None)


def test_a_question_without_an_answer_must_end_with_not_found(index: Index) -> None:
    wrong = cited("The rent is 900 euros", "The rent is 950 euros.")
    search = calls(("search", {"query": "rent"}))
    found = lost(index, "How high is the rent?", None, search, wrong, wrong)
    assert found.stage is Stage.not_abstained
    assert found.why.startswith(("unverified", "incomplete"))
    assert lost(index, "Llamas?", None, *NOTHING).stage is Stage.found


def test_the_stages_stand_in_the_order_of_the_pipeline() -> None:
    names: Sequence[Stage] = ORDER
    assert names.index(Stage.not_in_corpus) < names.index(Stage.not_in_candidates)
    assert names.index(Stage.lost_in_fusion) < names.index(Stage.rejected) < names.index(Stage.found)
