"""Spans through OpenTelemetry's SDK to a real collector, while a session goes on and afterwards."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode
from tests.transcripts.otlp import Collector, attributes, collector
from tests.transcripts.recorded import session

from pincite.errors import UsageError
from pincite.transcripts.events import AnswerEvent, Event, SessionStart, UserMessage
from pincite.transcripts.otel.export import (
    Exporter,
    ExportError,
    endpoint_of,
    otlp_json,
    sdk_spans,
    shown_address,
    traces_address,
    wants_content,
)
from pincite.transcripts.otel.live import Tracing
from pincite.transcripts.otel.span import Span
from pincite.transcripts.otel.spans import spans_of
from pincite.transcripts.reader import read
from pincite.transcripts.redact import Redactor
from pincite.transcripts.stamp import Stamp
from pincite.transcripts.writer import MemoryTranscript, Transcript, TranscriptWriter

GOLDEN = Path(__file__).parents[2] / "transcripts" / "golden"
SECRET = "sk-abcdefghijklmnop1234"


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OTEL_SERVICE_NAME", "OTEL_TRACES_SAMPLER", "OTEL_SDK_DISABLED"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def there() -> Iterator[Collector]:
    with collector() as one:
        yield one


def golden(name: str = "two-documents", *, content: bool = False) -> list[Span]:
    return spans_of(read(GOLDEN / f"{name}.jsonl").events, content=content)


def nobody() -> str:
    """An address where nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{taken.getsockname()[1]}/v1/traces"


def asked(transcript: Transcript, *events: Event) -> None:
    for event in events:
        transcript.append(event)


def question(text: str = "How much?", answer: str = "840.") -> tuple[Event, Event]:
    given = {"status": "answered", "stop_reason": "answered", "text": answer}
    return UserMessage(question=1, text=text), AnswerEvent(question=1, answer=given)


def test_the_sdk_has_the_spans_with_their_ids_times_and_status() -> None:
    spans = spans_of(session(results=({"error": {"code": "search_unavailable"}},)).events)
    exporter = InMemorySpanExporter()
    exporter.export(sdk_spans(spans))
    finished: Sequence[ReadableSpan] = exporter.get_finished_spans()
    assert [one.name for one in finished] == [one.name for one in spans]
    for made, span in zip(finished, spans, strict=True):
        context = made.get_span_context()
        assert context is not None
        assert (f"{context.trace_id:032x}", f"{context.span_id:016x}") == (span.trace, span.id)
        assert (f"{made.parent.span_id:016x}" if made.parent else None) == span.parent
        assert (made.start_time, made.end_time) == (span.start_ns, span.end_ns)
        assert made.kind is (SpanKind.CLIENT if span.name == "chat m" else SpanKind.INTERNAL)
        assert made.status.status_code is (StatusCode.ERROR if span.error else StatusCode.UNSET)
        assert dict(made.attributes or {}) == dict(span.attributes)
    assert finished[0].resource.attributes["service.name"] == "pincite"


def test_the_environment_names_the_service_and_the_sampler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_SERVICE_NAME", "house")
    monkeypatch.setenv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test")
    found = sdk_spans(golden())[0].resource.attributes
    assert (found["service.name"], found["deployment.environment.name"]) == ("house", "test")
    monkeypatch.setenv("OTEL_TRACES_SAMPLER", "always_off")
    assert sdk_spans(golden()) == []


def test_a_collector_gets_them(there: Collector) -> None:
    spans = golden()
    assert Exporter(traces_address(there.address)).send(spans) == len(spans)
    assert there.paths == ["/v1/traces"]
    assert [span.span_id.hex() for span in there.spans] == [span.id for span in spans]
    root = there.named("invoke_agent pincite")
    assert root.trace_id.hex() == spans[0].trace
    assert (root.start_time_unix_nano, root.end_time_unix_nano) == (spans[0].start_ns, spans[0].end_ns)
    assert attributes(root)["gen_ai.conversation.id"] == "two-documents"


def test_headers_and_compression_are_those_of_the_environment(
    there: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "Authorization=Basic%20abc")
    Exporter(traces_address(there.address)).send(golden())
    assert there.headers[0]["authorization"] == "Basic abc"


def test_much_goes_in_several_requests_and_stays_one_trace(there: Collector) -> None:
    span = golden()[0]
    big = [span, *(replace(span, id=f"{n:016x}", parent=span.id) for n in range(1, 12))]
    big = [replace(one, attributes={"text": "x" * 1_000_000}) for one in big]
    assert Exporter(traces_address(there.address)).send(big) == 12
    assert len(there.sizes) == 3
    assert max(there.sizes) < 5_000_000
    assert {one.trace_id.hex() for one in there.spans} == {span.trace}
    assert [one.parent_span_id.hex() for one in there.spans] == ["", *[span.id] * 11]


@pytest.mark.parametrize("status", [400, 401, 404, 500])
def test_a_collector_that_refuses_is_told_with_its_status(there: Collector, status: int) -> None:
    there.status = status
    with pytest.raises(ExportError, match=f"it answered {status}"):
        Exporter(traces_address(there.address), 1).send(golden())


def test_nobody_there_is_told_without_what_is_secret_in_the_address() -> None:
    address = nobody().replace("http://", "http://user:hunter2@") + "?key=hunter2"
    with pytest.raises(ExportError, match="cannot be reached") as told:
        Exporter(address, 1).send(golden())
    assert "hunter2" not in str(told.value)
    assert shown_address("http://u:hunter2@[::1]:4318/v1/traces?k=hunter2") == "http://[::1]:4318/v1/traces"


@pytest.mark.parametrize(
    "address", ["ftp://x/v1/traces", "localhost:4318", "http://", "http://[", "http://h:x"]
)
def test_what_is_no_address_is_wrong_usage(address: str) -> None:
    with pytest.raises(UsageError, match="no address"):
        Exporter(address)


def test_a_file_holds_what_a_collector_reads() -> None:
    spans = golden()
    data = json.loads(json.dumps(otlp_json(spans)))
    (resource,) = data["resourceSpans"]
    written = resource["scopeSpans"][0]["spans"]
    assert [span["spanId"] for span in written] == [span.id for span in spans]
    assert written[0]["traceId"] == spans[0].trace
    assert written[1]["parentSpanId"] == spans[0].id
    assert written[0]["kind"] == 1
    assert written[0]["startTimeUnixNano"] == str(spans[0].start_ns)


def test_the_environment_says_where_to_and_whether_with_content() -> None:
    base = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318/"}
    assert endpoint_of({}) is None
    assert endpoint_of(base) == "http://c:4318/v1/traces"
    assert endpoint_of({**base, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://t/x"}) == "http://t/x"
    assert endpoint_of({**base, "OTEL_SDK_DISABLED": "true"}) is None
    assert endpoint_of({**base, "OTEL_TRACES_EXPORTER": "none"}) is None
    assert endpoint_of({**base, "OTEL_TRACES_EXPORTER": "console, otlp"}) is not None
    name = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
    values = ("true", "SPAN_ONLY", "SPAN_AND_EVENT", "false", "NO_CONTENT", "EVENT_ONLY", "")
    assert [wants_content({name: value}) for value in values] == [True] * 3 + [False] * 4


def test_a_session_that_is_watched_is_sent_question_by_question(there: Collector, tmp_path: Path) -> None:
    path = tmp_path / "s1.jsonl"
    tracing = Tracing(traces_address(there.address))
    writer = TranscriptWriter(path, Stamp("s1"))
    watched = tracing.watch(writer, Redactor())
    assert (watched.path, watched.problem) == (path, None)
    asked(watched, SessionStart(session="s1", model="m"), *question())
    until(lambda: len(there.spans) == 1)
    asked(watched, *question())
    watched.close()
    assert tracing.close() is None
    # What is made of the file afterwards is the same.
    later = spans_of(read(path).events)
    assert [span.span_id.hex() for span in there.spans] == [span.id for span in later]
    assert [span.start_time_unix_nano for span in there.spans] == [span.start_ns for span in later]


def test_secrets_are_not_sent(there: Collector) -> None:
    for content in (False, True):
        tracing = Tracing(traces_address(there.address), content=content)
        watched = tracing.watch(MemoryTranscript("s1"), Redactor(["hunter2-hunter2"], [r"K-\d+"]))
        asked(watched, *question(f"Is {SECRET} or hunter2-hunter2?", "It is K-1234."))
        assert tracing.close() is None
    assert "How much" not in there.text
    assert not [secret for secret in (SECRET, "hunter2", "K-1234") if secret in there.text]
    assert "[redacted]" in there.text


def test_a_collector_that_is_not_there_costs_an_answer_nothing() -> None:
    told: list[str] = []
    tracing = Tracing(nobody())
    tracing.tell = told.append
    watched = tracing.watch(MemoryTranscript("s1"), Redactor())
    started = time.perf_counter()
    asked(watched, *question())
    assert time.perf_counter() - started < 0.5
    until(lambda: bool(told), seconds=20)
    asked(watched, *question())
    assert tracing.close() is None
    assert len(told) == 1
    assert "cannot be reached" in told[0]


def test_without_anybody_who_is_told_the_end_tells_it() -> None:
    tracing = Tracing(nobody())
    asked(tracing.watch(MemoryTranscript("s1"), Redactor()), *question())
    assert "cannot be reached" in str(tracing.close())
    assert Tracing(nobody()).close() is None


def test_a_collector_that_does_not_answer_is_not_waited_for_long(there: Collector) -> None:
    there.answering.clear()
    tracing = Tracing(traces_address(there.address), seconds=0.3)
    watched = tracing.watch(MemoryTranscript("s1"), Redactor())
    for _ in range(200):
        asked(watched, *question())
    started = time.perf_counter()
    assert tracing.close() is not None
    assert time.perf_counter() - started < 5


def test_a_script_that_ends_at_once_still_sends(there: Collector) -> None:
    script = (
        "from pincite.transcripts.otel.live import process_tracing\n"
        "from pincite.transcripts.events import *\n"
        "from pincite.transcripts.redact import Redactor\n"
        "from pincite.transcripts.writer import MemoryTranscript\n"
        "watched = process_tracing().watch(MemoryTranscript('s'), Redactor())\n"
        "watched.append(UserMessage(question=1, text='?'))\n"
        "watched.append(AnswerEvent(question=1, answer={'status': 'answered'}))\n"
    )
    environment = {**os.environ, "OTEL_EXPORTER_OTLP_ENDPOINT": there.address}
    environment["OTEL_EXPORTER_OTLP_TIMEOUT"] = "20"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment
    )
    assert (done.stdout, done.stderr) == ("", "")
    assert attributes(there.named("invoke_agent pincite"))["pincite.status"] == "answered"


def test_without_the_packages_it_is_told_what_to_install(tmp_path: Path) -> None:
    script = (
        "import sys; sys.modules['opentelemetry.sdk'] = None\n"
        "sys.modules['opentelemetry.exporter'] = None\n"
        "from pincite.transcripts.otel.live import Tracing\n"
        "from pincite.transcripts.events import *\n"
        "from pincite.transcripts.redact import Redactor\n"
        "from pincite.transcripts.writer import MemoryTranscript\n"
        "tracing = Tracing('http://127.0.0.1:9/v1/traces')\n"
        "watched = tracing.watch(MemoryTranscript('s'), Redactor())\n"
        "watched.append(UserMessage(question=1, text='?'))\n"
        "watched.append(AnswerEvent(question=1, answer={}))\n"
        "print(tracing.close())"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "pip install 'pincite[otel]'" in done.stdout
    assert done.stderr == ""


def until(condition: object, seconds: float = 10) -> None:
    assert callable(condition)
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)
