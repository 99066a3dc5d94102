"""A user's own questions: one JSON object a line, each with the places where the answer stands, or none.

{"question": "…", "expected": [{"document": "…", "section": "…", "quote": "…"}], "answers": ["…"]}
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from pincite.errors import NothingUsableError

NO_ANSWER = "no answer"


class Place(BaseModel):
    """Where an answer stands: a document (id, path or title), and in it a section or words or both."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    document: str = Field(min_length=1)
    section: str | None = None
    quote: str | None = None


def _places(value: object) -> object:
    """ "no answer" or null for none; one place without a list around it."""
    if value is None or (isinstance(value, str) and value.strip().casefold() == NO_ANSWER):
        return []
    return [value] if isinstance(value, dict) else value


class Question(BaseModel):
    """A line of the file. `expected` is empty when the documents do not answer the question.

    `answers` are right answers in short, any of which will do. `kind` is free: figures are also given
    by kind. `document` scopes the question to one document.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", coerce_numbers_to_str=True)

    id: str = ""
    question: str = Field(min_length=1)
    expected: Annotated[tuple[Place, ...], BeforeValidator(_places)]
    answers: tuple[str, ...] = Field((), validation_alias=AliasChoices("answers", "answer_contains"))
    kind: str = ""
    document: str | None = None


def read_questions(path: Path) -> list[Question]:
    """The questions, each with an id (its line number where it has none).

    Raises NothingUsableError for a file or line that cannot be used, and for an id that comes twice.
    """
    questions: list[Question] = []
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise _unusable(path, str(error)) from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            question = Question.model_validate_json(line)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(str(part) for part in first["loc"])
            raise _unusable(path, f"line {number}: {where} {first['msg']}".replace("  ", " ")) from None
        questions.append(question if question.id else question.model_copy(update={"id": str(number)}))
    if not questions:
        raise _unusable(path, "it holds no question")
    ids = [question.id for question in questions]
    twice = next((name for name in ids if ids.count(name) > 1), None)
    if twice is not None:
        raise _unusable(path, f"the id {twice!r} comes twice")
    return questions


def _unusable(path: Path, why: str) -> NothingUsableError:
    return NothingUsableError(
        f"{path.name} cannot be used: {why}",
        code="questions_unusable",
        hint='a line is {"question": …, "expected": [{"document": …, "section": …, "quote": …}]}',
    )
