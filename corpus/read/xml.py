"""XML of any schema: the text in document order, and sections where the shape shows them.

A section is an element that begins with a title of its own ("title", "heading", also behind a number) and
goes on with other content. An element is a part of a line when its parent holds text beside it, else a block.
"""

from __future__ import annotations

import re
from itertools import islice

from pincite.corpus.read.builder import Draft, TextBuilder, collapse
from pincite.corpus.read.xml_safe import Element, local_name, parse_xml

NUMBERS = frozenset({"num", "no", "number", "enum", "label", "nr"})
TITLES = re.compile(r"(?:sub)?(?:title|heading|head|subject|ti|sti)(?:[.\-_]\w+)*", re.IGNORECASE)
# What describes the file rather than belonging to its text, in common schemas.
DESCRIPTIONS = re.compile(r"meta(?:data)?|bib\.instance(?:\.\w+)?")
TABLES = frozenset({"table", "tbl", "informaltable"})
ROWS = frozenset({"tr", "row"})
CELLS = frozenset({"td", "th", "cell", "entry"})
# A number alone in its block belongs on the line of what follows.
LONE_NUMBER = re.compile(r"(?:\(?(?:\d{1,4}|[A-Za-z]|[ivxlc]{1,6})[a-z]?[.)]{1,2}|[-–—•]|\d+(?:\.\d+)+\.?)")
LONGEST_TITLE = 300
TOP_ELEMENTS = 100


def read_xml(data: bytes) -> Draft:
    """The draft of an XML document given as bytes."""
    root = parse_xml(data, doctype=True)
    walker = _Walker()
    walker.walk(root)
    return walker.builder.finish(title=walker.title)


class _Walker:
    """Goes over the tree with a stack of its own; `_depth` counts the sections that are open."""

    def __init__(self) -> None:
        self.builder = TextBuilder()
        self.title: str | None = None
        self._depth = 0
        self._lead = ""

    def walk(self, root: Element) -> None:
        """Append the text of everything below `root`."""
        self.title = _document_title(root)
        todo: list[tuple[Element, bool]] = [(root, False)]
        while todo:
            element, leaving = todo.pop()
            if leaving:
                self._depth -= 1
                continue
            name = local_name(element).lower()
            if DESCRIPTIONS.fullmatch(name):
                continue
            if name in TABLES:
                self._table(element)
                continue
            children = list(element)
            if not children or _is_mixed(element):
                self._block(_text(element))
                continue
            heading, skip = _heading(children)
            if element is root:
                # The title of the whole document is text: nothing stands beside it.
                skip = 0
            elif heading:
                self._heading(heading)
                todo.append((element, True))
            todo.extend((child, False) for child in reversed(children[skip:]))
        self._flush_lead()

    def _heading(self, text: str) -> None:
        self._flush_lead()
        self._depth += 1
        self.builder.heading(self._depth, text)

    def _block(self, text: str) -> None:
        if LONE_NUMBER.fullmatch(text):
            self._flush_lead()
            self._lead = text
        elif text:
            self.builder.block(f"{self._lead} {text}".strip())
            self._lead = ""

    def _flush_lead(self) -> None:
        self.builder.block(self._lead)
        self._lead = ""

    def _table(self, table: Element) -> None:
        self._flush_lead()
        rows = [
            [_text(cell) for cell in row if local_name(cell).lower() in CELLS]
            for row in table.iter()
            if local_name(row).lower() in ROWS
        ]
        if any(len(row) > 1 for row in rows):
            self.builder.table(rows)
        else:
            self.builder.block(_text(table))


def _is_mixed(element: Element) -> bool:
    return bool((element.text or "").strip()) or any((child.tail or "").strip() for child in element)


def _is_title(element: Element) -> bool:
    return TITLES.fullmatch(local_name(element)) is not None


def _document_title(root: Element) -> str | None:
    """The first title that stands near the top of the document."""
    for element in islice(root.iter(), TOP_ELEMENTS):
        text = _text(element) if local_name(element).lower() == "title" else ""
        if text:
            return text[:LONGEST_TITLE]
    return None


def _heading(children: list[Element]) -> tuple[str, int]:
    """The heading at the front of an element, and how many children make it; nothing follows = no heading."""
    parts: list[str] = []
    titled = False
    at = 0
    while at < len(children):
        name = local_name(children[at]).lower()
        is_title = _is_title(children[at])
        if not is_title and name not in NUMBERS:
            break
        titled = titled or is_title
        parts.append(_text(children[at]))
        at += 1
    text = collapse(" ".join(parts))
    if (
        not titled
        or at == len(children)
        or len(text) > LONGEST_TITLE * 4
        or not any(c.isalpha() for c in text)
    ):
        return "", 0
    return text, at


def _text(element: Element) -> str:
    """All text inside an element on one line; a block inside it is set off by spaces."""
    parts: list[str] = []
    todo: list[Element | str] = [element]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            parts.append(item)
            continue
        if not local_name(item):
            continue
        block = len(item) > 0 and not _is_mixed(item)
        gap = " " if block else ""
        parts.append((item.text or "") + gap)
        for child in reversed(item):
            todo.append(gap + (child.tail or ""))
            todo.append(child)
    return collapse("".join(parts))
