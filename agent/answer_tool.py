"""The tool that ends a question: its schema, and reading what a model put into it."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from pincite.agent.check.drafts import AnswerDraft
from pincite.agent.parse import BadArgumentsError, read_json
from pincite.agent.tooling import ANSWER
from pincite.tools.render import unescape_quote

MAX_STATEMENTS = 100


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
    statements = _listed(arguments.get("statements"))
    if isinstance(statements, list):
        statements = [
            {**item, "citations": _listed(item["citations"])}
            if isinstance(item, dict) and "citations" in item
            else item
            for item in (_listed(item) for item in statements)
        ]
    opened = {**arguments, "statements": statements, "unanswered": _listed(arguments.get("unanswered"))}
    if isinstance(arguments.get("status"), str):
        opened["status"] = arguments["status"].strip().lower()
    return opened


def _listed(value: Any) -> Any:
    """A list or object that came as text; one object where a list is wanted becomes a list of it."""
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
