"""Something slow to load that is loaded once, by whoever needs it first, while the others wait."""

from __future__ import annotations

import copy
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

from pincite.errors import PinciteError
from pincite.tools.breaker import Breaker
from pincite.tools.legs import Job, Workers

T = TypeVar("T")


class Once(Generic[T]):
    """Loads in a thread, which may take `seconds`.

    A PinciteError (it is not installed, it does not fit) is kept and raised each time; after another
    failure the load is tried again, but not while `breaker` is open.
    """

    def __init__(self, load: Callable[[], T], breaker: Breaker, seconds: float) -> None:
        self._load = load
        self._breaker = breaker
        self._seconds = seconds
        self._workers = Workers("loading")
        self._lock = Lock()
        self._value: list[T] = []
        self._refused: PinciteError | None = None
        self._job: Job[T] | None = None

    def get(self, patience: float) -> T:
        """The loaded thing; waits for it, at most `patience` seconds.

        Raises what loading raised, or TimeoutError; a load that goes on is waited for by the next call.
        """
        with self._lock:
            if self._value:
                return self._value[0]
            if self._refused is not None:
                # One that is raised again and again holds every search that it went through.
                raise copy.copy(self._refused)
            if self._job is None:
                if self._breaker.wait() > 0:
                    raise RuntimeError("loading it kept failing")
                self._job = self._workers.start(self._load)
            job = self._job
        try:
            value = job.wait(min(self._seconds, job.age + patience))
        except TimeoutError:
            raise
        except Exception as error:
            self._fail(job, error)
            raise
        with self._lock:
            if not self._value:
                self._breaker.success()
                self._value.append(value)
        return value

    def _fail(self, job: Job[T], error: Exception) -> None:
        """Once for each load, however many waited for it."""
        with self._lock:
            if self._job is job:
                self._job = None
                if isinstance(error, PinciteError):
                    self._refused = error
                else:
                    self._breaker.failure()
