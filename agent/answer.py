"""The answer a user gets: exactly the contract of `ask --json`."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from pincite.agent.outcome import Status, StopReason, exit_code
from pincite.tools.result import Outcome


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


def _absent(value: object) -> bool:
    return value is None


class Citation(_Value):
    """A place that was shown, with words that stand there.

    `span` counts characters of the document's plain text: the quoted words, or the whole passage where they
    stand in a header repeated from elsewhere. `page`..`page_end` and `line` are those of the span as exactly
    as is known. `match` is "exact" or "normalized". `standing` names the document's version; `current` is
    False for one that is not in force, and `standing` then says why. Where they are not the pages' numbers,
    `page_label` and `page_end_label` are what is printed on them; `anchor` is the address that the source
    gives to the place, such as an id in HTML. These three are there only where there are any.
    """

    handle: str
    document: str
    document_title: str
    version: str
    section: str
    number: str | None
    heading_path: str
    page: int | None
    page_end: int | None
    line: int | None
    span: tuple[int, int]
    quote: str
    match: str
    standing: str = ""
    current: bool = True
    page_label: str | None = Field(default=None, exclude_if=_absent)
    page_end_label: str | None = Field(default=None, exclude_if=_absent)
    anchor: str | None = Field(default=None, exclude_if=_absent)


class Statement(_Value):
    """One statement; every citation of it passed the check."""

    text: str
    citations: tuple[Citation, ...]


class Withheld(_Value):
    """A statement that failed the check: why, as a code and in words."""

    text: str
    code: str
    detail: str


class Near(_Value):
    """A place that was looked at without finding the answer there."""

    handle: str
    document: str
    document_title: str
    section: str
    number: str | None
    heading_path: str
    page: int | None
    line: int | None
    page_label: str | None = Field(default=None, exclude_if=_absent)


class LegAttempt(_Value):
    """One retrieval leg tried: how it ended, why, milliseconds."""

    leg: str
    outcome: Outcome
    reason: str
    ms: float


class Retrieval(_Value):
    """One search or reading: what was asked for, which leg answered, what was tried."""

    tool: str
    query: str
    used: str | None
    attempts: tuple[LegAttempt, ...]


class AnswerUsage(_Value):
    """What the question cost. `cost` is None when the model's price is not known."""

    model_calls: int
    tool_calls: int
    searches: int
    input_tokens: int
    output_tokens: int
    seconds: float
    cost: float | None


class Answer(_Value):
    """How a question ended and all that is supported. `text` is for people and holds nothing else."""

    status: Status
    stop_reason: StopReason
    text: str
    statements: tuple[Statement, ...] = ()
    unanswered: tuple[str, ...] = ()
    withheld: tuple[Withheld, ...] = ()
    nearest: tuple[Near, ...] = ()
    retrieval: tuple[Retrieval, ...] = ()
    usage: AnswerUsage
    model: str
    session: str
    transcript: str | None = None

    @property
    def exit_code(self) -> int:
        """The process exit code for this outcome."""
        return exit_code(self.status, self.stop_reason)
