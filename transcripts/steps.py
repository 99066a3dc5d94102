"""A session as steps to look at: one for each event, with what a person wants to see of it."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from pincite.transcripts import views
from pincite.transcripts.envelope import Json
from pincite.transcripts.events import (
    AnswerEvent,
    CheckEvent,
    CompactionEvent,
    ErrorEvent,
    Event,
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
from pincite.transcripts.views import AttemptView, PassageView
from pincite.transcripts.words import (
    ANSWER,
    call_words,
    counted,
    facts,
    left_out_words,
    problem_words,
    scope_words,
)

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


def told_legs(events: Iterable[Event]) -> set[str]:
    """The calls whose legs are events of their own."""
    return {event.call_id for event in events if isinstance(event, RetrievalAttempt)}


def step(
    event: Event,
    first_us: int = 0,
    *,
    full: bool = False,
    told: AbstractSet[str] = frozenset(),
    unknown: AbstractSet[str] = frozenset(),
) -> Step:
    """One event as a step; `first_us` is when the session began.

    With `full` also what was drafted and withheld is there, marked as such. `told` are calls whose legs are
    steps of their own, `unknown` the events whose outcome the transcript does not say.
    """
    made = _describe(event, full)
    if isinstance(event, ToolResultEvent) and event.call_id in told:
        legs = len(views.attempts(event.result))
        made = replace(made, lines=made.lines[legs:])
    if event.id in unknown:
        made = replace(
            made, lines=(*made.lines, "its outcome is unknown: nothing says what became of it"), bad=True
        )
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


def _describe(event: Event, full: bool) -> _Made:
    match event:
        case ModelRequestEvent() | ModelResponseEvent():
            return _model(event)
        case ToolCallEvent() | ToolResultEvent() | RetrievalAttempt() | RetrievalDecision():
            return _tool(event, full)
        case SessionStart() | SessionResume() | Nondeterminism() | SessionEnd():
            return _session(event)
        case UserMessage():
            return _Made(f"question {event.question}", (event.text,))
        case CheckEvent():
            lines = tuple(problem_words(item) for item in event.problems)
            return _Made(f"answer checked: {event.verdict}", lines, bad=event.verdict == "reject")
        case AnswerEvent():
            status, reason = views.text(event.answer, "status"), views.text(event.answer, "stop_reason")
            head = f"question {event.question} ends: {status} ({reason})"
            return _Made(
                head, tuple(answer_lines(event.answer, full=full)), bad=status in {"incomplete", "unverified"}
            )
        case LimitEvent():
            left = f"left: {facts(event.left)}" if event.left else ""
            return _Made(f"limit {event.what}: {event.action}", (left,))
        case ErrorEvent():
            return _Made(f"error in {event.where}: {event.code}", (event.message, event.hint), bad=True)
        case RetryEvent():
            head = f"retry {event.attempt} in {event.wait_s:.1f} s: {event.code}"
            content = views.text(event.turn or {}, "content")
            written = (
                f"had written, unchecked: {content}" if content else "",
                *_unfinished(event.turn or {}),
            )
            return _Made(head, (event.message, *written), bad=True)
        case NoticeEvent():
            return _Made(f"notice: {event.code}", (event.message,))
        case CompactionEvent():
            tokens = f"{event.tokens_before} to {event.tokens_after} tokens"
            head = f"shortened {counted(len(event.calls), 'result')}: {tokens}"
            return _Made(head, (" ".join(event.handles),))


def _session(event: SessionStart | SessionResume | Nondeterminism | SessionEnd) -> _Made:
    match event:
        case SessionStart():
            git = event.git or {}
            changed = " with changes" if git.get("changed") else ""
            lines = (
                f"fork of {event.fork_of}" if event.fork_of else "",
                scope_words(event.scope) if event.scope else "",
                f"index {event.index[:16]}" if event.index else "",
                ", ".join(f"{name} {value}" for name, value in event.versions.items()),
                f"git {str(git.get('commit'))[:12]}{changed}" if git else "",
            )
            return _Made(f"session {event.session} with {event.model}", lines)
        case SessionResume():
            said = (
                scope_words(event.scope) if event.scope else "",
                f"withdrawn: {', '.join(event.withdrawn)}" if event.withdrawn else "",
                left_out_words(event.left_out) if event.left_out else "",
                f"{event.repaired_bytes} bytes of an unfinished line were dropped"
                if event.repaired_bytes
                else "",
            )
            return _Made(
                f"session continued with {event.model}" if event.model else "session continued", said
            )
        case Nondeterminism():
            return _Made(f"{event.source}: {event.what} is {event.value}")
        case SessionEnd():
            return _Made("session ends", (facts(event.totals),) if event.totals else ())


def _model(event: ModelRequestEvent | ModelResponseEvent) -> _Made:
    if isinstance(event, ModelRequestEvent):
        count = event.same + len(event.messages)
        tools = ", ".join(name.partition(":")[0] for name in event.tools) or "nothing"
        size = f"{counted(count, 'message')}, {counted(event.tokens, 'token')}"
        head = f"asks {event.model} (call {event.call}: {size}, may call {tools})"
        return _Made(head, tokens=str(event.tokens))
    turn = event.turn or {}
    head = f"{event.model} {event.status} after {_ms(event.ms)}"
    tokens = ""
    if event.input_tokens is not None:
        tokens = f"{event.input_tokens} + {event.output_tokens}"
        head += f", {tokens} tokens"
    says, refuses = views.text(turn, "content"), views.text(turn, "refusal")
    lines = (
        f"writes, unchecked: {says}" if says else "",
        f"refuses: {refuses}" if refuses else "",
        *(_unfinished(turn) if event.status != "complete" else ()),
        _stream(event),
    )
    return _Made(head, lines, tokens=tokens, bad=event.status != "complete")


def _unfinished(turn: Json) -> tuple[str, ...]:
    """The calls that were being written when it ended."""
    calls = views.items(turn, "tool_calls")
    return tuple(f"was writing {views.text(one, 'name')} {views.text(one, 'arguments')}" for one in calls)


def _stream(event: ModelResponseEvent) -> str:
    if not event.chunks:
        return ""
    first, last = event.chunks[0][0], event.chunks[-1][0]
    return f"streamed in {len(event.chunks)} pieces, from {_ms(first)} to {_ms(last)}"


def _tool(event: ToolCallEvent | ToolResultEvent | RetrievalAttempt | RetrievalDecision, full: bool) -> _Made:
    match event:
        case ToolCallEvent():
            head, said = call_words(event.name, event.arguments, full)
            return _Made(head, (said,))
        case ToolResultEvent():
            error = views.error_code(event.result)
            shown = tuple(views.passages(event.result))
            message = views.text(event.result.get("error"), "message")
            given = "an accepted answer" if event.name == ANSWER and not error else _counts(event.result)
            head = f"{event.name} gives {given} in {_ms(event.ms)}"
            legs = tuple(_attempt(one) for one in views.attempts(event.result))
            return _Made(head, (*legs, message), shown, bad=bool(error) and error not in {"no_match"})
        case RetrievalAttempt():
            how = f" ({event.reason})" if event.reason else f" in {_ms(event.ms)}"
            head = f"leg {event.leg}, {_ordinal(event.nth)} try: {event.outcome}{how}"
            return _Made(head, bad=event.outcome in {"error", "timeout"})
        case RetrievalDecision():
            handles = " ".join(event.passages) or "nothing new"
            named = f", shown before: {' '.join(event.already_shown)}" if event.already_shown else ""
            failed = f", {event.failed}" if event.failed else ""
            return _Made(
                f"{event.used or 'no leg'} answers: {handles}{named}{failed}", bad=bool(event.failed)
            )


def answer_lines(answer: Json, *, full: bool = False) -> list[str]:
    """The statements that passed with their places; where there is none, what the user was told instead.

    Of what was withheld only that and why, its words only with `full`.
    """
    cited = list(views.citations(answer))
    statements = views.items(answer, "statements")
    lines = [] if statements else [views.text(answer, "text")]
    for at, statement in enumerate(statements):
        lines.append(f"- {views.text(statement, 'text')}")
        lines += [
            f'    {one.handle} {one.document} {one.path}: "{one.quote}"'
            for one in cited
            if one.statement == at
        ]
    lines += [f"not answered: {text}" for text in views.texts(answer, "unanswered")]
    for held in views.items(answer, "withheld"):
        why = views.text(held, "code").replace("_", " ")
        words = f": {views.text(held, 'text')}" if full else ""
        lines.append(f"withheld, the check did not pass ({why}){words}")
    return lines


def _counts(result: Json) -> str:
    error = views.error_code(result)
    if error:
        return f"error {error}"
    parts = [counted(len(views.items(result, "passages")), "passage")]
    named = views.texts(result, "already_shown")
    if named:
        parts.append(f"{len(named)} shown before")
    used = views.text(result, "used")
    return ", ".join([*parts, *([f"by {used}"] if used else [])])


def _attempt(one: AttemptView) -> str:
    """One way of searching: how it ended, and why or how fast."""
    how = f"({one.reason})" if one.reason else f"in {_ms(one.ms)}"
    return f"leg {one.leg}: {one.outcome} {how}"


def _ordinal(number: int) -> str:
    ends = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{'th' if number % 100 in {11, 12, 13} else ends.get(number % 10, 'th')}"


def _ms(ms: float) -> str:
    return f"{ms:.0f} ms" if 0 <= ms < _LONGEST_MS else "? ms"
