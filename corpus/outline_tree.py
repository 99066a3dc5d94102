"""The tree of a stored outline: nodes are made as they are looked at, by section."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Literal, cast

from pincite.corpus.lazy import LazySequence
from pincite.corpus.outline_packed import Packed
from pincite.corpus.references_tree import Node, Tokens, Tree, fold, keys_of, section_node, unit_nodes
from pincite.corpus.rows import SectionRow


class PackedTree(Tree):
    """The nodes of one document by number, each made once; `rows` are its sections."""

    def __init__(self, packed: Packed, rows: Sequence[SectionRow]) -> None:
        self._packed = packed
        self._rows = rows
        self._made: dict[int, list[Node]] = {}
        self.kinds = packed.kinds
        self.sections = LazySequence(len(packed), self._section)
        self.nodes = LazySequence(packed.first[len(packed)] - 1, self._ordered)

    def keyed(self, tokens: Tokens, inside: Node | None = None) -> list[Node]:
        """The nodes with this number from where the numbering starts, in order; only those below `inside`."""
        found = self._holding("keys", tokens, inside)
        return [node for node in found if node.key and tokens in keys_of(node)]

    def owned(self, tokens: Tokens, inside: Node) -> list[Node]:
        """The nodes below `inside` at which this is printed, in order."""
        return [node for node in self._holding("own", tokens, inside) if node.key and node.own == tokens]

    def folded(self, tokens: Tokens) -> list[Node]:
        """The nodes with this number whatever the case of its letters."""
        wanted = fold(tokens)
        return [node for node in self._holding("keys", tokens, None) if node.key and fold(node.key) == wanted]

    def _holding(self, table: Literal["keys", "own"], tokens: Tokens, inside: Node | None) -> Iterator[Node]:
        """The nodes of the sections that may hold a number, in order; only those below `inside`."""
        if inside is None:
            positions = self._packed.numbered(table, tokens)
        else:
            whole = inside.unit is None
            last = self._packed.last[inside.at] if whole else inside.at
            positions = self._packed.numbered(table, tokens, inside.at, last)
        for at in positions:
            for node in self._inside(at):
                if inside is None or inside.holds(node):
                    yield node

    def _ordered(self, at: int) -> Node:
        section = bisect_right(self._packed.first, at + 1) - 1
        return self._inside(section)[at + 1 - self._packed.first[section]]

    def _inside(self, at: int) -> list[Node]:
        """The node of the section at a position, and those of its units."""
        found = self._made.get(at)
        if found is None:
            found = self._made[at] = self._make(at)
        return found

    def _make(self, at: int) -> list[Node]:
        packed, row = self._packed, self._rows[at]
        above = packed.parent[at]
        section = section_node(at, row, self._section(above) if above >= 0 else None)
        section.order = packed.first[at]
        section.last = packed.first[packed.last[at] + 1] - 1
        units = list(unit_nodes(section, row.units))
        for order, unit in enumerate(units, section.order + 1):
            unit.order = unit.last = order
            if unit.parent is not None and unit.parent is not section:
                cast("list[Node]", unit.parent.children).append(unit)
        for unit in reversed(units):
            if unit.parent is not None and unit.parent is not section:
                unit.parent.last = max(unit.parent.last, unit.last)
        section.children = self._children(at, [unit for unit in units if unit.parent is section])
        return [section, *units]

    def _children(self, at: int, units: list[Node]) -> Sequence[Node]:
        """The units of a section, and then the sections below it."""
        if self._packed.last[at] == at:
            return units
        below = self._packed.children(at)
        size = len(units)
        return LazySequence(
            size + len(below), lambda n: units[n] if n < size else self._section(below[n - size])
        )

    def _section(self, at: int) -> Node:
        return self._inside(at)[0]
