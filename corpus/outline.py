"""The sections of a document as they are looked up: by position, id, name and number."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from pincite.corpus import outline_pack
from pincite.corpus.definitions import Definition
from pincite.corpus.lazy import LazySequence
from pincite.corpus.linked import AnchorPlace, anchor_name, find_anchor
from pincite.corpus.outline_pack import pack
from pincite.corpus.outline_packed import NameTable, Packed
from pincite.corpus.outline_tree import PackedTree
from pincite.corpus.references_locate import Locator
from pincite.corpus.references_tree import Tree
from pincite.corpus.rows import SectionRow

# The text of the section at a position.
SectionText = Callable[[int], str]
# How names are compared.
Key = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Stored:
    """An outline as it is kept, for any number of threads: its bytes, and what all its rows say."""

    packed: Packed
    document: str
    document_title: str
    version: str
    status: str | None = None
    version_label: str | None = None
    effective_from: date | None = None
    effective_to: date | None = None


class Outline:
    """The sections of one version of a document, in order: `rows`, or those that are `stored`.

    Made for one thread and one call: it is cheap, and forgets what it made of the stored bytes.
    """

    def __init__(self, rows: Sequence[SectionRow] = (), stored: Stored | None = None) -> None:
        self._made: dict[int, SectionRow] = {}
        self.packed = stored.packed if stored else packed_rows(rows)
        self.rows: Sequence[SectionRow] = rows
        if stored is not None:
            self._stored = stored
            self.rows = LazySequence(len(stored.packed), self._row)
        self.tree = PackedTree(self.packed, lambda at: self.rows[at].units)
        self.by_id = ById(self)

    def _row(self, at: int) -> SectionRow:
        found = self._made.get(at)
        if found is None:
            found = self._made[at] = self._unpacked(at)
        return found

    def _unpacked(self, at: int) -> SectionRow:
        packed, shared = self.packed, self._stored
        name, above = packed.name(at), packed.parent[at]
        start = packed.start[at]
        path, page, page_end, line, starts, has_heading, units, *more = packed.rest(at)
        tables, labels, anchors = more or ((), (), ())
        if path is None:
            path = (*self.rows[above].path, name.label)
        return SectionRow(
            document=shared.document,
            document_title=shared.document_title,
            version=shared.version,
            id=name.id,
            parent=packed.name(above).id if above >= 0 else None,
            number=name.number,
            title=name.title,
            path=tuple(path),
            level=packed.level[at],
            position=at,
            tree_last=packed.last[at],
            start=start,
            end=packed.end[at],
            page=page,
            page_end=page_end,
            line=line,
            tokens=packed.tokens[at + 1] - packed.tokens[at],
            has_heading=bool(has_heading),
            starts=tuple(map(tuple, starts)) if starts is not None else ((start, page, line),),
            units=tuple(map(tuple, units)),
            tables=tuple(map(tuple, tables)),
            status=shared.status,
            version_label=shared.version_label,
            effective_from=shared.effective_from,
            effective_to=shared.effective_to,
            definitions=self._definitions.get(at, ()),
            labels=tuple(map(tuple, labels)),
            anchors=tuple(map(tuple, anchors)),
        )

    def children(self, row: SectionRow | None) -> list[SectionRow]:
        """The rows directly below a section; those at the top below None."""
        return [self.rows[at] for at in self.packed.children(None if row is None else row.position)]

    def before(self, row: SectionRow) -> SectionRow | None:
        """What is read before a section: the one before it on its level, else the one above it."""
        parents = self.packed.parent
        above = parents[row.position]
        beside = range(row.position - 1, above, -1)
        at = next((other for other in beside if parents[other] == above), above)
        return self.rows[at] if at >= 0 else None

    def size(self, row: SectionRow) -> int:
        """Estimated tokens of a section and all below it."""
        return self.packed.tokens[row.tree_last + 1] - self.packed.tokens[row.position]

    def levels_below(self, row: SectionRow) -> int:
        """How many levels of sections there are below one."""
        return self.packed.depth[row.position]

    def page_end(self, row: SectionRow) -> int | None:
        """The last page of a section's tree."""
        return self.packed.pages[row.position] or None

    @cached_property
    def _definitions(self) -> dict[int, tuple[Definition, ...]]:
        found: dict[int, list[Definition]] = {}
        for at, one in self.packed.definitions():
            found.setdefault(at, []).append(one)
        return {at: tuple(ones) for at, ones in found.items()}

    @property
    def defining(self) -> list[SectionRow]:
        """The rows of the sections that define terms, in order."""
        return [self.rows[at] for at in self._definitions]

    @cached_property
    def terms(self) -> dict[str, tuple[int, Definition]]:
        """The defined terms, each with the position of the first section that defines it."""
        found: dict[str, tuple[int, Definition]] = {}
        for at, ones in self._definitions.items():
            for one in ones:
                found.setdefault(one.term, (at, one))
        return found

    def terms_in(self, texts: Sequence[str]) -> re.Pattern[str] | None:
        """What finds the defined terms in some texts, also with a common ending; None when there are none."""
        held = _folded("\n".join(texts))
        words = sorted((term for term in self.terms if _folded(term) in held), key=len, reverse=True)
        if not words:
            return None
        joined = "|".join(re.escape(word) for word in words)
        return re.compile(rf"(?<!\w)(?:{joined})(?:e?s|n|en)?(?!\w)", re.IGNORECASE)

    @cached_property
    def folded_terms(self) -> dict[str, str]:
        """The spelling of each defined term by its case-folded one."""
        return {term.casefold(): term for term in self.terms}

    def named(self, name: str, key: Key) -> list[SectionRow]:
        """The rows that are called so: by number with title, else by headings joined, else by title.

        `key` spells names as they are compared.
        """
        tables: tuple[NameTable, ...] = ("labels", "paths", "titles")
        return next((found for table in tables if (found := self._carrying(table, name, key))), [])

    def printed(self, number: str, key: Key) -> list[SectionRow]:
        """The rows with a printed number, whatever its words."""
        return self._carrying("numbers", number, key)

    def _carrying(self, table: NameTable, name: str, key: Key) -> list[SectionRow]:
        wanted = key(name)
        found = self.packed.named(table, name) if wanted else []
        return [self.rows[at] for at in found if key(self._called(table, at)) == wanted]

    def anchored(self, name: str) -> list[AnchorPlace[SectionRow]]:
        """The places with an anchor, as `find_anchor` tells them."""
        positions = self.packed.anchored(anchor_name(name))
        return find_anchor([self.rows[at] for at in positions], name)

    def address(self, row: SectionRow, key: Key) -> str:
        """The shortest reference that opens a section: label, headings joined, or the id."""
        if row.has_heading and self._alone("labels", row, key):
            return label(row)
        if row.has_heading and self._alone("paths", row, key):
            return " > ".join(row.path)
        return row.id

    def _alone(self, table: NameTable, row: SectionRow, key: Key) -> bool:
        name = self._called(table, row.position)
        others = (at for at in self.packed.named(table, name) if at != row.position)
        wanted = key(name)
        return not any(key(self._called(table, at)) == wanted for at in others)

    def _called(self, table: NameTable, at: int) -> str:
        if table == "paths":
            return " > ".join(self.rows[at].path)
        name = self.packed.name(at)
        return {"labels": name.label, "numbers": name.number or ""}.get(table, name.title)

    def locator(self, text: SectionText) -> Locator:
        """What follows citations here; `text` is asked for the sections whose words are needed."""
        return Locator(self.tree, lambda at: (text(at), self.rows[at].start))


def packed_rows(rows: Sequence[SectionRow]) -> Packed:
    """The outline of rows that were stored without one, or with one of another version."""
    return Packed(pack(rows, Tree(rows, [row.units for row in rows])))


class ById(Mapping[str, SectionRow]):
    """The rows of an outline by section id."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline

    def __getitem__(self, section: str) -> SectionRow:
        at = self._outline.packed.position(section)
        if at is None:
            raise KeyError(section)
        return self._outline.rows[at]

    def __iter__(self) -> Iterator[str]:
        return (name.id for name in self._outline.packed.names())

    def __len__(self) -> int:
        return len(self._outline.rows)


def label(row: SectionRow) -> str:
    """How a section is printed: number and title."""
    return outline_pack.label(row.number, row.title)


def full_number(number: str | None, unit: str) -> str:
    """How a unit is cited: "Article 6" and "1(a)" make "Article 6(1)(a)"; "4.5" stands by itself."""
    printed = re.match(r"(?P<first>\w{1,6})(?P<rest>$|[(,.].*)", unit, re.DOTALL)
    if not number or (printed is None and unit[:1].isdigit()):
        return unit
    if printed is not None:
        rest = printed["rest"].removeprefix(".")
        return unit if rest[:1].isdigit() else f"{number}({printed['first']}){rest}"
    return f"{number}{unit}" if unit.startswith("(") else f"{number}, {unit}"


def _folded(text: str) -> str:
    """Equal wherever a pattern without case sees the same letters, be it a dotless i."""
    return text.translate({0x130: "i", 0x131: "i"}).casefold()
