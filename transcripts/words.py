"""Free-form parts of events in words: "query "rent", limit 3"."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

ANSWER = "answer"
_DEEPEST = 8


def facts(values: Mapping[str, Any], depth: int = 0) -> str:
    """Keys and values; what is null is left out."""
    return ", ".join(
        f"{str(key).replace('_', ' ')} {value_words(value, depth)}"
        for key, value in values.items()
        if value is not None
    )


def value_words(value: Any, depth: int = 0) -> str:
    """A JSON value in words."""
    if depth > _DEEPEST:
        return "…"
    if isinstance(value, Mapping):
        return f"({facts(value, depth + 1)})"
    if isinstance(value, list | tuple):
        return "; ".join(value_words(item, depth + 1) for item in value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    return f'"{value}"' if isinstance(value, str) else str(value)


def counted(number: int, thing: str) -> str:
    """ "1 passage", "2 passages"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def redacted_words(number: int) -> str:
    """How many secrets an event does not hold."""
    return f"{counted(number, 'secret')} {'was' if number == 1 else 'were'} taken out"


def scope_words(scope: Mapping[str, Any]) -> str:
    """What the caller may see."""
    groups, documents = scope.get("groups"), scope.get("documents")
    parts = ["sees everything" if groups is None else f"sees what groups {value_words(groups)} may see"]
    if documents is not None:
        parts.append(f"only {value_words(documents)}")
    day = scope.get("as_of")
    return ", ".join([*parts, f"in force on {value_words(day)}" if day else "in force today"])


def problem_words(problem: Mapping[str, Any]) -> str:
    """What the check found."""
    where = problem.get("statement")
    named = f"statement {where + 1}: " if isinstance(where, int) else ""
    code = str(problem.get("code", "")).replace("_", " ")
    rest = facts({key: problem.get(key) for key in ("passage", "number", "found_in", "detail")})
    return f"{named}{code}" + (f" ({rest})" if rest else "")


def call_words(name: str, raw: str, full: bool) -> tuple[str, str]:
    """(what is called, with what). A drafted answer is not shown beside answers: the check comes after it."""
    try:
        arguments = json.loads(raw)
    except (ValueError, RecursionError):
        arguments = None
    if not isinstance(arguments, dict):
        return f"calls {name}", f"with what is no JSON object: {raw}"
    if name != ANSWER:
        return f"calls {name}", facts(arguments)
    statements = arguments.get("statements")
    number = len(statements) if isinstance(statements, list) else 0
    status = value_words(arguments.get("status"))
    drafted = f"drafts an answer: {counted(number, 'statement')}, status {status.strip(chr(34))}"
    return drafted, f"unchecked: {facts(arguments)}" if full else ""


def left_out_words(number: int) -> str:
    """That so many questions are not told to a model any more."""
    what, them = ("1 earlier question is", "it or its answer")
    if number != 1:
        what, them = f"{number} earlier questions are", "them or their answers"
    return f"{what} not told to the model any more: secrets were taken out of {them}"
