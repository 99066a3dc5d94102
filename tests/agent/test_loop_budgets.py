from __future__ import annotations

from typing import Any

import pytest
from tests.agent.worlds import (
    GOOD,
    NOT_FOUND,
    SEARCH,
    World,
    search,
)

from pincite.agent.budget import Budgets, Limits, Price
from pincite.agent.messages import ModelTurn, Usage
from pincite.agent.outcome import Status, StopReason
from pincite.errors import UsageError
from pincite.transcripts.events import LimitEvent, ToolResultEvent

TOOLS = ["search", "table_of_contents", "read_section", "define"]


def test_near_the_end_only_answer_is_offered_and_in_the_last_turn_it_is_forced() -> None:
    results: dict[str, Any] = {
        f"q{n}": [{"document": "bylaws", "section": f"{n}", "text": f"Rule {n}."}] for n in range(9)
    }
    world = World(*(search(f"q{n}") for n in range(6)), results=results, budgets=Budgets(model_calls=6))
    result = world.ask()
    assert result.stop_reason is StopReason.budget_model_calls
    assert world.offered()[3:] == [
        ([*TOOLS, "answer"], "auto"),
        (["answer"], "required"),
        (["answer"], "answer"),
    ]
    assert "nearly spent" in world.model.requests[4].messages[-1].note
    assert "last turn" in world.model.requests[5].messages[-1].note
    assert "Budget left: 3 model calls" in world.model.requests[3].messages[-1].note
    assert [event.action for event in world.events(LimitEvent)] == [
        "offers only answer",
        "offers only answer",
        "ends the question",
    ]


def test_searching_is_withdrawn_when_searches_are_spent_but_reading_is_not() -> None:
    world = World(SEARCH, GOOD, budgets=Budgets(searches=1))
    world.ask()
    assert world.offered()[1][0] == ["table_of_contents", "read_section", "define", "answer"]


def test_before_the_stall_ends_a_question_the_answer_is_forced() -> None:
    world = World(SEARCH, search("dues"), search("yearly"), GOOD)
    assert world.ask().status is Status.answered
    assert world.offered()[3] == (["answer"], "answer")


def test_the_same_call_is_allowed_again_in_the_next_question() -> None:
    world = World(SEARCH, GOOD, SEARCH, GOOD)
    assert world.ask().status is Status.answered
    assert world.ask().status is Status.answered
    results = [event.result for event in world.events(ToolResultEvent) if event.name == "search"]
    assert [result["error"] for result in results] == [None, None]
    assert results[1]["already_shown"] == ["P1", "P2"]


def test_already_called_names_the_handles() -> None:
    world = World(SEARCH, SEARCH, GOOD)
    world.ask()
    assert "P1, P2" in world.model.requests[2].messages[-1].content


def test_budgets_are_per_question_and_session_limits_over_all() -> None:
    world = World(
        SEARCH, GOOD, search("b"), GOOD, budgets=Budgets(model_calls=2), session_limits=Limits(model_calls=3)
    )
    assert world.ask().stop_reason is StopReason.answered
    second = world.ask()
    assert second.stop_reason is StopReason.budget_model_calls
    assert second.usage.model_calls == 1


def test_a_money_budget_for_a_model_without_a_price_is_refused_at_once() -> None:
    with pytest.raises(UsageError) as caught:
        World(SEARCH, budgets=Budgets(cost=1.0), prices={"other": Price(input=1, output=2)})
    assert caught.value.near == ("other",)


def test_money_is_counted_and_ends_the_question() -> None:
    usage = Usage(input_tokens=2000, output_tokens=100, cached=500)
    turn = ModelTurn(tool_calls=SEARCH.tool_calls, usage=usage)
    price = {"scripted": Price(input=1000, output=2000, cached=100)}
    world = World(turn, GOOD, budgets=Budgets(cost=2.0), prices=price)
    result = world.ask()
    assert result.stop_reason is StopReason.budget_cost
    assert result.usage.cost == pytest.approx(1.5 + 0.05 + 0.2)


@pytest.mark.parametrize(
    "budget", [Budgets(input_tokens=900), Budgets(output_tokens=50), Budgets(tokens=950)]
)
def test_each_token_budget_ends_the_question(budget: Budgets) -> None:
    turn = ModelTurn(tool_calls=SEARCH.tool_calls, usage=Usage(900, 60))
    assert World(turn, GOOD, budgets=budget).ask().stop_reason is StopReason.budget_tokens


def test_the_output_budget_caps_what_a_turn_may_write() -> None:
    turn = ModelTurn(tool_calls=SEARCH.tool_calls, usage=Usage(900, 60))
    world = World(turn, GOOD, budgets=Budgets(output_tokens=100))
    world.ask()
    assert [request.max_output_tokens for request in world.model.requests] == [100, 40]


def test_an_answer_that_came_too_late_is_still_taken_but_no_search_is_run() -> None:
    assert World(SEARCH, GOOD, delays=(0, 130)).ask().stop_reason is StopReason.answered
    world = World(SEARCH, search("more"), delays=(0, 130))
    assert world.ask().stop_reason is StopReason.budget_time
    assert len(world.tools.calls) == 1


def test_scarce_tokens_and_money_are_told() -> None:
    turn = ModelTurn(tool_calls=SEARCH.tool_calls, usage=Usage(1_000, 100))
    prices = {"scripted": Price(input=1, output=1)}
    for budget in (Budgets(input_tokens=3_900), Budgets(cost=0.0043)):
        world = World(turn, GOOD, budgets=budget, prices=prices)
        world.ask()
        assert "tokens or money for about 2 more" in world.model.requests[1].messages[-1].note


def test_a_budget_without_room_for_a_search_is_the_reason_why_nothing_is_found() -> None:
    result = World(NOT_FOUND, budgets=Budgets(model_calls=1)).ask()
    assert (result.status, result.stop_reason) == ("incomplete", "budget_model_calls")
    assert "the budget of model calls is spent" in result.text
