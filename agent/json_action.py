"""Tools for models without native tool calls: each turn is one JSON object {"tool": …, "arguments": …}.

A request is rewritten into plain messages, a response back into a call. Where the server can hold the model
to a JSON schema it is asked to; where it cannot, the form is only described.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from pincite.agent.messages import Message, ModelRequest, ModelTurn, ToolCall, ToolSchemaLike
from pincite.agent.textcalls import find_calls
from pincite.prompts import load

Json = dict[str, Any]
# One action is short; a small model that does not find an end should not run to its context's.
MAX_TOKENS = 1_024
# Bounds of what one action may hold where a schema is enforced: wide for any real one.
_MOST_CHOICES, _MOST_ITEMS, _MOST_CHARACTERS = 100, 8, 400
# From the strictest to none, in the order in which they are tried.
FORMATS = ("json_schema", "json_object", "none")


def plain_messages(request: ModelRequest) -> list[Json]:
    """The request's messages in the roles system, user and assistant alone, which alternate."""
    names = ", ".join(tool.name for tool in offered(request))
    plain: list[Json] = []
    for message in request.messages:
        role = "user" if message.role == "tool" else message.role
        text = _text(message, names)
        if message.role == "system":
            text = f"{text}\n\n{load('json_action', tools=_described(offered(request))).text}"
        if plain and plain[-1]["role"] == role:
            plain[-1]["content"] += f"\n\n{text}"
        else:
            plain.append({"role": role, "content": text})
    return plain


def offered(request: ModelRequest) -> Sequence[ToolSchemaLike]:
    """The tools that may be called now: the one that is forced, or all that are offered."""
    forced = [tool for tool in request.tools if tool.name == request.tool_choice]
    return forced or request.tools


def response_format(request: ModelRequest, kind: str) -> Json | None:
    """The `response_format` of one of `FORMATS`; None for none."""
    if kind == "none" or not offered(request):
        return None
    if kind == "json_object":
        return {"type": "json_object"}
    choices = _choices(request)
    actions = [_action(tool, choices) for tool in offered(request)]
    schema = actions[0] if len(actions) == 1 else {"anyOf": actions}
    return {"type": "json_schema", "json_schema": {"name": "action", "schema": schema}}


def as_calls(turn: ModelTurn, request: ModelRequest) -> ModelTurn:
    """The turn with its action as a call; one without an action stays text, which the loop answers."""
    if turn.tool_calls:
        return turn
    fields = {tool.name: frozenset(tool.parameters.get("properties", {})) for tool in request.tools}
    found = find_calls(turn.content, fields)
    calls = tuple(ToolCall("", call.name, call.arguments) for call in found[:1])
    if not calls:
        return turn
    return ModelTurn(
        tool_calls=calls,
        finish_reason=turn.finish_reason,
        refusal=turn.refusal,
        usage=turn.usage,
        raw=turn.raw,
        chunks=turn.chunks,
    )


def _text(message: Message, names: str) -> str:
    if message.reminder:
        return load("json_repair", tools=names).text
    if message.role == "tool":
        return load("json_result", tool=message.name or "the call", result=message.text).text
    if message.tool_calls:
        return "\n".join(_written(call) for call in message.tool_calls)
    return message.text


def _written(call: ToolCall) -> str:
    """A call of the history as the model would have written it; its arguments are valid JSON there."""
    return f'{{"tool": {json.dumps(call.name)}, "arguments": {call.arguments}}}'


def _described(tools: Sequence[ToolSchemaLike]) -> str:
    return "\n".join(
        load(
            "json_tool",
            name=tool.name,
            description=tool.description.replace("\n", "\n  "),
            parameters=json.dumps(tool.parameters.get("properties", {}), ensure_ascii=False),
        ).text
        for tool in tools
    )


def _action(tool: ToolSchemaLike, choices: dict[str, list[str]]) -> Json:
    return {
        "type": "object",
        "properties": {"tool": {"const": tool.name}, "arguments": _narrowed(tool.parameters, choices)},
        "required": ["tool", "arguments"],
        "additionalProperties": False,
    }


def _choices(request: ModelRequest) -> dict[str, list[str]]:
    """The only values that can be right for a handle and for going on, from the results in the request."""
    results = [message.result for message in request.messages if message.result is not None]
    handles = dict.fromkeys(handle for result in results for handle in result.handles)
    going_on = dict.fromkeys(result.next for result in results if result.next)
    return {"passage": list(handles)[-_MOST_CHOICES:], "from": list(going_on)[-_MOST_CHOICES:]}


def _narrowed(schema: Json, choices: dict[str, list[str]]) -> Json:
    """A schema that allows no handle that was not shown and no text without end.

    A field without choices goes; a list whose items lack a required one then has to be empty.
    """
    narrowed = dict(schema)
    if "properties" in schema:
        known = {name: part for name, part in schema["properties"].items() if choices.get(name) != []}
        narrowed["properties"] = {
            name: {"type": "string", "enum": choices[name]} if name in choices else _narrowed(part, choices)
            for name, part in known.items()
        }
    if "items" in schema:
        narrowed["items"] = _narrowed(schema["items"], choices)
        if _impossible(narrowed["items"]):
            least = schema.get("minItems", 0)
            return {"type": "array", "minItems": least, "maxItems": 0, "items": {"type": "string"}}
        narrowed.setdefault("maxItems", _MOST_ITEMS)
    if schema.get("type") == "string" and "enum" not in schema:
        narrowed["maxLength"] = min(_MOST_CHARACTERS, schema.get("maxLength", _MOST_CHARACTERS))
    return narrowed


def _impossible(schema: Json) -> bool:
    """Whether a required field is gone, or a required list cannot have the items that it must."""
    properties = schema.get("properties", {})
    for name in schema.get("required", ()):
        part = properties.get(name)
        if part is None or part.get("minItems", 0) > part.get("maxItems", _MOST_ITEMS):
            return True
    return False
