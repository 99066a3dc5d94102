"""What a request says: the question, what was asked before, the calls made and what they gave."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pincite.agent.messages import Message
from pincite.prompts import load
from pincite.tools.passage import Passage
from pincite.tools.result import ToolResult

Arguments = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Looked:
    """What a call gave: its passages, new or shown before, in order, and how to go on."""

    passages: tuple[Passage, ...] = ()
    next: str | None = None
    error: str | None = None


NOTHING = Looked(error="not_run")


@dataclass(frozen=True, slots=True)
class View:
    """A request as the offline mode sees it. `made` holds the calls since the question by `call_key`."""

    question: str
    earlier: tuple[str, ...] = ()
    number: int = 1
    made: dict[str, Looked] = field(default_factory=dict)

    @property
    def calls(self) -> int:
        """How many calls were made for this question."""
        return len(self.made)


def call_key(name: str, arguments: Arguments) -> str:
    """One text for a call, whatever the order of its arguments."""
    return f"{name} {json.dumps(arguments, sort_keys=True, ensure_ascii=False)}"


def view(messages: Sequence[Message]) -> View:
    """Read the messages. Lines that the loop added to a question about its budget are no part of it."""
    asked = [(at, message.content) for at, message in enumerate(messages) if message.role == "user"]
    notes = _notes()
    questions = [(at, _without_notes(text, notes)) for at, text in asked if not _is_reminder(text, notes)]
    if not questions:
        return View("")
    at, question = questions[-1]
    shown = {
        passage.handle: passage
        for message in messages
        if message.result is not None
        for passage in message.result.passages
    }
    return View(
        question,
        tuple(text for _, text in questions[:-1]),
        len(questions),
        _made(messages[at + 1 :], shown),
    )


def _made(messages: Sequence[Message], shown: dict[str, Passage]) -> dict[str, Looked]:
    results = {m.tool_call_id: m.result for m in messages if m.role == "tool"}
    made: dict[str, Looked] = {}
    for message in messages:
        for call in message.tool_calls:
            try:
                arguments = json.loads(call.arguments)
            except ValueError:
                continue
            if call.id in results and isinstance(arguments, dict):
                made[call_key(call.name, arguments)] = _looked(results[call.id], shown)
    return made


def _looked(result: ToolResult | None, shown: dict[str, Passage]) -> Looked:
    if result is None:
        return NOTHING
    found = tuple(shown[handle] for handle in result.handles if handle in shown)
    return Looked(found, result.next, result.error.code if result.error else None)


@dataclass(frozen=True, slots=True)
class _Notes:
    """How the lines begin that the loop adds to a user's message, or sends as one."""

    added: tuple[str, ...]
    sent: tuple[str, ...]


def _notes() -> _Notes:
    mark = "\0"
    added = (load("budget_line", left=mark).text, load("closing").text, load("last_turn").text)
    sent = (load("reminder", tools=mark).text, load("reminder_cut", tools=mark).text)
    return _Notes(
        tuple(text.partition(mark)[0].strip() for text in added),
        tuple(text.partition(mark)[0].strip() for text in sent),
    )


def _without_notes(text: str, notes: _Notes) -> str:
    kept, _, last = text.rpartition("\n\n")
    return kept if kept and last.startswith(notes.added) else text


def _is_reminder(text: str, notes: _Notes) -> bool:
    return text.startswith(notes.sent)
