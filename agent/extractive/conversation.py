"""What a request says: the question, what was asked before, the calls made and what they gave."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pincite.agent.extractive.followup import Place, Turn
from pincite.agent.messages import Message
from pincite.agent.tooling import ANSWER, WHOLE
from pincite.tools.passage import Passage
from pincite.tools.result import ToolResult

Arguments = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Listed:
    """A document in a list: its id, its title, and what is said of its version."""

    document: str
    title: str
    standing: str = ""


@dataclass(frozen=True, slots=True)
class Looked:
    """What a call gave: its passages, new or shown before, in order, and how to go on.

    `sections` are those of a table of contents: (id, heading), `documents` those of a list of documents;
    `span` is that of the place that was read.
    """

    passages: tuple[Passage, ...] = ()
    next: str | None = None
    error: str | None = None
    sections: tuple[tuple[str, str], ...] = ()
    documents: tuple[Listed, ...] = ()
    span: tuple[int, int] | None = None


NOTHING = Looked(error="not_run")


@dataclass(frozen=True, slots=True)
class View:
    """A request as the offline mode sees it. `made` holds the calls since the question by `call_key`."""

    question: str
    earlier: tuple[Turn, ...] = ()
    number: int = 1
    made: dict[str, Looked] = field(default_factory=dict)

    @property
    def calls(self) -> int:
        """How many calls were made for this question."""
        return len(self.made)

    @property
    def given(self) -> tuple[Passage, ...]:
        """All passages that there are, where they were given at once."""
        whole = (looked for key, looked in self.made.items() if key.startswith(f"{WHOLE} "))
        return next((looked.passages for looked in whole), ())


def call_key(name: str, arguments: Arguments) -> str:
    """One text for a call, whatever the order of its arguments."""
    return f"{name} {json.dumps(arguments, sort_keys=True, ensure_ascii=False)}"


def view(messages: Sequence[Message]) -> View:
    """Read the messages. Lines and reminders that the loop added are no part of what was asked."""
    asked = [
        (at, message.content)
        for at, message in enumerate(messages)
        if message.role == "user" and not message.reminder
    ]
    if not asked:
        return View("")
    at, question = asked[-1]
    shown = {
        passage.handle: passage
        for message in messages
        if message.result is not None
        for passage in message.result.passages
    }
    ends = [other for other, _ in asked[1:]]
    earlier = tuple(
        Turn(text, _places(messages[begin + 1 : end], shown), _said(messages[begin + 1 : end]))
        for (begin, text), end in zip(asked, ends, strict=False)
    )
    return View(question, earlier, len(asked), _made(messages[at + 1 :], shown))


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


def _places(messages: Sequence[Message], shown: dict[str, Passage]) -> tuple[Place, ...]:
    """Where the answer among these messages was found, in the order of its citations."""
    found: dict[str, Passage] = {}
    for message in messages:
        if message.role == "assistant" and message.result is not None:
            found = {passage.handle: passage for passage in message.result.passages}
        for call in message.tool_calls:
            if call.name == ANSWER:
                found = {handle: shown[handle] for handle in _cited(call.arguments) if handle in shown}
    return tuple(Place(p.document, p.document_title, p.section, p.number, p.standing) for p in found.values())


def _cited(arguments: str) -> list[str]:
    """The handles that an answer names."""
    return [str(one.get("passage")) for part in _statements(arguments) for one in part.get("citations") or []]


def _said(messages: Sequence[Message]) -> str:
    """The text of the cited answer among these messages."""
    for message in reversed(messages):
        for call in message.tool_calls:
            if call.name == ANSWER:
                return " ".join(str(part.get("text") or "") for part in _statements(call.arguments))
        if message.role == "assistant" and message.result is not None:
            return message.content
    return ""


def _statements(arguments: str) -> list[dict[str, Any]]:
    """The statements of an answer call; of anything malformed none."""
    try:
        found = json.loads(arguments).get("statements") or []
        return [part for part in found if isinstance(part, dict)]
    except (ValueError, AttributeError, TypeError):
        return []


def _looked(result: ToolResult | None, shown: dict[str, Passage]) -> Looked:
    if result is None:
        return NOTHING
    found = tuple(shown[handle] for handle in result.handles if handle in shown)
    sections = tuple(_headings(result.data.get("sections", ())))
    span = result.data.get("span")
    error = result.error.code if result.error else None
    documents = tuple(_listed(result.data.get("documents", ())))
    return Looked(found, result.next, error, sections, documents, (span[0], span[1]) if span else None)


def _listed(entries: Any) -> Iterator[Listed]:
    # The whole corpus in one request only counts its documents.
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict):
            dated = entry.get("effective_from") or ""
            yield Listed(entry["document"], entry["title"], f"{entry.get('standing') or ''} {dated}".strip())


def _headings(entries: Iterable[Any]) -> Iterator[tuple[str, str]]:
    for entry in entries:
        if not isinstance(entry, dict):
            continue
        yield entry["section"], f"{entry['number'] or ''} {entry['title']}".strip()
        yield from _headings(entry["children"])
