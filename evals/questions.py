"""A user's own questions: one JSON object a line, each with the places where the answer stands, or none.

{"question": "…", "expected": [{"document": "…", "section": "…", "quote": "…"}], "answers": ["…"]}
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field

from pincite.evals.lines import read_lines, unusable

NO_ANSWER = "no answer"
_FORM = 'a line is {"question": …, "expected": [{"document": …, "section": …, "quote": …}]}'


class Place(BaseModel):
    """Where an answer stands: a document (id, path or title), and in it a section or words or both."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    document: str = Field(min_length=1)
    section: str | None = None
    quote: str | None = None


class Said(BaseModel):
    """One message of the conversation before a question."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    role: Literal["user", "assistant"]
    content: str = Field(min_length=1)


def _places(value: object) -> object:
    """ "no answer" or null for none; one place without a list around it."""
    if value is None or (isinstance(value, str) and value.strip().casefold() == NO_ANSWER):
        return []
    return [value] if isinstance(value, dict) else value


def _listed(value: object) -> object:
    """One answer without a list around it."""
    return [value] if isinstance(value, str) else value


def _asks(text: str) -> str:
    if not any(sign.isalnum() for sign in text):
        raise ValueError("holds no letter and no digit")
    return text


class Question(BaseModel):
    """A line of the file. `expected` is empty when the documents do not answer the question.

    `answers` are right answers in short, any of which will do. `kind` is free: figures are also given
    by kind. `document` scopes the question to one document. `earlier` is the conversation before it, for
    a model that words the queries.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", coerce_numbers_to_str=True)

    id: str = ""
    question: Annotated[str, AfterValidator(_asks)]
    expected: Annotated[tuple[Place, ...], BeforeValidator(_places)]
    answers: Annotated[tuple[str, ...], BeforeValidator(_listed)] = Field(
        (), validation_alias=AliasChoices("answers", "answer_contains")
    )
    kind: str = ""
    document: str | None = None
    earlier: tuple[Said, ...] = ()


def read_questions(path: Path) -> list[Question]:
    """The questions, each with an id (its line number where it has none).

    Raises NothingUsableError for a file or line that cannot be used, and for an id that comes twice.
    """
    questions = [
        question if question.id else question.model_copy(update={"id": str(number)})
        for number, question in read_lines(path, Question, _FORM, "questions_unusable")
    ]
    if not questions:
        raise unusable(path, "it holds no question", _FORM, "questions_unusable")
    twice = next((name for name, times in Counter(one.id for one in questions).items() if times > 1), None)
    if twice is not None:
        raise unusable(path, f"the id {twice!r} comes twice", _FORM, "questions_unusable")
    return questions
