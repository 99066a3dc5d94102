"""Rebuilds a session from its transcript: what was asked and answered, and the ledger with its handles.

Results of searches are not sent again: their passages are in the ledger without standing in the request, so
that a tool shows them anew under the same handles, and only if they may still be seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from pydantic import ValidationError

from pincite.agent.messages import Message
from pincite.agent.said import answered
from pincite.agent.totals import Spent, spent_before
from pincite.corpus.typed import typed
from pincite.errors import NothingUsableError
from pincite.prompts import load
from pincite.tools.ledger import Ledger
from pincite.tools.passage import Passage
from pincite.transcripts.events import AnswerEvent, SessionStart, ToolCallEvent, ToolResultEvent, UserMessage
from pincite.transcripts.reader import Recording
from pincite.transcripts.views import citations


@dataclass(frozen=True, slots=True)
class Restored:
    """A session as it goes on. `seed` is a fresh one for the tools' nonces, derived from the recorded one.

    `foreign`: it was held elsewhere and its record begins now. `spent` is what it has cost, `left_out` how
    many questions are not among the messages because secrets were taken out of them or of their answers.
    """

    session: str
    seed: str
    ledger: Ledger
    asked: tuple[str, ...] = ()
    messages: tuple[Message, ...] = ()
    call_ids: frozenset[str] = field(default_factory=frozenset)
    chat: bool = False
    foreign: bool = False
    spent: Spent = field(default_factory=dict)
    left_out: int = 0


def begun_elsewhere(session: str, seed: str, earlier: Sequence[tuple[str, str]]) -> Restored:
    """A session whose first (question, answer) turns were held elsewhere: nothing in them counts as shown."""
    turns = [(typed(question), answer) for question, answer in earlier]
    said = [m for q, a in turns for m in (Message("user", q), Message("assistant", a or "…"))]
    asked = tuple(question for question, _ in turns)
    return Restored(session, seed, Ledger(), asked, tuple(said), foreign=True)


def begun_with(start: SessionStart) -> Restored | None:
    """The turns held elsewhere that a recorded session began with; None without any."""
    earlier = start.config.get("earlier")
    turns = [turn for turn in earlier if _is_turn(turn)] if isinstance(earlier, list) else []
    return begun_elsewhere(start.session, start.seed, turns) if turns else None


def _is_turn(turn: object) -> bool:
    return isinstance(turn, list) and len(turn) == 2 and all(isinstance(text, str) for text in turn)


def restore(recording: Recording, withdrawn: AbstractSet[str] = frozenset()) -> Restored:
    """The session in a recording; `NothingUsableError` when its passages are not all there.

    `withdrawn` are handles that may not be shown any more: they are so in the ledger, and answers that cite
    them are left out of the messages. So are questions and answers that a secret was taken out of: a model
    must not be told the rest of them.
    """
    start = next((event for event in recording.events if isinstance(event, SessionStart)), None)
    if start is None:
        raise NothingUsableError("the transcript does not say which session it is", code="not_a_transcript")
    ledger = _ledger(recording)
    ledger.withdraw(withdrawn & set(ledger.passages))
    messages = tuple(_messages(recording, ledger))
    asked = tuple(event.text for event in recording.events if isinstance(event, UserMessage))
    return Restored(
        session=start.session,
        seed=f"{start.seed}/{recording.events[-1].seq}",
        ledger=ledger,
        asked=asked,
        messages=messages,
        call_ids=frozenset(event.call_id for event in recording.events if isinstance(event, ToolCallEvent)),
        chat=start.config.get("chat") is True,
        spent=spent_before(recording.events),
        left_out=len(asked) - sum(message.role == "user" for message in messages),
    )


def _messages(recording: Recording, ledger: Ledger) -> Iterator[Message]:
    """Each question with its answer, or with why there is none."""
    asked: UserMessage | None = None
    for event in recording.events:
        if isinstance(event, UserMessage):
            if asked is not None:
                yield from _exchange(asked, load("unanswered").text)
            asked = event
        elif isinstance(event, AnswerEvent) and asked is not None:
            cited = dict.fromkeys(citation.handle for citation in citations(event.answer))
            if not event.redacted:
                gone = not ledger.withdrawn.isdisjoint(cited)
                text = load("answer_withdrawn").text if gone else str(event.answer.get("text", ""))
                held = [ledger.passages[one] for one in cited if one in ledger.passages and not gone]
                yield from _exchange(asked, text, held)
            asked = None
    if asked is not None:
        # The process ended in the middle of this question.
        yield from _exchange(asked, load("unanswered").text)


def _exchange(asked: UserMessage, answer: str, cited: Sequence[Passage] = ()) -> Iterator[Message]:
    if not asked.redacted:
        yield Message("user", asked.text)
        yield answered(answer, cited)


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
            shown = event.result.get("passages")
            for data in shown if isinstance(shown, list) else ():
                passage = _passage(data)
                passages.setdefault(passage.handle, passage)
        elif isinstance(event, AnswerEvent):
            cited.update({citation.handle: None for citation in citations(event.answer)})
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
