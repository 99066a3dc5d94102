"""Events as a session has them, for the tests of what reads transcripts."""

from __future__ import annotations

import json
from typing import Any

from pincite.transcripts.events import (
    AnswerEvent,
    Event,
    ModelRequestEvent,
    ModelResponseEvent,
    SessionEnd,
    SessionStart,
    ToolCallEvent,
    ToolResultEvent,
    UserMessage,
)
from pincite.transcripts.hashes import digest, digest_json
from pincite.transcripts.reader import Recording, parse
from pincite.transcripts.stamp import Stamp

RULES = {"role": "system", "content": "Do."}
RENT = "The rent is 840 crowns a month."


def passage(handle: str, text: str, *, document: str = "lease.md", section: str = "s1", **more: Any) -> Any:
    return {
        "handle": handle,
        "document": document,
        "section": section,
        "path": ["Lease"],
        "text": text,
        **more,
    }


def result(*passages: Any, used: str | None = "fused", **more: Any) -> dict[str, Any]:
    attempts = [{"leg": leg, "outcome": "ok", "reason": "", "ms": 2.5} for leg in ("keyword", "vector")]
    text = "\n".join(str(one.get("text")) if isinstance(one, dict) else "" for one in passages)
    return {"text": text, "passages": list(passages), "used": used, "attempts": attempts, **more}


def answered(text: str, *citations: tuple[str, str]) -> dict[str, Any]:
    cited = [
        {"handle": handle, "document": "lease.md", "heading_path": "Lease", "quote": quote}
        for handle, quote in citations
    ]
    return {
        "status": "answered",
        "stop_reason": "answered",
        "text": text,
        "statements": [{"text": text, "citations": cited}],
        "usage": {"model_calls": 2, "seconds": 1.5, "cost": None},
    }


def session(
    name: str = "s1", *, results: tuple[Any, ...] = (), answer: Any = None, query: str = "rent"
) -> Recording:
    found = results or (result(passage("P1", RENT)),)
    events: list[Event] = [
        SessionStart(session=name, model="m", prompts={"system": "a" * 64}, index="b" * 64),
        UserMessage(question=1, text="How much is the rent?"),
        ModelRequestEvent(
            model="m", call=1, messages=(digest_json(RULES),), bodies={digest_json(RULES): RULES}
        ),
        ModelResponseEvent(
            model="m", call=1, turn={"content": "", "tool_calls": []}, input_tokens=9, output_tokens=3
        ),
    ]
    for at, one in enumerate(found):
        events.append(ToolCallEvent(call_id=f"c{at}", name="search", arguments=json.dumps({"query": query})))
        events.append(
            ToolResultEvent(
                call_id=f"c{at}", name="search", result=one, text_ref=digest(str(one.get("text"))), ms=7.0
            )
        )
    given = answered("840 crowns.", ("P1", "rent is 840")) if answer is None else answer
    events.append(AnswerEvent(question=1, answer=given))
    events.append(SessionEnd(totals={"questions": 1}))
    stamp = Stamp(name, wall=lambda: 0.0, monotonic=lambda: 1.0)
    return Recording(None, events=[stamp.put(event) for event in events])


def lines(recording: Recording) -> bytes:
    dumped = [event.model_dump(mode="json", by_alias=True, exclude_none=True) for event in recording.events]
    return b"".join(json.dumps(one).encode() + b"\n" for one in dumped)


def reread(recording: Recording) -> Recording:
    return parse(lines(recording))
