"""What a question tells while it runs. A statement appears only once its citations have passed the check."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.agent.answer import Answer, Statement

ALL_DOCUMENTS = "all documents"


@dataclass(frozen=True, slots=True)
class Thinking:
    """A model call begins; `call` counts them from 1."""

    call: int
    model: str


@dataclass(frozen=True, slots=True)
class Searching:
    """A search begins."""

    query: str


@dataclass(frozen=True, slots=True)
class Reading:
    """A section or a table of contents is about to be read, or `ALL_DOCUMENTS` at once."""

    document: str
    section: str | None


@dataclass(frozen=True, slots=True)
class Found:
    """A tool gave its result: how many passages are new, which leg found them, or the error's code."""

    tool: str
    new: int
    used: str | None
    error: str | None


@dataclass(frozen=True, slots=True)
class Retrying:
    """A model call failed and is tried again after `wait_s` seconds.

    `attempt` counts those that failed, from 1; there are at most `attempts`.
    """

    code: str
    message: str
    attempt: int
    wait_s: float
    attempts: int = 0


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the user should know: shortened context, a cut prompt, an unsaved transcript."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Checking:
    """An answer is being compared with the passages."""

    statements: int


@dataclass(frozen=True, slots=True)
class Rejected:
    """The answer failed the check with these codes; `again` says that the model may repair it."""

    codes: tuple[str, ...]
    again: bool


@dataclass(frozen=True, slots=True)
class Verified:
    """A statement whose citations have passed the check; each is told once, as soon as it has."""

    statement: Statement


@dataclass(frozen=True, slots=True)
class Retracted:
    """A verified statement that the model did not repeat when it had to repair its answer."""

    statement: Statement


@dataclass(frozen=True, slots=True)
class Done:
    """The question has ended; always the last event."""

    answer: Answer


Progress = (
    Thinking
    | Searching
    | Reading
    | Found
    | Retrying
    | Notice
    | Checking
    | Rejected
    | Verified
    | Retracted
    | Done
)
