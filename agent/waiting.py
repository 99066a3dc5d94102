"""Waits for a model or a tool without being at its mercy: a deadline, Ctrl-C or a cancel ends the wait."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Generator
from typing import Generic, TypeVar

from pincite.agent.clock import Clock
from pincite.agent.messages import ModelRequest, ModelTurn, Note
from pincite.agent.model import ChatModel, ModelError
from pincite.agent.threads import run_in_thread
from pincite.errors import PinciteError

T = TypeVar("T")

# How often the injected clock and a cancel are looked at while a model is silent.
_TICK_S = 0.1
# A turn that is ready when time is up is still taken.
_GRACE_S = 0.05


class CancelledError(Exception):
    """Somebody asked for the question to end."""


class Mailbox:
    """The `Watch` of one model call: what it says arrives here, in order, its outcome last."""

    def __init__(self) -> None:
        self.items: queue.SimpleQueue[Note | ModelTurn | BaseException] = queue.SimpleQueue()
        self._cancelled = threading.Event()
        self._so_far: Callable[[], ModelTurn | None] | None = None

    @property
    def cancelled(self) -> bool:
        """Whether nobody waits any more."""
        return self._cancelled.is_set()

    def notify(self, note: Note) -> None:
        """Leave a note for the one that waits."""
        self.items.put(note)

    def writing(self, so_far: Callable[[], ModelTurn | None]) -> None:
        """What is being written can be had from there."""
        self._so_far = so_far

    def partial(self) -> ModelTurn | None:
        """What was written of the turn by now; None where nothing was, or that is not told."""
        return self._so_far() if self._so_far is not None else None

    def cancel(self) -> None:
        """Tell the model's thread to stop at its next chance."""
        self._cancelled.set()


class Pending(Generic[T]):
    """One piece of work in a thread of its own; a thread that hangs is left behind."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._done = threading.Event()
        self._value: list[T] = []
        self._error: BaseException | None = None
        run_in_thread(lambda: self._run(work))

    @property
    def done(self) -> bool:
        """Whether the work has ended."""
        return self._done.is_set()

    def wait(self, seconds: float | None, is_cancelled: Callable[[], bool]) -> T:
        """What the work gave; raises what it raised, TimeoutError after `seconds`, or `CancelledError`."""
        if not self.ended(seconds, is_cancelled):
            raise TimeoutError
        if self._error is not None:
            raise self._error
        return self._value[0]

    def ended(self, seconds: float | None, is_cancelled: Callable[[], bool]) -> bool:
        """Whether the work has ended, after waiting for it so long. Raises `CancelledError`."""
        end = None if seconds is None else time.monotonic() + max(_GRACE_S, seconds)
        while not self._done.wait(_TICK_S if end is None else min(_TICK_S, max(0.0, end - time.monotonic()))):
            if is_cancelled():
                raise CancelledError
            if end is not None and time.monotonic() >= end:
                return False
        return True

    def _run(self, work: Callable[[], T]) -> None:
        try:
            self._value.append(work())
        except BaseException as error:  # noqa: BLE001 - raised again by the one that waits
            self._error = error
        finally:
            self._done.set()


def await_turn(
    model: ChatModel,
    make_request: Callable[[Mailbox], ModelRequest],
    clock: Clock,
    deadline: float | None,
    is_cancelled: Callable[[], bool],
) -> Generator[Note, None, ModelTurn]:
    """Run `model.respond` in a thread of its own; yields its notes and returns its turn.

    `deadline` is on `clock.monotonic()`. Raises `ModelError` for all that goes wrong (code "timeout" for the
    deadline), `CancelledError`, and an interrupt as it is. The thread of a model that hangs is left behind:
    it holds no lock of ours and ends with its connection.
    """
    mailbox = Mailbox()
    request = make_request(mailbox)
    run_in_thread(lambda: _work(model, request, mailbox))
    try:
        while True:
            item = _next(mailbox, clock, deadline, is_cancelled)
            if isinstance(item, Note):
                yield item
            elif isinstance(item, ModelTurn):
                return item
            else:
                raise _failure(item) from item
    finally:
        mailbox.cancel()


def _work(model: ChatModel, request: ModelRequest, mailbox: Mailbox) -> None:
    try:
        mailbox.items.put(model.respond(request))
    except BaseException as error:  # noqa: BLE001 - raised again by the one that waits
        mailbox.items.put(error)


def _next(
    mailbox: Mailbox, clock: Clock, deadline: float | None, is_cancelled: Callable[[], bool]
) -> Note | ModelTurn | BaseException:
    """What the model says next; raises when the wait is over without it."""
    timeout = deadline_left(clock, deadline)
    # The injected clock may stand still; the machine's own must end the wait too.
    real_end = None if timeout is None else time.monotonic() + timeout
    while True:
        left = deadline_left(clock, deadline)
        late = left == 0.0 or (real_end is not None and time.monotonic() >= real_end)
        try:
            return mailbox.items.get(timeout=_GRACE_S if late else min(_TICK_S, left or _TICK_S))
        except queue.Empty:
            if is_cancelled():
                raise CancelledError from None
            if late:
                raise ModelError("the model did not answer before the deadline", code="timeout") from None


def _failure(error: BaseException) -> BaseException:
    """What a model raised, as the loop takes it: an interrupt as it is, all else as a `ModelError`."""
    if isinstance(error, ModelError) or not isinstance(error, Exception):
        return error
    if isinstance(error, PinciteError):
        return ModelError(error.message, code=error.code, hint=error.hint, near=error.near)
    return ModelError(f"the model failed with {type(error).__name__}: {error}")


def deadline_left(clock: Clock, deadline: float | None) -> float | None:
    """Seconds until the deadline, at least 0; None without one."""
    return None if deadline is None else max(0.0, deadline - clock.monotonic())
