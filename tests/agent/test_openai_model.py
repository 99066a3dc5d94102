from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from email.utils import formatdate
from typing import Any

import pytest
from tests.agent.scripted_server import Reply, ScriptedServer, chunk, completion, part, stream, unused_address

from pincite.agent.clock import ManualClock
from pincite.agent.messages import Message, ModelRequest, ModelTurn, Note, ToolCall, Usage
from pincite.agent.model import ModelError
from pincite.agent.openai_model import OpenAIModel
from pincite.errors import UsageError

KEY = "sk-test-0123456789abcdef"
HELLO = completion({"content": "hello"}, usage={"prompt_tokens": 11, "completion_tokens": 2})
ASK = (Message("system", "rules"), Message("user", "question"))


class Listener:
    """A watch that keeps what it is told."""

    def __init__(self) -> None:
        self.notes: list[Note] = []
        self.cancelled = False

    def writing(self, so_far: Callable[[], ModelTurn | None]) -> None:
        self.so_far = so_far

    def notify(self, note: Note) -> None:
        self.notes.append(note)


class Setup:
    """A server with a script, and a model that asks it."""

    def __init__(self, server: ScriptedServer, **options: Any) -> None:
        self.server = server
        self.clock = ManualClock()
        self.watch = Listener()
        self.model = OpenAIModel("m", base_url=server.url, api_key=KEY, clock=self.clock, **options)

    def ask(self, timeout_s: float | None = 30.0, **fields: Any) -> Any:
        request = ModelRequest(ASK, timeout_s=timeout_s, watch=self.watch, **fields)
        return self.model.respond(request)

    def fails(self, timeout_s: float | None = 30.0) -> ModelError:
        with pytest.raises(ModelError) as caught:
            self.ask(timeout_s)
        assert KEY not in str(caught.value)
        assert KEY not in caught.value.message
        return caught.value


@pytest.fixture
def setup() -> Iterator[Any]:
    running = []

    def start(*replies: Reply, **options: Any) -> Setup:
        context = ScriptedServer(list(replies)).running()
        one = Setup(context.__enter__(), **options)
        running.append((one, context))
        return one

    yield start
    for one, context in running:
        one.model.close()
        context.__exit__(None, None, None)


def test_a_turn_comes_back_with_its_usage_and_the_servers_own_body(setup: Any) -> None:
    one = setup(Reply(body=HELLO))
    turn = one.ask()
    assert (turn.content, turn.finish_reason, turn.usage) == ("hello", "stop", Usage(11, 2))
    assert turn.raw == HELLO


def test_the_request_has_the_shape_of_the_wire(setup: Any) -> None:
    one = setup(Reply(body=HELLO))
    messages = (
        *ASK,
        Message("assistant", tool_calls=(ToolCall("c1", "search", '{"query":"a"}'),)),
        Message("tool", "result", tool_call_id="c1", name="search"),
    )
    one.model.respond(ModelRequest(messages, max_output_tokens=50))
    sent = one.server.requests[0]
    assert sent["model"] == "m"
    assert sent["temperature"] == 0
    assert sent["max_tokens"] == 50
    assert "tools" not in sent
    function = {"name": "search", "arguments": '{"query":"a"}'}
    assert sent["messages"][2] == {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "type": "function", "function": function}],
    }
    assert sent["messages"][3] == {"role": "tool", "tool_call_id": "c1", "content": "result"}
    assert one.server.headers[0]["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": formatdate(1_600_000_004, usegmt=True)}, 4.0),
        ({"retry-after": formatdate(1_500_000_000, usegmt=True)}, 0.0),
        ({"retry-after": "soon"}, 0.5),
        ({}, 0.5),
    ],
)
def test_a_429_is_tried_again_when_the_server_says(setup: Any, headers: Any, wait: float) -> None:
    one = setup(
        Reply(status=429, headers=headers, body={"error": {"message": "slow down"}}), Reply(body=HELLO)
    )
    assert one.ask().content == "hello"
    assert [(note.kind, note.code, note.attempt) for note in one.watch.notes] == [
        ("retry", "rate_limited", 1)
    ]
    assert one.watch.notes[0].wait_s == pytest.approx(wait)
    assert one.clock.monotonic() == pytest.approx(wait)


def test_a_429_that_asks_for_more_time_than_there_is_is_not_waited_for(setup: Any) -> None:
    one = setup(Reply(status=429, headers={"retry-after": "60"}, body={"error": {"message": "slow down"}}))
    assert one.fails(timeout_s=30).code == "rate_limited"
    assert len(one.server.requests) == 1
    assert one.clock.monotonic() == 0


def test_a_spent_quota_is_not_tried_again(setup: Any) -> None:
    error = {"message": "You exceeded your quota", "code": "insufficient_quota"}
    one = setup(Reply(status=429, body={"error": error}))
    assert one.fails().code == "quota_exceeded"
    assert len(one.server.requests) == 1


@pytest.mark.parametrize("status", [500, 502, 503, 504, 408])
def test_server_errors_are_tried_again_with_growing_pauses_and_a_last_time(setup: Any, status: int) -> None:
    one = setup(Reply(status=status, raw=b"<html>oops</html>", content_type="text/html"))
    error = one.fails()
    assert error.code == "server_error"
    assert str(status) in error.message
    assert [note.wait_s for note in one.watch.notes] == [0.5, 1.0, 2.0]
    assert len(one.server.requests) == 4


def test_after_a_server_error_the_turn_still_comes(setup: Any) -> None:
    one = setup(Reply(status=503, body={}), Reply(drop=True), Reply(body=HELLO))
    assert one.ask().content == "hello"
    assert [note.code for note in one.watch.notes] == ["server_error", "connection"]


def test_nobody_listening_is_said_with_the_address() -> None:
    model = OpenAIModel("m", base_url=unused_address(), clock=ManualClock())
    with pytest.raises(ModelError) as caught, closing(model):
        model.respond(ModelRequest(ASK, timeout_s=30))
    assert caught.value.code == "connection"
    assert "127.0.0.1" in caught.value.message
    assert "OPENAI_BASE_URL" in caught.value.hint


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (Reply(raw=b"{broken"), "bad_response"),
        (Reply(raw=b"<html></html>", content_type="text/html"), "bad_response"),
        (Reply(raw=b""), "bad_response"),
        (Reply(raw=b"[" * 100_000), "bad_response"),
        (Reply(body=[]), "bad_response"),
        (Reply(body={"choices": []}), "bad_response"),
        (Reply(body={"choices": [{"finish_reason": "stop"}]}), "bad_response"),
        (Reply(body={"choices": None}), "bad_response"),
        (Reply(body={"error": {"message": "overloaded"}}), "server_error"),
        (Reply(body=HELLO, cut=20), "connection"),
        (Reply(status=401, body={"error": {"message": f"bad key {KEY}"}}), "unauthorized"),
        (Reply(status=403, body={}), "unauthorized"),
        (Reply(status=400, body={"error": {"message": "no"}}), "bad_request"),
        (Reply(status=404, body={"detail": "Not Found"}), "not_found"),
        (Reply(status=404, body={"error": {"message": "x", "code": "model_not_found"}}), "no_such_model"),
        (Reply(status=404, body={"error": "model 'm' not found, try pulling it first"}), "no_such_model"),
        (
            Reply(status=400, body={"error": {"message": "x", "code": "context_length_exceeded"}}),
            "context_length",
        ),
        (
            Reply(status=400, body={"error": {"message": "the request exceeds the available context size"}}),
            "context_length",
        ),
        (Reply(status=500, body={"error": {"message": "prompt is too long: n_ctx 2048"}}), "context_length"),
        (Reply(status=413, body={}), "context_length"),
        (Reply(status=400, body={"error": "registry/library/m does not support tools"}), "no_tools"),
    ],
)
def test_each_fault_has_its_code(setup: Any, reply: Reply, code: str) -> None:
    assert setup(reply).fails().code == code


def test_a_model_that_is_not_there_comes_with_names_that_are(setup: Any) -> None:
    one = setup(Reply(status=404, body={"error": {"message": "no model", "code": "model_not_found"}}))
    assert one.fails().near == ("m-large",)


@pytest.mark.parametrize("options", [{}, {"stream": True}])
def test_a_hanging_server_is_left_at_the_deadline(setup: Any, options: Any) -> None:
    one = setup(Reply(body=HELLO, sleep=20), **options)
    started = time.monotonic()
    assert one.fails(timeout_s=0.4).code == "timeout"
    assert time.monotonic() - started < 3


@pytest.mark.parametrize("options", [{}, {"stream": True}])
def test_a_dripping_server_is_left_at_the_deadline(setup: Any, options: Any) -> None:
    one = setup(Reply(body=HELLO, drip=0.05), **options)
    started = time.monotonic()
    assert one.fails(timeout_s=0.6).code == "timeout"
    assert time.monotonic() - started < 3


def test_a_cancelled_call_reads_no_further(setup: Any) -> None:
    one = setup(Reply(body=HELLO, drip=0.01))
    one.watch.cancelled = True
    assert one.fails().code == "timeout"


@pytest.mark.parametrize("name", ["temperature", "tool_choice", "max_tokens"])
def test_a_parameter_that_the_server_does_not_take_is_left_out_from_then_on(setup: Any, name: str) -> None:
    refused = Reply(
        status=400, body={"error": {"message": f"Unsupported parameter: '{name}'", "param": name}}
    )
    one = setup(refused, Reply(body=HELLO))
    tool = type("T", (), {"name": "search", "description": "d", "parameters": {"type": "object"}})()
    for _ in range(2):
        assert one.ask(tools=(tool,), max_output_tokens=9).content == "hello"
    first, second, third = one.server.requests
    assert name in first
    assert name not in second
    assert name not in third
    assert [note.code for note in one.watch.notes].count("parameter_removed") == 1
    if name == "max_tokens":
        assert second["max_completion_tokens"] == 9


def test_a_key_alone_does_not_reach_an_error_or_the_models_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    model = OpenAIModel("m", base_url="http://user:password@127.0.0.1:1/v1", clock=ManualClock())
    with pytest.raises(ModelError) as caught:
        model.respond(ModelRequest(ASK, timeout_s=30))
    assert "password" not in caught.value.message
    assert KEY not in repr(vars(caught.value))
    assert model.secrets == (KEY,)


def test_a_hosted_model_without_a_key_is_refused_at_once() -> None:
    with pytest.raises(UsageError) as caught:
        OpenAIModel("gpt-x")
    assert "OPENAI_API_KEY" in caught.value.hint


def test_a_stream_gives_the_same_turn(setup: Any) -> None:
    one = setup(
        stream(
            [
                chunk({"role": "assistant", "content": "I "}),
                chunk({"content": "look."}),
                chunk({"tool_calls": [part(0, "search", "", "c1")]}),
                chunk({"tool_calls": [part(0, None, '{"query":')]}),
                chunk({"tool_calls": [part(0, None, ' "a"}')]}),
                chunk({"tool_calls": [part(1, "search", '{"query": "b"}', "c2")]}),
                chunk({}, "tool_calls"),
                {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 7}},
            ]
        ),
        stream=True,
    )
    turn = one.ask()
    assert turn.content == "I look."
    assert turn.tool_calls == (
        ToolCall("c1", "search", '{"query": "a"}'),
        ToolCall("c2", "search", '{"query": "b"}'),
    )
    assert (turn.finish_reason, turn.usage) == ("tool_calls", Usage(5, 7))
    assert one.server.requests[0]["stream_options"] == {"include_usage": True}


def test_a_stream_cut_in_the_middle_is_tried_again_and_never_taken_for_whole(setup: Any) -> None:
    cut = stream([chunk({"tool_calls": [part(0, "answer", '{"status": "ans')]})], done=False)
    whole = stream([chunk({"content": "hello"}, "stop")])
    one = setup(cut, whole, stream=True)
    assert one.ask().content == "hello"
    assert [note.code for note in one.watch.notes] == ["connection"]


def test_a_stream_that_reports_an_error_or_holds_no_json_fails(setup: Any) -> None:
    assert setup(stream([{"error": {"message": "boom"}}]), stream=True).fails().code == "server_error"
    assert setup(stream(["{broken"]), stream=True).fails().code == "bad_response"


def test_a_server_that_ignores_the_wish_for_a_stream_is_understood(setup: Any) -> None:
    assert setup(Reply(body=HELLO), stream=True).ask().content == "hello"


def test_the_body_sent_is_plain_json(setup: Any) -> None:
    one = setup(Reply(body=HELLO))
    one.model.respond(ModelRequest((Message("user", "ü \u2028 ⟦x⟧"),)))
    assert json.dumps(one.server.requests[0])


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("streaming", [False, True])
def test_a_redirect_is_told_and_never_followed(setup: Any, status: int, *, streaming: bool) -> None:
    other = setup(Reply(body=HELLO))
    there = f"{other.server.url}/chat/completions"
    one = setup(
        Reply(body={}, status=status, headers={"location": f"{there}?token=secret"}), stream=streaming
    )
    error = one.fails()
    assert other.server.requests == []
    assert len(one.server.requests) == 1
    assert error.message == f"the server at {one.model.address} redirects to {there}"
    assert (error.code, error.hint) == ("redirected", "name that address if you trust it")


def test_a_redirect_to_nowhere_readable_is_told_too(setup: Any) -> None:
    error = setup(Reply(body={}, status=302, headers={"location": "http://[bad"})).fails()
    assert error.message.endswith("redirects to an address that cannot be read")


def test_a_server_that_breaks_off_is_told_in_our_words(setup: Any) -> None:
    error = setup(Reply(body=HELLO, cut=20)).fails()
    assert error.message.endswith("broke off its answer")


def test_broken_json_is_not_called_another_kind(setup: Any) -> None:
    error = setup(Reply(raw=b'{"choices": [')).fails()
    assert error.message.endswith("sent broken JSON")


def test_no_connection_has_no_number_of_the_system() -> None:
    model = OpenAIModel("m", base_url=unused_address(), clock=ManualClock())
    with closing(model), pytest.raises(ModelError) as caught:
        model.respond(ModelRequest(ASK, timeout_s=0.3))
    assert caught.value.message == f"no connection to {model.address}: Connection refused"


@pytest.mark.parametrize(
    "secret", ["sk-proj-abc123*****wxyz", "Bearer abc.def-123456", "9f8e7d6c5b4a39281706f5e4d3c2b1a0"]
)
def test_what_looks_like_a_key_in_a_servers_words_is_masked(setup: Any, secret: str) -> None:
    said = f"Incorrect API key provided: {secret} for model qwen2.5-72b-instruct-awq"
    error = setup(Reply(status=401, body={"error": {"message": said}})).fails()
    assert secret not in error.message and "[redacted] for model qwen2.5-72b-instruct-awq" in error.message
