"""The values an index hands out. Rows carry everything a citation needs, so that no second look-up is due."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from pincite.corpus.definitions import Definition
from pincite.corpus.references import Reference


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document as the index knows it: `id` is "root-name/path", `path` the path below the synced folder.

    `names`: what it calls itself beside its title, such as a short title or the number of an act.
    """

    id: str
    path: str
    title: str
    version: str
    source: str
    groups: tuple[str, ...]
    effective_from: date | None
    effective_to: date | None
    status: str | None
    version_label: str | None
    pages: int | None
    sections: int
    chunks: int
    tokens: int
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SectionRow:
    """A section; `text` is its own body and None where only the outline was asked for.

    `position` counts the sections of the document from 0 in document order, `tree_last` is the position
    of its last descendant. Spans count characters of the document's text. `starts` places the body's
    pages and lines: (offset, page, line) from the body's start on, ascending, at least one entry.
    `references` are known where the text is. `labels` are what is printed on its pages where that is not
    their number, `anchors` the addresses (name, start, end) that the source gives to places in it.
    """

    document: str
    document_title: str
    version: str
    id: str
    parent: str | None
    number: str | None
    title: str
    path: tuple[str, ...]
    level: int
    position: int
    tree_last: int
    start: int
    end: int
    page: int | None
    page_end: int | None
    line: int | None
    tokens: int
    has_heading: bool
    starts: tuple[tuple[int, int | None, int | None], ...]
    units: tuple[tuple[str, int, int], ...]
    tables: tuple[tuple[int, int], ...]
    status: str | None = None
    version_label: str | None = None
    effective_from: date | None = None
    effective_to: date | None = None
    text: str | None = None
    references: tuple[Reference, ...] = ()
    definitions: tuple[Definition, ...] = ()
    labels: tuple[tuple[int, str], ...] = ()
    anchors: tuple[tuple[str, int, int], ...] = ()


class ChunkHit(NamedTuple):
    """A chunk that a leg found; `score` is on that leg's own scale, higher is better.

    A tuple, because a search makes a thousand of them and throws most away.
    """

    score: float
    document: str
    document_title: str
    version: str
    section: str
    number: str | None
    path: tuple[str, ...]
    page: int | None
    page_end: int | None
    line: int | None
    start: int
    end: int
    text: str
    label: str
    status: str | None = None
    version_label: str | None = None
    effective_from: date | None = None
    effective_to: date | None = None

    @property
    def key(self) -> tuple[str, str, int, int]:
        """What tells one chunk from another within an index version."""
        return (self.document, self.section, self.start, self.end)

    def scored(self, score: float) -> ChunkHit:
        """The same hit with this score."""
        return ChunkHit(score, *self[1:])
