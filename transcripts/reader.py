"""Reads a transcript: what was committed, and a plain account of what could not be read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pincite.errors import NothingUsableError
from pincite.transcripts.events import EVENT, Event, ModelRequestEvent, ToolResultEvent


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is no event: its number from 1, and why."""

    line: int
    problem: str


@dataclass(slots=True)
class Recording:
    """A transcript as read. `torn` counts the bytes of an unfinished last line; `gaps` are missing `seq`s."""

    path: Path | None
    events: list[Event] = field(default_factory=list)
    bad: list[BadLine] = field(default_factory=list)
    gaps: list[tuple[int, int]] = field(default_factory=list)
    torn: int = 0

    @property
    def warnings(self) -> list[str]:
        """One line for each thing that is wrong with the file."""
        lines = [f"line {bad.line} is not an event: {bad.problem}" for bad in self.bad]
        lines += [f"events {first} to {last} are missing" for first, last in self.gaps]
        if self.torn:
            lines.append(f"the last line is unfinished ({self.torn} bytes), as after a crash")
        return lines

    def requests(self) -> Iterator[tuple[ModelRequestEvent, list[dict[str, Any]]]]:
        """Each model request with its messages in full, put together from the bodies written once."""
        bodies: dict[str, dict[str, Any]] = {}
        texts: dict[str, str] = {}
        lists: dict[str, list[str]] = {}
        for event in self.events:
            if isinstance(event, ToolResultEvent):
                texts[event.text_ref] = str(event.result.get("text", ""))
            elif isinstance(event, ModelRequestEvent):
                bodies.update(event.bodies)
                hashes = lists.get(event.of or "", [])[: event.same] + list(event.messages)
                lists[event.id] = hashes
                yield event, [_whole(bodies.get(name, {"missing": name}), texts) for name in hashes]


def read(path: Path) -> Recording:
    """Read a transcript. Only a file that cannot be opened, or holds no event at all, is an error."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise NothingUsableError(
            f"cannot read the transcript {path}: {error.strerror or error}", code="unreadable"
        ) from error
    recording = parse(data)
    recording.path = path
    if data and not recording.events:
        raise NothingUsableError(f"{path} is not a transcript", code="not_a_transcript")
    return recording


def parse(data: bytes) -> Recording:
    """The events in `data`; an unfinished last line is taken when it is whole but for its line break."""
    recording = Recording(path=None)
    *lines, tail = data.split(b"\n")
    for number, line in enumerate(lines, start=1):
        if line.strip():
            _take(recording, number, line)
    if tail:
        before = len(recording.bad)
        _take(recording, len(lines) + 1, tail)
        if len(recording.bad) > before:
            recording.bad.pop()
            recording.torn = len(tail)
    _find_gaps(recording)
    return recording


def _take(recording: Recording, number: int, line: bytes) -> None:
    try:
        recording.events.append(EVENT.validate_python(json.loads(line)))
    except RecursionError:
        recording.bad.append(BadLine(number, "nested too deeply"))
    except ValidationError as error:
        problem = error.errors()[0]["msg"]
        recording.bad.append(BadLine(number, problem))
    except ValueError:
        recording.bad.append(BadLine(number, "not JSON"))


def _find_gaps(recording: Recording) -> None:
    expected = 0
    for event in recording.events:
        if event.seq > expected:
            recording.gaps.append((expected, event.seq - 1))
        expected = event.seq + 1


def _whole(body: dict[str, Any], texts: dict[str, str]) -> dict[str, Any]:
    """A body with its content put in where it was referred to."""
    if "content_ref" not in body:
        return body
    rest = {key: value for key, value in body.items() if key != "content_ref"}
    return {**rest, "content": texts.get(body["content_ref"])}
