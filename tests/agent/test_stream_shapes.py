"""Streams as servers really send them give the same turn as a body in one piece."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.agent.scripted_server import Json, Reply, ScriptedServer, call, chunk, completion, part

from pincite.agent.clock import ManualClock
from pincite.agent.messages import Message, ModelRequest, ModelTurn
from pincite.agent.model import ModelError
from pincite.agent.openai_model import OpenAIModel
from pincite.agent.openai_wire import StreamedBody, turn_from_json

REQUEST = ModelRequest((Message("user", "How much is the fee?"),), timeout_s=20)
FEE = '{"query": "annual fee"}'
FIRST, SECOND = ("a", "search", FEE), ("b", "search", FEE)
BODY = completion({"content": None, "tool_calls": [call("search", FEE)]}, "tool_calls")
CHUNKS = [
    chunk({"tool_calls": [part(0, "search", '{"query": ', "call_1")]}),
    chunk({"tool_calls": [part(0, None, '"annual fee"}')]}),
    chunk({}, "tool_calls"),
]


def events(chunks: list[Json], end: str = "\n\n", before: str = "data: ", last: str = "data: [DONE]") -> str:
    return "".join(f"{before}{json.dumps(one)}{end}" for one in chunks) + (f"{last}{end}" if last else "")


STREAMS = {
    "plain": events(CHUNKS),
    "no blank behind the colon": events(CHUNKS, before="data:"),
    "carriage returns": events(CHUNKS, end="\r\n\r\n"),
    "carriage returns alone": events(CHUNKS, end="\r\r"),
    "single line ends": events(CHUNKS, end="\n"),
    "byte order mark": "\ufeff" + events(CHUNKS),
    "comments and keepalives": ": ping\n\n" + events(CHUNKS, end="\n\n: keepalive\n\n"),
    "other fields": "retry: 100\n\n" + events(CHUNKS, before="event: message\nid: 7\ndata: "),
    "no last word": events(CHUNKS, last=""),
    "an event of several lines": "".join(
        "".join(f"data: {line}\n" for line in json.dumps(one, indent=1).splitlines()) + "\n" for one in CHUNKS
    ),
    "usage behind, without choices": events([*CHUNKS, {"choices": [], "usage": None}]),
    "nothing in front": events([{"choices": []}, chunk({"role": "assistant", "content": None}), *CHUNKS]),
}


@pytest.fixture
def ask() -> Iterator[Any]:
    contexts = []

    def once(reply: Reply, stream: bool = True) -> ModelTurn:
        context = ScriptedServer([reply]).running()
        contexts.append(context)
        model = OpenAIModel("m", base_url=context.__enter__().url, stream=stream, clock=ManualClock())
        try:
            return model.respond(REQUEST)
        finally:
            model.close()

    yield once
    for context in contexts:
        context.__exit__(None, None, None)


def calls(turn: ModelTurn) -> list[tuple[str, str]]:
    return [(one.name, one.arguments) for one in turn.tool_calls]


@pytest.mark.parametrize("kind", ["text/event-stream", "application/json", "text/plain; charset=utf-8"])
@pytest.mark.parametrize("text", STREAMS.values(), ids=STREAMS)
def test_a_stream_is_read_whatever_it_is_called(ask: Any, text: str, kind: str) -> None:
    turn = ask(Reply(raw=text.encode(), content_type=kind))
    assert calls(turn) == [("search", FEE)]
    assert turn.finish_reason == "tool_calls"


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("kind", ["text/event-stream", "text/plain", "application/octet-stream"])
def test_a_body_in_one_piece_is_read_whatever_it_is_called(ask: Any, kind: str, mark: str) -> None:
    for text in (json.dumps(BODY), json.dumps(BODY, indent=2)):
        assert calls(ask(Reply(raw=(mark + text).encode(), content_type=kind))) == [("search", FEE)]


@pytest.mark.parametrize(
    "text",
    [
        events(CHUNKS[:2], last=""),
        events([CHUNKS[0], {"error": {"message": "the engine died", "code": 500}}]),
        'data: {"choices": [\n\n' + events(CHUNKS),
        "data: x\n" * 1_000,
        ": ping\n\n",
        "",
    ],
)
def test_a_stream_that_is_not_whole_is_an_error(ask: Any, text: str) -> None:
    with pytest.raises(ModelError) as caught:
        ask(Reply(raw=text.encode(), content_type="text/event-stream"))
    assert caught.value.code in {"connection", "bad_response", "server_error"}


def whole(*parts: Json) -> list[tuple[str, str, str]]:
    body = StreamedBody()
    for one in parts:
        body.add(chunk({"tool_calls": [one]}))
    body.add(chunk({}, "tool_calls"))
    return [(one.id, one.name, one.arguments) for one in turn_from_json(body.body()).tool_calls]


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([part(0, "sea", "", "a"), part(0, "rch", ""), part(0, None, FEE)], [FIRST]),
        ([part(0, "search", "{", "a"), part(0, "search", "}", "a")], [("a", "search", "{}")]),
        ([part(0, "search", FEE, "a"), part(0, "search", "", "a")], [FIRST]),
        (
            [part(3, "search", FEE, "a"), part(7, "search", FEE, "b")],
            [FIRST, SECOND],
        ),
        ([part(0, "search", FEE), part(0, "search", FEE)], [("", "search", FEE)] * 2),
        ([part(None, "search", FEE), part(None, "search", FEE)], [("", "search", FEE)] * 2),
        ([part(None, "search", '{"query": '), part(None, None, '"annual fee"}')], [("", "search", FEE)]),
        ([part(0, "search", ""), part(0, None, FEE, "late")], [("late", "search", FEE)]),
        (
            [part(0, "search", FEE, "a"), part(0, "search", FEE, "b")],
            [FIRST, SECOND],
        ),
        (
            [part(1, "search", FEE, "b"), part(0, "search", "{}", "a")],
            [SECOND, ("a", "search", "{}")],
        ),
    ],
)
def test_pieces_of_calls_come_together(parts: list[Json], expected: list[tuple[str, str, str]]) -> None:
    assert whole(*parts) == expected


@pytest.mark.parametrize(
    "message",
    [
        {"content": None, "tool_calls": None},
        {"content": None},
        {"content": "", "tool_calls": []},
        {"content": None, "tool_calls": [None, 3, "x"]},
        {"content": {"type": "text"}, "tool_calls": {}},
    ],
)
def test_a_message_without_anything_is_an_empty_turn(ask: Any, message: Json) -> None:
    turn = ask(Reply(body=completion(message, "tool_calls")), stream=False)
    assert (turn.content, turn.tool_calls) == ("", ())


@pytest.mark.parametrize("choices", [[], None, [None], "x"])
def test_a_response_without_a_choice_is_an_error(ask: Any, choices: Any) -> None:
    with pytest.raises(ModelError, match="no choices"):
        ask(Reply(body={"choices": choices}), stream=False)
