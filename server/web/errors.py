"""Failures as a caller over HTTP learns of them: a status, a code, one line; never a path of this machine."""

from __future__ import annotations

from typing import Any

from pincite.errors import IndexLockedError, NothingUsableError, PinciteError, ServiceError, UsageError
from pincite.server.limits import TooManyError
from pincite.server.tenants import SessionBusyError

# Messages that are about what the caller sent or may see; all others are told by their kind only.
_TOLD = frozenset(
    {
        "no_such_document",
        "no_such_section",
        "no_such_session",
        "withdrawn_passage",
        "ambiguous",
        "index_empty",
        "session_busy",
        "rate_limited",
        "too_many_at_once",
        "no_match",
        "search_unavailable",
        "damaged_transcript",
    }
)
_NOT_FOUND = frozenset({"no_such_document", "no_such_section", "no_such_session", "index_empty", "no_match"})
_HINTS_OF_THE_CLI = "pincite "


class PublicError(PinciteError):
    """A failure whose message holds nothing but what the caller may know; `status` is that of HTTP."""

    def __init__(self, message: str, code: str, status: int, near: tuple[str, ...] = ()) -> None:
        super().__init__(message, code=code, near=near)
        self.status = status


def status_of(error: PinciteError) -> int:
    """The HTTP status of a failure."""
    if isinstance(error, PublicError):
        return error.status
    if isinstance(error, TooManyError):
        return 429
    if isinstance(error, SessionBusyError) or error.code == "session_locked":
        return 409
    if error.code in _NOT_FOUND:
        return 404
    if error.code == "withdrawn_passage":
        return 410
    if error.code == "not_allowed":
        return 403
    if isinstance(error, UsageError) or error.code == "ambiguous":
        return 400
    if isinstance(error, ServiceError):
        return 502
    return 503 if isinstance(error, NothingUsableError) else 500


def told(error: PinciteError) -> dict[str, Any]:
    """{code, message, hint, near} for the caller."""
    if isinstance(error, UsageError | PublicError) or error.code in _TOLD:
        hint = "" if error.hint.startswith(_HINTS_OF_THE_CLI) else error.hint
        return {"code": error.code, "message": error.told, "hint": hint, "near": list(error.near)}
    if error.code == "session_locked":
        message = "another process has this session open"
    elif isinstance(error, IndexLockedError):
        message = "the index is being changed"
    elif isinstance(error, NothingUsableError):
        message = "the index cannot be used at the moment"
    elif isinstance(error, ServiceError):
        message = "the model or another service failed"
    else:
        message = "the server failed"
    return {"code": error.code, "message": message, "hint": "", "near": []}


def openai_error(error: PinciteError) -> dict[str, Any]:
    """The same in the shape of OpenAI's errors."""
    status = status_of(error)
    kinds = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}
    kind = kinds.get(status, "invalid_request_error" if status < 500 else "server_error")
    found = told(error)
    message = f"{found['message']} ({found['hint']})" if found["hint"] else found["message"]
    return {"error": {"message": message, "type": kind, "param": None, "code": found["code"]}}
