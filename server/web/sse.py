"""Server-sent events, and the words for what happens while a question is answered."""

from __future__ import annotations

import json
from typing import Any

from pincite.agent.events import (
    Checking,
    Found,
    Notice,
    Progress,
    Reading,
    Rejected,
    Retracted,
    Retrying,
    Searching,
    Thinking,
    Verified,
)

MEDIA_TYPE = "text/event-stream"


def data(value: Any, event: str = "") -> str:
    """One event."""
    named = f"event: {event}\n" if event else ""
    return f"{named}data: {json.dumps(value, ensure_ascii=False)}\n\n"


def comment(text: str) -> str:
    """A comment: readers skip it, people see it in the stream."""
    return f": {' '.join(text.split())[:300]}\n\n"


def words(event: Progress) -> str | None:
    """What a person is told about an event; None for those that carry their own content."""
    match event:
        case Thinking():
            return "thinking" if event.model == "extractive" else f"thinking ({event.model})"
        case Searching():
            return f'searching "{event.query}"'
        case Reading():
            return f"reading {event.section or 'the contents'} of {event.document or 'the documents'}"
        case Found():
            if event.error:
                return f"{event.tool}: {event.error}"
            return f"{event.new} new passages" + (f" ({event.used})" if event.used else "")
        case Retrying():
            return f"trying again in {event.wait_s:.0f} s ({event.code})"
        case Notice():
            return event.message if event.code == "withdrawn" else f"notice: {event.code}"
        case Checking():
            return f"checking {event.statements} statements"
        case Rejected():
            return f"the check refused it ({', '.join(event.codes)})"
        case Verified():
            return f"passed the check: {event.statement.text}"
        case Retracted():
            return f"taken back: {event.statement.text}"
        case _:
            return None
