"""Tables in XML: rows of cells, and the words around them."""

from __future__ import annotations

from typing import NamedTuple

from pincite.corpus.read.xml_names import CELLS, ROWS, name_of
from pincite.corpus.read.xml_safe import Element
from pincite.corpus.read.xml_text import text_of


class XmlTable(NamedTuple):
    """The rows of a table, what stands above them, and what stands below."""

    rows: list[list[str]]
    caption: str
    below: list[str]


def table_of(table: Element, notes: list[str]) -> XmlTable:
    """The rows of a table; a table inside a cell is words of that cell. `notes` gets the notes inside."""
    rows: list[list[str]] = []
    above: list[str] = []
    below: list[str] = []
    todo = list(reversed(table))
    while todo:
        element = todo.pop()
        if name_of(element) in ROWS:
            rows.append([text_of(cell, notes) for cell in element if name_of(cell) in CELLS])
        elif any(name_of(inner) in ROWS for inner in element.iterdescendants()):
            todo.extend(reversed(element))
        else:
            words = text_of(element, notes)
            if words:
                (below if rows else above).append(words)
    return XmlTable(rows, " ".join(above), below)
