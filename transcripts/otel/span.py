"""What a span is, before any SDK."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pincite.transcripts.events import Event
from pincite.transcripts.tape import wall_seconds

Attribute = str | bool | int | float | tuple[str, ...]
Kind = Literal["internal", "client"]
# The last moment that OTLP can hold, in microseconds.
_LAST_US = (1 << 63) // 1000 - 1


@dataclass(frozen=True, slots=True)
class Moment:
    """Something that happened within a span: what OpenTelemetry calls a span's event."""

    name: str
    at_ns: int
    attributes: Mapping[str, Attribute]


@dataclass(frozen=True, slots=True)
class Span:
    """One span. `trace` has 32 and `id` 16 hex digits, times are nanoseconds since 1970.

    `parent` is the id of another span of the trace, None for its first. `error` is the `error.type` of a
    span that failed.
    """

    name: str
    kind: Kind
    trace: str
    id: str
    parent: str | None
    start_ns: int
    end_ns: int
    attributes: Mapping[str, Attribute]
    error: str | None = None
    moments: tuple[Moment, ...] = ()


@dataclass(slots=True)
class Draft:
    """A span while it is open; times in microseconds since 1970."""

    name: str
    id: str
    parent: str | None
    start: int
    kind: Kind = "internal"
    end: int | None = None
    attributes: dict[str, Attribute] = field(default_factory=dict)
    error: str | None = None
    moments: list[Moment] = field(default_factory=list)

    def close(self, at: int, error: str | None = None) -> None:
        """It ended; the first end and the first error stay."""
        self.error = self.error or error
        if self.end is None:
            self.end = max(self.start, at)

    def happened(self, name: str, at: int, attributes: Mapping[str, Attribute]) -> None:
        """Something happened within it."""
        self.moments.append(Moment(name, at * 1000, dict(attributes)))

    def done(self, trace: str, common: Mapping[str, Attribute]) -> Span:
        """The span; `common` are attributes that all spans of the trace have."""
        failed: dict[str, Attribute] = {"error.type": self.error} if self.error else {}
        return Span(
            name=_whole(self.name),
            kind=self.kind,
            trace=trace,
            id=self.id,
            parent=self.parent,
            start_ns=self.start * 1000,
            end_ns=(self.start if self.end is None else self.end) * 1000,
            attributes={
                name: _whole(value) if isinstance(value, str) else value
                for name, value in {**common, **self.attributes, **failed}.items()
            },
            error=self.error,
            moments=tuple(self.moments),
        )


class Times:
    """When events were: the wall time of a question's first event and the monotonic time since then."""

    def __init__(self, first: Event) -> None:
        self.last = min(max(0, round(wall_seconds(first.time) * 1_000_000)), _LAST_US)
        self._offset = self.last - first.mono_us

    def at(self, event: Event) -> int:
        """Microseconds since 1970, never before an earlier event."""
        self.last = min(max(self.last, event.mono_us + self._offset), _LAST_US)
        return self.last


class Ids:
    """Ids that follow from the names of events; an event that comes again gets another."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def span(self, name: str) -> str:
        """16 hex digits."""
        self._seen[name] += 1
        return _hash(f"span {self._seen[name]} {name}")[:16]

    def trace(self, first: str) -> str:
        """The 32 hex digits of the trace that this span begins."""
        return _hash(f"trace {first}")[:32]


def _whole(text: str) -> str:
    """The text as UTF-8 can hold it: without lone surrogates."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
