"""Time as the loop sees it, so that tests can turn it by hand."""

from __future__ import annotations

import threading
import time
from typing import Protocol


class Clock(Protocol):
    """What tells the time and lets it pass."""

    def monotonic(self) -> float:
        """Seconds from an arbitrary start, never going back."""
        ...

    def wall(self) -> float:
        """Seconds since 1970, UTC."""
        ...

    def sleep(self, seconds: float) -> None:
        """Return when that much time has passed."""
        ...


class SystemClock:
    """The machine's own time."""

    def monotonic(self) -> float:
        """Seconds from an arbitrary start, never going back."""
        return time.monotonic()

    def wall(self) -> float:
        """Seconds since 1970, UTC."""
        return time.time()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(max(0.0, seconds))


class StampLike(Protocol):
    """What knows when the last event was."""

    mono_us: int
    wall_s: float


class EventClock:
    """The time of the last event of a transcript.

    All that a loop decides by this clock follows from its transcript and comes out the same in a replay.
    Sleeping takes real time.
    """

    def __init__(self, stamp: StampLike) -> None:
        self._stamp = stamp

    def monotonic(self) -> float:
        """Seconds from an arbitrary start, never going back."""
        return self._stamp.mono_us / 1_000_000

    def wall(self) -> float:
        """Seconds since 1970, UTC."""
        return self._stamp.wall_s

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(max(0.0, seconds))


class ManualClock:
    """A clock that moves only when told to; sleeping moves it."""

    def __init__(self, start: float = 0.0, wall: float = 1_600_000_000.0) -> None:
        self._now = start
        self._wall = wall - start
        self._lock = threading.Lock()

    def monotonic(self) -> float:
        """Seconds since `start` of the constructor, as advanced."""
        return self._now

    def wall(self) -> float:
        """The wall time of the constructor, advanced alike."""
        return self._wall + self._now

    def sleep(self, seconds: float) -> None:
        """Move on at once."""
        self.advance(max(0.0, seconds))

    def advance(self, seconds: float) -> None:
        """Let `seconds` pass."""
        with self._lock:
            self._now += seconds
