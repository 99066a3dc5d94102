"""What a reader makes of one source file: plain text, a section tree over it, and where it came from."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from datetime import date


@dataclass(frozen=True, slots=True)
class Unit:
    """A numbered paragraph or lettered item: an address inside a section, not a section.

    `number` is written in full from the section down, e.g. "(1)(f)"; the span counts characters of the
    document's text.
    """

    number: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Section:
    """A node of the section tree. All offsets count characters of `Document.text`.

    `start`..`end` is the section's own body: behind its heading, up to its first child or the next
    section. `tree_end` is the end of its last descendant. `path` holds the headings from the top down to
    this one, each as "number title" or "title". `level` is the depth in the tree, 1 at the top.
    """

    id: str
    parent: str | None
    number: str | None
    title: str
    path: tuple[str, ...]
    level: int
    heading_start: int
    start: int
    end: int
    tree_end: int
    has_heading: bool = True
    units: tuple[Unit, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """From `offset` on, the text stands on this page (from 1) or line (from 1) of the source.

    `label` is what is printed on the page, "iv", where that is not its number.
    """

    offset: int
    page: int | None = None
    line: int | None = None
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Anchor:
    """An address that the source gives to a place ("termination" in `<h2 id="termination">`); in a book
    with the name of its file, "chapter2.xhtml#termination". The span counts characters of the text."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Link:
    """Words of the text that lead to an anchor: `target` is "#anchor", "file#anchor" or "file"."""

    start: int
    end: int
    target: str


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a document says about itself (front matter, `documents.toml`); never groups or tenant."""

    title: str | None = None
    version_label: str | None = None
    effective_from: date | None = None
    effective_to: date | None = None
    status: str | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """One source file, read.

    `text` is plain: inline markup removed, table rows tab-separated under their header, paragraphs
    separated by a blank line. `sections` are in document order, parents before children.
    `tables` holds spans that a chunk should keep whole where it can and never cut inside a line of
    (the first line of each is its header). `anchors` and `links` are in the order of their starts.
    """

    title: str
    text: str
    sections: tuple[Section, ...]
    places: tuple[Place, ...] = ()
    tables: tuple[tuple[int, int], ...] = ()
    metadata: Metadata = field(default_factory=Metadata)
    warnings: tuple[str, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    links: tuple[Link, ...] = ()

    def place(self, offset: int) -> Place:
        """The page and line on which the character at `offset` stands."""
        at = bisect_right(self.places, offset, key=lambda place: place.offset) - 1
        return self.places[at] if at >= 0 else Place(0)


@dataclass(frozen=True, slots=True)
class Chunk:
    """The unit that is embedded and indexed: a span that never crosses a heading, with its label.

    `text` is `Document.text[start:end]`, except that a chunk from the middle of a table repeats the
    table's header line first. `label` is "document title > heading path", shortened where label and text
    would not fit the encoder together. What is embedded and keyword-indexed is `label + "\\n" + text`.
    """

    section: str
    start: int
    end: int
    text: str
    label: str

    @property
    def indexed_text(self) -> str:
        """The label and the text, as they are embedded and keyword-indexed."""
        return f"{self.label}\n{self.text}"
