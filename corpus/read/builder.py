"""The plain text of a document while a reader walks through its source."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pincite.corpus.document import Anchor, Link, Metadata, Place, Unit
from pincite.corpus.labels import Heading
from pincite.corpus.read.points import Points

INDENT_LEVELS = 6
SPACES = re.compile(r"[^\S\n]+")
SURROGATE = re.compile(r"[\ud800-\udfff]")
# Printed ligatures are letters to whoever searches or quotes; normal form C leaves them.
LETTERS = str.maketrans(dict(zip("ﬀﬁﬂﬃﬄﬅﬆ", ("ff", "fi", "fl", "ffi", "ffl", "st", "st"), strict=True)))
BLANKS = re.compile(r"[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")
# Marks where a word may be divided; a search for the word must not stumble over them.
DIVISIONS = re.compile(r"[\xad\u200b\u2060\ufeff]")


@dataclass(frozen=True, slots=True)
class Draft:
    """What a reader hands over: text in normal form C, its headings, and what it knows about the source.

    `title` is the document's own title where it has one; the file's name stands in for it otherwise.
    `units` are the numbered paragraphs and items in document order where the source marks them, else None.
    """

    text: str
    headings: tuple[Heading, ...] = ()
    places: tuple[Place, ...] = ()
    tables: tuple[tuple[int, int], ...] = ()
    title: str | None = None
    metadata: Metadata = field(default_factory=Metadata)
    warnings: tuple[str, ...] = ()
    units: tuple[Unit, ...] | None = None
    anchors: tuple[Anchor, ...] = ()
    links: tuple[Link, ...] = ()


def collapse(text: str) -> str:
    """`text` on one line, each run of white space one space."""
    return " ".join(text.split())


class TextBuilder:
    """Collects blocks (paragraphs, headings, items, tables) and notes where each came from."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._headings: list[Heading] = []
        self._places: list[Place] = []
        self._tables: list[tuple[int, int]] = []
        self._after_item = False
        self._marks: list[Heading] = []
        self._units: list[Unit] | None = None
        self.points = Points()
        self.warnings: list[str] = []

    @property
    def length(self) -> int:
        """Characters so far; the next block starts at or behind this offset."""
        return self._length

    def block(
        self, text: str, *, page: int | None = None, line: int | None = None, tight: bool = False
    ) -> tuple[int, int] | None:
        """Append `text` behind a blank line (`tight`: on the next line); its span, or None when it is empty.

        `line` is the source line of the first line of `text`; the following lines are counted from there.
        """
        text, points = self.points.lift(_normal(text))
        stripped = text.lstrip("\n")
        shift = len(text) - len(stripped)
        if line is not None:
            line += shift
        text = stripped.rstrip()
        points = [(min(max(at - shift, 0), len(text)), mark) for at, mark in points]
        if not text.strip():
            self.points.place(points, "", self._length)
            return None
        if self._length:
            gap = "\n" if tight else "\n\n"
            self._parts.append(gap)
            self._length += len(gap)
        self._after_item = False
        start = self._length
        self._headings.extend(replace(mark, start=start, end=start) for mark in self._marks)
        self._marks.clear()
        self.points.place(points, text, start)
        self._parts.append(text)
        self._length += len(text)
        self._note_places(text, start, page, line)
        return start, self._length

    def heading(
        self,
        level: int,
        text: str,
        *,
        number: str | None = None,
        title: str | None = None,
        page: int | None = None,
        line: int | None = None,
    ) -> None:
        """Append a heading on one line; one without text is left out. `title`: where it is not all of the
        text behind the number."""
        span = self.block(collapse(text), page=page, line=line)
        if span is not None:
            self._headings.append(Heading(level, *span, number, title))

    def mark(self, level: int, *, number: str | None = None, title: str = "", printed: bool = True) -> None:
        """The next block begins a section that has no heading of its own in the text."""
        self._marks.append(Heading(level, 0, 0, number, title, printed))

    def units(self, found: Sequence[Unit]) -> None:
        """Say that the source marks its numbered paragraphs and items: these ones, in document order."""
        self._units = [*found]

    def item(
        self,
        text: str,
        *,
        depth: int = 0,
        marker: str = "-",
        page: int | None = None,
        line: int | None = None,
        tight: bool = True,
    ) -> None:
        """Append a list item "- text" below the one before it; indented by its `depth` (from 0)."""
        indent = "  " * min(depth, INDENT_LEVELS)
        tight = tight and self._after_item
        if self.block(f"{indent}{marker} {text.strip()}", page=page, line=line, tight=tight) is not None:
            self._after_item = True

    def end_list(self) -> None:
        """The next item begins another list, behind a blank line."""
        self._after_item = False

    def table(
        self,
        rows: Sequence[Sequence[str]],
        *,
        caption: str = "",
        page: int | None = None,
        lines: Sequence[int] | None = None,
    ) -> None:
        """Append rows as tab-separated lines, the first of them the header; `lines` places each row."""
        kept = [
            (lines[at] if lines else None, "\t".join(collapse(cell) for cell in row).rstrip())
            for at, row in enumerate(rows)
            if any(cell.strip() for cell in row)
        ]
        if caption.strip():
            self.block(collapse(caption), page=page, line=kept[0][0] if kept else None)
        first: int | None = None
        for line, text in kept:
            span = self.block(text, page=page, line=line, tight=first is not None)
            if span is not None and first is None:
                first = span[0]
        if first is not None:
            self._tables.append((first, self._length))

    def finish(self, *, title: str | None = None, metadata: Metadata | None = None) -> Draft:
        """The draft of everything appended so far."""
        return Draft(
            "".join(self._parts),
            tuple(self._headings),
            tuple(self._places),
            tuple(self._tables),
            collapse(title) if title and title.strip() else None,
            metadata or Metadata(),
            tuple(dict.fromkeys(self.warnings)),
            None if self._units is None else tuple(self._units),
            self.points.anchors(),
            self.points.links(),
        )

    def _note_places(self, text: str, start: int, page: int | None, line: int | None) -> None:
        if page is not None and (not self._places or self._places[-1].page != page):
            self._places.append(Place(start, page=page))
        if line is None:
            return
        at = 0
        while at >= 0:
            self._places.append(Place(start + at, line=line))
            line += 1
            at = text.find("\n", at) + 1 or -1


def _normal(text: str) -> str:
    if not text.isascii():
        text = DIVISIONS.sub("", BLANKS.sub(" ", SURROGATE.sub("\ufffd", text))).translate(LETTERS)
        text = unicodedata.normalize("NFC", text)
    lines = text.split("\n")
    return "\n".join([line.rstrip() for line in lines]) if len(lines) > 1 else text.rstrip()
