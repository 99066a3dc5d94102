"""Calls tools within the time that a question has left; one that hangs is left behind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pincite.agent.tooling import TimeLimited, Tools, refusal
from pincite.agent.waiting import Pending
from pincite.prompts import load
from pincite.tools.result import ToolResult


class PatientCalls:
    """The calls of a session, one at a time.

    A call that is not back in time gives the error `timeout`. Until it is back others are refused, so
    that nothing happens to the tools from two sides; what it brings in the end is dropped.
    """

    def __init__(self, tools: Tools, cancelled: Callable[[], bool]) -> None:
        self._tools = tools
        self._cancelled = cancelled
        self._pending: Pending[ToolResult] | None = None

    def call(self, name: str, arguments: dict[str, Any], seconds: float | None) -> ToolResult:
        """Run one tool for at most `seconds`. Raises CancelledError and interrupts."""
        if self._pending is not None and not self._pending.done:
            return refusal(name, "search_unavailable", load("tool_hangs").text)
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

    def _limit(self, seconds: float | None) -> None:
        if isinstance(self._tools, TimeLimited):
            self._tools.limit_time(seconds)
