"""Statements are told while the model still writes the rest of its answer."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.agent.scripted_server import Json, chunk, part
from tests.agent.stub_tools import StubTools
from tests.agent.worlds import ARREARS, BAD_STATEMENT, FEE, FEE_STATEMENT, QUESTION, statement

from pincite.agent.budget import Budgets
from pincite.agent.events import Done, Rejected, Retracted, Verified
from pincite.agent.loop import Agent
from pincite.agent.openai_model import OpenAIModel
from pincite.agent.outcome import Status
from pincite.agent.statement_stream import StatementStream
from pincite.transcripts.writer import MemoryTranscript

ARREARS_STATEMENT = statement("Arrears cost the vote.", "P2", str(ARREARS["text"])[-30:-1])


class SlowWriter:
    """A server that streams turns piece by piece; before a piece that holds `hold` it waits for `go`."""

    def __init__(self, *turns: list[Json], hold: str = "\x00") -> None:
        self.go = threading.Event()
        waiting = list(turns)
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["content-length"]))
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.end_headers()
                for one in waiting.pop(0):
                    text = json.dumps(one)
                    if hold in text:
                        outer.go.wait(10)
                    self.wfile.write(f"data: {text}\n\n".encode())
                    self.wfile.flush()
                self.wfile.write(b"data: [DONE]\n\n")

            def log_message(self, format: str, *args: Any) -> None:
                """Nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}/v1"


@pytest.fixture
def writers() -> Iterator[list[SlowWriter]]:
    made: list[SlowWriter] = []
    yield made
    for one in made:
        one.go.set()
        one.server.shutdown()
        one.server.server_close()


SEARCH = [chunk({"tool_calls": [part(0, "search", '{"query": "fee"}', "c1")]}), chunk({}, "tool_calls")]


def answer(*statements: Json, id: str = "c2") -> list[Json]:
    text = json.dumps({"statements": list(statements), "status": "answered"})
    pieces = [text[at : at + 7] for at in range(0, len(text), 7)]
    first = chunk({"tool_calls": [part(0, "answer", "", id)]})
    return [first, *(chunk({"tool_calls": [part(0, None, one)]}) for one in pieces), chunk({}, "stop")]


def agent_for(writer: SlowWriter, **options: Any) -> Agent:
    tools = StubTools({"*": [FEE, ARREARS]}, {}, ["bylaws"])
    model = OpenAIModel("m", base_url=writer.url, stream=True, **options)
    return Agent(model, tools, budgets=Budgets(seconds=30), transcript=MemoryTranscript())


def test_a_statement_is_told_before_the_answer_is_written_to_its_end(writers: list[SlowWriter]) -> None:
    writer = SlowWriter(SEARCH, answer(FEE_STATEMENT, ARREARS_STATEMENT), hold='"stop"')
    writers.append(writer)
    told: list[Any] = []
    for event in agent_for(writer).events(QUESTION):
        if isinstance(event, Verified):
            assert not writer.go.is_set(), "the server holds the end of the turn back"
        if isinstance(event, Verified | Retracted | Rejected | Done):
            told.append(event)
        if len(told) == 2:
            writer.go.set()
    assert [type(event) for event in told] == [Verified, Verified, Done]
    assert [event.statement for event in told[:2]] == list(told[2].answer.statements)


def test_what_does_not_pass_is_not_told_while_it_is_written(writers: list[SlowWriter]) -> None:
    writers.append(
        SlowWriter(
            SEARCH, answer(BAD_STATEMENT, FEE_STATEMENT), answer(FEE_STATEMENT, ARREARS_STATEMENT, id="c3")
        )
    )
    events = list(agent_for(writers[0]).events(QUESTION))
    shown = [event.statement.text for event in events if isinstance(event, Verified)]
    assert shown == [FEE_STATEMENT["text"], ARREARS_STATEMENT["text"]]
    assert "250" not in repr(events)


def test_an_action_in_json_is_told_alike(writers: list[SlowWriter]) -> None:
    def action(tool: str, arguments: Json) -> list[Json]:
        text = json.dumps({"tool": tool, "arguments": arguments})
        pieces = [text[at : at + 5] for at in range(0, len(text), 5)]
        return [*(chunk({"content": one}) for one in pieces), chunk({}, "stop")]

    good = {"statements": [FEE_STATEMENT], "status": "answered"}
    writers.append(SlowWriter(action("search", {"query": "fee"}), action("answer", good)))
    events = list(agent_for(writers[0], mode="json").events(QUESTION))
    assert events[-1].answer.status is Status.answered  # type: ignore[union-attr]
    assert len([event for event in events if isinstance(event, Verified)]) == 1


@given(
    st.lists(st.fixed_dictionaries({"text": st.text(max_size=20), "citations": st.just([])}), max_size=4),
    st.integers(1, 9),
    st.sampled_from(["", '{"tool": "answer", "arguments": ']),
)
def test_each_statement_comes_out_once_and_as_it_is(statements: list[Json], size: int, before: str) -> None:
    text = before + json.dumps({"statements": statements, "unanswered": [], "status": "partial"})
    stream = StatementStream()
    found = [one for at in range(0, len(text) + size, size) for one in stream.more(text[:at])]
    assert found == statements


@pytest.mark.parametrize(
    "text", ["", "[", '{"statements": "x"}', '{"statements": [3, {}]}', '{"statements": [' + "{" * 5_000]
)
def test_other_text_holds_no_statement(text: str) -> None:
    assert StatementStream().more(text) == []
