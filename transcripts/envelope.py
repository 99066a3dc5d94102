"""What every event of a session has, and the names its fields have on disk."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

VERSION = 2
Json = dict[str, Any]
# What any real count stays far below, and a float can still hold.
Count = Annotated[int, Field(le=2**53)]

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


class EventBase(BaseModel):
    """What every event has.

    `seq` counts from 0 without gaps; `id` is "session-seq"; `parent` the id of the event that caused this
    one; `time` is UTC in ISO 8601; `mono_us` microseconds on the writer's monotonic clock. `redacted`
    counts the secrets that were taken out on writing.
    """

    model_config = ConfigDict(frozen=True, extra="allow", alias_generator=written_as, populate_by_name=True)

    v: int = VERSION
    seq: Count = -1
    id: str = ""
    parent: str | None = None
    time: str = ""
    mono_us: Count = 0
    redacted: Count = 0
