"""What goes in and out of the JSON API, as it stands in its OpenAPI description."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from pincite.agent.answer import Answer
from pincite.agent.outcome import Status
from pincite.corpus.reasons import without_paths
from pincite.server.access import Narrowing

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_NAME = Field(min_length=1, max_length=500)


def _not_blank(name: str) -> str:
    """An empty name is what a variable that is not set leaves: it must not pass for any group or document."""
    if not name.strip():
        raise ValueError("a name is empty")
    return name


def _day(value: object) -> object:
    """A number is no day here, though pydantic would read it as seconds since 1970."""
    if isinstance(value, date) or (isinstance(value, str) and _DAY.fullmatch(value)):
        return value
    raise ValueError("must be a day as text, such as 2024-01-31")


_Given = Annotated[str, AfterValidator(_not_blank)]


class Narrowed(BaseModel):
    """What to leave out: other documents (by id, path or title), other groups, another day."""

    model_config = ConfigDict(extra="forbid")

    documents: list[_Given] = Field(default=[], max_length=100)
    groups: list[_Given] | None = Field(default=None, max_length=100)
    as_of: Annotated[date, BeforeValidator(_day)] | None = None

    @property
    def narrowing(self) -> Narrowing:
        """Groups and day."""
        groups = None if self.groups is None else frozenset(self.groups)
        return Narrowing(groups=groups, as_of=self.as_of)


class AskIn(Narrowed):
    """A question; with `session` it is the next turn of that session."""

    question: str = Field(min_length=1, max_length=100_000)
    session: str | None = Field(default=None, max_length=128)


class AnswerOut(Answer):
    """An answer. `cached`: it was given before to the same question; `session` is empty then."""

    cached: bool = False

    @classmethod
    def of(cls, answer: Answer) -> AnswerOut:
        """The answer as a caller gets it: without places on this machine, such as that of its transcript.

        One that an earlier version recorded may name them in its reasons.
        """
        told = answer.model_dump() | {"transcript": None, "cached": not answer.session}
        for attempt in (one for search in told["retrieval"] for one in search["attempts"]):
            attempt["reason"] = without_paths(attempt["reason"])
        if answer.status is Status.incomplete:
            told["text"] = without_paths(answer.text)
        return cls.model_validate(told, strict=False)


class SearchIn(Narrowed):
    """A search by hand; `queries` are further ones, `start` is `next` of the last result."""

    query: str = Field(min_length=1, max_length=4_000)
    queries: list[str] = Field(default=[], max_length=8)
    document: str | None = Field(default=None, max_length=500)
    limit: int = Field(default=6, ge=1, le=50)
    start: str | None = Field(default=None, max_length=200)


class OpenIn(BaseModel):
    """A citation of an answer, to be opened."""

    model_config = ConfigDict(extra="forbid")

    document: str = _NAME
    section: str = _NAME
    version: str = Field(max_length=200)
    span: tuple[int, int]
    quote: str = Field(max_length=5_000)
    page: int | None = None


class OpenedOut(BaseModel):
    """The cited section. `mark` is where the quoted words stand in `text`, null when they are gone."""

    document: str
    document_title: str
    section: str
    number: str | None
    heading_path: str
    page: int | None
    text: str
    mark: tuple[int, int] | None
    changed: bool
    page_label: str | None = None


class SessionOut(BaseModel):
    """A session in a list."""

    session: str
    started: str
    model: str
    first: str


class SessionsOut(BaseModel):
    """The newest sessions of the caller."""

    sessions: list[SessionOut]


class TurnOut(BaseModel):
    """A question with its answer, null when it was not answered."""

    question: str
    time: str
    answer: AnswerOut | None


class TurnsOut(BaseModel):
    """A session as it was held; what may no longer be seen is left out of it."""

    session: str
    turns: list[TurnOut]


class StepOut(BaseModel):
    """One step of a session: what happened, when (seconds from its start), and what there is to see of it."""

    kind: str
    at: float
    title: str
    lines: list[str] = []
    ms: float | None = None


class StepsOut(BaseModel):
    """The transcript of a session, step by step."""

    session: str
    steps: list[StepOut]


class ErrorBody(BaseModel):
    """A failure: a stable code, one line, what to do, names close by."""

    code: str
    message: str
    hint: str = ""
    near: list[str] = []


class ErrorOut(BaseModel):
    """The shape of every failure of the JSON API."""

    error: ErrorBody


class Health(BaseModel):
    """The server answers."""

    status: Literal["ok"] = "ok"


JsonObject = dict[str, Any]
