"""Something slow to load that is loaded once, by whoever needs it first, while the others wait."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

from pincite.errors import PinciteError
from pincite.tools.breaker import Breaker
from pincite.tools.legs import Job, Workers

T = TypeVar("T")


class Once(Generic[T]):
    """Loads in a thread, waiting at most `seconds`.

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

    def get(self) -> T:
        """The loaded thing; waits for it. Raises what loading raised, or TimeoutError."""
        with self._lock:
            if self._value:
                return self._value[0]
            if self._refused is not None:
                raise self._refused
            if self._job is None:
                if self._breaker.wait() > 0:
                    raise RuntimeError("loading it kept failing")
                self._job = self._workers.start(self._load)
            return self._finish(self._job)

    def _finish(self, job: Job[T]) -> T:
        try:
            value = job.wait(self._seconds)
        except TimeoutError:
            # The load goes on; the next call looks again.
            raise
        except PinciteError as error:
            self._refused = error
            raise
        except Exception:
            self._job = None
            self._breaker.failure()
            raise
        self._breaker.success()
        self._value.append(value)
        return value
