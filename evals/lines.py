"""Files of one JSON object a line, as people write them: what is wrong is said with its line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from pincite.corpus.reasons import in_words
from pincite.errors import NothingUsableError

Line = TypeVar("Line", bound=BaseModel)


def read_lines(path: Path, model: type[Line], form: str, code: str) -> Iterator[tuple[int, Line]]:
    """Each line that is not blank, with its number from 1.

    Raises NothingUsableError `code` with `form`, what a line looks like, as what to do.
    """
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                try:
                    yield number, model.model_validate_json(line)
                except ValidationError as error:
                    raise unusable(path, f"line {number}: {_problem(error)}", form, code) from None
    except (OSError, UnicodeDecodeError) as error:
        raise unusable(path, in_words(error), form, code) from error


def unusable(path: Path, why: str, form: str, code: str) -> NothingUsableError:
    """The error of a file that cannot be used."""
    return NothingUsableError(f"{path.name} cannot be used: {why}", code=code, hint=form)


def _problem(error: ValidationError) -> str:
    """The first thing that is wrong, in our words."""
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    if first["type"] == "json_invalid":
        return "it is no JSON object"
    if first["type"] == "missing":
        return f"{where} is missing"
    if not where:
        return "it is no JSON object"
    return f"{where}: {first['msg'].removeprefix('Value error, ')}"
