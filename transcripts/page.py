"""A transcript as one page that needs nothing else: no script, no address, every text escaped.

A content security policy lets only the page's own style sheet through, named by its hash, so that nothing a
transcript holds could run or be fetched even if it were not escaped.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from pincite.transcripts import views
from pincite.transcripts.events import (
    AnswerEvent,
    Event,
    ModelRequestEvent,
    SessionStart,
    ToolResultEvent,
    UserMessage,
)
from pincite.transcripts.evidence import Evidence
from pincite.transcripts.reader import Recording
from pincite.transcripts.requests import Bodies
from pincite.transcripts.show import neutral
from pincite.transcripts.steps import Step, answer_lines, step, told_legs
from pincite.transcripts.verify import unknown_outcomes
from pincite.transcripts.words import redacted_words

if TYPE_CHECKING:
    from jinja2 import Environment

_TEMPLATES = ("base.html", "session.html", "compare.html")


@dataclass(frozen=True, slots=True)
class _Message:
    role: str
    text: str


@dataclass(frozen=True, slots=True)
class _Shown:
    step: Step
    messages: tuple[_Message, ...] = ()
    shown_before: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class _Leg:
    at: int
    leg: str
    outcome: str
    reason: str
    ms: float


@dataclass(slots=True)
class _Question:
    number: int
    text: str
    status: str = "not answered"
    usage: str = ""
    lines: list[str] = field(default_factory=list)
    legs: list[_Leg] = field(default_factory=list)


def session_page(recording: Recording) -> str:
    """The page of a session as HTML."""
    events = recording.events
    start = next((event for event in events if isinstance(event, SessionStart)), None)
    shown = list(_shown(events))
    questions = _questions(events)
    return page(
        "session.html",
        name=start.session if start else "without a start",
        warnings=[*recording.warnings, *recording.open_end],
        events=shown,
        questions=questions,
        evidence=Evidence.of(events),
        seconds=max((one.step.at_ms for one in shown), default=0.0) / 1000,
        redacted_words=redacted_words,
        longest=max([1.0, *(leg.ms for one in questions for leg in one.legs)]),
    )


def page(template: str, **values: Any) -> str:
    """A template of ours filled in; every value is escaped and its invisible characters written out."""
    style = files(__package__).joinpath("templates", "style.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode("utf-8")).digest()).decode("ascii")
    made = _environment().get_template(template)
    return made.render(style=_Own(style), style_hash=f"sha256-{digest}", **values)


class _Own(str):
    """Text of ours that goes into the page as it is."""

    __slots__ = ()

    def __html__(self) -> str:
        return self


@cache
def _environment() -> Environment:
    from jinja2 import DictLoader, Environment, StrictUndefined

    folder = files(__package__).joinpath("templates")
    texts = {name: folder.joinpath(name).read_text(encoding="utf-8") for name in _TEMPLATES}
    return Environment(
        loader=DictLoader(texts),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
    )


def _finalize(value: Any) -> Any:
    if hasattr(value, "__html__"):
        return value
    return neutral(str(value))


def _shown(events: Sequence[Event]) -> Iterator[_Shown]:
    bodies = Bodies()
    told, unknown = told_legs(events), unknown_outcomes(events)
    first: int | None = None
    seen: set[str] = set()
    for event in events:
        first = event.mono_us if first is None else first
        bodies.take(event)
        made = step(event, first, full=True, told=told, unknown=unknown)
        if isinstance(event, ModelRequestEvent):
            # Each message once: a request behind a shortened one holds most of an earlier one again.
            named = zip(event.messages, bodies.new(event), strict=True)
            new = {name: one for name, one in named if name not in seen}
            seen |= new.keys()
            messages = tuple(_Message(views.text(one, "role"), _said(one)) for one in new.values())
            yield _Shown(made, messages, shown_before=event.same + len(event.messages) - len(new))
        elif isinstance(event, ToolResultEvent):
            yield _Shown(made, text=views.text(event.result, "text"))
        else:
            yield _Shown(made)


def _said(message: dict[str, Any]) -> str:
    calls = [
        f"{views.text(call, 'name')}({views.text(call, 'arguments')})"
        for call in views.items(message, "tool_calls")
    ]
    return "\n".join(
        part for part in (views.text(message, "content"), *calls, views.text(message, "note")) if part
    )


def _questions(events: Iterable[Event]) -> list[_Question]:
    found: list[_Question] = []
    for event in events:
        match event:
            case UserMessage():
                found.append(_Question(event.question, event.text))
            case ToolResultEvent() if found:
                found[-1].legs += [
                    _Leg(event.seq, one.leg, one.outcome, one.reason, max(0.0, one.ms))
                    for one in views.attempts(event.result)
                ]
            case AnswerEvent() if found:
                answer = event.answer
                last = found[-1]
                last.status = f"{views.text(answer, 'status')} ({views.text(answer, 'stop_reason')})"
                last.usage = _usage(answer.get("usage"))
                last.lines = answer_lines(answer)
            case _:
                pass
    return found


def _usage(usage: Any) -> str:
    names = {"model_calls": ("model call", "model calls"), "searches": ("search", "searches")}
    names |= {
        "input_tokens": ("input token", "input tokens"),
        "output_tokens": ("output token", "output tokens"),
    }
    names |= {"seconds": ("s", "s"), "cost": ("cost", "cost")}
    parts = [
        f"{value:g} {one if value == 1 else many}"
        for name, (one, many) in names.items()
        if (value := views.number(usage, name)) is not None
    ]
    return ", ".join(parts)
