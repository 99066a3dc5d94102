"""One OpenAI-compatible endpoint over HTTP: a body goes out, a turn or a `ModelError` comes back."""

from __future__ import annotations

import json
import re
import time
import weakref
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pincite.agent.clock import Clock
from pincite.agent.messages import ModelTurn, Note, Watch
from pincite.agent.model import ModelError
from pincite.agent.openai_errors import body_error, connection_error, one_line, redirect_error, status_error
from pincite.agent.openai_wire import Json, StreamedBody, Written, turn_from_json
from pincite.agent.statement_stream import StatementStream

if TYPE_CHECKING:
    import openai

_MAX_BODY = 20_000_000
_MAX_LINE = 1_000_000
_MOST_EVENT_LINES = 200
_CONNECT_S = 10.0
_EVENTS = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:data|event|id|retry)?:")
_FIELD = re.compile(rb"(?:event|id|retry|data)?:|(?:event|id|retry|data)\Z")


class Endpoint:
    """A base URL and its key. The key is never part of an error."""

    def __init__(self, base_url: str, key: str, clock: Clock) -> None:
        self._base_url = base_url
        self._key = key
        self._clock = clock
        self._client: openai.OpenAI | None = None

    @property
    def address(self) -> str:
        """Host and port of the server, without what may be secret in its URL."""
        parts = urlsplit(self._base_url)
        return parts.netloc.rpartition("@")[2] or self._base_url

    def send(self, body: Json, end: float | None, watch: Watch | None) -> ModelTurn:
        """One HTTP request and its response, read to the end; `end` is on `time.monotonic()`.

        Raises `ModelError` for all that goes wrong, with what had been written by then.
        """
        left = None if end is None else end - time.monotonic()
        if left is not None and left <= 0:
            raise ModelError("the time for the model call is over", code="timeout")
        written = Written(StreamedBody())
        if watch is not None:
            watch.writing(written.turn)
        try:
            return self._send(body, left, end, watch, written)
        except ModelError as error:
            error.partial = written.turn()
            raise

    def _send(
        self, body: Json, left: float | None, end: float | None, watch: Watch | None, written: Written
    ) -> ModelTurn:
        import httpx2
        import openai

        timeout = httpx2.Timeout(left, connect=_CONNECT_S if left is None else min(_CONNECT_S, left))
        began = time.monotonic()
        create = self._ready().chat.completions.with_streaming_response.create
        try:
            with create(**body, timeout=timeout) as response:
                return self._read(response, end, watch, began, written)
        except openai.APIStatusError as error:
            moved = redirect_error(error, self.address)
            if moved is not None:
                raise self._clean(moved) from error
            failed = self._clean(status_error(error, self._clock.wall()))
            if failed.code == "no_such_model":
                failed.near = self._near(str(body.get("model")))
            raise failed from error
        except (openai.APITimeoutError, httpx2.TimeoutException) as error:
            raise ModelError(f"{self.address} did not answer in time", code="timeout") from error
        except (openai.APIConnectionError, httpx2.HTTPError) as error:
            raise self._clean(connection_error(error, self.address)) from error
        except openai.OpenAIError as error:
            raise self._clean(ModelError(one_line(str(error)), code="bad_response")) from error

    def _read(
        self, response: Any, end: float | None, watch: Watch | None, began: float, written: Written
    ) -> ModelTurn:
        """The turn in a response that may be JSON or a stream of events, whatever was asked for."""
        kind = response.headers.get("content-type", "")
        if "text/event-stream" in kind:
            lines = _lines(_guarded(response.iter_bytes(), end, watch))
            return self._read_stream(lines, began, written, watch)
        data = b"".join(_guarded(response.iter_bytes(), end, watch))
        if _EVENTS.match(data):
            return self._read_stream(_lines(iter([data])), began, written)
        try:
            body = json.loads(data)
        except (ValueError, RecursionError) as error:
            shown = one_line(kind.partition(";")[0]) or "no content type"
            sent = "broken JSON" if "json" in shown else f"no JSON but {shown}"
            raise ModelError(
                f"{self.address} sent {sent}",
                code="bad_response",
                hint="check the base URL (OPENAI_BASE_URL); it usually ends in /v1",
            ) from error
        return self._turn(body)

    def _read_stream(
        self, lines: Iterator[bytes], began: float, so_far: Written, watch: Watch | None = None
    ) -> ModelTurn:
        whole = so_far.body
        statements = StatementStream()
        done = False
        rest: list[bytes] = []
        for event in _events(lines, rest):
            if event is None:
                done = True
                break
            failed = body_error(event)
            if failed is not None:
                raise self._clean(failed)
            whole.add(event)
            written = _written(event)
            so_far.chunks.append((round(1000 * (time.monotonic() - began), 1), len(written)))
            # Only with a closing bracket can another statement have become whole.
            if watch is not None and "}" in written:
                for statement in statements.more(whole.answer_text()):
                    watch.notify(Note("statement", "written", json.dumps(statement)))
        if not whole.chunks and rest:
            # A plain body under a stream's content type.
            return self._turn(_json(b"\n".join(rest)))
        if not done and whole.finish_reason is None:
            raise ModelError("the stream ended in the middle of the turn", code="connection")
        return replace(self._turn(whole.body()), chunks=tuple(so_far.chunks))

    def _turn(self, body: Any) -> ModelTurn:
        failed = body_error(body)
        if failed is not None:
            raise self._clean(failed)
        return turn_from_json(body)

    def _near(self, model: str) -> tuple[str, ...]:
        """Names of models that the server has and that resemble the one that it has not."""
        import openai

        try:
            listed = [model.id for model in self._ready().with_options(timeout=3.0).models.list()]
        except openai.OpenAIError:
            return ()
        close = get_close_matches(model, listed, n=3, cutoff=0.4)
        return tuple(one_line(name) for name in close or listed[:3])

    def _clean(self, error: ModelError) -> ModelError:
        """The error without the key, should a server repeat it."""
        if self._key and self._key in error.message:
            error.message = error.message.replace(self._key, "[redacted]")
            error.args = (error.message,)
        return error

    def close(self) -> None:
        """Close the connections; the next request opens new ones."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def _ready(self) -> openai.OpenAI:
        if self._client is None:
            import openai

            # Servers of one's own mostly want no key, but the client insists on one.
            key = self._key or "none"
            # Documents go to the server that was named and to no other.
            http = openai.DefaultHttpxClient(follow_redirects=False)
            # Who never calls `close` leaves no connection open either.
            weakref.finalize(self, http.close)
            self._client = openai.OpenAI(
                api_key=key, base_url=self._base_url, max_retries=0, http_client=http
            )
        return self._client


def _written(event: Any) -> str:
    """What a chunk adds to the turn, as text to look for signs in."""
    choices = event.get("choices") if isinstance(event, dict) else None
    return json.dumps(choices[0].get("delta")) if choices and isinstance(choices[0], dict) else ""


def _guarded(chunks: Iterator[bytes], end: float | None, watch: Watch | None) -> Iterator[bytes]:
    """The chunks while there is time, somebody waits, and they stay within reason."""
    size = 0
    for chunk in chunks:
        size += len(chunk)
        if end is not None and time.monotonic() >= end:
            raise ModelError("the response was still dripping in at the deadline", code="timeout")
        if watch is not None and watch.cancelled:
            raise ModelError("nobody waits for the response any more", code="timeout")
        if size > _MAX_BODY:
            raise ModelError(f"the response is longer than {_MAX_BODY:,} bytes", code="bad_response")
        yield chunk


def _lines(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Lines of a byte stream, ended by LF, CR or CRLF; the last may lack its end, a byte order mark goes."""
    rest = b""
    first = True
    for chunk in chunks:
        *whole, rest = (rest + chunk.replace(b"\r", b"\n")).split(b"\n")
        for line in whole:
            yield line.removeprefix(BOM_UTF8) if first else line
            first = False
        if len(rest) > _MAX_LINE:
            raise ModelError(f"the stream held a line longer than {_MAX_LINE:,} bytes", code="bad_response")
    if rest:
        yield rest.removeprefix(BOM_UTF8) if first else rest


def _events(lines: Iterator[bytes], rest: list[bytes]) -> Iterator[Any]:
    """The JSON of each event, None for the last word; `rest` takes lines that are no field of an event."""
    pending: list[bytes] = []
    for line in lines:
        if line.startswith(b"data:"):
            pending.append(line[5:].strip())
            if pending == [b"[DONE]"]:
                yield None
                return
            # An event of several lines is complete when they are JSON together.
            with suppress(ModelError) if len(pending) < _MOST_EVENT_LINES else nullcontext():
                yield _json(b"\n".join(pending))
                pending = []
        elif pending and not _FIELD.match(line):
            _json(b"\n".join(pending))
        elif line and not _FIELD.match(line):
            rest.append(line)
    if pending:
        _json(b"\n".join(pending))


def _json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ModelError("the stream held a chunk that is no JSON", code="bad_response") from error
