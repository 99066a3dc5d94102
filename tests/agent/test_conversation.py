"""Replies about no document: in a chat they are labelled, for a single question they are sent back."""

from __future__ import annotations

from typing import Any

import pytest
from tests.agent.worlds import FEE_STATEMENT, GOOD, NOT_FOUND, SEARCH, World, answer

from pincite.agent.answer_tool import answer_schema
from pincite.agent.json_action import response_format
from pincite.agent.messages import Message, ModelRequest
from pincite.agent.outcome import Status, StopReason
from pincite.agent.resume import restore
from pincite.transcripts.events import CheckEvent
from pincite.transcripts.reader import Recording

HELLO = answer({"text": "Hello, ask me about the bylaws."}, status="conversation")


def codes(world: World) -> list[str]:
    return [problem["code"] for event in world.events(CheckEvent) for problem in event.problems]


def test_a_greeting_in_a_chat_is_answered_without_documents() -> None:
    world = World(HELLO, chat=True)
    result = world.ask("Good morning!")
    assert (result.status, result.stop_reason, result.exit_code) == ("conversation", "answered", 0)
    assert result.text == "Hello, ask me about the bylaws."
    assert result.statements == result.withheld == result.unanswered == ()


def test_only_in_a_chat_the_model_is_told_of_it() -> None:
    for chat in (True, False):
        world = World(SEARCH, GOOD, chat=chat)
        world.ask()
        first = world.model.requests[0]
        offered = {tool.name: tool.parameters for tool in world.model.requests[1].tools}
        assert ("conversation" in first.messages[0].content) is chat
        assert ("conversation" in offered["answer"]["properties"]["status"]["enum"]) is chat
        assert ("answer" in [tool.name for tool in first.tools]) is chat


def test_for_a_single_question_it_is_sent_back() -> None:
    world = World(SEARCH, HELLO, GOOD)
    assert world.ask().status is Status.answered
    assert codes(world) == ["conversation_not_allowed"]
    stubborn = World(SEARCH, HELLO, HELLO)
    result = stubborn.ask()
    assert result.status is Status.unverified
    assert "Hello" not in result.text


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        (FEE_STATEMENT, "conversation_with_citations"),
        ({"text": "The fee is 250 crowns."}, "number_not_in_source"),
        ({"text": " "}, "empty_answer"),
    ],
)
def test_no_fact_comes_in_as_conversation(statement: dict[str, Any], code: str) -> None:
    world = World(SEARCH, answer(statement, status="conversation"), NOT_FOUND, chat=True)
    assert world.ask().status is Status.not_found
    assert codes(world) == [code]


def test_numbers_that_were_said_may_be_said_again_also_after_a_resume() -> None:
    again = answer({"text": "You asked 1 question; the fee was 240 crowns."}, status="conversation")
    world = World(SEARCH, GOOD, again, chat=True)
    world.ask()
    assert world.ask("What did you say?").stop_reason is StopReason.answered
    restored = restore(Recording(None, list(world.transcript.events)))
    other = World(again, chat=True, restored=restored)
    assert other.ask("What did you say?").status is Status.conversation


def test_in_json_mode_a_reply_is_possible_before_anything_was_shown() -> None:
    for chat in (True, False):
        request = ModelRequest((Message("user", "Good morning!"),), tools=(answer_schema(chat=chat),))
        wanted = response_format(request, "json_schema")
        assert wanted is not None
        arguments = wanted["json_schema"]["schema"]["properties"]["arguments"]
        assert (arguments["properties"]["statements"]["maxItems"] > 0) is chat
