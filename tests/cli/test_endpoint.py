"""The quick look at an endpoint, against a real server on this machine."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from pincite.cli.endpoint import SECONDS, probe

Answer = Callable[[BaseHTTPRequestHandler], None]


@contextmanager
def _server(answer: Answer) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer(self)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()


def _send(request: BaseHTTPRequestHandler, status: int, body: bytes = b"", **headers: str) -> None:
    request.send_response(status)
    for name, value in headers.items():
        request.send_header(name, value)
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)


def _models(*names: str) -> bytes:
    return json.dumps({"data": [{"id": name} for name in names]}).encode()


def test_a_server_that_has_the_model_is_fine() -> None:
    asked: list[tuple[str, str | None]] = []

    def answer(request: BaseHTTPRequestHandler) -> None:
        asked.append((request.path, request.headers["Authorization"]))
        _send(request, 200, _models("small", "large"))

    with _server(answer) as url:
        assert probe(url, "large", "secret") is None
    assert asked == [("/v1/models", "Bearer secret")]


def test_a_model_that_is_not_there_is_said_with_those_that_are() -> None:
    with _server(lambda request: _send(request, 200, _models("small", "large"))) as url:
        problem = probe(url, "huge", None)
    assert problem is not None
    assert problem.near == ("small", "large")


@pytest.mark.parametrize(("key", "said"), [(None, "wants a key"), ("wrong", "refuses the key")])
def test_a_key_that_is_missing_or_wrong_is_said(key: str | None, said: str) -> None:
    with _server(lambda request: _send(request, 401)) as url:
        problem = probe(url, "m", key)
    assert problem is not None
    assert said in problem.message
    assert "OPENAI_API_KEY" in problem.hint


@pytest.mark.parametrize("body", [b"", b"not json", b"[]", b'{"data": 3}', b'{"data": [{}]}', b"[" * 100_000])
def test_a_server_that_lists_no_models_is_taken_as_it_is(body: bytes) -> None:
    with _server(lambda request: _send(request, 200, body)) as url:
        assert probe(url, "m", None) is None


def test_a_redirect_does_not_carry_the_key_elsewhere() -> None:
    reached: list[str] = []

    def elsewhere(request: BaseHTTPRequestHandler) -> None:
        reached.append(request.path)
        _send(request, 200)

    with _server(elsewhere) as other, _server(lambda request: _send(request, 307, Location=other)) as url:
        probe(url, "m", "secret")
    assert reached == []


def test_a_server_that_never_answers_is_given_up_on() -> None:
    done = threading.Event()

    def hang(_request: BaseHTTPRequestHandler) -> None:
        done.wait(10)

    with _server(hang) as url:
        started = time.monotonic()
        problem = probe(url, "m", None)
        took = time.monotonic() - started
        done.set()
    assert problem is not None
    assert took < SECONDS + 2


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:9/v1", "file:///etc/passwd", "http://", "http://[::1", "nonsense"]
)
def test_what_cannot_be_reached_is_said(url: str) -> None:
    problem = probe(url, "m", None)
    assert problem is not None
    assert "cannot be reached" in problem.message
