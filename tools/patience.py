"""How long the caller of a tool still waits."""

from __future__ import annotations

import math
import time


class Patience:
    """The time that the next call may take; without a limit there is as much as it needs."""

    def __init__(self) -> None:
        self._end = math.inf

    def limit(self, seconds: float | None) -> None:
        """Nobody waits longer than this from now on; None takes the limit away."""
        self._end = math.inf if seconds is None else time.monotonic() + seconds

    @property
    def left(self) -> float | None:
        """Seconds that are left, at least 0; None without a limit."""
        return None if self._end == math.inf else max(0.0, self._end - time.monotonic())

    @property
    def over(self) -> bool:
        """Whether nobody waits any more."""
        return time.monotonic() >= self._end
