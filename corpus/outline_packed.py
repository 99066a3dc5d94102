"""What `outline_pack` wrote, read in place: a look-up touches what it needs of it."""

from __future__ import annotations

import json
import sys
from bisect import bisect_left
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple
from zlib import adler32

from pydantic import ValidationError

from pincite.corpus.definitions import Definition
from pincite.corpus.outline_pack import (
    MAGIC,
    OUTLINE_VERSION,
    Head,
    anchor_hash,
    entry,
    id_hash,
    label,
    name_hash,
    number_hash,
    position_of,
)
from pincite.corpus.references_tree import Tokens

NameTable = Literal["labels", "paths", "titles", "numbers"]
NumberTable = Literal["keys", "own", "stems", "unit_stems"]


class Name(NamedTuple):
    """What a section is called."""

    id: str
    number: str | None
    title: str

    @property
    def label(self) -> str:
        """How it is printed: number and title."""
        return label(self.number, self.title)


class Packed:
    """A document's sections by position, id, name and number. Raises ValueError for bytes that are damaged,
    or were written by another version.
    """

    def __init__(self, data: bytes) -> None:
        view = memoryview(data)
        begin = len(MAGIC) + 4
        size = int.from_bytes(view[len(MAGIC) : begin], "little")
        if view[: len(MAGIC)] != MAGIC:
            raise ValueError("not an outline")
        try:
            self.head = Head.model_validate_json(bytes(view[begin : begin + size]))
        except ValidationError as error:
            raise ValueError("its head cannot be read") from error
        if self.head.version != OUTLINE_VERSION or self.head.order != sys.byteorder:
            raise ValueError("written by another version")
        self._body = view[begin + size :]
        if adler32(self._body) != self.head.check:
            raise ValueError("not as it was written")
        self.size = len(data)
        self.level = self._part("level", "i")
        self.parent = self._part("parent", "i")
        self.last = self._part("last", "i")
        self.start = self._part("start", "i")
        self.end = self._part("end", "i")
        self.tokens = self._part("tokens", "i")
        self.pages = self._part("pages", "i")
        self.depth = self._part("depth", "i")
        self.first = self._part("first", "i")
        self._names, self._names_at = self._part("names", "B"), self._part("names_at", "i")
        self._rows, self._rows_at = self._part("rows", "B"), self._part("rows_at", "i")

    def __len__(self) -> int:
        return self.head.sections

    def name(self, at: int) -> Name:
        """What the section at a position is called."""
        return Name(*json.loads(bytes(self._names[self._names_at[at] : self._names_at[at + 1]])))

    def names(self) -> Iterator[Name]:
        """What the sections are called, in order."""
        return map(self.name, range(len(self)))

    def rest(self, at: int) -> list[Any]:
        """The rest of a row: path, page, page_end, line, starts, has_heading, units, and where there
        are any tables, labels, anchors."""
        found: list[Any] = json.loads(bytes(self._rows[self._rows_at[at] : self._rows_at[at + 1]]))
        return found

    def definitions(self) -> list[tuple[int, Definition]]:
        """The defined terms, each with the position of its section, in order."""
        return [(at, Definition(*one)) for at, *one in json.loads(bytes(self._part("definitions", "B")))]

    def children(self, at: int | None) -> list[int]:
        """The positions of the sections directly below one; of those at the top below None."""
        first, behind = (0, len(self)) if at is None else (at + 1, self.last[at] + 1)
        above = -1 if at is None else at
        parents = self.parent[first:behind].tolist()
        return [position for position, parent in enumerate(parents, first) if parent == above]

    def position(self, section: str) -> int | None:
        """Where the section with this id stands."""
        found = self._holding("ids", id_hash(section), 0, len(self) - 1)
        return next((at for at in found if self.name(at).id == section), None)

    def named(self, table: NameTable, name: str) -> list[int]:
        """The positions of the sections whose label, headings or title may be this name."""
        return self._holding(table, name_hash(name), 0, len(self) - 1)

    def anchored(self, anchor: str) -> list[int]:
        """The positions of the sections that may hold a place with this anchor, alone or behind a file."""
        return self._holding("anchors", anchor_hash(anchor), 0, len(self) - 1)

    def numbered(
        self, table: NumberTable, tokens: Tokens, first: int = 0, last: int | None = None
    ) -> list[int]:
        """The positions from `first` to `last` where a node may have this number, or one right below it."""
        return self._holding(table, number_hash(tokens), first, len(self) - 1 if last is None else last)

    def _holding(self, table: str, hashed: int, first: int, last: int) -> list[int]:
        entries = self._part(table, "Q")
        begin = bisect_left(entries, entry(hashed, first))
        end = bisect_left(entries, entry(hashed, last + 1), begin)
        return [position_of(one) for one in entries[begin:end].tolist()]

    def _part(self, name: str, kind: Literal["B", "i", "Q"]) -> memoryview[int]:
        place = self.head.parts[name]
        return self._body[place.start : place.start + place.size].cast(kind)
