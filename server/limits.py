"""How much one caller may ask for: questions and requests a minute, and questions at a time."""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from pincite.errors import PinciteError

_MOST_CALLERS = 10_000


class ServerLimits(BaseModel):
    """Limits of a server, most of them for each caller.

    `body_bytes` is the longest request body, `body_seconds` how long it may take to come.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    questions_per_minute: int = Field(default=600, ge=1)
    requests_per_minute: int = Field(default=3_000, ge=1)
    questions_at_once: int = Field(default=32, ge=1)
    body_bytes: int = Field(default=1_000_000, ge=1_000)
    body_seconds: float = Field(default=30.0, gt=0, allow_inf_nan=False)
    live_sessions: int = Field(default=64, ge=1)
    workers: int = Field(default=8, ge=1)
    cached_answers: int = Field(default=0, ge=0)


class TooManyError(PinciteError):
    """A limit is reached; the same request may be made again after `retry_after` seconds."""

    default_code = "rate_limited"

    def __init__(self, message: str, retry_after: int, code: str = "rate_limited") -> None:
        super().__init__(message, code=code, hint=f"try again in {retry_after} s")
        self.retry_after = retry_after


@dataclass(slots=True)
class _Bucket:
    tokens: float
    at: float


class Rate:
    """So many a minute for each caller, of which a minute's worth may come at once."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = per_minute
        self._per_second = per_minute / 60
        self._clock = clock
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, caller: str) -> None:
        """Count one. Raises TooManyError."""
        with self._lock:
            now = self._clock()
            bucket = self._buckets.pop(caller, None) or _Bucket(self._most, now)
            self._buckets[caller] = bucket
            while len(self._buckets) > _MOST_CALLERS:
                self._buckets.popitem(last=False)
            bucket.tokens = min(self._most, bucket.tokens + (now - bucket.at) * self._per_second)
            bucket.at = now
            if bucket.tokens < 1:
                wait = max(1, math.ceil((1 - bucket.tokens) / self._per_second))
                raise TooManyError("too many requests from this caller", wait)
            bucket.tokens -= 1


class AtOnce:
    """So many at a time for each caller."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._running: dict[str, int] = {}
        self._lock = threading.Lock()

    @contextmanager
    def one(self, caller: str) -> Iterator[None]:
        """Count one while it runs. Raises TooManyError."""
        with self._lock:
            if self._running.get(caller, 0) >= self._most:
                raise TooManyError("too many questions of this caller at a time", 1, "too_many_at_once")
            self._running[caller] = self._running.get(caller, 0) + 1
        try:
            yield
        finally:
            with self._lock:
                self._running[caller] -= 1
                if not self._running[caller]:
                    del self._running[caller]
