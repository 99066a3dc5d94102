"""Each statement is told as soon as its citations have passed, and nothing that has not passed ever."""

from __future__ import annotations

from typing import Any

from tests.agent.worlds import (
    ARREARS,
    BAD_STATEMENT,
    FEE_STATEMENT,
    GOOD,
    QUESTION,
    SEARCH,
    World,
    answer,
    statement,
)

import pincite.agent.judge as judging
from pincite.agent.check.answer import check_each
from pincite.agent.events import Done, Rejected, Retracted, Verified

ARREARS_STATEMENT = statement("Arrears cost the vote.", "P2", str(ARREARS["text"])[-30:-1])


def told(world: World) -> list[Any]:
    return list(world.agent.events(QUESTION))


def texts(events: list[Any], kind: type[Any]) -> list[str]:
    return [event.statement.text for event in events if isinstance(event, kind)]


def test_a_statement_is_told_before_the_next_one_is_checked(monkeypatch: Any) -> None:
    checked: list[str] = []
    real = check_each

    def counting(*arguments: Any, **named: Any) -> Any:
        for one in real(*arguments, **named):
            checked.append(one.text)
            yield one

    monkeypatch.setattr(judging, "check_each", counting)
    world = World(SEARCH, answer(FEE_STATEMENT, ARREARS_STATEMENT))
    seen = []
    for event in world.agent.events(QUESTION):
        if isinstance(event, Verified):
            seen.append((event.statement.text, len(checked)))
    assert seen == [(FEE_STATEMENT["text"], 1), (ARREARS_STATEMENT["text"], 2)]


def test_what_passed_is_told_before_the_rest_is_repaired_and_only_once() -> None:
    world = World(SEARCH, answer(FEE_STATEMENT, BAD_STATEMENT), answer(FEE_STATEMENT, ARREARS_STATEMENT))
    events = told(world)
    order = [type(event) for event in events if isinstance(event, Verified | Rejected | Retracted | Done)]
    assert order == [Verified, Rejected, Verified, Done]
    assert texts(events, Verified) == [one.text for one in events[-1].answer.statements]
    assert "250" not in repr(events)


def test_a_statement_that_is_not_repeated_is_taken_back() -> None:
    world = World(SEARCH, answer(FEE_STATEMENT, BAD_STATEMENT), answer(ARREARS_STATEMENT))
    events = told(world)
    assert texts(events, Retracted) == [FEE_STATEMENT["text"]]
    assert [one.text for one in events[-1].answer.statements] == [ARREARS_STATEMENT["text"]]


def test_what_is_withheld_is_never_told() -> None:
    world = World(SEARCH, answer(FEE_STATEMENT, BAD_STATEMENT), answer(FEE_STATEMENT, BAD_STATEMENT))
    events = told(world)
    assert texts(events, Verified) == [FEE_STATEMENT["text"]]
    assert "250" not in repr([event for event in events if not isinstance(event, Done)])


def test_an_answer_that_passes_is_told_whole() -> None:
    events = told(World(SEARCH, GOOD))
    assert texts(events, Verified) == [FEE_STATEMENT["text"]]
