"""The offline mode behind the loop: what it looks up, what it answers, and that messages alone decide."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from pincite.agent.answer import Answer
from pincite.agent.budget import Budgets
from pincite.agent.extractive.model import ExtractiveModel
from pincite.agent.loop import Agent
from pincite.agent.messages import ModelRequest, ModelTurn
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync
from pincite.errors import UsageError
from pincite.tools.context import ToolLimits
from pincite.tools.retrieve import Retriever
from pincite.tools.toolbox import Toolbox

LEASE = """# House rules

## Deposit

The deposit for a flat is nine hundred euros. It is due on the day on which the keys are handed over.

## Classes

Flats on the upper floors are in rent class C. Flats on the ground floor are in rent class A.

## 7 Notice

Notice to end a lease is given in writing.

- Rent class A: 3 months' notice.
- Rent class C: 9 months' notice.

## Repairs

The landlord repairs the roof.
"""
LIBRARY = """# Library card

A card costs twelve euros a year. Children pay nothing.
"""


FILES = {"rules.md": LEASE, "card.md": LIBRARY}


class Watched(ExtractiveModel):
    """Keeps every request and turn."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[ModelRequest] = []
        self.turns: list[ModelTurn] = []

    def respond(self, request: ModelRequest) -> ModelTurn:
        self.requests.append(request)
        self.turns.append(super().respond(request))
        return self.turns[-1]

    def calls(self) -> list[tuple[str, dict[str, object]]]:
        return [(call.name, json.loads(call.arguments)) for turn in self.turns for call in turn.tool_calls]


def agent(index: Index, model: ExtractiveModel, limits: ToolLimits | None = None, **budgets: int) -> Agent:
    tools = Toolbox(index, Retriever(index, None), Scope(), limits=limits, seed="test")
    return Agent(model, tools, budgets=Budgets(**budgets))


def ask(index: Index, question: str) -> tuple[Answer, Watched]:
    model = Watched()
    return agent(index, model).ask(question), model


def said(answer: Answer) -> list[str]:
    return [statement.text for statement in answer.statements]


def test_one_search_and_an_answer(index: Index) -> None:
    answer, model = ask(index, "How much is the deposit for a flat?")
    assert said(answer) == ["The deposit for a flat is nine hundred euros."]
    assert [name for name, _ in model.calls()] == ["search", "answer"]
    assert (answer.status, answer.model) == ("answered", "extractive")
    assert (answer.usage.input_tokens, answer.usage.output_tokens) == (0, 0)


def test_every_citation_passes_the_check(index: Index) -> None:
    answer, _ = ask(index, "What is the notice for rent class C?")
    assert not answer.withheld
    assert {one.match for statement in answer.statements for one in statement.citations} == {"exact"}


def test_the_second_part_is_looked_up_with_what_the_first_one_found(index: Index) -> None:
    answer, model = ask(
        index,
        "Which rent class are the flats on the upper floors in, and how much notice does that class need?",
    )
    assert answer.status == "answered"
    assert said(answer) == [
        "Flats on the upper floors are in rent class C.",
        "Rent class C: 9 months' notice.",
    ]
    assert any("rent class C" in str(arguments.get("query")) for _, arguments in model.calls())


def test_a_part_without_evidence_is_named(index: Index) -> None:
    answer, _ = ask(index, "How much is the deposit for a flat, and what is the wireless password?")
    assert answer.status == "partial"
    assert answer.unanswered == ("what is the wireless password?",)


def test_it_searches_again_with_other_words_before_it_gives_up(index: Index) -> None:
    answer, model = ask(index, "What is the fine for a parrot in the swimming pool?")
    assert (answer.status, answer.stop_reason) == ("not_found", "abstained")
    queries = [arguments["query"] for name, arguments in model.calls() if name == "search"]
    assert len(queries) >= 2
    assert len(set(map(str, queries))) >= 2


def test_a_section_that_the_question_numbers_is_read(index: Index) -> None:
    _, model = ask(index, "What does section 7 of the house rules say about notice?")
    reads = [arguments for name, arguments in model.calls() if name == "read_section"]
    assert reads[0]["section"] == "section 7"


def test_a_cut_hit_makes_it_read_the_section(tmp_path: Path) -> None:
    many = "; ".join(
        f"the {word} of the house on day {n}" for n, word in enumerate(["roof", "door", "lift"] * 12)
    )
    text = f"# Rules\n\n## Repairs\n\nThe landlord repairs, at the cost of the landlord alone, {many}.\n"
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "rules.md").write_text(text, encoding="utf-8")
    sync([folder], tmp_path / "kb", vectors=False)
    model = Watched()
    limits = ToolLimits(passage_tokens=120)
    answer = agent(Index.open(tmp_path / "kb"), model, limits).ask("What does the landlord repair?")
    assert "read_section" in [name for name, _ in model.calls()]
    assert answer.status == "answered"


def test_the_same_messages_give_the_same_turn(index: Index) -> None:
    _, model = ask(index, "How much is the deposit for a flat, and what notice does rent class A need?")
    for request, turn in zip(model.requests, model.turns, strict=True):
        assert ExtractiveModel().respond(request) == turn


def test_a_follow_up_takes_its_subject_from_the_question_before(index: Index) -> None:
    model = Watched()
    session = agent(index, model)
    session.ask("What is the notice for rent class A?")
    answer = session.ask("And for rent class C?")
    assert "Rent class C: 9 months' notice." in said(answer)


def test_what_was_shown_before_can_be_cited_again(index: Index) -> None:
    session = agent(index, Watched())
    first = session.ask("How much is the deposit for a flat?")
    assert said(session.ask("How much is the deposit for a flat?")) == said(first)


@pytest.mark.parametrize(
    "budgets", [{"model_calls": 2}, {"searches": 1}, {"tool_calls": 1}, {"model_calls": 3}]
)
def test_a_small_budget_ends_in_an_answer(index: Index, budgets: dict[str, int]) -> None:
    question = "How much is the deposit for a flat, who repairs the roof, and what does a card cost?"
    answer = agent(index, Watched(), None, **budgets).ask(question)
    assert answer.status in {"answered", "partial"}
    assert "The deposit for a flat is nine hundred euros." in said(answer)


@pytest.mark.parametrize(
    "question",
    ["what", "hello", "a" * 3000, "and and and", "die der das", "0", "\u202ehello\u0000"],
)
def test_strange_questions_end_without_an_answer(index: Index, question: str) -> None:
    answer, _ = ask(index, question)
    assert answer.status in {"not_found", "incomplete"}
    assert not answer.statements


@pytest.mark.parametrize("question", ["", "?", "…", "\u202e\u0000", "(" * 500])
def test_what_asks_nothing_is_refused_before_anything_is_done(index: Index, question: str) -> None:
    with pytest.raises(UsageError):
        ask(index, question)


def test_tools_that_are_not_on_offer_are_not_called(index: Index) -> None:
    _, model = ask(index, "How much is the deposit for a flat?")
    last = model.requests[-1]
    only_answer: Sequence[object] = [tool for tool in last.tools if tool.name == "answer"]
    request = ModelRequest(last.messages[:2], tools=only_answer)  # type: ignore[arg-type]
    assert [call.name for call in ExtractiveModel().respond(request).tool_calls] == ["answer"]
