"""Where a live model first did something else than the recorded one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from pincite.agent.replay.comparing import Comparer
from pincite.agent.replay.divergence import Divergence
from pincite.agent.tooling import ANSWER
from pincite.transcripts.diff import first_difference
from pincite.transcripts.envelope import written_as
from pincite.transcripts.events import (
    AnswerEvent,
    CheckEvent,
    Event,
    ModelRequestEvent,
    ModelResponseEvent,
    ToolCallEvent,
    UserMessage,
)
from pincite.transcripts.tape import Key

_ARGUMENTS = f"$['{written_as('arguments')}']"
_ANSWER = f"$['{written_as('answer')}']"
_CALLS = f"$['{written_as('turn')}'].tool_calls"
_VERDICT = f"$['{written_as('verdict')}']"
_COMPARED = (UserMessage, ModelRequestEvent, ModelResponseEvent, ToolCallEvent, CheckEvent, AnswerEvent)


@dataclass(frozen=True, slots=True)
class LiveDifference:
    """The first difference. `asked`: what the model was asked differs, before it did anything itself.

    `live` is the live event at which it shows, None where there is none.
    """

    divergence: Divergence
    live: Event | None = None
    asked: bool = False


def live_difference(recorded: Iterable[Event], replayed: Iterable[Event], key: Key) -> LiveDifference | None:
    """The first request, turn, call, verdict or answer that differs.

    Ids, words beside calls, how an answer is put before it is checked, times and numbers of tokens may
    differ. `key` is a call's canonical hash.
    """
    comparer = Comparer(timed=False, counted=False)
    one, other = (
        [event for event in events if isinstance(event, _COMPARED)] for events in (recorded, replayed)
    )
    calls, live_calls = _calls(one), _calls(other)
    asked = False
    for was, now in zip_longest(one, other):
        if was is None:
            return None
        if now is None or now.kind != was.kind:
            kind = None if now is None else now.kind
            return LiveDifference(Divergence(was.seq, was.kind, "$.kind", was.kind, kind), now)
        found: Divergence | None = None
        match was, now:
            case ModelRequestEvent(), ModelRequestEvent() if not asked:
                # The later ones hold what the model said.
                asked = True
                found = comparer.difference(was, now)
                if found is not None:
                    return LiveDifference(found, now, asked=True)
            case ModelResponseEvent(), ModelResponseEvent():
                found = _turn(was, calls.get(was.id, []), live_calls.get(now.id, []), key)
            case ToolCallEvent(), ToolCallEvent():
                found = _call(was, now, key)
            case CheckEvent(), CheckEvent() if was.verdict != now.verdict:
                found = Divergence(was.seq, was.kind, _VERDICT, was.verdict, now.verdict)
            case AnswerEvent(), AnswerEvent():
                found = _answer(was, now)
            case _:
                pass
        if found is not None:
            return LiveDifference(found, now)
    return None


def _calls(events: Iterable[Event]) -> dict[str, list[ToolCallEvent]]:
    """The calls of each turn, by its id."""
    found: dict[str, list[ToolCallEvent]] = {}
    for event in events:
        if isinstance(event, ToolCallEvent) and event.parent is not None:
            found.setdefault(event.parent, []).append(event)
    return found


def _turn(
    event: ModelResponseEvent, was: list[ToolCallEvent], now: list[ToolCallEvent], key: Key
) -> Divergence | None:
    """A call more or less than recorded; one in place of another is told where it was made."""
    for at, (one, other) in enumerate(zip_longest(was, now)):
        if one is None or other is None:
            path = f"{_CALLS}[{at}]"
            return Divergence(event.seq, event.kind, path, _said(one), _said(other))
        if _call(one, other, key) is not None:
            return None
    return None


def _said(call: ToolCallEvent | None) -> dict[str, Any] | None:
    return None if call is None else {"name": call.name, "arguments": call.arguments}


def _call(was: ToolCallEvent, now: ToolCallEvent, key: Callable[[str, str], str | None]) -> Divergence | None:
    if was.name != now.name:
        return Divergence(was.seq, was.kind, f"$['{written_as('name')}']", was.name, now.name)
    if was.name == ANSWER:
        # What became of it is compared as the verdict and the answer.
        return None
    one, other = key(was.name, was.arguments), key(now.name, now.arguments)
    same = one == other if one and other else was.arguments == now.arguments
    if same:
        return None
    return Divergence(was.seq, was.kind, _ARGUMENTS, was.arguments, now.arguments)


def _answer(was: AnswerEvent, now: AnswerEvent) -> Divergence | None:
    names = ("status", "stop_reason", "statements", "unanswered", "withheld")
    one, other = ({name: answer.get(name) for name in names} for answer in (was.answer, now.answer))
    found = first_difference(one, other, _ANSWER)
    if found is None:
        return None
    return Divergence(was.seq, was.kind, found.path, found.recorded, found.replayed)
