"""Whether a transcript holds what was written: its hashes fit, and its events belong to one another.

What a writer never makes is damage: edited, cut, doubled or put together from several. Where secrets were
taken out, hashes are those of the whole and cannot be checked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pincite.transcripts.envelope import VERSION
from pincite.transcripts.events import (
    CheckEvent,
    ErrorEvent,
    Event,
    ModelRequestEvent,
    ModelResponseEvent,
    RetrievalAttempt,
    RetrievalDecision,
    SessionStart,
    ToolCallEvent,
    ToolResultEvent,
)
from pincite.transcripts.hashes import digest, digest_json
from pincite.transcripts.redact import MARK, TOO_DEEP
from pincite.transcripts.requests import Bodies


@dataclass(frozen=True, slots=True)
class Damage:
    """Something that no writer left like this: at which event, and what, in one line."""

    at: int
    words: str


def verify(events: Sequence[Event], *, complete: bool = True) -> Iterator[Damage]:
    """What of the events is not as it was written; not `complete`: some are known to be missing."""
    seen = _Seen(complete)
    for event in events:
        # What an earlier or later version wrote is not known well enough.
        if event.v == VERSION:
            for words in (*seen.place(event), *_contents(event), *seen.bodies(event)):
                yield Damage(event.seq, f"event {event.seq}: {words}")


@dataclass(slots=True)
class _Seen:
    complete: bool
    session: str | None = None
    renamed: bool = False
    by_id: dict[str, Event] = field(default_factory=dict)
    whole: Bodies = field(default_factory=Bodies)

    def place(self, event: Event) -> Iterator[str]:
        """Whether an event is this session's, and what caused it is there."""
        if event.id and self.session is None:
            self.session = event.id.rpartition("-")[0]
        if event.id and event.id != f"{self.session}-{event.seq}":
            if not self.renamed:
                yield "it is named as one of another session or place"
            self.renamed = True
        parent = self.by_id.get(event.parent or "")
        if event.parent is not None and parent is None and self.complete:
            yield "what caused it is not there"
        if isinstance(event, RetrievalAttempt | RetrievalDecision | ToolResultEvent | CheckEvent):
            called = parent.call_id if isinstance(parent, ToolCallEvent) else None
            if parent is not None and called != event.call_id:
                yield "it belongs to another call than the one that caused it"
        self.by_id[event.id] = event

    def bodies(self, event: Event) -> Iterator[str]:
        """Whether a request's messages and tools are there, and are those that it names."""
        self.whole.take(event)
        if not isinstance(event, ModelRequestEvent):
            return
        lacking = self.whole.lacking(event)
        if lacking:
            yield f"the text of {lacking} of its messages and tools is missing"
        for name in event.bodies:
            body = self.whole.body(name)
            if "missing" not in body and _known(body) and digest_json(body) != name:
                yield f"a message ({body.get('role')}) is not the one that was sent: its hash differs"
        for name, schema in event.tool_bodies.items():
            tool, _, value = name.partition(":")
            if _known(schema) and digest_json(schema) != value:
                yield f"the schema of {tool[:40]} is not the one that was offered: its hash differs"


def unknown_outcomes(events: Sequence[Event]) -> set[str]:
    """The ids of model and tool calls that nothing says the outcome of."""
    open_calls: dict[str, str] = {}
    asked: str | None = None
    found: set[str] = set()
    for event in events:
        match event:
            case ModelRequestEvent():
                found |= {asked} if asked else set()
                asked = event.id
            case ModelResponseEvent():
                asked = None
            case ErrorEvent() if event.where == "model":
                asked = None
            case ToolCallEvent():
                open_calls[event.call_id] = event.id
            case ToolResultEvent():
                open_calls.pop(event.call_id, None)
            case _:
                pass
    return found | set(open_calls.values()) | ({asked} if asked else set())


def _contents(event: Event) -> Iterator[str]:
    if event.redacted:
        return
    if isinstance(event, SessionStart):
        if event.config_hash and digest_json(event.config) != event.config_hash:
            yield "the settings are not those that the session had: their hash differs"
    elif isinstance(event, ToolResultEvent) and event.text_ref:
        text = event.result.get("text")
        if isinstance(text, str) and digest(text) != event.text_ref:
            yield "the result's text is not the one that was read: its hash differs"


def _known(body: dict[str, Any]) -> bool:
    """Whether a body is there as it was: nothing was taken out of it."""
    text = json.dumps(body)
    return body.get("content", "") is not None and MARK not in text and TOO_DEEP not in text
