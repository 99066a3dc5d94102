"""What was said, as the GenAI conventions put it into attributes: JSON texts, only on request."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pincite.transcripts import views
from pincite.transcripts.envelope import Json
from pincite.transcripts.events import (
    AnswerEvent,
    ModelRequestEvent,
    ModelResponseEvent,
    ToolCallEvent,
    ToolResultEvent,
)
from pincite.transcripts.otel.span import Attribute
from pincite.transcripts.requests import Bodies


def asked(text: str) -> dict[str, Attribute]:
    """A question."""
    return {"gen_ai.input.messages": _dumped([_message("user", [_text(text)])])}


def answered(event: AnswerEvent) -> dict[str, Attribute]:
    """What the user got: the answer's text, which holds nothing that was withheld."""
    text = views.text(event.answer, "text")
    return {"gen_ai.output.messages": _dumped([_message("assistant", [_text(text)])])}


def requested(event: ModelRequestEvent, bodies: Bodies) -> dict[str, Attribute]:
    """The messages and tools of a model request."""
    tools = [{"type": "function", **schema} for schema in bodies.tools(event) if "name" in schema]
    return {
        "gen_ai.input.messages": _dumped([_said(message) for message in bodies.messages(event)]),
        "gen_ai.tool.definitions": _dumped(tools),
    }


def responded(event: ModelResponseEvent) -> dict[str, Attribute]:
    """What a model wrote."""
    if event.turn is None:
        return {}
    refusal = views.text(event.turn, "refusal")
    said = _said({"role": "assistant", **event.turn})
    parts = [*said["parts"], *([_text(refusal)] if refusal else [])]
    return {"gen_ai.output.messages": _dumped([_message("assistant", parts)])}


def called(event: ToolCallEvent) -> dict[str, Attribute]:
    """The arguments of a call."""
    return {"gen_ai.tool.call.arguments": event.arguments}


def gave(event: ToolResultEvent) -> dict[str, Attribute]:
    """What a tool gave: the text that the model read."""
    error = event.result.get("error")
    told: Json = {"text": views.text(event.result, "text"), **({"error": error} if error else {})}
    return {"gen_ai.tool.call.result": _dumped(told)}


def sought(arguments: str) -> dict[str, Attribute]:
    """What was searched for."""
    try:
        given = json.loads(arguments)
    except (ValueError, RecursionError):
        return {}
    queries = [views.text(given, "query"), *views.texts(given, "queries")]
    found = "\n".join(query for query in queries if query)
    return {"gen_ai.retrieval.query.text": found} if found else {}


def found(event: ToolResultEvent) -> dict[str, Attribute]:
    """The passages that a search showed."""
    documents = [
        {
            "id": f"{one.document}#{one.section}",
            **({} if one.score is None else {"score": one.score}),
            "content": one.text,
            "metadata": {"handle": one.handle, "title": one.title, "path": one.path},
        }
        for one in views.passages(event.result)
    ]
    return {"gen_ai.retrieval.documents": _dumped(documents)}


def _said(message: Mapping[str, Any]) -> Json:
    """A message of a request: text, calls, or a tool's result."""
    role, content = views.text(message, "role"), views.text(message, "content")
    if role == "tool":
        call_id = views.text(message, "tool_call_id")
        return _message(role, [{"type": "tool_call_response", "id": call_id, "response": content}])
    calls = [
        {
            "type": "tool_call",
            "id": views.text(call, "id"),
            "name": views.text(call, "name"),
            "arguments": _read(views.text(call, "arguments")),
        }
        for call in views.items(message, "tool_calls")
    ]
    return _message(role or "user", [*([_text(content)] if content else []), *calls])


def _message(role: str, parts: Iterable[Json]) -> Json:
    return {"role": role, "parts": list(parts)}


def _text(content: str) -> Json:
    return {"type": "text", "content": content}


def _read(arguments: str) -> Any:
    """Arguments as the object that they should be, else as the text that they are."""
    try:
        return json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments


def _dumped(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):
        # Nested deeper than can be written.
        return "null"
