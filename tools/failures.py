"""How a tool gives up: an exception inside the room that becomes a plain error at its door."""

from __future__ import annotations

from pincite.errors import AmbiguousError, NoIndexError, PinciteError
from pincite.tools.render import quoted
from pincite.tools.result import ToolError


class ToolFailedError(Exception):
    """Carries the plain error of a tool; never leaves the toolbox."""

    def __init__(self, code: str, message: str, hint: str = "", near: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.error = ToolError(code=code, message=message, hint=hint, near=near)


def bad_arguments(field: str, problem: str, example: str, near: tuple[str, ...] = ()) -> ToolFailedError:
    """A call that cannot be carried out as written: which field, what is wrong, and one that works."""
    return ToolFailedError("bad_arguments", f'"{field}": {problem}', f"For example: {example}", near)


def from_pincite(error: PinciteError) -> ToolError:
    """What a model is told about a failure of the index; details stay in the log."""
    if isinstance(error, AmbiguousError):
        return ToolError(code="ambiguous", message="Several documents carry this name.", near=error.near)
    if isinstance(error, NoIndexError):
        return ToolError(code="index_empty", message="There are no documents to search.")
    return ToolError(
        code="search_unavailable",
        message="The documents cannot be read at the moment. This does not mean that nothing is there.",
        hint="Try again later.",
    )


def error_text(error: ToolError) -> str:
    """The error as a model reads it: our own words, names quoted on one line."""
    near = ", ".join(quoted(name) for name in error.near)
    lines = [f"Error {error.code}: {error.message}", f"Nearest: {near}" if near else "", error.hint]
    return "\n".join(line for line in lines if line)
