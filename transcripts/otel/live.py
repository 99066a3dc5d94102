"""Sends the spans of sessions while they go on: each question's when it has ended, from a thread of its own.

An answer never waits for this and is never changed by it. Nothing is loaded before a question has ended.
"""

from __future__ import annotations

import atexit
import logging
import math
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from pincite.errors import PinciteError
from pincite.transcripts.events import EVENT, AnswerEvent, Event
from pincite.transcripts.otel.export import Exporter, endpoint_of, wants_content
from pincite.transcripts.otel.span import Span
from pincite.transcripts.otel.spans import SpanMaker
from pincite.transcripts.redact import Redactor
from pincite.transcripts.writer import Transcript, redacted

log = logging.getLogger(__name__)
_TIMEOUTS = ("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT")
_SECONDS = 3.0
# Questions whose spans may wait while an endpoint does not answer; what comes then is not sent.
_MOST_WAITING = 100


class Tracing:
    """Takes the events of watched transcripts and sends the spans of each question to `address`.

    With `content` they hold what was said too, without the secrets that a transcript does not hold either.
    `seconds` is how long a request may take, and how long `close` waits. `tell` is called with a line when
    sending begins to fail.
    """

    def __init__(self, address: str, *, content: bool = False, seconds: float = _SECONDS) -> None:
        self.tell: Callable[[str], None] | None = None
        self._address = address
        self._content = content
        self._seconds = seconds
        self._jobs: deque[tuple[_Watched, list[Event]]] = deque()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._exporter: Exporter | None = None
        self._closing = False
        self._problem: str | None = None
        self._told = False

    def watch(self, transcript: Transcript, redactor: Redactor) -> Transcript:
        """The transcript; what is appended to it is sent too."""
        return _Watched(transcript, redactor, SpanMaker(content=self._content), self._take)

    def close(self) -> str | None:
        """Send what waits, but not for long; why it was not sent, unless that was told."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._wait()
        problem, self._problem = self._problem, None
        return None if self._told else problem

    def _wait(self) -> None:
        thread, end = self._thread, time.monotonic() + self._seconds
        while thread is not None and thread.is_alive():
            thread.join(0.02)
            if time.monotonic() > end:
                self._problem = f"the spans were not sent within {self._seconds:g} seconds"
                return
            # Whoever cannot be reached is not waited for once nobody asks any more.
            if self._exporter is not None and self._exporter.failing:
                self._exporter.close()

    def _take(self, watched: _Watched, events: list[Event]) -> None:
        with self._changed:
            if self._closing:
                return
            if len(self._jobs) >= _MOST_WAITING:
                self._jobs.popleft()
            self._jobs.append((watched, events))
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="pincite-spans", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._jobs and not self._closing:
                    self._changed.wait()
                if not self._jobs:
                    return
                watched, events = self._jobs.popleft()
            try:
                self._send(watched, events)
                self._problem, self._told = None, False
            except PinciteError as error:
                self._failed(error.message, error.hint)
            except Exception as error:
                log.warning("the spans of a question could not be sent", exc_info=True)
                self._failed(f"the spans could not be sent: {type(error).__name__}", "")

    def _send(self, watched: _Watched, events: list[Event]) -> None:
        if self._exporter is None:
            self._exporter = Exporter(self._address, self._seconds)
        self._exporter.send([span for event in events for span in watched.spans(event)])

    def _failed(self, message: str, hint: str) -> None:
        self._problem = f"{message} ({hint})" if hint else message
        if self.tell is not None and not self._told:
            self._told = True
            self.tell(self._problem)


class _Watched:
    """A transcript whose events go on to be sent, question by question."""

    def __init__(
        self,
        inner: Transcript,
        redactor: Redactor,
        maker: SpanMaker,
        send: Callable[[_Watched, list[Event]], None],
    ) -> None:
        self._inner = inner
        self._redactor = redactor
        self._maker = maker
        self._send = send
        self._held: list[Event] = []

    @property
    def path(self) -> Path | None:
        """The file, if there is one."""
        return self._inner.path

    @property
    def problem(self) -> str | None:
        """Why nothing is written any more, in one line."""
        return self._inner.problem

    @property
    def repaired_bytes(self) -> int:
        """What a crash had left of an unfinished line."""
        return int(getattr(self._inner, "repaired_bytes", 0))

    def append(self, event: Event) -> Event:
        """Record one event."""
        placed = self._inner.append(event)
        self._held.append(placed)
        if isinstance(placed, AnswerEvent):
            held, self._held = self._held, []
            self._send(self, held)
        return placed

    def close(self) -> None:
        """Release what is held."""
        self._inner.close()

    def spans(self, event: Event) -> list[Span]:
        """The spans that are complete with this event, made of what the transcript holds: without secrets."""
        return self._maker.take(EVENT.validate_python(redacted(event, self._redactor)))


@cache
def process_tracing() -> Tracing | None:
    """What the environment wants to be sent, in OpenTelemetry's own variables."""
    address = endpoint_of(os.environ)
    if address is None:
        return None
    tracing = Tracing(address, content=wants_content(os.environ), seconds=_timeout(os.environ))
    atexit.register(_close_at_exit, tracing)
    return tracing


def _close_at_exit(tracing: Tracing) -> None:
    problem = tracing.close()
    if problem:
        log.warning(problem)


def _timeout(environment: Mapping[str, str]) -> float:
    given = next((environment[name] for name in _TIMEOUTS if environment.get(name)), "")
    try:
        seconds = float(given)
    except ValueError:
        return _SECONDS
    return seconds if math.isfinite(seconds) and seconds > 0 else _SECONDS
