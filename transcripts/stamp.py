"""Gives events their place in the session and their time."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeVar

from pincite.transcripts.envelope import EventBase

E = TypeVar("E", bound=EventBase)


class Stamp:
    """Fills in `seq`, `id`, `time` and `mono_us`. The first event has the time at which this was made.

    `seq` is the next one to be given. `mono_us` and `wall_s` are the time of the last event, in
    microseconds and seconds: a loop that takes these for the time sees only what the transcript holds.
    """

    def __init__(
        self,
        session: str,
        seq: int = 0,
        *,
        wall: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.session = session
        self.seq = seq
        self._wall = wall
        self._monotonic = monotonic
        self.restart()

    def restart(self) -> None:
        """Take the time now; the next event has it."""
        self._fresh = True
        self.wall_s, self.mono_us = self.moment()

    def put(self, event: E) -> E:
        """The event with its place and time; the next one follows it."""
        if not self._fresh:
            self.wall_s, self.mono_us = self.moment()
        self._fresh = False
        moment = datetime.fromtimestamp(self.wall_s, UTC).isoformat(timespec="microseconds")
        place = {
            "seq": self.seq,
            "id": f"{self.session}-{self.seq}",
            "time": moment.replace("+00:00", "Z"),
            "mono_us": self.mono_us,
        }
        self.seq += 1
        return event.model_copy(update=place)

    def moment(self) -> tuple[float, int]:
        """The time now: seconds since 1970, monotonic microseconds."""
        return self._wall(), round(self._monotonic() * 1_000_000)
