"""A circuit breaker: what keeps failing is left alone for a while."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock


class Breaker:
    """Opens after `failures` failures in a row and stays open for `seconds` of `clock`.

    After that one trial is let through: success closes the breaker, failure opens it for as long again.
    Safe to use from several threads.
    """

    def __init__(
        self, failures: int = 3, seconds: float = 30.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._limit = failures
        self._seconds = seconds
        self._clock = clock
        self._failed = 0
        self._until = float("-inf")
        self._lock = Lock()

    def wait(self) -> float:
        """Seconds until the next try is due, 0 when one may be made now (and then it must be reported)."""
        with self._lock:
            now = self._clock()
            if self._failed < self._limit:
                return 0.0
            if now < self._until:
                return self._until - now
            # One caller makes the trial; the others wait until it has reported or the time is over again.
            self._until = now + self._seconds
            return 0.0

    def success(self) -> None:
        """The last try worked."""
        with self._lock:
            self._failed = 0

    def failure(self) -> None:
        """The last try failed."""
        with self._lock:
            self._failed += 1
            if self._failed >= self._limit:
                self._until = self._clock() + self._seconds
