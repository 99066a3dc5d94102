"""The way a session found its answers, for assertions about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pincite.transcripts import views
from pincite.transcripts.events import ToolCallEvent, ToolResultEvent
from pincite.transcripts.reader import Recording


@dataclass(frozen=True, slots=True)
class Lookup:
    """One search or reading that ran.

    `used` is the leg that answered, `legs` how each try ended in order: ("keyword", "ok"). `documents` are
    those of the passages in order, `sections` their headings joined with " > ".
    """

    tool: str
    arguments: str
    used: str | None
    legs: tuple[tuple[str, str], ...]
    handles: tuple[str, ...]
    documents: tuple[str, ...]
    sections: tuple[str, ...]
    error: str | None


def route(recording: Recording) -> list[Lookup]:
    """Every call of a reading tool with what it gave, in order."""
    calls: dict[str, str] = {}
    found = []
    for event in recording.events:
        if isinstance(event, ToolCallEvent):
            calls[event.call_id] = event.arguments
        elif isinstance(event, ToolResultEvent) and event.name != "answer":
            found.append(_lookup(event.name, calls.get(event.call_id, ""), event.result))
    return found


def _lookup(tool: str, arguments: str, result: dict[str, Any]) -> Lookup:
    shown = views.passages(result)
    return Lookup(
        tool=tool,
        arguments=arguments,
        used=views.text(result, "used") or None,
        legs=tuple((one.leg, one.outcome) for one in views.attempts(result)),
        handles=tuple(passage.handle for passage in shown),
        documents=tuple(passage.document for passage in shown),
        sections=tuple(passage.path for passage in shown),
        error=views.error_code(result) or None,
    )
