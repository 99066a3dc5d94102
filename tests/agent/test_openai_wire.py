from __future__ import annotations

from typing import Any

import pytest
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from tests.agent.scripted_server import Json, call, chunk, part

from pincite.agent.messages import ToolCall, Usage
from pincite.agent.openai_wire import StreamedBody, turn_from_json

# Recorded shapes of hosted models, read through the client's own types.
HOSTED = {
    "tool calls": {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "gpt-x",
        "choices": [{"index": 0, "logprobs": None, "finish_reason": "tool_calls", "message": {
            "role": "assistant", "content": None, "refusal": None, "annotations": [],
            "tool_calls": [call("search", {"query": "a"}, "call_abc")]}}],
        "usage": {"prompt_tokens": 900, "completion_tokens": 20, "total_tokens": 920,
                  "prompt_tokens_details": {"cached_tokens": 640, "audio_tokens": 0},
                  "completion_tokens_details": {"reasoning_tokens": 12, "audio_tokens": 0}},
    },
    "refusal": {
        "id": "chatcmpl-2", "object": "chat.completion", "created": 1, "model": "gpt-x",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {
            "role": "assistant", "content": None, "refusal": "I can't help with that."}}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 8, "total_tokens": 17},
    },
}  # fmt: skip


def test_hosted_shapes_are_read_through_the_clients_types() -> None:
    called = turn_from_json(ChatCompletion.model_validate(HOSTED["tool calls"]).model_dump())
    assert called.tool_calls == (ToolCall("call_abc", "search", '{"query": "a"}'),)
    assert called.usage == Usage(900, 20, cached=640)
    assert called.refusal is None
    refused = turn_from_json(ChatCompletion.model_validate(HOSTED["refusal"]).model_dump())
    assert refused.refusal == "I can't help with that."
    assert refused.content == ""


def test_hosted_chunks_are_read_through_the_clients_types() -> None:
    body = StreamedBody()
    for one in (
        chunk({"role": "assistant", "content": None, "refusal": None}),
        chunk({"tool_calls": [{**part(0, "search", "", "call_abc"), "type": "function"}]}),
        chunk({"tool_calls": [part(0, None, '{"query":"a"}')]}),
        chunk({}, "tool_calls"),
    ):
        body.add(ChatCompletionChunk.model_validate(one).model_dump())
    turn = turn_from_json(body.body())
    assert turn.tool_calls == (ToolCall("call_abc", "search", '{"query":"a"}'),)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"function_call": {"name": "search", "arguments": "{}"}}, ToolCall("", "search", "{}")),
        ({"tool_calls": [{"id": None, "function": {"name": None, "arguments": None}}]}, ToolCall("", "", "")),
        (
            {"tool_calls": [{"function": {"name": "search", "arguments": {"query": "a"}}}]},
            ToolCall("", "search", '{"query": "a"}'),
        ),
        ({"tool_calls": [{"name": "search", "arguments": "{}"}]}, ToolCall("", "search", "{}")),
        ({"tool_calls": ["search"]}, None),
        ({"tool_calls": "search"}, None),
    ],
)
def test_other_shapes_of_calls_are_read(message: Json, expected: ToolCall | None) -> None:
    turn = turn_from_json({"choices": [{"message": message}]})
    assert turn.tool_calls == ((expected,) if expected else ())


def test_content_in_parts_is_joined() -> None:
    parts = [
        {"type": "text", "text": "a"},
        {"type": "refusal", "refusal": "no"},
        {"type": "text", "text": "b"},
    ]
    turn = turn_from_json({"choices": [{"message": {"content": parts}}]})
    assert (turn.content, turn.refusal) == ("ab", "no")


@pytest.mark.parametrize(
    "usage", [None, [], {}, {"prompt_tokens": 3}, {"prompt_tokens": "3", "completion_tokens": 1}]
)
def test_usage_that_is_not_whole_counts_as_none(usage: Any) -> None:
    assert turn_from_json({"choices": [{"message": {}}], "usage": usage}).usage is None


@pytest.mark.parametrize("numbers", [(0, 0), (None, None)])
def test_calls_that_a_stream_numbers_alike_stay_apart(numbers: tuple[int | None, int | None]) -> None:
    body = StreamedBody()
    body.add(chunk({"tool_calls": [part(numbers[0], "search", '{"query":', "c1")]}))
    body.add(chunk({"tool_calls": [part(numbers[0], None, '"a"}')]}))
    body.add(chunk({"tool_calls": [part(numbers[1], "read_section", "{}", "c2")]}, "tool_calls"))
    calls = turn_from_json(body.body()).tool_calls
    assert [(one.id, one.name, one.arguments) for one in calls] == [
        ("c1", "search", '{"query":"a"}'),
        ("c2", "read_section", "{}"),
    ]
