"""Sessions as traces, as a person sends them."""

from __future__ import annotations

import json
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.conftest import Program
from tests.transcripts.otlp import Collector, attributes, collector

QUESTION = "What is the working pressure of the boiler?"
ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
CONTENT = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"


@pytest.fixture
def there(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    monkeypatch.delenv("OTEL_SDK_DISABLED", raising=False)
    with collector() as one:
        yield one


def nobody() -> str:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{taken.getsockname()[1]}"


def ask(program: Program, db: Path) -> str:
    done = program("ask", QUESTION, "--db", db, "--json")
    assert done.code == 0, done.err
    return str(done.json["session"])


def test_a_question_is_sent_when_an_endpoint_is_named(
    program: Program, db: Path, there: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(ENDPOINT, there.address)
    session = ask(program, db)
    root = attributes(there.named("invoke_agent pincite"))
    assert (root["gen_ai.conversation.id"], root["pincite.status"]) == (session, "answered")
    assert "boiler" not in there.text
    live = [span.span_id for span in there.spans]
    monkeypatch.delenv(ENDPOINT)
    there.requests.clear()
    done = program("export", session, "--db", db, "--otlp", there.address)
    assert (done.code, done.err) == (0, "")
    assert f"{len(live)} spans in 1 trace sent to {there.address}/v1/traces" in done.out
    assert [span.span_id for span in there.spans] == live


def test_with_content_on_request_only(
    program: Program, db: Path, there: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = ask(program, db)
    program("export", session, "--db", db, "--otlp", there.address)
    assert "1.5 bar" not in there.text
    program("export", session, "--db", db, "--otlp", there.address, "--content")
    assert "1.5 bar" in there.text
    there.requests.clear()
    monkeypatch.setenv(CONTENT, "true")
    program("export", session, "--db", db, "--otlp", there.address, "--no-content")
    assert "1.5 bar" not in there.text
    monkeypatch.setenv("PINCITE_REDACT", r"1\.5 bar")
    program("export", session, "--db", db, "--otlp", there.address)
    assert "working pressure" in there.text
    assert "1.5 bar" not in there.text


def test_what_is_said_in_a_chat_is_sent_question_by_question(
    program: Program, db: Path, there: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(ENDPOINT, there.address)
    reader, writer = socket.socketpair()
    with reader, writer, reader.makefile("r", encoding="utf-8") as lines:
        writer.sendall(f"{QUESTION}\nWhat does F28 mean?\n".encode())
        writer.shutdown(socket.SHUT_WR)
        monkeypatch.setattr(sys, "stdin", lines)
        assert program("chat", "--db", db).code == 0
    roots = [span for span in there.spans if not span.parent_span_id]
    assert [attributes(root)["pincite.question"] for root in roots] == [1, 2]
    assert len({root.trace_id for root in roots}) == 2
    assert len({attributes(root)["session.id"] for root in roots}) == 1


def test_a_collector_that_is_down_is_one_line_and_the_answer_is_there(
    program: Program, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(ENDPOINT, nobody())
    done = program("ask", QUESTION, "--db", db)
    assert done.code == 0
    assert "1.5 bar" in done.out
    assert "cannot be reached" in done.complaint
    assert "pincite export" in done.complaint


def test_a_collector_that_hangs_holds_no_answer_back(
    program: Program, db: Path, there: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(ENDPOINT, there.address)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "0.2")
    there.answering.clear()
    started = time.perf_counter()
    done = program("ask", QUESTION, "--db", db)
    assert time.perf_counter() - started < 20
    assert (done.code, "1.5 bar" in done.out) == (0, True)
    assert done.complaint


def test_without_the_packages_it_is_one_line(
    program: Program, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = ask(program, db)
    for name in [name for name in sys.modules if name.startswith("opentelemetry.exporter")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter", None)
    done = program("export", session, "--db", db, "--otlp", "http://127.0.0.1:9")
    assert done.code == 2
    assert "pip install 'pincite[otel]'" in done.complaint
    monkeypatch.setenv(ENDPOINT, "http://127.0.0.1:9")
    done = program("ask", QUESTION, "--db", db)
    assert (done.code, "1.5 bar" in done.out) == (0, True)
    assert "pip install 'pincite[otel]'" in done.complaint


def test_a_refusal_is_a_failed_service(program: Program, db: Path, there: Collector) -> None:
    session = ask(program, db)
    there.status = 401
    done = program("export", session, "--db", db, "--otlp", there.address)
    assert done.code == 4
    assert "it answered 401" in done.complaint


@pytest.mark.parametrize(
    "flags",
    [(), ("--otlp", "nonsense"), ("--otlp", "http://h", "--file", "x"), ("--file", "-", "--json")],
)
def test_where_to_is_asked_for(program: Program, db: Path, flags: tuple[str, ...]) -> None:
    session = ask(program, db)
    done = program("export", session, "--db", db, *flags)
    assert done.code == 2
    assert done.complaint


def test_a_file_takes_several_sessions(program: Program, db: Path, tmp_path: Path) -> None:
    sessions = [ask(program, db), ask(program, db)]
    target = tmp_path / "traces.json"
    done = program("export", *sessions, "--db", db, "--file", target, "--json")
    assert done.json["traces"] == 2
    assert target.stat().st_mode & 0o777 == 0o600
    written = json.loads(target.read_text(encoding="utf-8"))
    assert len(written["resourceSpans"][0]["scopeSpans"][0]["spans"]) == done.json["spans"]
    assert program("export", *sessions, "--db", db, "--file", target).code == 0
    recording = next((db / "default" / "sessions").glob("*.jsonl"))
    before = recording.read_bytes()
    refused = program("export", *sessions, "--db", db, "--file", recording)
    assert (refused.code, recording.read_bytes()) == (2, before)
    printed = program("export", *sessions, "--db", db, "--file", "-")
    assert len(json.loads(printed.out)["resourceSpans"]) == 1


def test_a_torn_transcript_is_sent_as_far_as_it_goes(
    program: Program, db: Path, tmp_path: Path, there: Collector
) -> None:
    path = Path(program("ask", QUESTION, "--db", db, "--json").json["transcript"])
    torn = tmp_path / "torn.jsonl"
    torn.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    done = program("export", torn, "--otlp", there.address)
    assert done.code == 0
    assert "the last line is unfinished" in done.err
    assert attributes(there.named("invoke_agent pincite"))["error.type"] == "unknown_outcome"
    assert program("export", "nowhere.jsonl", "--otlp", there.address).code == 3
