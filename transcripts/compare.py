"""Two runs side by side: their settings, and for each question the look-ups, passages, answers and costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from pincite.transcripts import views
from pincite.transcripts.drift import drift
from pincite.transcripts.envelope import Json
from pincite.transcripts.events import (
    AnswerEvent,
    ModelResponseEvent,
    SessionStart,
    ToolCallEvent,
    ToolResultEvent,
    UserMessage,
)
from pincite.transcripts.reader import Recording

_READERS = frozenset({"search", "table_of_contents", "read_section", "define", "whole_corpus"})
_USAGE = ("model_calls", "tool_calls", "searches", "input_tokens", "output_tokens", "seconds", "cost")


@dataclass(frozen=True, slots=True)
class Lookup:
    """A search or reading: `at` is the event of its result."""

    at: int
    tool: str
    arguments: str
    result: Json

    @property
    def said(self) -> str:
        """The call in one line."""
        return f"{self.tool} {self.arguments}"


@dataclass(slots=True)
class Asked:
    """A question of a run with all that followed."""

    text: str
    lookups: list[Lookup] = field(default_factory=list)
    answer: Json = field(default_factory=dict)
    model_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class Pair:
    """Two look-ups that stand for each other, or one alone. `drift` is how their results differ."""

    one: Lookup | None
    other: Lookup | None
    drift: Json | None

    @property
    def same(self) -> bool:
        """Whether call and result are the same."""
        both = self.one is not None and self.other is not None
        return both and self.drift is None and self.one.said == self.other.said  # type: ignore[union-attr]


@dataclass(frozen=True, slots=True)
class Compared:
    """One question in both runs; None for one that a run does not have."""

    number: int
    one: Asked | None
    other: Asked | None
    lookups: tuple[Pair, ...]
    statements: tuple[tuple[str | None, str | None], ...]
    citations: tuple[tuple[str | None, str | None], ...]
    usage: tuple[tuple[str, float | None, float | None], ...]

    @property
    def status(self) -> tuple[str, str]:
        """How both ended."""
        return _ended(self.one), _ended(self.other)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs. `settings` are the facts of their starts that differ: (name, one, other)."""

    names: tuple[str, str]
    models: tuple[str, str]
    settings: tuple[tuple[str, str, str], ...]
    questions: tuple[Compared, ...]

    def to_json(self) -> Json:
        """What `compare --json` prints."""
        return {
            "sessions": list(self.names),
            "models": list(self.models),
            "settings": [{"name": name, "a": one, "b": other} for name, one, other in self.settings],
            "questions": [_question_json(compared) for compared in self.questions],
        }


def compare(one: Recording, other: Recording) -> Comparison:
    """Align two recordings question by question, and in each the look-ups by what they asked."""
    starts = [_start(recording) for recording in (one, other)]
    asked = [_asked(recording) for recording in (one, other)]
    count = max(map(len, asked))
    questions = []
    for at in range(count):
        pair = [run[at] if at < len(run) else None for run in asked]
        questions.append(_compared(at + 1, pair[0], pair[1]))
    return Comparison(
        names=(_name(starts[0]), _name(starts[1])),
        models=(starts[0].model if starts[0] else "", starts[1].model if starts[1] else ""),
        settings=tuple(_settings(starts[0], starts[1])),
        questions=tuple(questions),
    )


def _ended(asked: Asked | None) -> str:
    if asked is None:
        return "not asked"
    if not asked.answer:
        return "without an answer"
    return f"{views.text(asked.answer, 'status')} ({views.text(asked.answer, 'stop_reason')})"


def _start(recording: Recording) -> SessionStart | None:
    return next((event for event in recording.events if isinstance(event, SessionStart)), None)


def _name(start: SessionStart | None) -> str:
    return start.session if start else "without a start"


def _settings(one: SessionStart | None, other: SessionStart | None) -> list[tuple[str, str, str]]:
    facts = [_facts(start) for start in (one, other)]
    names = sorted({*facts[0], *facts[1]} - _untold(one, other))
    pairs = [(name, facts[0].get(name, ""), facts[1].get(name, "")) for name in names]
    return [pair for pair in pairs if pair[1] != pair[2]]


def _untold(one: SessionStart | None, other: SessionStart | None) -> set[str]:
    """Facts of a kind that one of both does not tell at all: that is no difference of theirs."""
    starts = [start for start in (one, other) if start is not None]
    if len(starts) < 2:
        return set()
    names: set[str] = set()
    if not all(start.code for start in starts):
        names |= {f"code of {name}" for start in starts for name in start.code}
    told = set(starts[0].versions) & set(starts[1].versions)
    return names | {f"version of {name}" for start in starts for name in start.versions if name not in told}


def _facts(start: SessionStart | None) -> dict[str, str]:
    if start is None:
        return {}
    facts = {"model": start.model, "index": (start.index or "")[:16], "fork of": start.fork_of or ""}
    facts |= {"scope": str(start.scope), "tool schemas": start.tools_hash}
    facts |= {f"prompt {name}": value[:16] for name, value in start.prompts.items()}
    facts |= {f"version of {name}": value for name, value in start.versions.items()}
    facts |= {f"code of {name}": value for name, value in start.code.items()}
    budgets = start.config.get("budgets")
    known = budgets if isinstance(budgets, dict) else {}
    return facts | {f"budget {name}": str(value) for name, value in known.items()}


def _asked(recording: Recording) -> list[Asked]:
    found: list[Asked] = []
    calls: dict[str, ToolCallEvent] = {}
    for event in recording.events:
        match event:
            case UserMessage():
                found.append(Asked(event.text))
            case ToolCallEvent():
                calls[event.call_id] = event
            case ToolResultEvent() if found and event.call_id in calls and event.name in _READERS:
                arguments = calls[event.call_id].arguments
                found[-1].lookups.append(Lookup(event.seq, event.name, arguments, event.result))
            case ModelResponseEvent() if found:
                found[-1].model_ms += event.ms
            case AnswerEvent() if found:
                found[-1].answer = event.answer
            case _:
                pass
    return found


def _compared(number: int, one: Asked | None, other: Asked | None) -> Compared:
    answers = [run.answer if run else {} for run in (one, other)]
    said = [[views.text(part, "text") for part in views.items(answer, "statements")] for answer in answers]
    places = [
        [f'{one.document} > {one.path}: "{one.quote}"' for one in views.citations(answer)]
        for answer in answers
    ]
    usage = [
        (name, views.number(answers[0].get("usage"), name), views.number(answers[1].get("usage"), name))
        for name in _USAGE
    ]
    usage.append(("model ms", one.model_ms if one else None, other.model_ms if other else None))
    return Compared(
        number=number,
        one=one,
        other=other,
        lookups=tuple(_pairs(one.lookups if one else [], other.lookups if other else [])),
        statements=tuple(_aligned(said[0], said[1])),
        citations=tuple(_aligned(places[0], places[1])),
        usage=tuple(usage),
    )


def _pairs(one: Sequence[Lookup], other: Sequence[Lookup]) -> list[Pair]:
    """Look-ups with the same call first; between those, look-ups of the same tool stand for each other."""
    pairs = []
    for left, right in _blocks([lookup.said for lookup in one], [lookup.said for lookup in other]):
        for at in range(max(len(left), len(right))):
            a = one[left[at]] if at < len(left) else None
            b = other[right[at]] if at < len(right) else None
            if a is not None and b is not None and a.tool == b.tool:
                pairs.append(Pair(a, b, drift(a.result, b.result, {})))
            else:
                pairs += [Pair(a, None, None)] if a else []
                pairs += [Pair(None, b, None)] if b else []
    return pairs


def _aligned(one: Sequence[str], other: Sequence[str]) -> list[tuple[str | None, str | None]]:
    rows: list[tuple[str | None, str | None]] = []
    for left, right in _blocks(one, other):
        for at in range(max(len(left), len(right))):
            a = one[left[at]] if at < len(left) else None
            b = other[right[at]] if at < len(right) else None
            rows.append((a, b))
    return rows


def _blocks(one: Sequence[str], other: Sequence[str]) -> list[tuple[range, range]]:
    """Ranges of both that stand for each other, in order: equal ones one by one."""
    blocks: list[tuple[range, range]] = []
    for kind, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if kind == "equal":
            blocks += [
                (range(x, x + 1), range(y, y + 1)) for x, y in zip(range(a, b), range(c, d), strict=True)
            ]
        else:
            blocks.append((range(a, b), range(c, d)))
    return blocks


def _question_json(compared: Compared) -> Json:
    return {
        "number": compared.number,
        "question": [run.text if run else None for run in (compared.one, compared.other)],
        "lookups": [
            {
                "a": _lookup_json(pair.one),
                "b": _lookup_json(pair.other),
                "same": pair.same,
                "drift": pair.drift,
            }
            for pair in compared.lookups
        ],
        "status": list(compared.status),
        "statements": [{"a": one, "b": other} for one, other in compared.statements],
        "citations": [{"a": one, "b": other} for one, other in compared.citations],
        "usage": {name: {"a": one, "b": other} for name, one, other in compared.usage},
    }


def _lookup_json(lookup: Lookup | None) -> dict[str, Any] | None:
    if lookup is None:
        return None
    return {
        "at": lookup.at,
        "tool": lookup.tool,
        "arguments": lookup.arguments,
        "used": views.text(lookup.result, "used") or None,
        "passages": [passage.where for passage in views.passages(lookup.result)],
    }
