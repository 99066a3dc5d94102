"""Where a replay went another way than the recording, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from pincite.errors import PinciteError

DIVERGED = 5


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first difference: the event's `seq` and kind, a JSONPath into it, and both values.

    `missing` says that one side has no event there: "tape" or "replay".
    """

    at: int
    kind: str
    path: str
    recorded: Any
    replayed: Any
    missing: str = ""


class DivergedError(PinciteError):
    """A replay stopped at the first difference."""

    exit_code = DIVERGED
    default_code = "diverged"

    def __init__(self, divergence: Divergence) -> None:
        super().__init__(f"the replay differs from the recording at event {divergence.at}")
        self.divergence = divergence


class Change(BaseModel):
    """Something that is not as it was when the session was recorded. `what` is a cause, `name` which one."""

    model_config = ConfigDict(frozen=True)

    what: str
    name: str
    recorded: str | None
    now: str | None


class ReplayReport(BaseModel):
    """How a replay went; what `replay --json` prints.

    `at` is the `seq` of the first event that differs, `path` the JSONPath in it, `cause` one of prompt, tool
    schema, model, index, code, clock, tape (the transcript lacks something) or redaction; `detail` says it in
    words. `drift` has one entry for each look-up whose result changed, `changes` what else is not as it was.
    """

    model_config = ConfigDict(frozen=True)

    diverged: bool
    at: int | None = None
    path: str | None = None
    recorded: Any = None
    replayed: Any = None
    cause: str | None = None
    drift: tuple[dict[str, Any], ...] = ()
    mode: str = "strict"
    session: str = ""
    kind: str | None = None
    detail: str = ""
    events: int = 0
    answers: tuple[dict[str, Any], ...] = ()
    cited_evidence_touched: bool = False
    changes: tuple[Change, ...] = ()
    warnings: tuple[str, ...] = Field(default=())
    transcript: str | None = None

    def differing(self, divergence: Divergence, cause: str, detail: str) -> ReplayReport:
        """The same report with where it diverged and why."""
        return self.model_copy(
            update={
                "at": divergence.at,
                "kind": divergence.kind,
                "path": divergence.path,
                "recorded": divergence.recorded,
                "replayed": divergence.replayed,
                "cause": cause,
                "detail": detail,
            }
        )

    @property
    def exit_code(self) -> int:
        """The process exit code for this outcome."""
        return DIVERGED if self.diverged else 0
