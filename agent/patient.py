"""Calls tools within the time that a question has left; one that hangs is left behind."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from pincite.agent.tooling import TimeLimited, Tools, refusal
from pincite.agent.waiting import Pending
from pincite.prompts import load
from pincite.tools.result import ToolResult

# A call that was left behind is back after this: what it may wait for is an encoder that is being loaded.
_LEFT_BEHIND_S = 90.0


class PatientCalls:
    """The calls of a session, one at a time.

    A call that is not back in time gives the error `timeout`. One that was left so, or because the question
    was cancelled, is waited for by the next, so that nothing happens to the tools from two sides; what it
    brings in the end is dropped. When it hangs, that next call and all others are refused until it is back.
    """

    def __init__(self, tools: Tools, cancelled: Callable[[], bool]) -> None:
        self._tools = tools
        self._cancelled = cancelled
        self._pending: Pending[ToolResult] | None = None
        self._hangs: Pending[ToolResult] | None = None

    def call(self, name: str, arguments: dict[str, Any], seconds: float | None) -> ToolResult:
        """Run one tool for at most `seconds`. Raises CancelledError and interrupts."""
        started = time.monotonic()
        if not self._free(seconds):
            return refusal(name, "search_unavailable", load("tool_hangs").text)
        if seconds is not None:
            seconds = max(0.0, seconds - (time.monotonic() - started))
        self._limit(seconds)
        pending = Pending(lambda: self._tools.call(name, arguments))
        self._pending = pending
        try:
            return pending.wait(seconds, self._cancelled)
        except TimeoutError:
            return refusal(name, "timeout", load("tool_timeout").text)
        finally:
            if not pending.done:
                # What comes back from now on must show nothing.
                self._limit(0.0)

    def _free(self, seconds: float | None) -> bool:
        """Whether no earlier call is out, after waiting for it once, at most half of the time there is."""
        before = self._pending
        if before is None or before.done:
            return True
        if before is self._hangs:
            return False
        if not before.ended(
            min(_LEFT_BEHIND_S, _LEFT_BEHIND_S if seconds is None else seconds / 2), self._cancelled
        ):
            self._hangs = before
        return before.done

    def _limit(self, seconds: float | None) -> None:
        if isinstance(self._tools, TimeLimited):
            self._tools.limit_time(seconds)
