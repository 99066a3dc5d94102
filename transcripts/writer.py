"""Writes a transcript: one writer, one whole line a write, handed to the system before the call returns."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, Literal, Protocol

from pincite.errors import IndexLockedError
from pincite.transcripts.envelope import EventBase, written_as
from pincite.transcripts.events import Event
from pincite.transcripts.pack import pack_result
from pincite.transcripts.reader import parse, parse_line
from pincite.transcripts.redact import Redactor
from pincite.transcripts.stamp import Stamp

if sys.platform != "win32":
    import fcntl


Fsync = Literal["announced", "always", "never"]
# What announces a side effect, and what somebody relies on once it was said.
_ANNOUNCING = frozenset({"model_request", "tool_call", "answer", "session_end"})
_RESULT = written_as("result")


class TranscriptLockedError(IndexLockedError):
    """Another process is writing this session."""

    default_code = "session_locked"


class Transcript(Protocol):
    """Where events go. `append` gives the event back with its place in the session filled in."""

    @property
    def path(self) -> Path | None:
        """The file, if there is one."""
        ...

    @property
    def problem(self) -> str | None:
        """Why nothing is written any more, in one line."""
        ...

    def append(self, event: Event) -> Event:
        """Record one event."""
        ...

    def close(self) -> None:
        """Release what is held."""
        ...


class MemoryTranscript:
    """Keeps events in memory only, `events` in order; `problem` says why, where a file was wanted."""

    path = None

    def __init__(
        self, session: str = "memory", stamp: Stamp | None = None, *, problem: str | None = None
    ) -> None:
        self.events: list[Event] = []
        self.problem = problem
        self._stamp = stamp or Stamp(session)

    def append(self, event: Event) -> Event:
        """Keep one event."""
        placed = self._stamp.put(event)
        self.events.append(placed)
        return placed

    def close(self) -> None:
        """Nothing to release."""


class TranscriptWriter:
    """Appends to one file, mode 0600, locked against a second writer.

    Every line is with the operating system when `append` returns, so that it outlives the process. `fsync`
    "announced" puts a line on disk before the side effect that it announces (a model call, a tool call) and
    before an answer is given out; "always" does so for each line, "never" leaves it to the system.

    A line torn by an earlier crash is repaired on opening: dropped, or ended if it was whole but for its
    line break; `repaired_bytes` says how much was dropped. When the disk refuses a line, what the line
    left behind is taken back and nothing is written any more, so that what stands there stays whole:
    `problem` then says why, and the question goes on without a record.
    """

    def __init__(
        self,
        path: Path,
        stamp: Stamp,
        redactor: Redactor | None = None,
        *,
        fsync: Fsync = "announced",
    ) -> None:
        self.path: Path | None = path
        self.problem: str | None = None
        self.repaired_bytes = 0
        self._stamp = stamp
        self._redactor = redactor or Redactor()
        self._fsync = fsync
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
        try:
            self._lock()
            self._size = self._repair()
        except BaseException:
            os.close(self._file)
            raise

    def append(self, event: Event) -> Event:
        """Write one event."""
        placed = self._stamp.put(event)
        if self.problem is None:
            durable = self._fsync == "always" or (self._fsync == "announced" and placed.kind in _ANNOUNCING)
            try:
                self._write(self._line(placed), durable)
            except OSError as error:
                self.problem = f"the transcript could not be written: {error.strerror or error}"
        return placed

    def close(self) -> None:
        """Release the file and its lock."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _line(self, event: EventBase) -> bytes:
        data = redacted(event, self._redactor)
        if isinstance(data.get(_RESULT), dict):
            data[_RESULT] = pack_result(data[_RESULT])
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        # A lone surrogate has no UTF-8; as an escape it survives.
        return text.encode("utf-8", "backslashreplace") + b"\n"

    def _write(self, line: bytes, durable: bool) -> None:
        written = 0
        try:
            while written < len(line):
                written += os.write(self._file, line[written:])
            if durable:
                os.fsync(self._file)
        except OSError:
            os.ftruncate(self._file, self._size)
            raise
        self._size += written

    def _lock(self) -> None:
        # Windows has no flock; two processes must not write one session there.
        if sys.platform == "win32":
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise TranscriptLockedError(
                f"another process is writing the session {self.path}",
                hint="wait for it, or start a new session",
            ) from error

    def _repair(self) -> int:
        """End or drop a torn last line and continue its count; the size of what stands."""
        size = os.fstat(self._file).st_size
        with os.fdopen(os.dup(self._file), "rb") as file:
            start, last, tail = _last_lines(file, size)
        if tail and _is_event(tail):
            size += os.write(self._file, b"\n")
            last = tail
        elif tail:
            os.ftruncate(self._file, start)
            self.repaired_bytes, size = len(tail), start
        if last:
            seq = _seq(last)
            # A damaged last line does not say how far the count is.
            known = seq if seq >= 0 else max((event.seq for event in self._events()), default=-1)
            self._stamp.seq = max(self._stamp.seq, known + 1)
        return size

    def _events(self) -> list[Event]:
        with os.fdopen(os.dup(self._file), "rb") as file:
            file.seek(0)
            return parse(file.read()).events


def redacted(event: EventBase, redactor: Redactor) -> dict[str, Any]:
    """The event as JSON values without secrets, and with how many were taken out where there were some."""
    data, count = redactor.event(_dumped(event))
    data["redacted"] = count
    if not count:
        del data["redacted"]
    return data


def _dumped(event: EventBase) -> dict[str, Any]:
    """The event as JSON values. What a server sent may be nested deeper than can be written."""
    try:
        return event.model_dump(mode="json", by_alias=True, exclude_none=True)
    except ValueError:
        shallow = {name: Redactor().value(value)[0] for name, value in event}
        return event.model_copy(update=shallow).model_dump(mode="json", by_alias=True, exclude_none=True)


def _last_lines(file: Any, size: int) -> tuple[int, bytes, bytes]:
    """(where the unfinished line begins, the last finished line, the unfinished one)."""
    step = 1 << 16
    data = b""
    start = size
    while start > 0 and data.count(b"\n") < 2:
        start = max(0, start - step)
        file.seek(start)
        data = file.read(size - start)
        step *= 2
    head, _, tail = data.rpartition(b"\n")
    return size - len(tail), head.rpartition(b"\n")[2], tail


def _is_event(line: bytes) -> bool:
    return not isinstance(parse_line(line), str)


def _seq(line: bytes) -> int:
    event = parse_line(line)
    return -1 if isinstance(event, str) else event.seq
