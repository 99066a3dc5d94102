"""The names that an event's fields have on disk: those of OpenTelemetry's conventions, or our own."""

from __future__ import annotations

_ENVELOPE = frozenset({"v", "kind", "seq", "id", "parent", "time", "mono_us", "redacted"})
_CONVENTIONS = {
    "session": "gen_ai.conversation.id",
    "model": "gen_ai.request.model",
    "max_output_tokens": "gen_ai.request.max_tokens",
    "finish_reasons": "gen_ai.response.finish_reasons",
    "input_tokens": "gen_ai.usage.input_tokens",
    "output_tokens": "gen_ai.usage.output_tokens",
    "call_id": "gen_ai.tool.call.id",
    "name": "gen_ai.tool.name",
    "arguments": "gen_ai.tool.call.arguments",
    "result": "gen_ai.tool.call.result",
    "code": "error.type",
}


def written_as(name: str) -> str:
    """A field's name on disk."""
    return name if name in _ENVELOPE else _CONVENTIONS.get(name, f"pincite.{name}")
