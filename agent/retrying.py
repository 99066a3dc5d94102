"""Tries a model call again where that may help: bounded in number, by the deadline, and never in silence."""

from __future__ import annotations

from collections.abc import Callable

import tenacity

from pincite.agent.clock import Clock
from pincite.agent.messages import ModelTurn, Note, Watch
from pincite.agent.model import ModelError

ATTEMPTS = 4
FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 120.0
_TICK_S = 0.2


class Retries:
    """The retry policy of one model call. `deadline` is on `clock.monotonic()`."""

    def __init__(self, clock: Clock, deadline: float | None, watch: Watch | None) -> None:
        self._clock = clock
        self._deadline = deadline
        self._watch = watch

    def call(self, attempt: Callable[[], ModelTurn]) -> ModelTurn:
        """The turn of the first attempt that works; the last error when none does."""
        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception(
                lambda error: isinstance(error, ModelError) and error.retryable
            ),
            stop=self._stop,
            wait=self._wait,
            sleep=self._sleep,
            before_sleep=self._tell,
            reraise=True,
        )
        return retrying(attempt)

    def _wait(self, state: tenacity.RetryCallState) -> float:
        """What the server asked for, else half a second, doubled each time."""
        asked = _error(state).retry_after
        return FIRST_WAIT_S * 2 ** (state.attempt_number - 1) if asked is None else asked

    def _stop(self, state: tenacity.RetryCallState) -> bool:
        """No more than `ATTEMPTS`, none that could only begin when it is too late or nobody waits for."""
        wait = self._wait(state)
        if state.attempt_number >= ATTEMPTS or (self._watch is not None and self._watch.cancelled):
            return True
        left = LONGEST_WAIT_S if self._deadline is None else self._deadline - self._clock.monotonic()
        return wait >= min(left, LONGEST_WAIT_S)

    def _tell(self, state: tenacity.RetryCallState) -> None:
        error = _error(state)
        if self._watch is not None:
            self._watch.notify(
                Note(
                    "retry",
                    error.code,
                    error.message,
                    attempt=state.attempt_number,
                    attempts=ATTEMPTS,
                    wait_s=self._wait(state),
                    partial=error.partial,
                )
            )

    def _sleep(self, seconds: float) -> None:
        """Wait in short pieces, so that a cancelled call ends."""
        end = self._clock.monotonic() + seconds
        while (left := end - self._clock.monotonic()) > 0:
            if self._watch is not None and self._watch.cancelled:
                return
            self._clock.sleep(min(_TICK_S, left))


def _error(state: tenacity.RetryCallState) -> ModelError:
    error = state.outcome.exception() if state.outcome else None
    return error if isinstance(error, ModelError) else ModelError("the model call failed")
