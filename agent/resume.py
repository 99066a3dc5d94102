"""Rebuilds a session from its transcript: what was asked and answered, and the ledger with its handles.

Results of searches are not sent again: their passages are in the ledger without standing in the request, so
that a tool shows them anew under the same handles, and only if they may still be seen.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pydantic import ValidationError

from pincite.agent.messages import Message
from pincite.errors import NothingUsableError
from pincite.tools.ledger import Ledger
from pincite.tools.passage import Passage
from pincite.transcripts.events import AnswerEvent, SessionStart, ToolCallEvent, ToolResultEvent, UserMessage
from pincite.transcripts.reader import Recording


@dataclass(frozen=True, slots=True)
class Restored:
    """A session as it goes on. `seed` is a fresh one for the tools' nonces, derived from the recorded one."""

    session: str
    seed: str
    ledger: Ledger
    asked: tuple[str, ...] = ()
    messages: tuple[Message, ...] = ()
    call_ids: frozenset[str] = field(default_factory=frozenset)


def restore(recording: Recording) -> Restored:
    """The session in a recording; `NothingUsableError` when its passages are not all there."""
    start = next((event for event in recording.events if isinstance(event, SessionStart)), None)
    if start is None:
        raise NothingUsableError("the transcript does not say which session it is", code="not_a_transcript")
    asked: list[str] = []
    messages: list[Message] = []
    for event in recording.events:
        if isinstance(event, UserMessage):
            asked.append(event.text)
            messages.append(Message("user", event.text))
        elif isinstance(event, AnswerEvent) and messages and messages[-1].role == "user":
            messages.append(Message("assistant", str(event.answer.get("text", ""))))
    if messages and messages[-1].role == "user":
        # The process ended in the middle of this question.
        messages.append(Message("assistant", "This question was not answered."))
    return Restored(
        session=start.session,
        seed=f"{start.seed}/{recording.events[-1].seq}",
        ledger=_ledger(recording),
        asked=tuple(asked),
        messages=tuple(messages),
        call_ids=frozenset(event.call_id for event in recording.events if isinstance(event, ToolCallEvent)),
    )


def _passage(data: object) -> Passage:
    """A recorded passage whose handle is one."""
    try:
        passage = Passage.model_validate(data)
    except ValidationError as error:
        raise _damaged("the transcript holds a passage that cannot be read") from error
    if not re.fullmatch(r"P[1-9]\d{0,8}", passage.handle, re.ASCII):
        raise _damaged("the transcript holds a passage without a proper handle")
    return passage


def _damaged(message: str) -> NothingUsableError:
    hint = "start a new session; the old one can still be shown"
    return NothingUsableError(message, code="damaged_transcript", hint=hint)


def _ledger(recording: Recording) -> Ledger:
    """Every passage that was shown, none standing; those that answers cited."""
    passages: dict[str, Passage] = {}
    cited: dict[str, None] = {}
    for event in recording.events:
        if isinstance(event, ToolResultEvent):
            for data in event.result.get("passages") or ():
                passage = _passage(data)
                passages.setdefault(passage.handle, passage)
        elif isinstance(event, AnswerEvent):
            for statement in event.answer.get("statements") or ():
                cited.update({str(one.get("handle")): None for one in statement.get("citations") or ()})
    ordered = sorted(passages.values(), key=lambda passage: int(passage.handle[1:]))
    state = {
        "passages": [passage.model_dump(mode="json") for passage in ordered],
        "standing": [],
        "cited": [handle for handle in cited if handle in passages],
    }
    last = int(ordered[-1].handle[1:]) if ordered else 0
    missing = [f"P{number}" for number in range(1, last + 1) if f"P{number}" not in passages]
    if missing:
        raise _damaged(f"the transcript lacks the passages {', '.join(missing[:10])}")
    return Ledger.from_json(state)
