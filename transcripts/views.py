"""Reads the free-form parts of events without trusting them: whatever is not as it should be is left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PassageView:
    """A passage as a tool result holds it."""

    handle: str
    document: str
    title: str
    section: str
    path: str
    page: int | None
    line: int | None
    text: str
    score: float | None
    label: str = ""

    @property
    def where(self) -> str:
        """Document, headings and place in one line."""
        printed = f"{self.label} ({self.page})" if self.label else self.page
        spot = f"p. {printed}" if self.page is not None else f"line {self.line}" if self.line else ""
        return " | ".join(part for part in (self.document, self.path, spot) if part)


@dataclass(frozen=True, slots=True)
class AttemptView:
    """A leg that was tried."""

    leg: str
    outcome: str
    reason: str
    ms: float


@dataclass(frozen=True, slots=True)
class CitationView:
    """A citation of an answer, with the number of its statement from 0."""

    statement: int
    handle: str
    document: str
    path: str
    quote: str


def text(data: Any, name: str) -> str:
    """A text field; "" when it is none."""
    value = data.get(name) if isinstance(data, dict) else None
    return value if isinstance(value, str) else ""


def items(data: Any, name: str) -> list[Json]:
    """The objects in a list field."""
    value = data.get(name) if isinstance(data, dict) else None
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def texts(data: Any, name: str) -> list[str]:
    """The texts in a list field."""
    value = data.get(name) if isinstance(data, dict) else None
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def number(data: Any, name: str) -> float | None:
    """A finite number; None when it is none."""
    value = data.get(name) if isinstance(data, dict) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not -1e15 < value < 1e15:
        return None
    return value


def passages(result: Any) -> list[PassageView]:
    """The passages of a tool result."""
    return [
        PassageView(
            handle=text(item, "handle"),
            document=text(item, "document"),
            title=text(item, "document_title"),
            section=text(item, "section"),
            path=" > ".join(texts(item, "path")),
            page=_whole(item, "page"),
            line=_whole(item, "line"),
            text=text(item, "text"),
            score=number(item, "score"),
            label=_label(item),
        )
        for item in items(result, "passages")
    ]


def attempts(result: Any) -> list[AttemptView]:
    """The legs tried for a tool result."""
    return [
        AttemptView(text(one, "leg"), text(one, "outcome"), text(one, "reason"), number(one, "ms") or 0.0)
        for one in items(result, "attempts")
    ]


def citations(answer: Any) -> Iterator[CitationView]:
    """The citations of an answer, statement by statement."""
    for at, statement in enumerate(items(answer, "statements")):
        for one in items(statement, "citations"):
            yield CitationView(
                at, text(one, "handle"), text(one, "document"), text(one, "heading_path"), text(one, "quote")
            )


def error_code(result: Any) -> str:
    """The code of a result's error, "" without one."""
    return text(result.get("error"), "code") if isinstance(result, dict) else ""


def _label(passage: Json) -> str:
    """What is printed on a passage's first page, where that is not its number."""
    labels = passage.get("labels")
    for entry in labels if isinstance(labels, list) else []:
        if isinstance(entry, list) and len(entry) == 2 and entry[0] == passage.get("page"):
            return str(entry[1])[:20]
    return ""


def _whole(data: Json, name: str) -> int | None:
    value = number(data, name)
    return int(value) if value is not None else None
