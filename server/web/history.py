"""Past sessions as their owner may see them now: without what is gone or no longer permitted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pincite.agent.answer import Answer
from pincite.agent.outcome import Status
from pincite.agent.sessions import turns_of
from pincite.agent.withdrawing import still_visible
from pincite.corpus.index import Index
from pincite.corpus.reasons import without_paths
from pincite.corpus.scope import Scope
from pincite.server.web.shapes import AnswerOut, StepOut, StepsOut, TurnOut, TurnsOut
from pincite.transcripts.events import (
    AnswerEvent,
    CheckEvent,
    CompactionEvent,
    ErrorEvent,
    Event,
    LimitEvent,
    ModelResponseEvent,
    NoticeEvent,
    RetryEvent,
    SessionEnd,
    SessionResume,
    SessionStart,
    ToolCallEvent,
    ToolResultEvent,
    UserMessage,
)
from pincite.transcripts.reader import Recording

WITHDRAWN = "(withdrawn: a document that this rests on is gone or may no longer be seen)"
_MOST_TEXT = 400
_MOST_STEPS = 5_000


def turns(index: Index, scope: Scope, session: str, recording: Recording) -> TurnsOut:
    """Questions and answers."""
    visible = _visible(index, scope, recording)
    return TurnsOut(
        session=session,
        turns=[
            TurnOut(question=one.question, time=one.time, answer=_answer(one.answer, visible))
            for one in turns_of(recording)
        ],
    )


def steps(index: Index, scope: Scope, session: str, recording: Recording) -> StepsOut:
    """Everything that happened, in order."""
    visible = _visible(index, scope, recording)
    started = recording.events[0].time if recording.events else ""
    found = [_step(event, visible, started) for event in recording.events[:_MOST_STEPS]]
    return StepsOut(session=session, steps=[step for step in found if step is not None])


def _visible(index: Index, scope: Scope, recording: Recording) -> Mapping[str, str]:
    """The handles whose document may be seen, each with the document."""
    held = {
        str(passage.get("handle")): str(passage.get("document"))
        for event in recording.events
        if isinstance(event, ToolResultEvent)
        for passage in event.result.get("passages") or ()
    }
    seen = still_visible(index, scope, frozenset(held.values()))
    return {handle: document for handle, document in held.items() if document in seen}


def _answer(answer: Answer | None, visible: Mapping[str, str]) -> AnswerOut | None:
    if answer is None:
        return None
    kept = tuple(part for part in answer.statements if all(one.handle in visible for one in part.citations))
    near = tuple(one for one in answer.nearest if one.handle in visible)
    if len(kept) == len(answer.statements) and len(near) == len(answer.nearest):
        return AnswerOut.of(answer)
    text = " ".join(part.text for part in kept)
    changes: dict[str, Any] = {"statements": kept, "nearest": near, "withheld": ()}
    if len(kept) < len(answer.statements):
        changes |= {"text": f"{text} {WITHDRAWN}".strip()}
    return AnswerOut.of(answer.model_copy(update=changes))


def _step(event: Event, visible: Mapping[str, str], started: str) -> StepOut | None:
    told = _told(event, visible)
    if told is None:
        return None
    title, lines, ms = told
    at = (_moment(event.time) - _moment(started)).total_seconds() if event.time and started else 0.0
    return StepOut(kind=event.kind, at=round(at, 3), title=title, lines=lines, ms=ms)


def _told(event: Event, visible: Mapping[str, str]) -> tuple[str, list[str], float | None] | None:
    """A title, lines and milliseconds; None for what shows nothing of its own."""
    match event:
        case UserMessage():
            return f"Question {event.question}", [event.text], None
        case ToolCallEvent() | ToolResultEvent() if event.name == "answer":
            return None
        case ToolCallEvent():
            return f"Calls {event.name}", [_asked(event.arguments)], None
        case ToolResultEvent():
            return _result(event, visible)
        case ModelResponseEvent():
            tokens = f"{event.input_tokens or 0} + {event.output_tokens or 0} tokens"
            return f"Model turn {event.call} ({event.status})", [tokens], event.ms
        case CheckEvent():
            codes = [str(problem.get("code")) for problem in event.problems]
            return f"Answer checked: {event.verdict}", codes, None
        case AnswerEvent():
            return _ended(event, visible)
        case _:
            title = _aside(event)
            return (title, [], None) if title else None


def _aside(event: Event) -> str:
    """What happened beside questions and answers; messages may name what may no longer be seen, codes not."""
    match event:
        case SessionStart():
            return f"Session begins with the model {event.model}"
        case SessionResume():
            return f"Session goes on, {len(event.withdrawn)} passages withdrawn"
        case LimitEvent():
            return f"Limit {event.what}: {event.action}"
        case ErrorEvent():
            return f"Failure in the {event.where}: {event.code}"
        case RetryEvent():
            return f"Tried again ({event.attempt}): {event.code}"
        case NoticeEvent():
            return f"Notice: {event.code}"
        case CompactionEvent():
            return (
                f"{len(event.calls)} results shortened: {event.tokens_before} to {event.tokens_after} tokens"
            )
        case SessionEnd():
            return "Session closed"
        case _:
            return ""


def _result(event: ToolResultEvent, visible: Mapping[str, str]) -> tuple[str, list[str], float]:
    result = event.result
    error = result.get("error")
    if error:
        return f"{event.name}: error {error.get('code')}", [], event.ms
    legs = [
        f"{one.get('leg')}: {one.get('outcome')}, {float(one.get('ms') or 0):.0f} ms"
        for one in result.get("attempts") or ()
    ]
    shown = [_passage(one, visible) for one in result.get("passages") or ()]
    used = f" by {result['used']}" if result.get("used") else ""
    return f"{event.name}: {len(shown)} passages{used}", [*legs, *shown], event.ms


def _passage(passage: Mapping[str, Any], visible: Mapping[str, str]) -> str:
    handle = str(passage.get("handle"))
    if handle not in visible:
        return f"{handle} (withdrawn)"
    path = " > ".join(map(str, passage.get("path") or ()))
    text = " ".join(str(passage.get("text", "")).split())[:_MOST_TEXT]
    return f"{handle} {passage.get('document_title')} > {path}: {text}"


def _ended(event: AnswerEvent, visible: Mapping[str, str]) -> tuple[str, list[str], None]:
    answer = event.answer
    handles = [str(c.get("handle")) for s in answer.get("statements") or () for c in s.get("citations") or ()]
    text = str(answer.get("text", "")) if all(handle in visible for handle in handles) else WITHDRAWN
    if answer.get("status") == Status.incomplete:
        text = without_paths(text)
    cited = [f"cites {', '.join(dict.fromkeys(handles))}"] if handles else []
    return f"{answer.get('status')} ({answer.get('stop_reason')})", [text, *cited], None


def _asked(arguments: str) -> str:
    try:
        found = json.loads(arguments)
    except ValueError:
        return "arguments that are no JSON"
    if not isinstance(found, dict):
        return "arguments that are no object"
    return ", ".join(f"{name}: {value}" for name, value in found.items())[:_MOST_TEXT]


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))
