"""The one interface the loop drives, and how a model fails."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from pincite.agent.messages import ModelRequest, ModelTurn
from pincite.errors import ServiceError

RETRYABLE = frozenset({"rate_limited", "server_error", "connection", "bad_response", "overloaded"})


class ModelError(ServiceError):
    """A model call that gave no turn.

    `code` is one of rate_limited, server_error, overloaded, timeout, connection, bad_response,
    context_length, no_such_model, unauthorized, redirected, bad_request, script_exhausted or model_error.
    `retry_after` is the pause in seconds that the server asked for, `partial` what it had written by then.
    """

    default_code = "model_error"

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        hint: str = "",
        near: tuple[str, ...] = (),
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message, code=code, hint=hint, near=near)
        self.retry_after = retry_after
        self.partial: ModelTurn | None = None

    @property
    def retryable(self) -> bool:
        """Whether the same request may work a little later."""
        return self.code in RETRYABLE


@runtime_checkable
class ChatModel(Protocol):
    """Messages and tool schemas in, one assistant turn with its usage out."""

    @property
    def name(self) -> str:
        """What the output calls it."""
        ...

    def respond(self, request: ModelRequest) -> ModelTurn:
        """Make one turn, or raise `ModelError`. Runs in a thread of its own, one call at a time."""
        ...
