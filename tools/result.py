"""What a tool gives back. Tools never raise into the loop: they give passages, contents or a plain error."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from pincite.tools.passage import Passage


class Outcome(StrEnum):
    """How one retrieval leg ended."""

    ok = "ok"
    empty = "empty"
    error = "error"
    timeout = "timeout"
    skipped = "skipped"


class Attempt(BaseModel):
    """One leg tried for one query: which, how it ended, why, how long it took in milliseconds."""

    model_config = ConfigDict(frozen=True)

    leg: str
    outcome: Outcome
    reason: str = ""
    ms: float = 0.0


class ToolError(BaseModel):
    """A plain error: a stable code, one line that says what happened, what to do, and names close by."""

    model_config = ConfigDict(frozen=True)

    code: str
    message: str
    hint: str = ""
    near: tuple[str, ...] = ()


class ToolResult(BaseModel):
    """One tool call's result.

    `text` is what the model reads. `passages` are those newly shown (or shown again after compaction)
    with this call; `already_shown` the handles that were named instead of being sent again. `next` is
    what to pass as `from` to go on. `used` is the leg that answered. `data` is the tool's own structured
    result (contents, section header), ready for JSON; wire models ignore it.
    """

    model_config = ConfigDict(frozen=True)

    tool: str
    text: str
    passages: tuple[Passage, ...] = ()
    already_shown: tuple[str, ...] = ()
    next: str | None = None
    used: str | None = None
    attempts: tuple[Attempt, ...] = ()
    error: ToolError | None = None
    data: dict[str, Any] = Field(default_factory=dict)

    @property
    def handles(self) -> tuple[str, ...]:
        """Every handle this result names, new ones first."""
        return tuple(passage.handle for passage in self.passages) + self.already_shown
