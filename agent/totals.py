"""What a session has cost in all, also where it was gone on with in another process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from pincite.agent.budget import Meter
from pincite.agent.tooling import ANSWER, SEARCH
from pincite.transcripts.events import (
    AnswerEvent,
    Event,
    ModelResponseEvent,
    SessionEnd,
    ToolCallEvent,
    UserMessage,
)
from pincite.transcripts.views import number

Spent = Mapping[str, float]
_COUNTED = ("model_calls", "tool_calls", "searches", "input_tokens", "output_tokens")
_NAMES = (*_COUNTED, "seconds", "cost")


def spent_before(events: Iterable[Event]) -> dict[str, float]:
    """What the recorded part of a session has cost; of what is not known nothing.

    From its totals where it was ended in order, from the answers behind those, and of a question in which
    its process ended from the calls that are recorded.
    """
    ended: Counter[str] = Counter()
    since: Counter[str] = Counter()
    open_question: Counter[str] = Counter()
    for event in events:
        match event:
            case UserMessage():
                since += open_question
                open_question = Counter()
            case ModelResponseEvent():
                tokens = {"input_tokens": event.input_tokens or 0, "output_tokens": event.output_tokens or 0}
                open_question.update({"model_calls": 1, **tokens})
            case ToolCallEvent() if event.name != ANSWER:
                open_question.update({"tool_calls": 1, "searches": int(event.name == SEARCH)})
            case AnswerEvent():
                since.update(_known(event.answer.get("usage")))
                open_question = Counter()
            case SessionEnd() if event.totals:
                ended, since, open_question = Counter(_known(event.totals)), Counter(), Counter()
            case _:
                pass
    return dict(ended + since + open_question)


def totals(questions: int, meter: Meter, before: Spent) -> dict[str, Any]:
    """A session's totals: `meter` counts this part, `before` is what the earlier ones have cost."""
    now: dict[str, Any] = {name: getattr(meter, name) for name in _NAMES}
    found = {name: now[name] + int(before.get(name, 0)) for name in _COUNTED}
    cost = (
        None if now["cost"] is None and "cost" not in before else (now["cost"] or 0) + before.get("cost", 0)
    )
    seconds = round(now["seconds"] + before.get("seconds", 0), 3)
    return {"questions": questions, **found, "seconds": seconds, "cost": cost}


def _known(values: object) -> dict[str, Any]:
    """Recorded figures, those that are numbers."""
    found = {name: number(values, name) for name in _NAMES}
    return {name: max(0, value) for name, value in found.items() if value is not None}
