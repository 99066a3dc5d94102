"""Reads a transcript: what was committed, and a plain account of what could not be read."""

from __future__ import annotations

import gc
import io
import json
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import IO, Any

from pydantic import ValidationError

from pincite.errors import NothingUsableError
from pincite.transcripts.envelope import VERSION
from pincite.transcripts.events import (
    EVENT,
    Event,
    ModelRequestEvent,
    SessionEnd,
    ToolResultEvent,
)
from pincite.transcripts.pack import unpack_result
from pincite.transcripts.requests import Bodies
from pincite.transcripts.verify import Damage, unknown_outcomes, verify

# A longer line is no event: the longest real one is a request's first, with all its bodies.
_LONGEST_LINE = 64 << 20
# Nesting that no event has; json would follow it until the stack ends.
_DEEPEST = 150
_MOST_BAD = 10_000
_MOST_EDITED = 20


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is no event: its number from 1, why, and how many events were read before it."""

    line: int
    problem: str
    before: int = 0


@dataclass(slots=True)
class Recording:
    """A transcript as read.

    `torn` counts the bytes of an unfinished last line, `gaps` are missing `seq`s, `unordered` is the place in
    `events` of the first that stands there twice or out of order, `newer` says that a later version of the
    program wrote it.
    """

    path: Path | None
    events: list[Event] = field(default_factory=list)
    bad: list[BadLine] = field(default_factory=list)
    gaps: list[tuple[int, int]] = field(default_factory=list)
    torn: int = 0
    unordered: int | None = None
    newer: bool = False

    @property
    def damage(self) -> list[Damage]:
        """What is not as it was written, and from which event on that shows; most of it once."""
        found = [Damage(bad.before, f"line {bad.line} is not an event: {bad.problem}") for bad in self.bad]
        if self.unordered is not None:
            found.append(Damage(self.unordered, "events stand twice or out of order"))
        found += [
            Damage(
                first,
                f"event {first} is missing" if first == last else f"events {first} to {last} are missing",
            )
            for first, last in self.gaps
        ]
        complete = not self.bad and not self.gaps and self.unordered is None
        edited = list(islice(verify(self.events, complete=complete), _MOST_EDITED + 1))
        if len(edited) > _MOST_EDITED:
            edited[-1] = Damage(edited[-1].at, "and more like these")
        return found + edited

    @property
    def warnings(self) -> list[str]:
        """One line for each thing that is wrong with the file."""
        return self.told(self.damage)

    def told(self, damage: Sequence[Damage]) -> list[str]:
        """The same, where the damage is known already."""
        lines = [one.words for one in damage]
        if self.newer:
            lines.append(f"a later version than {VERSION} wrote it; what that added is not shown")
        if self.torn:
            lines.append(f"the last line is unfinished ({self.torn} bytes), as after a crash")
        return lines

    @property
    def open_end(self) -> list[str]:
        """One line when the session was not ended: it still runs, or its process ended in the middle."""
        if not self.events or isinstance(self.events[-1], SessionEnd):
            return []
        unknown = unknown_outcomes(self.events)
        last = next((event for event in reversed(self.events) if event.id in unknown), None)
        words = "the session was not ended: it still runs, or its process was stopped"
        if last is not None:
            words += f"; what became of event {last.seq} ({last.kind}) is unknown"
        return [words]

    def requests(self) -> Iterator[tuple[ModelRequestEvent, list[dict[str, Any]]]]:
        """Each model request with its messages in full."""
        bodies = Bodies()
        for event in self.events:
            bodies.take(event)
            if isinstance(event, ModelRequestEvent):
                yield event, bodies.messages(event)


def open_file(path: Path) -> IO[bytes]:
    """A transcript's file. OSError when it cannot be opened, NothingUsableError for what is no file.

    A pipe would be waited for, and a device may never end.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        raise NothingUsableError(f"{path} is not a file, so it is no transcript", code="not_a_file")
    return path.open("rb")


def read(path: Path) -> Recording:
    """Read a transcript. Only a file that cannot be opened, or holds no event at all, is an error."""
    try:
        with open_file(path) as file:
            recording = _read(file)
    except OSError as error:
        raise NothingUsableError(
            f"cannot read the transcript {path}: {error.strerror or error}", code="unreadable"
        ) from error
    recording.path = path
    if not recording.events:
        raise NothingUsableError(
            f"{path} is not a transcript", code="not_a_transcript", hint="it holds no event that can be read"
        )
    return recording


def parse(data: bytes) -> Recording:
    """The events in `data`; an unfinished last line is taken when it is whole but for its line break."""
    return _read(io.BytesIO(data))


def parse_line(line: bytes) -> Event | str:
    """The event in a line, or why it holds none."""
    try:
        return _unpacked(EVENT.validate_json(line))
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        if problem["type"] != "json_invalid":
            return _said(problem)
    except RecursionError:
        return "nested too deeply"
    return _parse_slowly(line)


def _parse_slowly(line: bytes) -> Event | str:
    """For what pydantic's parser does not take and json does: lone surrogates."""
    try:
        value = json.loads(line)
        if _too_deep(value):
            return "nested too deeply"
        return _unpacked(EVENT.validate_python(value))
    except ValidationError as error:
        return _said(error.errors(include_url=False)[0])
    except RecursionError:
        return "nested too deeply"
    except ValueError:
        return "not JSON"


@contextmanager
def _no_collection() -> Iterator[None]:
    """Meanwhile no garbage is looked for: what is read has no cycles, and the search takes long."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _read(file: IO[bytes]) -> Recording:
    with _no_collection():
        return _read_lines(file)


def _read_lines(file: IO[bytes]) -> Recording:
    recording = Recording(path=None)
    number = 0
    while line := file.readline(_LONGEST_LINE):
        number += 1
        if len(line) == _LONGEST_LINE and not line.endswith(b"\n"):
            while (rest := file.readline(_LONGEST_LINE)) and not rest.endswith(b"\n"):
                pass
            _take(recording, number, f"longer than {_LONGEST_LINE >> 20} MB")
        elif line.strip():
            taken = parse_line(line)
            if isinstance(taken, str) and not line.endswith(b"\n"):
                recording.torn = len(line)
            else:
                _take(recording, number, taken)
    _find_gaps(recording)
    return recording


def _take(recording: Recording, number: int, taken: Event | str) -> None:
    if not isinstance(taken, str):
        recording.newer = recording.newer or taken.v > VERSION
        recording.events.append(taken)
    elif len(recording.bad) < _MOST_BAD:
        recording.bad.append(BadLine(number, taken, len(recording.events)))


def _unpacked(event: Event) -> Event:
    if isinstance(event, ToolResultEvent):
        return event.model_copy(update={"result": unpack_result(event.result)})
    return event


def _said(problem: Any) -> str:
    where = ".".join(str(part)[:40] for part in problem["loc"][:4])
    return f"{where + ': ' if where else ''}{problem['msg'][:200]}"


def _too_deep(value: Any) -> bool:
    level = [value]
    for _ in range(_DEEPEST):
        level = [
            item
            for part in level
            if isinstance(part, dict | list)
            for item in (part.values() if isinstance(part, dict) else part)
        ]
        if not level:
            return False
    return True


def _find_gaps(recording: Recording) -> None:
    found = [event.seq for event in recording.events]
    ordered = sorted(set(found))
    if found != ordered:
        same = (at for at, (one, other) in enumerate(zip(found, ordered, strict=False)) if one != other)
        recording.unordered = next(same, len(ordered))
    last = -1
    for seq in ordered:
        if seq > last + 1:
            recording.gaps.append((last + 1, seq - 1))
        last = seq
