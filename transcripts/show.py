"""A transcript as plain text. What stands in it is untrusted: nothing of it reaches a terminal as control."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterator
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
            body = [f"scope {event.scope}"] if event.scope else []
        case SessionResume():
            head = "session continued"
            body = [f"withdrawn: {', '.join(event.withdrawn)}"] if event.withdrawn else []
        case UserMessage():
            head, body = f"question {event.question}", [event.text]
        case ModelRequestEvent():
            count = event.same + len(event.messages)
            head = (
                f"asks {event.model} (call {event.call}: {count} messages, {event.tokens} tokens, may call "
            )
            head += f"{', '.join(name.partition(':')[0] for name in event.tools) or 'nothing'})"
        case ModelResponseEvent():
            head = f"{event.model} {event.status} after {event.ms:.0f} ms"
            if event.input_tokens is not None:
                head += f", {event.input_tokens} + {event.output_tokens} tokens"
            body = _turn(event.turn or {}, full)
        case ToolCallEvent():
            head, body = f"calls {event.name}", [_short(event.arguments, full)]
        case ToolResultEvent():
            head, body = (
                f"{event.name} gives {_result(event.result)} in {event.ms:.0f} ms",
                _passages(event, full),
            )
        case CheckEvent():
            head = f"answer checked: {event.verdict}"
            body = [" ".join(f"{key}={value}" for key, value in item.items()) for item in event.problems]
        case AnswerEvent():
            answer = event.answer
            head = f"question {event.question} ends: {answer.get('status')} ({answer.get('stop_reason')})"
            body = [str(answer.get("text", "")), *_citations(answer)]
        case LimitEvent():
            head = f"limit {event.what}: {event.action} {event.left or ''}".rstrip()
        case ErrorEvent():
            head, body = f"error in {event.where}: {event.code}", [event.message, event.hint]
        case RetryEvent():
            head = f"retry {event.attempt} in {event.wait_s:.1f} s: {event.code}"
            body = [event.message]
        case NoticeEvent():
            head, body = f"notice: {event.code}", [event.message]
        case CompactionEvent():
            head = (
                f"shortened {len(event.calls)} results: {event.tokens_before} to {event.tokens_after} tokens"
            )
        case SessionEnd():
            head, body = "session ends", [str(event.totals)] if event.totals else []
    return head, [line for line in body if line]


def _short(text: str, full: bool, limit: int = 300) -> str:
    return text if full or len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"


def _turn(turn: dict[str, Any], full: bool) -> list[str]:
    lines = [f"says: {_short(str(turn['content']), full)}"] if turn.get("content") else []
    if turn.get("refusal"):
        lines.append(f"refuses: {_short(str(turn['refusal']), full)}")
    return lines


def _result(result: dict[str, Any]) -> str:
    error = result.get("error")
    if error:
        return f"error {error.get('code')}"
    parts = [f"{len(result.get('passages') or [])} passages"]
    if result.get("already_shown"):
        parts.append(f"{len(result['already_shown'])} shown before")
    if result.get("used"):
        parts.append(f"by {result['used']}")
    return ", ".join(parts)


def _passages(event: ToolResultEvent, full: bool) -> list[str]:
    attempts = [
        f"leg {item.get('leg')}: {item.get('outcome')} {item.get('reason', '')} {item.get('ms', 0):.0f} ms"
        for item in event.result.get("attempts") or []
    ]
    shown = [
        f"{item.get('handle')} {item.get('document')} {' > '.join(item.get('path') or [])}: "
        f"{_short(str(item.get('text', '')), full, 120)}"
        for item in event.result.get("passages") or []
    ]
    error = event.result.get("error") or {}
    return [*attempts, *shown, str(error.get("message", ""))]


def _citations(answer: dict[str, Any]) -> list[str]:
    lines = []
    for statement in answer.get("statements") or []:
        lines.append(f"- {statement.get('text')}")
        for item in statement.get("citations") or []:
            place = f"{item.get('handle')} {item.get('document')} {item.get('heading_path')}"
            lines.append(f'    {place}: "{item.get("quote")}"')
    return lines
