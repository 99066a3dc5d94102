"""Running one retrieval leg: in a thread of its own, with a deadline, behind its circuit breaker."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import Any, Generic, TypeVar

from pincite.corpus.reasons import without_paths
from pincite.corpus.rows import ChunkHit
from pincite.errors import PinciteError
from pincite.tools.breaker import Breaker
from pincite.tools.result import Attempt, Outcome

T = TypeVar("T")
log = logging.getLogger(__name__)

# So many calls of one leg may run or hang at a time; more would only pile up threads.
_BUSY_LIMIT = 16


class Standing(Enum):
    """What a leg's outcome says about the documents."""

    answered = "answered"
    absent = "absent"
    failed = "failed"


@dataclass(frozen=True, slots=True)
class LegRun:
    """A leg's hits, best first, with the attempt that goes into the record.

    `standing`: `answered` it looked and found these (or nothing), `absent` there is no such leg here,
    `failed` it says nothing about the documents.
    """

    attempt: Attempt
    standing: Standing
    hits: tuple[ChunkHit, ...] = ()


class Job(Generic[T]):
    """One piece of work in a thread; `wait` for it no longer than its deadline."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._work = work
        self._done = Event()
        self._value: list[T] = []
        self._error: BaseException | None = None
        self._started = time.perf_counter()
        self.ms = 0.0

    def run(self) -> None:
        """Do the work; called in the thread."""
        try:
            self._value.append(self._work())
        except (Exception, SystemExit) as error:
            log.debug("work in a retrieval thread failed", exc_info=True)
            self._error = error
        finally:
            self.ms = self._elapsed()

    def finish(self) -> None:
        """Let those who wait go on; called in the thread."""
        self._done.set()

    def wait(self, seconds: float) -> T:
        """The work's value; TimeoutError `seconds` after the start, else the error that the work raised."""
        if not self._done.wait(max(0.0, seconds - self._elapsed() / 1000)):
            self.ms = self._elapsed()
            raise TimeoutError(f"no answer within {seconds:g} s")
        if isinstance(self._error, Exception):
            raise self._error
        if not self._value:
            raise RuntimeError("the work ended its thread") from self._error
        return self._value[0]

    @property
    def age(self) -> float:
        """Seconds since the work was begun."""
        return time.perf_counter() - self._started

    def _elapsed(self) -> float:
        return 1000 * self.age


@dataclass(frozen=True, slots=True)
class Begun:
    """A leg that runs. `plain` is the same work for a query of no account: whether the leg works at all."""

    job: Job[Sequence[ChunkHit]]
    plain: Callable[[], object]


class Workers:
    """Threads that wait for work and are used again; one that hangs is left alone until its work ends.

    The threads are daemons: a hanging leg keeps no process alive.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._idle: list[SimpleQueue[Job[Any]]] = []
        self._busy = 0
        self._lock = Lock()

    def start(self, work: Callable[[], T]) -> Job[T]:
        """Begin the work. RuntimeError when too many earlier calls still hang."""
        job = Job(work)
        with self._lock:
            if self._busy >= _BUSY_LIMIT:
                raise RuntimeError(f"{self._busy} earlier calls have not come back")
            self._busy += 1
            inbox = self._idle.pop() if self._idle else None
        if inbox is None:
            inbox = SimpleQueue()
            Thread(target=self._serve, args=(inbox,), name=f"pincite-{self._name}", daemon=True).start()
        inbox.put(job)
        return job

    def _serve(self, inbox: SimpleQueue[Job[Any]]) -> None:
        while True:
            job = inbox.get()
            job.run()
            with self._lock:
                self._idle.append(inbox)
                self._busy -= 1
            job.finish()


class Leg:
    """A named leg: its threads and its breaker. `fail` makes it fail every time, for replays and tests."""

    def __init__(self, name: str, breaker: Breaker, *, fail: bool = False) -> None:
        self.name = name
        self._breaker = breaker
        self._workers = Workers(name)
        self._fail = fail

    def forced(self) -> LegRun | None:
        """The failure that this leg is made to have, if it is."""
        return self.failed(Outcome.error, "made to fail") if self._fail else None

    def start(self, work: Callable[[], Sequence[ChunkHit]], plain: Callable[[], object]) -> Begun | LegRun:
        """Begin the leg, or say at once why it does not run. `plain` as in `Begun`."""
        forced = self.forced()
        if forced is not None:
            return forced
        if self._breaker.wait() > 0:
            return self.failed(Outcome.skipped, "it kept failing")
        try:
            return Begun(self._workers.start(work), plain)
        except RuntimeError as error:
            return self.failed(Outcome.skipped, str(error))

    def finish(self, begun: Begun | LegRun, seconds: float, *, whole: bool) -> LegRun:
        """Wait for what `start` began, at most `seconds` from its start, and report to the breaker.

        The breaker is shared by all callers, so that it counts only what is the leg's own fault: not that
        the caller's time was over (`whole` says that the leg had all of its own), nor an error of one query
        while `plain` can be done.
        """
        if isinstance(begun, LegRun):
            return begun
        try:
            return self.answered(ranked(begun.job.wait(seconds)), begun.job.ms)
        except TimeoutError as error:
            if whole:
                self._breaker.failure()
            return self.failed(Outcome.timeout, str(error), begun.job.ms)
        except Exception as error:
            log.warning("the %s leg failed", self.name, exc_info=True)
            if self._can(begun.plain, seconds):
                self._breaker.success()
                # The index is as it should be, whatever it says of itself.
                why = "it failed for this query only" if isinstance(error, PinciteError) else describe(error)
                return self.failed(Outcome.error, why, begun.job.ms)
            if whole:
                self._breaker.failure()
            return self.failed(Outcome.error, describe(error), begun.job.ms)

    def _can(self, work: Callable[[], object], seconds: float) -> bool:
        try:
            self._workers.start(work).wait(seconds)
        except Exception:
            log.warning("the %s leg fails for every query", self.name, exc_info=True)
            return False
        return True

    def answered(self, hits: tuple[ChunkHit, ...], ms: float, reason: str = "") -> LegRun:
        """A run that looked and found these; `reason` says what it had to leave out."""
        self._breaker.success()
        outcome = Outcome.ok if hits else Outcome.empty
        return LegRun(self._attempt(outcome, reason, ms), Standing.answered, hits)

    def failed(self, outcome: Outcome, reason: str, ms: float = 0.0) -> LegRun:
        """A run that says nothing about the documents."""
        return LegRun(self._attempt(outcome, reason, ms), Standing.failed)

    def absent(self, reason: str) -> LegRun:
        """There is no such leg here, and that is no failure."""
        return LegRun(self._attempt(Outcome.skipped, reason, 0.0), Standing.absent)

    def _attempt(self, outcome: Outcome, reason: str, ms: float) -> Attempt:
        return Attempt(leg=self.name, outcome=outcome, reason=reason, ms=round(ms, 1))


def ranked(hits: Sequence[ChunkHit]) -> tuple[ChunkHit, ...]:
    """The hits best first, each once; equal scores in the order given.

    ValueError when a score is not a finite number.
    """
    if not all(math.isfinite(hit.score) for hit in hits):
        raise ValueError("a score is not a finite number")
    best: dict[tuple[str, str, int, int], ChunkHit] = {}
    for hit in sorted(hits, key=lambda hit: -hit.score):
        best.setdefault(hit.key, hit)
    return tuple(best.values())


def describe(error: BaseException, *, kind: bool = True) -> str:
    """An error as one short line for the record, without paths: records and reasons are shown to others.

    `kind`: with the name of its class.
    """
    told = error.told if isinstance(error, PinciteError) else str(error)
    if isinstance(error, OSError) and error.strerror:
        told = error.strerror
    words = " ".join(without_paths(told).split())
    if not kind:
        return words[:200]
    return f"{type(error).__name__}: {words[:200]}" if words else type(error).__name__
