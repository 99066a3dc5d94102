"""A transcript as plain text. What stands in it is untrusted: nothing of it reaches a terminal as control."""

from __future__ import annotations

import json
import textwrap
import unicodedata
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache

from pincite.transcripts.events import Event, ModelRequestEvent, ToolResultEvent
from pincite.transcripts.evidence import Evidence
from pincite.transcripts.reader import Recording
from pincite.transcripts.requests import Bodies
from pincite.transcripts.steps import step, told_legs
from pincite.transcripts.verify import unknown_outcomes
from pincite.transcripts.views import PassageView
from pincite.transcripts.words import redacted_words

_WIDTH = 100
_KEPT = "\n\t"
_SHORT, _SHORTER = 300, 120


@dataclass(frozen=True, slots=True)
class Line:
    """One line to print; `style` is "head", "bad", "cited", "dim" or ""."""

    text: str
    indent: int = 0
    style: str = ""


def neutral(text: str) -> str:
    """The text with control, direction and other invisible characters written out, e.g. as \\u001b."""
    if text.replace("\n", "").replace("\t", "").isprintable():
        return text
    signs = {sign: _visible(sign) for sign in set(text)}
    return text.translate({ord(sign): shown for sign, shown in signs.items() if shown != sign})


def lines(recording: Recording, *, full: bool = False) -> Iterator[Line]:
    """Lines for `pincite show`: one block an event, then what is wrong with the file.

    `full` gives passages and arguments whole instead of their first words.
    """
    evidence = Evidence.of(recording.events)
    first = recording.events[0].mono_us if recording.events else 0
    told, unknown = told_legs(recording.events), unknown_outcomes(recording.events)
    for event in recording.events:
        yield from event_lines(event, evidence, first, full=full, told=told, unknown=unknown)
    for warning in (*recording.warnings, *recording.open_end):
        yield Line(f"   !  {neutral(warning)}", style="bad")


def event_lines(
    event: Event,
    evidence: Evidence,
    first_us: int = 0,
    *,
    full: bool = False,
    told: AbstractSet[str] = frozenset(),
    unknown: AbstractSet[str] = frozenset(),
) -> Iterator[Line]:
    """The lines of one event; `told` are calls whose legs are lines of their own, `unknown` as for a step."""
    made = step(event, first_us, full=full, told=told, unknown=unknown)
    yield Line(f"{made.seq:>4}  {neutral(made.head)}", style="bad" if made.bad else "head")
    for text in made.lines:
        yield Line(_short(neutral(text), full, _SHORT), indent=6)
    for passage in made.passages:
        yield _passage(passage, evidence, full)
    if made.redacted:
        yield Line(redacted_words(made.redacted), indent=6, style="dim")


def render(recording: Recording, *, full: bool = False) -> Iterator[str]:
    """The same as plain lines, wrapped."""
    for line in lines(recording, full=full):
        margin = " " * line.indent
        if not line.indent:
            yield line.text
            continue
        for part in line.text.split("\n"):
            yield from textwrap.wrap(
                part, _WIDTH, initial_indent=margin, subsequent_indent=f"{margin}  ", break_long_words=True
            )


def detail(recording: Recording, seq: int) -> list[Line] | None:
    """One event with all that it holds; None when the transcript has no event of that number."""
    bodies = Bodies()
    evidence = Evidence.of(recording.events)
    first = recording.events[0].mono_us if recording.events else 0
    for event in recording.events:
        bodies.take(event)
        if event.seq == seq:
            unknown = unknown_outcomes(recording.events)
            shown = list(event_lines(event, evidence, first, full=True, unknown=unknown))
            return [*shown, *_detail(event, bodies)]
    return None


def _detail(event: Event, bodies: Bodies) -> Iterator[Line]:
    place = f"{event.id}, caused by {event.parent or 'nothing'}, at {event.time}"
    yield Line(neutral(place), indent=6, style="dim")
    if isinstance(event, ModelRequestEvent):
        for message in bodies.messages(event):
            yield Line(neutral(f"{message.get('role')}:"), indent=6, style="head")
            yield Line(neutral(str(message.get("content"))), indent=8)
            if message.get("tool_calls"):
                yield Line(neutral(_json(message["tool_calls"])), indent=8)
            if message.get("note"):
                yield Line(neutral(str(message["note"])), indent=8, style="dim")
    elif isinstance(event, ToolResultEvent):
        yield Line("as the model read it:", indent=6, style="head")
        yield Line(neutral(str(event.result.get("text"))), indent=8)
    else:
        data = event.model_dump(mode="json", by_alias=True, exclude_none=True)
        yield Line(neutral(_json(data)), indent=6)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


def _passage(passage: PassageView, evidence: Evidence, full: bool) -> Line:
    cited = passage.handle in evidence.quotes
    words = _short(neutral(passage.text), full, _SHORTER)
    mark = " (cited)" if cited else ""
    head = neutral(" ".join(part for part in (passage.handle, passage.document, passage.path) if part))
    return Line(f"{head}{mark}: {words}", indent=6, style="cited" if cited else "")


@lru_cache(maxsize=4096)
def _visible(sign: str) -> str:
    if sign in _KEPT:
        return sign
    kind = unicodedata.category(sign)
    if kind in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}:
        return f"\\u{ord(sign):04x}" if ord(sign) <= 0xFFFF else f"\\U{ord(sign):08x}"
    return sign


def _short(text: str, full: bool, limit: int) -> str:
    return text if full or len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"
