"""A collector on this machine: reads what an exporter sends with OpenTelemetry's own messages."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


@dataclass
class Collector:
    """What came: requests, headers; `status` is what is answered, `waits` what is waited for before."""

    address: str = ""
    status: int = 200
    requests: list[Any] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    answering: threading.Event = field(default_factory=threading.Event)

    @property
    def spans(self) -> list[Any]:
        return [
            span
            for request in self.requests
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]

    @property
    def text(self) -> str:
        return "\n".join(str(request) for request in self.requests)

    def named(self, name: str) -> Any:
        (span,) = [span for span in self.spans if span.name == name]
        return span


def attributes(span: Any) -> dict[str, Any]:
    found = {}
    for one in span.attributes:
        kind = one.value.WhichOneof("value")
        value = getattr(one.value, kind)
        found[one.key] = [item.string_value for item in value.values] if kind == "array_value" else value
    return found


@contextmanager
def collector() -> Iterator[Collector]:
    """One that listens while this lasts."""
    there = Collector()
    there.answering.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["Content-Length"]))
            there.answering.wait(30)
            there.paths.append(self.path)
            there.headers.append(dict(self.headers))
            there.sizes.append(len(data))
            if there.status == 200:
                there.requests.append(ExportTraceServiceRequest.FromString(data))
            self.send_response(there.status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    there.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield there
    finally:
        there.answering.set()
        server.shutdown()
        thread.join()
        server.server_close()
