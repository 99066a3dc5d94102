"""A recorded session as something to answer from: the model's turns in order, the tools' results by call.

A result is found by its call's tool and canonical arguments, and among equal calls by the call's id, else by
its ordinal. What is not there is not there: nothing here ever asks anything live.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from pincite.errors import NothingUsableError
from pincite.transcripts.envelope import Json
from pincite.transcripts.events import (
    AnswerEvent,
    ErrorEvent,
    Event,
    ModelRequestEvent,
    ModelResponseEvent,
    Nondeterminism,
    NoticeEvent,
    RetryEvent,
    SessionResume,
    SessionStart,
    ToolCallEvent,
    ToolResultEvent,
    UserMessage,
)
from pincite.transcripts.reader import Recording
from pincite.transcripts.stamp import Stamp

# The loop refused these calls itself: no tool was asked.
_REFUSED = frozenset(
    {"already_called", "budget_spent", "duplicate_answer", "duplicate_call_id", "unknown_tool"}
)
Key = Callable[[str, str], str | None]


@dataclass(slots=True)
class TapedTurn:
    """One model call: what was asked, what it said meanwhile, how it ended; `response` None when unknown.

    `question` counts the questions from 1.
    """

    request: ModelRequestEvent
    question: int = 0
    notes: list[RetryEvent | NoticeEvent] = field(default_factory=list)
    error: ErrorEvent | None = None
    response: ModelResponseEvent | None = None


@dataclass(slots=True)
class TapedCall:
    """One call of a tool that ran; `result` is None when its outcome is unknown."""

    call: ToolCallEvent
    key: str
    question: int = 0
    result: ToolResultEvent | None = None
    used: bool = False


class Tape:
    """The turns and calls of a recording.

    `key` gives the canonical hash of a call's tool and raw arguments, None for arguments that cannot be
    read. Raises NothingUsableError without a session's start.
    """

    def __init__(self, recording: Recording, key: Key) -> None:
        self.events = recording.events
        self.damage = recording.damage
        self.warnings = [*recording.told(self.damage), *recording.open_end]
        first = self.events[0] if self.events else None
        if not isinstance(first, SessionStart):
            raise NothingUsableError(
                "the transcript does not begin with a session's start, so it cannot be replayed",
                code="damaged_transcript",
                hint="pincite show still shows what is in it",
            )
        self.start: SessionStart = first
        self.turns: list[TapedTurn] = []
        self.calls: dict[str, TapedCall] = {}
        self.questions: list[UserMessage] = []
        # For each question where its part of the session was gone on with, None in the first.
        self.parts: list[SessionResume | None] = []
        self.answers: list[AnswerEvent] = []
        self._by_key: dict[str, list[TapedCall]] = defaultdict(list)
        self._read(key)

    def chance(self, what: str) -> str | None:
        """What a recorded piece of chance was: "seed", "today", "loop"."""
        found = (
            event.value for event in self.events if isinstance(event, Nondeterminism) and event.what == what
        )
        return next(found, None)

    def lookups(self) -> list[TapedCall]:
        """The calls whose tools ran and gave a result, in order."""
        ran = {id(call) for calls in self._by_key.values() for call in calls}
        return [call for call in self.calls.values() if call.result is not None and id(call) in ran]

    def passages(self) -> list[Json]:
        """Every passage that was shown, once, in order."""
        found: dict[str, Json] = {}
        for call in self.lookups():
            shown = call.result.result.get("passages") if call.result else None
            for passage in shown if isinstance(shown, list) else ():
                if isinstance(passage, dict):
                    found.setdefault(str(passage.get("handle")), passage)
        return list(found.values())

    def take(self, key: str, call_id: str | None) -> TapedCall | None:
        """The call that this one repeats, used up with it; None when the tape holds none."""
        same = [call for call in self._by_key.get(key, ()) if not call.used]
        chosen = next((call for call in same if call.call.call_id == call_id), same[0] if same else None)
        if chosen is not None:
            chosen.used = True
        return chosen

    def _read(self, key: Key) -> None:
        part: SessionResume | None = None
        for event in self.events:
            last = self.turns[-1] if self.turns else None
            match event:
                case SessionResume():
                    part = event
                case UserMessage():
                    self.questions.append(event)
                    self.parts.append(part)
                case AnswerEvent():
                    self.answers.append(event)
                case ModelRequestEvent():
                    self.turns.append(TapedTurn(event, len(self.questions)))
                case ModelResponseEvent() if last is not None and last.response is None:
                    last.response = event
                case RetryEvent() | NoticeEvent() if last is not None and event.parent == last.request.id:
                    last.notes.append(event)
                case ErrorEvent() if event.where == "model" and last is not None and last.response is None:
                    last.error = event
                case ToolCallEvent():
                    self._add_call(event, key(event.name, event.arguments))
                case ToolResultEvent() if event.call_id in self.calls:
                    self._add_result(event)
                case _:
                    pass

    def _add_call(self, event: ToolCallEvent, key: str | None) -> None:
        call = TapedCall(event, key or "", len(self.questions))
        self.calls[event.call_id] = call
        if key is not None:
            self._by_key[key].append(call)

    def _add_result(self, event: ToolResultEvent) -> None:
        call = self.calls[event.call_id]
        call.result = event
        error = event.result.get("error")
        if isinstance(error, dict) and error.get("code") in _REFUSED:
            self._by_key[call.key] = [one for one in self._by_key[call.key] if one is not call]


class TapeStamp(Stamp):
    """Gives each event the time that the recorded event in its place had."""

    def __init__(self, session: str, events: list[Event]) -> None:
        self._events = events
        super().__init__(session)

    def moment(self) -> tuple[float, int]:
        """The recorded time; that of the last event once the tape has ended."""
        event = self._events[min(self.seq, len(self._events) - 1)]
        return wall_seconds(event.time), event.mono_us


def wall_seconds(time: str) -> float:
    """Seconds since 1970 of an event's `time`; 0 when it cannot be read."""
    try:
        return datetime.fromisoformat(time).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0


def call_key(tool: str, canonical_arguments: str) -> str:
    """The hash under which equal calls of a tool are found."""
    return hashlib.sha256(f"{tool} {canonical_arguments}".encode("utf-8", "surrogatepass")).hexdigest()
