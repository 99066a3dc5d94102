"""The tool that ends a question: its schema, and reading what a model put into it."""

from __future__ import annotations

import re
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from pincite.agent.check.drafts import AnswerDraft
from pincite.agent.parse import BadArgumentsError, read_json
from pincite.agent.tooling import ANSWER
from pincite.tools.render import unescape_quote

MAX_STATEMENTS = 100
_NO_TEXT = (None, "", "null", "none", "None", "[]")


class AnswerSchema(BaseModel):
    """The answer tool as a model is told about it."""

    model_config = ConfigDict(frozen=True)

    name: str = ANSWER
    description: str = (
        "Give the final answer and end the question. Call it alone, once the passages you need were shown. "
        "Evidence comes first: for each statement the citations, then the text that they support."
    )
    parameters: dict[str, Any]


_CITATION = {
    "type": "object",
    "properties": {
        "passage": {"type": "string", "description": "Handle of a passage that was shown, such as P3."},
        "quote": {"type": "string", "description": "5 to 25 words copied from that passage exactly."},
    },
    "required": ["passage", "quote"],
    "additionalProperties": False,
}
_PROPERTIES = {
    "citations": {"type": "array", "items": _CITATION, "minItems": 1},
    "text": {"type": "string", "description": "One fact, in your words, that the quotes support."},
}
_CITATIONS_OF_CHAT = {
    "type": "array",
    "items": _CITATION,
    "description": "At least one; none with status conversation.",
}
_STATEMENT = {
    "type": "object",
    "properties": _PROPERTIES,
    "required": ["citations", "text"],
    "additionalProperties": False,
}
_STATUSES = {
    "answered": "answered",
    "partial": "partial (something stays open)",
    "not_found": "not_found",
    "conversation": "conversation (about no document: a greeting, what was said before; without citations)",
}


def answer_schema(*, chat: bool = False) -> AnswerSchema:
    """The tool as it is offered; only in a chat may an answer be about no document."""
    statuses = {name: text for name, text in _STATUSES.items() if chat or name != "conversation"}
    *first, last = statuses.values()
    status = {
        "type": "string",
        "enum": list(statuses),
        "description": f"{', '.join(first)}, or {last}.",
    }
    statement = _STATEMENT
    if chat:
        statement = {**_STATEMENT, "properties": {**_PROPERTIES, "citations": _CITATIONS_OF_CHAT}}
    properties = {
        "statements": {
            "type": "array",
            "items": statement,
            "description": "The answer, one fact each. Empty with status not_found.",
        },
        "unanswered": {
            "type": "array",
            "items": {"type": "string"},
            "description": "Parts of the question that the documents leave open, in its own words.",
        },
        "status": status,
    }
    return AnswerSchema(
        parameters={
            "type": "object",
            "properties": properties,
            "required": ["statements", "status"],
            "additionalProperties": False,
        }
    )


def read_answer(arguments: dict[str, Any]) -> AnswerDraft:
    """The draft in the arguments of an `answer` call; `BadArgumentsError` names the field that is wrong.

    Lists that came as JSON in a string are read, escapes of the passage block in quotes are undone.
    """
    try:
        draft = AnswerDraft.model_validate(_opened(arguments))
    except ValidationError as error:
        raise BadArgumentsError(_problem(error)) from error
    if len(draft.statements) > MAX_STATEMENTS:
        raise BadArgumentsError(f"statements: more than {MAX_STATEMENTS}")
    for statement in draft.statements:
        statement.text = unescape_quote(statement.text).strip()
        for citation in statement.citations:
            citation.quote = None if citation.quote is None else unescape_quote(citation.quote)
    return draft


def _opened(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments with lists that came as text or as their only item; a missing status is `answered`."""
    statements = [
        {**item, "citations": _listed(item["citations"])}
        if isinstance(item, dict) and "citations" in item
        else item
        for item in _listed(arguments.get("statements"))
    ]
    opened = {**arguments, "statements": statements, "unanswered": _texts(arguments.get("unanswered"))}
    status = arguments.get("status")
    if isinstance(status, str):
        opened["status"] = re.sub(r"[\W_]+", "_", status.strip().lower()).strip("_")
    elif status is None and statements:
        opened["status"] = "answered"
    return opened


def _listed(value: Any) -> list[Any]:
    """A list whose items may be JSON in strings; one thing alone becomes a list, null an empty one."""
    value = _read(value)
    items = value if isinstance(value, list) else [] if value is None or value == "" else [value]
    return [_read(item) for item in items]


def _texts(value: Any) -> list[Any]:
    """A list of texts without empty ones."""
    return [item for item in _listed(value) if item not in _NO_TEXT]


def _read(value: Any) -> Any:
    if isinstance(value, str) and value.strip()[:1] in {"[", "{"}:
        try:
            return read_json(value)
        except BadArgumentsError:
            return value
    return value


def _problem(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    more = error.error_count() - 1
    also = f" (and {more} more)" if more else ""
    return f"{place}: {first['msg']}{also}" if place else f"{first['msg']}{also}"
