"""Hosted models' responses from fixtures/, through the client's own types and through the loop."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from tests.agent.scripted_server import Reply, ScriptedServer, stream
from tests.agent.stub_tools import StubTools
from tests.agent.worlds import ARREARS, BERTHS, FEE, QUESTION

from pincite.agent.answer import Answer
from pincite.agent.budget import Price
from pincite.agent.loop import Agent
from pincite.agent.messages import Usage
from pincite.agent.openai_model import OpenAIModel
from pincite.agent.openai_wire import StreamedBody, turn_from_json
from pincite.transcripts.events import ModelResponseEvent, ToolCallEvent
from pincite.transcripts.writer import MemoryTranscript

FIXTURES = Path(__file__).with_name("fixtures")
MODEL = "gpt-x-2026-08-01"
PRICE = Price(input=2.0, output=8.0, cached=0.5)
USED = [Usage(1180, 64, 0), Usage(1460, 71, 1152)]


def fixture(name: str) -> list[Any]:
    bodies: list[Any] = json.loads((FIXTURES / f"hosted_{name}.json").read_text(encoding="utf-8"))
    return bodies


def whole(chunks: list[Any]) -> Any:
    body = StreamedBody()
    for chunk in chunks:
        body.add(ChatCompletionChunk.model_validate(chunk).model_dump())
    return body.body()


def ask(replies: list[Reply], **options: Any) -> tuple[Answer, MemoryTranscript, ScriptedServer]:
    tools = StubTools({"berths": [BERTHS], "*": [FEE, ARREARS]}, {}, ["bylaws", "berths"])
    transcript = MemoryTranscript()
    with (
        ScriptedServer(replies).running() as server,
        closing(OpenAIModel(MODEL, base_url=server.url, api_key="sk-test", **options)) as model,
    ):
        agent = Agent(model, tools, transcript=transcript, prices={MODEL: PRICE})
        return agent.ask(QUESTION), transcript, server


@pytest.mark.parametrize("name", ["tool_calls", "refusal", "content_filter"])
def test_the_clients_types_hold_all_of_a_body_and_give_the_same_turn(name: str) -> None:
    for body in fixture(name):
        read = ChatCompletion.model_validate(body)
        assert read.model_dump(exclude_unset=True) == body
        turn, again = turn_from_json(body), turn_from_json(read.model_dump())
        assert (turn.content, turn.tool_calls, turn.finish_reason, turn.refusal, turn.usage) == (
            *(again.content, again.tool_calls, again.finish_reason, again.refusal, again.usage),
        )


def test_a_stream_gives_the_turns_of_the_whole_bodies() -> None:
    turns = [turn_from_json(whole(chunks)) for chunks in fixture("stream")]
    expected = [turn_from_json(body) for body in fixture("tool_calls")]
    assert [turn.tool_calls for turn in turns] == [turn.tool_calls for turn in expected]
    assert [turn.usage for turn in turns] == [turn.usage for turn in expected] == USED
    assert [turn.finish_reason for turn in turns] == ["tool_calls", "tool_calls"]


@pytest.mark.parametrize("streamed", [False, True])
def test_a_question_is_answered_and_its_cost_counts_cached_input(streamed: bool) -> None:
    if streamed:
        replies = [stream(chunks) for chunks in fixture("stream")]
    else:
        replies = [Reply(body=body) for body in fixture("tool_calls")]
    answer, transcript, server = ask(replies, stream=streamed)
    assert answer.status == "answered"
    assert answer.statements[0].citations[0].quote == "an annual fee of 240 crowns"
    assert (answer.usage.input_tokens, answer.usage.output_tokens) == (2640, 135)
    uncached, cached = 1180 + 1460 - 1152, 1152
    assert answer.usage.cost == pytest.approx((uncached * 2.0 + cached * 0.5 + 135 * 8.0) / 1_000_000)
    called = [event.call_id for event in transcript.events if isinstance(event, ToolCallEvent)]
    assert called == ["call_Qh2vXk0aJq", "call_8sTz1mWcLe", "call_Zp4rUe7bNd"]
    sent = server.requests[1]["messages"]
    assert [message["tool_call_id"] for message in sent if message["role"] == "tool"] == called[:2]
    assert [one["function"]["name"] for one in sent[2]["tool_calls"]] == ["search", "search"]


def test_a_refusal_ends_the_question_with_its_reason_and_its_words_recorded() -> None:
    answer, transcript, _ = ask([Reply(body=body) for body in fixture("refusal")])
    assert (answer.status, answer.stop_reason, answer.statements) == ("incomplete", "abstained", ())
    (response,) = [event for event in transcript.events if isinstance(event, ModelResponseEvent)]
    assert response.turn is not None
    assert response.turn["refusal"] == "I'm sorry, but I can't help with that."


def test_a_filtered_response_ends_the_question_with_a_typed_reason() -> None:
    answer, _, _ = ask([Reply(body=body) for body in fixture("content_filter")])
    assert (answer.status, answer.statements) == ("incomplete", ())
    assert answer.stop_reason in {"abstained", "stalled", "model_error"}
