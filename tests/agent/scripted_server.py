"""An OpenAI-compatible server on loopback that answers from a script."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]


@dataclass(slots=True)
class Reply:
    """One response: JSON `body`, or `raw` bytes as they are; `action` runs first.

    `drop` closes the connection without a word, `cut` after so many bytes; `drip` sends a byte at a time
    with that pause in seconds; `sleep` waits before the first byte.
    """

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    content_type: str = "application/json"
    drop: bool = False
    cut: int | None = None
    drip: float | None = None
    sleep: float = 0.0
    action: Callable[[Json], None] | None = None

    def data(self) -> bytes:
        return json.dumps(self.body).encode() if self.raw is None else self.raw


def completion(message: Json, finish_reason: str | None = "stop", usage: Json | None = None) -> Json:
    """A chat-completions body."""
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish_reason}
    body = {"id": "r1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    return body if usage is None else {**body, "usage": usage}


def call(name: str, arguments: Json | str, id: str | None = "call_1") -> Json:
    """A tool call as the wire has it."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"id": id, "type": "function", "function": {"name": name, "arguments": text}}


def stream(chunks: Sequence[Json | str], *, done: bool = True) -> Reply:
    """A stream of events."""
    lines = [f"data: {chunk if isinstance(chunk, str) else json.dumps(chunk)}\n\n" for chunk in chunks]
    if done:
        lines.append("data: [DONE]\n\n")
    return Reply(raw="".join(lines).encode(), content_type="text/event-stream")


def chunk(delta: Json, finish_reason: str | None = None, **more: Any) -> Json:
    """One chunk of a stream."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    return {
        "id": "s",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": [choice],
        **more,
    }


def part(index: int | None, name: str | None, arguments: str, id: str | None = None) -> Json:
    """A piece of a call in a chunk."""
    function = {"arguments": arguments} | ({"name": name} if name else {})
    return {"function": function} | ({} if index is None else {"index": index}) | ({"id": id} if id else {})


class ScriptedServer:
    """Gives its replies in order, the last one again and again. `requests` holds the bodies it was sent."""

    def __init__(self, replies: Sequence[Reply] | Callable[[Json], Reply]) -> None:
        self._replies = replies
        self._lock = threading.Lock()
        self._asked = 0
        self.requests: list[Json] = []
        self.headers: list[dict[str, str]] = []
        self.stopped = threading.Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1

            def do_GET(self) -> None:
                models = {"object": "list", "data": [{"id": "m-large", "object": "model"}]}
                self._send(Reply(body=models))

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                reply = server._next(body, dict(self.headers))
                if reply.action is not None:
                    reply.action(body)
                server.stopped.wait(reply.sleep)
                self._send(reply)

            def _send(self, reply: Reply) -> None:
                if reply.drop:
                    self.close_connection = True
                    return
                data = reply.data()
                self.send_response(reply.status)
                self.send_header("content-type", reply.content_type)
                self.send_header("content-length", str(len(data)))
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                if reply.drip is not None:
                    for at in range(len(data)):
                        if server.stopped.wait(reply.drip):
                            break
                        self.wfile.write(data[at : at + 1])
                        self.wfile.flush()
                self.wfile.write(data if reply.cut is None else data[: reply.cut])
                if reply.cut is not None:
                    self.close_connection = True

            def handle_one_request(self) -> None:
                try:
                    super().handle_one_request()
                except (ConnectionError, TimeoutError):
                    self.close_connection = True

            def log_message(self, format: str, *args: Any) -> None:
                """Nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.block_on_close = False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def _next(self, body: Json, headers: dict[str, str]) -> Reply:
        with self._lock:
            self.requests.append(body)
            self.headers.append(headers)
            if callable(self._replies):
                return self._replies(body)
            at = min(self._asked, len(self._replies) - 1)
            self._asked += 1
            return self._replies[at]

    @contextmanager
    def running(self) -> Iterator[ScriptedServer]:
        thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )
        thread.start()
        try:
            yield self
        finally:
            self.stopped.set()
            self._server.shutdown()
            self._server.server_close()
            thread.join()


def unused_address() -> str:
    """A base URL on which nobody listens."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    port = server.server_address[1]
    server.server_close()
    time.sleep(0)
    return f"http://127.0.0.1:{port}/v1"
