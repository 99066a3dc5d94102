from __future__ import annotations

from typing import Any

from tests.agent.worlds import (
    GOOD,
    QUESTION,
    SEARCH,
    World,
)

from pincite.agent.events import Done, Found
from pincite.agent.messages import ModelTurn
from pincite.agent.outcome import Status, StopReason
from pincite.agent.scripted import calls
from pincite.transcripts.events import AnswerEvent


def test_ctrl_c_ends_the_question_and_leaves_a_whole_session() -> None:
    def interrupted(_: Any) -> ModelTurn:
        raise KeyboardInterrupt

    world = World(calls(("search", {"query": "a"}), ("search", {"query": "b"})), interrupted, SEARCH, GOOD)
    result = world.ask()
    assert (result.status, result.stop_reason, result.exit_code) == ("incomplete", "cancelled", 130)
    assert world.events(AnswerEvent)[0].answer["stop_reason"] == "cancelled"
    assert world.ask().status is Status.answered


def test_ctrl_c_in_a_tool_leaves_one_result_for_each_call() -> None:
    world = World(calls(("search", {"query": "a"}), ("search", {"query": "b"})), SEARCH, GOOD)
    real = world.tools.call

    def interrupted(name: str, arguments: dict[str, Any]) -> Any:
        if arguments["query"] == "b":
            raise KeyboardInterrupt
        return real(name, arguments)

    world.tools.call = interrupted  # type: ignore[method-assign]
    assert world.ask().stop_reason is StopReason.cancelled
    assert world.ask().status is Status.answered
    messages = world.model.requests[-1].messages
    called = [call.id for message in messages for call in message.tool_calls]
    assert [message.tool_call_id for message in messages if message.role == "tool"] == called


def test_closing_the_progress_early_cancels_and_records_it() -> None:
    world = World(SEARCH, GOOD)
    told = world.agent.events(QUESTION)
    for event in told:
        if isinstance(event, Found):
            break
    told.close()
    assert world.events(AnswerEvent)[0].answer["stop_reason"] == "cancelled"


def test_a_cancel_from_elsewhere_ends_a_question() -> None:
    world = World(SEARCH, GOOD)
    for event in world.agent.events(QUESTION):
        if isinstance(event, Found):
            world.agent.cancel()
        last = event
    assert isinstance(last, Done)
    assert last.answer.stop_reason is StopReason.cancelled
