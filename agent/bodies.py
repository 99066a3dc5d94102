"""Messages, turns and schemas as JSON for the transcript, and the hash under which they are named."""

from __future__ import annotations

from typing import Any

from pincite.agent.messages import Message, ModelTurn, ToolSchemaLike
from pincite.transcripts.hashes import digest_json


def message_json(message: Message) -> dict[str, Any]:
    """A message as JSON, without its structured result."""
    body: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        body["tool_calls"] = [
            {"id": call.id, "name": call.name, "arguments": call.arguments} for call in message.tool_calls
        ]
    if message.tool_call_id is not None:
        body |= {"tool_call_id": message.tool_call_id, "name": message.name}
    if message.note:
        body["note"] = message.note
    if message.shortened:
        body["shortened"] = True
    if message.reminder:
        body["reminder"] = True
    return body


def turn_json(turn: ModelTurn) -> dict[str, Any]:
    """A model's turn as JSON, without the server's own body."""
    return {
        "content": turn.content,
        "tool_calls": [
            {"id": call.id, "name": call.name, "arguments": call.arguments} for call in turn.tool_calls
        ],
        "finish_reason": turn.finish_reason,
        "refusal": turn.refusal,
        "usage": None
        if turn.usage is None
        else {
            "input_tokens": turn.usage.input_tokens,
            "output_tokens": turn.usage.output_tokens,
            "cached": turn.usage.cached,
        },
    }


def schema_json(schema: ToolSchemaLike) -> dict[str, Any]:
    """A tool schema as JSON."""
    return {"name": schema.name, "description": schema.description, "parameters": schema.parameters}


def schema_name(schema: ToolSchemaLike) -> str:
    """The tool's name with the hash of its schema."""
    return f"{schema.name}:{digest_json(schema_json(schema))}"
