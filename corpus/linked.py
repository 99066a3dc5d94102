"""Addresses that a source gives to its places, and the links that lead to them, as in HTML and EPUB.

What an author linked is a cross-reference as it is, and needs no guessing from its words.
"""

from __future__ import annotations

import posixpath
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar
from urllib.parse import unquote, urlsplit

from pincite.corpus.document import Anchor, Document, Link
from pincite.corpus.references import EXTERNAL, FOUND, MISSING, Reference, RefTarget

# Of the same spelling in a section: name, start and end in the document's characters.
Named = tuple[str, int, int]


class Anchored(Protocol):
    """What is needed of a section to find a place in it."""

    @property
    def id(self) -> str:
        """The section's id."""

    @property
    def start(self) -> int:
        """Where its body begins."""

    @property
    def end(self) -> int:
        """Where its body ends."""

    @property
    def anchors(self) -> Sequence[Named]:
        """The anchors that begin in its heading or body."""

    @property
    def units(self) -> Sequence[tuple[str, int, int]]:
        """The numbered units of its body."""


S = TypeVar("S", bound=Anchored)


@dataclass(frozen=True, slots=True)
class AnchorPlace(Generic[S]):
    """Where an anchor leads: a whole section, or with `unit` (name, start, end) a part of its body."""

    section: S
    unit: Named | None


def find_anchor(sections: Iterable[S], name: str) -> list[AnchorPlace[S]]:
    """The places with an anchor: of this name, else in a file of a book, else spelled in other case."""
    wanted = anchor_name(name)
    if not wanted:
        return []
    ways: tuple[Callable[[str], bool], ...] = (
        lambda anchor: anchor == wanted,
        lambda anchor: anchor.rpartition("#")[2] == wanted and "#" in anchor,
        lambda anchor: anchor.casefold() == wanted.casefold(),
    )
    anchored = [section for section in sections if section.anchors]
    for way in ways:
        found = [
            anchor_place(section, anchor)
            for section in anchored
            for anchor in section.anchors
            if way(anchor[0])
        ]
        if found:
            # A page may use a name twice; browsers take the first.
            return found[:1] if len({place.section.id for place in found}) == 1 else found
    return []


def anchor_name(name: str) -> str:
    """An anchor as it stands in a source, from how it is written in a link."""
    return unquote(name).strip().removeprefix("#")


def anchor_place(section: S, anchor: Named) -> AnchorPlace[S]:
    """The section where the anchor stands on its heading, else the unit that begins with it, else its own
    span under its name."""
    name, start, end = anchor
    if start < section.start:
        return AnchorPlace(section, None)
    unit = next((unit for unit in section.units if unit[1] == start), None)
    return AnchorPlace(section, unit or (f"#{name.rpartition('#')[2]}", start, min(end, section.end)))


def anchors_from(section: Anchored, start: int, end: int) -> tuple[tuple[int, str], ...]:
    """Which anchor addresses the text from `start` to `end` best: (offset, name), each from its offset on.

    That is the smallest anchor around a place; beside those of paragraphs it is that of the heading.
    """
    if not section.anchors:
        return ()
    steps = sorted({start, *(at for _, *span in section.anchors for at in span if start < at < end)})
    found: list[tuple[int, str]] = []
    for at in steps:
        name = _around(section, at)
        if name != (found[-1][1] if found else ""):
            found.append((at, name))
    return tuple(found)


def heading_anchor(section: Anchored) -> str | None:
    """The anchor of a section as a whole; None where it has none of its own."""
    return next((name for name, start, _ in reversed(section.anchors) if start < section.start), None)


def _around(section: Anchored, at: int) -> str:
    best: tuple[int, int, str] | None = None
    for name, start, end in section.anchors:
        # An anchor on a heading is the address of what stands below it.
        stop = section.end if start < section.start else end
        if start <= at < stop:
            best = max(best or (-1, 0, ""), (start, -stop, name))
    return best[2] if best is not None else ""


def link_references(document: Document) -> list[list[Reference]]:
    """The references that links in the body of each section are, in document order.

    A link inside the document is `found` or `missing`; one to another file `external`, its `href` says where.
    """
    placed = _Placed(document)
    offsets = [section.start for section in document.sections]
    found: list[list[Reference]] = [[] for _ in document.sections]
    for link in document.links:
        at = bisect_right(offsets, link.start) - 1
        section = document.sections[at] if at >= 0 else None
        if section is not None and section.start <= link.start < link.end <= section.end:
            found[at].append(placed.reference(link))
    return found


class _Placed:
    """The anchors of a document by their section, ready for look-ups."""

    def __init__(self, document: Document) -> None:
        self._targets: dict[str, RefTarget] = {}
        placed = [_Section(*row) for row in anchors_by_section(document)]
        for section in placed:
            for anchor in section.anchors:
                place = anchor_place(section, anchor)
                unit, start, end = place.unit or (None, section.start, section.end)
                self._targets.setdefault(anchor[0], RefTarget(section.id, unit, start, end))

    def reference(self, link: Link) -> Reference:
        """What a link is; one to another file is looked up there when it is read."""
        name = link.target.removeprefix("#")
        target = self._targets.get(name)
        if target is not None:
            return Reference(link.start, link.end, FOUND, (target,), None, link.target)
        status = MISSING if link.target.startswith("#") else EXTERNAL
        return Reference(link.start, link.end, status, (), None, link.target)


@dataclass(frozen=True, slots=True)
class _Section:
    id: str
    start: int
    end: int
    units: tuple[Named, ...]
    anchors: tuple[Named, ...]


def anchors_by_section(
    document: Document,
) -> Iterator[tuple[str, int, int, tuple[Named, ...], tuple[Named, ...]]]:
    """(id, start, end, units, anchors) of each section that has anchors, which belong where they begin."""
    sections = document.sections
    offsets = [min(section.heading_start, section.start) for section in sections]
    grouped: dict[int, list[Anchor]] = {}
    for anchor in document.anchors:
        grouped.setdefault(max(0, bisect_right(offsets, anchor.start) - 1), []).append(anchor)
    for at, anchors in grouped.items():
        if at < len(sections):
            section = sections[at]
            units = tuple((unit.number, unit.start, unit.end) for unit in section.units)
            named = tuple((anchor.name, anchor.start, anchor.end) for anchor in anchors)
            yield section.id, section.start, section.end, units, named


def with_links(read: Sequence[Reference], linked: Sequence[Reference]) -> tuple[Reference, ...]:
    """References read off the words, with those that are links in their place; both in order.

    A link that leads nowhere does not replace what its words say.
    """
    if not linked:
        return tuple(read)
    sure = [one for one in linked if one.status != MISSING]
    rest = [one for one in read if not any(one.start < link.end and link.start < one.end for link in sure)]
    broken = [
        one
        for one in linked
        if one.status == MISSING and not any(one.start < o.end and o.start < one.end for o in rest)
    ]
    return tuple(sorted((*rest, *sure, *broken), key=lambda one: one.start))


def split_address(address: str) -> tuple[str, str] | None:
    """File and anchor of an address relative to a document: "../b.html#x" is ("../b.html", "x").

    None for what leads out of the documents: another host or scheme, a path from the root, a query alone.
    """
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return None
    if parts.scheme or parts.netloc or parts.path.startswith("/"):
        return None
    path = unquote(parts.path)
    if "\\" in path or "\0" in path or not (path or parts.fragment):
        return None
    return path, unquote(parts.fragment)


def beside(document: str, path: str) -> str | None:
    """The id of the document that lies at `path` from a document; None where that leads above all folders."""
    joined = posixpath.normpath(posixpath.join(posixpath.dirname(document), path))
    return None if joined.startswith(("..", "/")) else joined
