"""Files of one JSON object a line, as people write them: what is wrong is said with its line."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
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
                    raise unusable(path, f"line {number}: {_problem(error, model)}", form, code) from None
    except (OSError, UnicodeDecodeError) as error:
        raise unusable(path, in_words(error), form, code) from error


def unusable(path: Path, why: str, form: str, code: str) -> NothingUsableError:
    """The error of a file that cannot be used."""
    return NothingUsableError(f"{path.name} cannot be used: {why}", code=code, hint=form)


def _problem(error: ValidationError, model: type[BaseModel]) -> str:
    """The first thing that is wrong, in our words: a key that there is not may be why another is missing."""
    problems = error.errors(include_url=False, include_input=False)
    first = next((one for one in problems if one["type"] == "extra_forbidden"), problems[0])
    where = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        near = get_close_matches(str(first["loc"][-1]), _keys(model, nested=len(first["loc"]) > 1), 1)
        return f"{where[:80]}: there is no such key" + (f", {near[0]!r} is near" if near else "")
    if first["type"] == "json_invalid":
        return "it is no JSON object"
    if first["type"] == "missing":
        return f"{where} is missing"
    if not where:
        return "it is no JSON object"
    return f"{where}: {first['msg'].removeprefix('Value error, ')}"


def _keys(model: type[BaseModel], *, nested: bool) -> list[str]:
    """The keys of a line, or those of what stands in it."""
    schema = model.model_json_schema()
    inside = (one.get("properties", {}) for one in schema.get("$defs", {}).values())
    return [key for keys in inside for key in keys] if nested else [*schema["properties"]]
