"""How a question can end: a status for what there is, a stop reason for why it ended."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """What the user gets."""

    answered = "answered"
    partial = "partial"
    not_found = "not_found"
    conversation = "conversation"
    unverified = "unverified"
    incomplete = "incomplete"


class StopReason(StrEnum):
    """The one reason why a question ended."""

    answered = "answered"
    abstained = "abstained"
    stalled = "stalled"
    budget_model_calls = "budget_model_calls"
    budget_tool_calls = "budget_tool_calls"
    budget_tokens = "budget_tokens"
    budget_time = "budget_time"
    budget_cost = "budget_cost"
    model_error = "model_error"
    cancelled = "cancelled"


def exit_code(status: Status, stop_reason: StopReason) -> int:
    """The process exit code of an outcome."""
    if status in {Status.unverified, Status.incomplete}:
        return 130 if stop_reason is StopReason.cancelled else 4
    return 0
