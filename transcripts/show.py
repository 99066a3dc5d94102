"""A transcript as plain text. What stands in it is untrusted: nothing of it reaches a terminal as control."""

from __future__ import annotations

import json
import textwrap
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

from pincite.transcripts.events import (
    AnswerEvent,
    CheckEvent,
    CompactionEvent,
    ErrorEvent,
    Event,
    LimitEvent,
    ModelRequestEvent,
    ModelResponseEvent,
    NoticeEvent,
    RetryEvent,
    SessionEnd,
    SessionResume,
    SessionStart,
    ToolCallEvent,
    ToolResultEvent,
    UserMessage,
)
from pincite.transcripts.reader import Recording

_WIDTH = 100
_KEPT = "\n\t"
_ANSWER = "answer"


def neutral(text: str) -> str:
    """The text with control, direction and other invisible characters written out, e.g. as \\u001b."""
    return "".join(_visible(sign) for sign in text)


def render(recording: Recording, *, full: bool = False) -> Iterator[str]:
    """Lines for `pincite show`: one block an event, then what is wrong with the file.

    `full` prints passages and arguments whole instead of their first words.
    """
    for event in recording.events:
        head, body = _describe(event, full)
        yield f"{event.seq:>4}  {neutral(head)}"
        for line in body:
            yield from textwrap.wrap(
                neutral(line),
                _WIDTH,
                initial_indent="      ",
                subsequent_indent="        ",
                break_long_words=True,
            )
    for warning in recording.warnings:
        yield f"   !  {neutral(warning)}"


def _visible(sign: str) -> str:
    if sign in _KEPT:
        return sign
    kind = unicodedata.category(sign)
    if kind in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}:
        return f"\\u{ord(sign):04x}" if ord(sign) <= 0xFFFF else f"\\U{ord(sign):08x}"
    return sign


def _describe(event: Event, full: bool) -> tuple[str, list[str]]:  # noqa: PLR0912 - one short case a kind
    body: list[str] = []
    match event:
        case SessionStart():
            head = f"session {event.session} with {event.model}"
            body = [_scope(event.scope)] if event.scope else []
        case SessionResume():
            head = "session continued"
            body = [f"withdrawn: {', '.join(event.withdrawn)}"] if event.withdrawn else []
        case UserMessage():
            head, body = f"question {event.question}", [event.text]
        case ModelRequestEvent():
            count = event.same + len(event.messages)
            head = (
                f"asks {event.model} (call {event.call}: {_counted(count, 'message')}, "
                f"{_counted(event.tokens, 'token')}, may call "
            )
            head += f"{', '.join(name.partition(':')[0] for name in event.tools) or 'nothing'})"
        case ModelResponseEvent():
            head = f"{event.model} {event.status} after {event.ms:.0f} ms"
            if event.input_tokens is not None:
                head += f", {event.input_tokens} + {event.output_tokens} tokens"
            body = _turn(event.turn or {}, full)
        case ToolCallEvent():
            head, body = _call(event, full)
        case ToolResultEvent():
            head, body = (
                f"{event.name} gives {_result(event)} in {event.ms:.0f} ms",
                _passages(event, full),
            )
        case CheckEvent():
            head = f"answer checked: {event.verdict}"
            body = [_problem(item) for item in event.problems]
        case AnswerEvent():
            answer = event.answer
            head = f"question {event.question} ends: {answer.get('status')} ({answer.get('stop_reason')})"
            body = [*_citations(answer), *_withheld(answer, full)]
        case LimitEvent():
            head = f"limit {event.what}: {event.action}"
            body = [f"left: {_facts(event.left)}"] if event.left else []
        case ErrorEvent():
            head, body = f"error in {event.where}: {event.code}", [event.message, event.hint]
        case RetryEvent():
            head = f"retry {event.attempt} in {event.wait_s:.1f} s: {event.code}"
            body = [event.message]
        case NoticeEvent():
            head, body = f"notice: {event.code}", [event.message]
        case CompactionEvent():
            head = (
                f"shortened {_counted(len(event.calls), 'result')}: "
                f"{event.tokens_before} to {event.tokens_after} tokens"
            )
        case SessionEnd():
            head, body = "session ends", [_facts(event.totals)] if event.totals else []
    return head, [line for line in body if line]


def _short(text: str, full: bool, limit: int = 300) -> str:
    return text if full or len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"


def _turn(turn: dict[str, Any], full: bool) -> list[str]:
    """What a model wrote beside its calls: nothing of it was checked."""
    lines = [f"writes, unchecked: {_short(str(turn['content']), full)}"] if turn.get("content") else []
    if turn.get("refusal"):
        lines.append(f"refuses: {_short(str(turn['refusal']), full)}")
    return lines


def _call(event: ToolCallEvent, full: bool) -> tuple[str, list[str]]:
    """A call in words. The text of a drafted answer is not shown beside answers: the check comes after it."""
    try:
        arguments = json.loads(event.arguments)
    except (ValueError, RecursionError):
        arguments = None
    if not isinstance(arguments, dict):
        return f"calls {event.name}", [f"with what is no JSON object: {_short(event.arguments, full)}"]
    if event.name != _ANSWER:
        return f"calls {event.name}", [_short(_facts(arguments), full)]
    statements = arguments.get("statements")
    number = len(statements) if isinstance(statements, list) else 0
    drafted = f"drafts an answer: {_counted(number, 'statement')}, status {arguments.get('status')}"
    return drafted, [f"unchecked: {_facts(arguments)}"] if full else []


def _facts(values: Mapping[str, Any]) -> str:
    """Keys and values in words: "query "rent", limit 3"."""
    return ", ".join(
        f"{key.replace('_', ' ')} {_value(value)}" for key, value in values.items() if value is not None
    )


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"({_facts(value)})"
    if isinstance(value, list):
        return "; ".join(_value(item) for item in value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _scope(scope: Mapping[str, Any]) -> str:
    """What the caller may see, in words."""
    groups, documents = scope.get("groups"), scope.get("documents")
    parts = ["sees everything" if groups is None else f"sees what groups {_value(groups)} may see"]
    if documents is not None:
        parts.append(f"only {_value(documents)}")
    return ", ".join([*parts, f"in force on {scope['as_of']}" if scope.get("as_of") else "in force today"])


def _problem(problem: Mapping[str, Any]) -> str:
    where = problem.get("statement")
    named = f"statement {where + 1}: " if isinstance(where, int) else ""
    code = str(problem.get("code", "")).replace("_", " ")
    rest = {key: problem.get(key) for key in ("passage", "number", "found_in", "detail")}
    facts = _facts(rest)
    return f"{named}{code}" + (f" ({facts})" if facts else "")


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _result(event: ToolResultEvent) -> str:
    result = event.result
    error = result.get("error")
    if error:
        return f"error {error.get('code')}"
    if event.name == _ANSWER:
        return "an accepted answer"
    parts = [_counted(len(result.get("passages") or []), "passage")]
    if result.get("already_shown"):
        parts.append(f"{len(result['already_shown'])} shown before")
    if result.get("used"):
        parts.append(f"by {result['used']}")
    return ", ".join(parts)


def _passages(event: ToolResultEvent, full: bool) -> list[str]:
    attempts = [_attempt(item) for item in event.result.get("attempts") or []]
    shown = [
        f"{item.get('handle')} {item.get('document')} {' > '.join(item.get('path') or [])}: "
        f"{_short(str(item.get('text', '')), full, 120)}"
        for item in event.result.get("passages") or []
    ]
    error = event.result.get("error") or {}
    return [*attempts, *shown, str(error.get("message", ""))]


def _attempt(item: Mapping[str, Any]) -> str:
    """One way of searching: how it ended, and why or how fast."""
    how = f"({item['reason']})" if item.get("reason") else f"in {item.get('ms') or 0:.0f} ms"
    return f"leg {item.get('leg')}: {item.get('outcome')} {how}"


def _citations(answer: dict[str, Any]) -> list[str]:
    """The statements that passed, with their places; where there is none, what the user was told instead."""
    statements = answer.get("statements") or []
    lines = [] if statements else [str(answer.get("text", ""))]
    for statement in statements:
        lines.append(f"- {statement.get('text')}")
        for item in statement.get("citations") or []:
            place = f"{item.get('handle')} {item.get('document')} {item.get('heading_path')}"
            lines.append(f'    {place}: "{item.get("quote")}"')
    return [*lines, *(f"not answered: {missing}" for missing in answer.get("unanswered") or [])]


def _withheld(answer: dict[str, Any], full: bool) -> list[str]:
    """That something was withheld and why; its words only with `full`, and never as an answer."""
    return [
        f"withheld, the check did not pass ({str(item.get('code', '')).replace('_', ' ')})"
        + (f": {item.get('text')}" if full else "")
        for item in answer.get("withheld") or []
    ]
