"""A session as steps to look at: one for each event, with what a person wants to see of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pincite.transcripts import views
from pincite.transcripts.events import (
    AnswerEvent,
    CheckEvent,
    CompactionEvent,
    ErrorEvent,
    Event,
    Json,
    LimitEvent,
    ModelRequestEvent,
    ModelResponseEvent,
    Nondeterminism,
    NoticeEvent,
    RetrievalAttempt,
    RetrievalDecision,
    RetryEvent,
    SessionEnd,
    SessionResume,
    SessionStart,
    ToolCallEvent,
    ToolResultEvent,
    UserMessage,
)
from pincite.transcripts.views import PassageView

# Times beyond this are no times: a transcript may hold any number.
_LONGEST_MS = 1e12


@dataclass(frozen=True, slots=True)
class Step:
    """An event for people: a headline and what stands below it. `bad` marks what went wrong."""

    seq: int
    kind: str
    head: str
    lines: tuple[str, ...] = ()
    passages: tuple[PassageView, ...] = ()
    ms: float | None = None
    at_ms: float = 0.0
    tokens: str = ""
    bad: bool = False
    redacted: int = 0


@dataclass(slots=True)
class Evidence:
    """What answers cited: the quotes by handle."""

    quotes: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, events: Iterable[Event]) -> Evidence:
        """The citations of all answers."""
        found = cls()
        for event in events:
            if isinstance(event, AnswerEvent):
                for citation in views.citations(event.answer):
                    quotes = found.quotes.setdefault(citation.handle, [])
                    if citation.quote not in quotes:
                        quotes.append(citation.quote)
        return found

    def parts(self, passage: PassageView) -> list[tuple[str, bool]]:
        """The passage's text in pieces, with whether an answer quoted them."""
        marked = [False] * len(passage.text)
        for quote in self.quotes.get(passage.handle, ()):
            for start, end in _places(passage.text, quote):
                marked[start:end] = [True] * (end - start)
        pieces: list[tuple[str, bool]] = []
        start = 0
        for at in range(1, len(marked) + 1):
            if at == len(marked) or marked[at] != marked[start]:
                pieces.append((passage.text[start:at], marked[start]))
                start = at
        return pieces


def steps(events: Sequence[Event]) -> list[Step]:
    """The steps of a session."""
    first = events[0].mono_us if events else 0
    return [step(event, first) for event in events]


def step(event: Event, first_us: int = 0) -> Step:
    """One event as a step; `first_us` is when the session began."""
    made = _describe(event)
    at = (event.mono_us - first_us) / 1000
    ms = getattr(event, "ms", None)
    return Step(
        seq=event.seq,
        kind=event.kind,
        head=made.head,
        lines=tuple(line for line in made.lines if line),
        passages=made.passages,
        ms=ms if ms is not None and 0 <= ms < _LONGEST_MS else None,
        at_ms=at if 0 <= at < _LONGEST_MS else 0.0,
        tokens=made.tokens,
        bad=made.bad,
        redacted=event.redacted,
    )


@dataclass(frozen=True, slots=True)
class _Made:
    head: str
    lines: tuple[str, ...] = ()
    passages: tuple[PassageView, ...] = ()
    tokens: str = ""
    bad: bool = False


def _describe(event: Event) -> _Made:
    match event:
        case ModelRequestEvent() | ModelResponseEvent():
            return _model(event)
        case ToolCallEvent() | ToolResultEvent() | RetrievalAttempt() | RetrievalDecision():
            return _tool(event)
        case SessionStart() | SessionResume() | Nondeterminism() | SessionEnd():
            return _session(event)
        case UserMessage():
            return _Made(f"question {event.question}", (event.text,))
        case CheckEvent():
            lines = tuple(
                " ".join(f"{key}={value}" for key, value in item.items()) for item in event.problems
            )
            return _Made(f"answer checked: {event.verdict}", lines, bad=event.verdict == "reject")
        case AnswerEvent():
            status, reason = views.text(event.answer, "status"), views.text(event.answer, "stop_reason")
            head = f"question {event.question} ends: {status} ({reason})"
            lines = (views.text(event.answer, "text"), *answer_lines(event.answer))
            return _Made(head, lines, bad=status in {"incomplete", "unverified"})
        case LimitEvent():
            return _Made(f"limit {event.what}: {event.action} {event.left or ''}".rstrip())
        case ErrorEvent():
            return _Made(f"error in {event.where}: {event.code}", (event.message, event.hint), bad=True)
        case RetryEvent():
            return _Made(
                f"retry {event.attempt} in {event.wait_s:.1f} s: {event.code}", (event.message,), bad=True
            )
        case NoticeEvent():
            return _Made(f"notice: {event.code}", (event.message,))
        case CompactionEvent():
            tokens = f"{event.tokens_before} to {event.tokens_after} tokens"
            return _Made(f"shortened {len(event.calls)} results: {tokens}", (" ".join(event.handles),))


def _session(event: SessionStart | SessionResume | Nondeterminism | SessionEnd) -> _Made:
    match event:
        case SessionStart():
            git = event.git or {}
            changed = " with changes" if git.get("changed") else ""
            lines = (
                f"fork of {event.fork_of}" if event.fork_of else "",
                f"scope {event.scope}" if event.scope else "",
                f"index {event.index[:16]}" if event.index else "",
                ", ".join(f"{name} {value}" for name, value in event.versions.items()),
                f"git {str(git.get('commit'))[:12]}{changed}" if git else "",
            )
            return _Made(f"session {event.session} with {event.model}", lines)
        case SessionResume():
            said = (
                f"withdrawn: {', '.join(event.withdrawn)}" if event.withdrawn else "",
                f"{event.repaired_bytes} bytes of an unfinished line were dropped"
                if event.repaired_bytes
                else "",
            )
            return _Made("session continued", said)
        case Nondeterminism():
            return _Made(f"{event.source}: {event.what} is {event.value}")
        case SessionEnd():
            return _Made("session ends", (str(event.totals),) if event.totals else ())


def _model(event: ModelRequestEvent | ModelResponseEvent) -> _Made:
    if isinstance(event, ModelRequestEvent):
        count = event.same + len(event.messages)
        tools = ", ".join(name.partition(":")[0] for name in event.tools) or "nothing"
        size = f"{count} messages, {event.tokens} tokens"
        head = f"asks {event.model} (call {event.call}: {size}, may call {tools})"
        return _Made(head, tokens=str(event.tokens))
    turn = event.turn or {}
    head = f"{event.model} {event.status} after {_ms(event.ms)}"
    tokens = ""
    if event.input_tokens is not None:
        tokens = f"{event.input_tokens} + {event.output_tokens}"
        head += f", {tokens} tokens"
    says, refuses = views.text(turn, "content"), views.text(turn, "refusal")
    lines = (f"says: {says}" if says else "", f"refuses: {refuses}" if refuses else "", _stream(event))
    return _Made(head, lines, tokens=tokens, bad=event.status != "complete")


def _stream(event: ModelResponseEvent) -> str:
    if not event.chunks:
        return ""
    first, last = event.chunks[0][0], event.chunks[-1][0]
    return f"streamed in {len(event.chunks)} pieces, from {_ms(first)} to {_ms(last)}"


def _tool(event: ToolCallEvent | ToolResultEvent | RetrievalAttempt | RetrievalDecision) -> _Made:
    match event:
        case ToolCallEvent():
            return _Made(f"calls {event.name}", (event.arguments,))
        case ToolResultEvent():
            error = views.error_code(event.result)
            shown = tuple(views.passages(event.result))
            message = views.text(event.result.get("error"), "message")
            head = f"{event.name} gives {_counts(event.result)} in {_ms(event.ms)}"
            return _Made(head, (message,), shown, bad=bool(error) and error not in {"no_match"})
        case RetrievalAttempt():
            why = f" ({event.reason})" if event.reason else ""
            head = f"leg {event.leg} (try {event.nth}): {event.outcome}{why}, {_ms(event.ms)}"
            return _Made(head, bad=event.outcome in {"error", "timeout"})
        case RetrievalDecision():
            handles = " ".join(event.passages) or "nothing new"
            named = f", shown before: {' '.join(event.already_shown)}" if event.already_shown else ""
            failed = f", {event.failed}" if event.failed else ""
            return _Made(
                f"{event.used or 'no leg'} answers: {handles}{named}{failed}", bad=bool(event.failed)
            )


def answer_lines(answer: Json) -> list[str]:
    """The statements of an answer with their citations, and what is missing from it."""
    lines = []
    cited = list(views.citations(answer))
    for at, statement in enumerate(views.items(answer, "statements")):
        lines.append(f"- {views.text(statement, 'text')}")
        lines += [
            f'    {one.handle} {one.document} {one.path}: "{one.quote}"'
            for one in cited
            if one.statement == at
        ]
    lines += [f"not answered: {text}" for text in views.texts(answer, "unanswered")]
    for held in views.items(answer, "withheld"):
        lines.append(f"withheld ({views.text(held, 'code')}): {views.text(held, 'text')}")
    return lines


def _counts(result: Json) -> str:
    error = views.error_code(result)
    if error:
        return f"error {error}"
    parts = [f"{len(views.items(result, 'passages'))} passages"]
    named = views.texts(result, "already_shown")
    if named:
        parts.append(f"{len(named)} shown before")
    used = views.text(result, "used")
    return ", ".join([*parts, *([f"by {used}"] if used else [])])


def _ms(ms: float) -> str:
    return f"{ms:.0f} ms" if 0 <= ms < _LONGEST_MS else "? ms"


def _places(text: str, quote: str) -> list[tuple[int, int]]:
    """Where a quote stands, however its words are spaced."""
    words = quote.split()[:200]
    if not words:
        return []
    return [found.span() for found in re.finditer(r"\s+".join(map(re.escape, words)), text)]
