"""A document's outline made ready for look-ups: its rows, their names, and the tree of their numbers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import accumulate

from pincite.corpus.definitions import Definition
from pincite.corpus.references_locate import Locator
from pincite.corpus.references_tree import Tree
from pincite.corpus.rows import SectionRow

# The text of the section at a position.
SectionText = Callable[[int], str]


class Outline:
    """The sections of one version of a document, in order; what is derived from them is made once."""

    def __init__(self, rows: Sequence[SectionRow]) -> None:
        self.rows = list(rows)

    @cached_property
    def by_id(self) -> dict[str, SectionRow]:
        """The rows by section id."""
        return {row.id: row for row in self.rows}

    @cached_property
    def tree(self) -> Tree:
        """The sections and units by number."""
        return Tree(self.rows, [row.units for row in self.rows])

    @cached_property
    def children(self) -> dict[str | None, list[SectionRow]]:
        """The rows directly below each section; those at the top below None."""
        found: defaultdict[str | None, list[SectionRow]] = defaultdict(list)
        for row in self.rows:
            found[row.parent].append(row)
        return dict(found)

    @cached_property
    def sizes(self) -> list[int]:
        """Running sums of estimated tokens: the tree at `row` has sizes[tree_last + 1] - sizes[position]."""
        return [0, *accumulate(row.tokens for row in self.rows)]

    @cached_property
    def depths(self) -> list[int]:
        """For each row how many levels of sections there are below it."""
        below = [0] * len(self.rows)
        position = {row.id: at for at, row in enumerate(self.rows)}
        for at in range(len(self.rows) - 1, -1, -1):
            above = position.get(self.rows[at].parent or "")
            if above is not None:
                below[above] = max(below[above], below[at] + 1)
        return below

    @cached_property
    def pages_end(self) -> list[int | None]:
        """For each row the last page of its tree."""
        last = [row.page_end for row in self.rows]
        position = {row.id: at for at, row in enumerate(self.rows)}
        for at in range(len(self.rows) - 1, -1, -1):
            above = position.get(self.rows[at].parent or "")
            page, own = last[at], last[above] if above is not None else None
            if above is not None and page is not None:
                last[above] = page if own is None else max(own, page)
        return last

    @cached_property
    def terms(self) -> dict[str, tuple[SectionRow, Definition]]:
        """The defined terms, each with the first section that defines it."""
        found: dict[str, tuple[SectionRow, Definition]] = {}
        for row in self.rows:
            for one in row.definitions:
                found.setdefault(one.term, (row, one))
        return found

    @cached_property
    def term_pattern(self) -> re.Pattern[str] | None:
        """What finds the defined terms in a text, also with a common ending; None when there are none."""
        words = sorted(self.terms, key=len, reverse=True)
        if not words:
            return None
        joined = "|".join(re.escape(word) for word in words)
        return re.compile(rf"(?<!\w)(?:{joined})(?:e?s|n|en)?(?!\w)", re.IGNORECASE)

    @cached_property
    def folded_terms(self) -> dict[str, str]:
        """The spelling of each defined term by its case-folded one."""
        return {term.casefold(): term for term in self.terms}

    def named(self, key: Callable[[str], str]) -> list[dict[str, list[SectionRow]]]:
        """The rows by number with title, by headings joined, by title, as `key` spells them."""
        if self._key is not key:
            self._key, self._named = key, self._names(key)
        return self._named

    _key: Callable[[str], str] | None = None
    _named: list[dict[str, list[SectionRow]]]

    def _names(self, key: Callable[[str], str]) -> list[dict[str, list[SectionRow]]]:
        ways: list[Callable[[SectionRow], str]] = [
            label,
            lambda row: " > ".join(row.path),
            lambda row: row.title,
        ]
        tables: list[dict[str, list[SectionRow]]] = []
        for way in ways:
            table: defaultdict[str, list[SectionRow]] = defaultdict(list)
            for row in self.rows:
                table[key(way(row))].append(row)
            tables.append(dict(table))
        return tables

    def addresses(self, key: Callable[[str], str]) -> dict[str, str]:
        """For each section id the shortest reference that opens it: label, headings joined, or the id."""
        if self._addresses is None:
            tables = self.named(key)
            alone = [{id(rows[0]) for rows in table.values() if len(rows) == 1} for table in tables[:2]]
            self._addresses = {
                row.id: label(row)
                if row.has_heading and id(row) in alone[0]
                else " > ".join(row.path)
                if row.has_heading and id(row) in alone[1]
                else row.id
                for row in self.rows
            }
        return self._addresses

    _addresses: dict[str, str] | None = None

    def locator(self, text: SectionText) -> Locator:
        """What follows citations here; `text` is asked for the sections whose words are needed."""
        return Locator(self.tree, lambda at: (text(at), self.rows[at].start))


def label(row: SectionRow) -> str:
    """How a section is printed: number and title."""
    return f"{row.number} {row.title}".strip() if row.number else row.title


def full_number(number: str | None, unit: str) -> str:
    """How a unit is cited: "Article 6" and "1(a)" make "Article 6(1)(a)"; "4.5" stands by itself."""
    printed = re.match(r"(?P<first>\w{1,6})(?P<rest>$|[(,.].*)", unit, re.DOTALL)
    if not number or (printed is None and unit[:1].isdigit()):
        return unit
    if printed is not None:
        rest = printed["rest"].removeprefix(".")
        return unit if rest[:1].isdigit() else f"{number}({printed['first']}){rest}"
    return f"{number}{unit}" if unit.startswith("(") else f"{number}, {unit}"
