"""The tree of a stored outline: nodes are made as they are looked at, each once."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, cast, overload

from pincite.corpus.lazy import LazySequence
from pincite.corpus.outline_packed import NumberTable, Packed
from pincite.corpus.references_tree import Node, Tokens, Tree, fold, keys_of, section_node, unit_nodes
from pincite.corpus.references_words import ALIKE, ATTACHED

# The units (number, start, end) of the section at a position.
Units = Callable[[int], Sequence[tuple[str, int, int]]]
Fits = Callable[[Node], bool]


class _Section(NamedTuple):
    """What a node is made of; the tree knows what stands above it."""

    id: str
    number: str | None
    title: str
    start: int
    end: int
    parent: str | None = None


class PackedTree(Tree):
    """The nodes of one document by number."""

    def __init__(self, packed: Packed, units: Units) -> None:
        self._packed = packed
        self._entries = units
        self._made: dict[int, Node] = {}
        self._units: dict[int, list[Node]] = {}
        self.kinds = set(packed.head.kinds)
        self.sections = LazySequence(len(packed), self._section)
        self.nodes = LazySequence(packed.first[len(packed)] - 1, self._ordered)

    def keyed(self, tokens: Tokens, inside: Node | None = None) -> list[Node]:
        """The nodes with this number from where the numbering starts, in order; only those below `inside`."""
        found = self._holding("keys", tokens, inside)
        return [node for node in found if node.key and tokens in keys_of(node)]

    def owned(self, tokens: Tokens, inside: Node | None = None) -> list[Node]:
        """The nodes at which this is printed, in order; only those below `inside`."""
        return [node for node in self._holding("own", tokens, inside) if node.key and node.own == tokens]

    def folded(self, tokens: Tokens) -> list[Node]:
        """The nodes with this number whatever the case of its letters."""
        wanted = fold(tokens)
        return [node for node in self._holding("keys", tokens, None) if node.key and fold(node.key) == wanted]

    def level(self, stem: Tokens, inside: Sequence[Node] | None = None) -> list[Node]:
        """The nodes whose numbers have one part more than `stem`, in order; only those below `inside`."""
        found = {
            node.order: node
            for above in (inside if inside is not None else (None,))
            for node in (
                *(self._section(at) for at in self._positions("stems", stem, above)),
                *(unit for at in self._positions("unit_stems", stem, above) for unit in self._inner(at)),
            )
            if node.key and node.key[:-1] == stem and (above is None or above.holds(node))
        }
        return [found[order] for order in sorted(found)]

    def below_all(self, above: Sequence[Node]) -> Iterator[Node]:
        """The numbered nodes below any of some nodes, section by section."""
        for one in above:
            last = one.at if one.unit is not None else self._packed.last[one.at]
            for at in range(one.at, last + 1):
                yield from (node for node in self._inside(at) if node.key and one.holds(node))

    def alike(self, kind: str) -> Fits:
        """What tells the nodes that a word may stand for: as `of_kind` does, of all numbered nodes."""
        every = set(self._packed.head.all_kinds)
        if kind in every:
            return lambda node: node.kind == kind
        if kind in ATTACHED:
            if every & ATTACHED:
                return lambda node: node.kind in ATTACHED
            if self._packed.head.lettered:
                return lambda node: node.kind is None and node.key[0].isalpha()
        elif None in every:
            return lambda node: node.kind is None
        elif kind in ALIKE and every & ALIKE:
            return lambda node: node.kind in ALIKE
        return lambda node: True

    def _holding(self, table: NumberTable, tokens: Tokens, inside: Node | None) -> Iterator[Node]:
        """The nodes of the sections that may hold a number, in order; only those below `inside`."""
        for at in self._positions(table, tokens, inside):
            for node in self._inside(at):
                if inside is None or inside.holds(node):
                    yield node

    def _positions(self, table: NumberTable, tokens: Tokens, inside: Node | None) -> list[int]:
        if inside is None:
            return self._packed.numbered(table, tokens)
        last = self._packed.last[inside.at] if inside.unit is None else inside.at
        return self._packed.numbered(table, tokens, inside.at, last)

    def _ordered(self, at: int) -> Node:
        section = bisect_right(self._packed.first, at + 1) - 1
        return self._inside(section)[at + 1 - self._packed.first[section]]

    def _inside(self, at: int) -> list[Node]:
        """The node of the section at a position, and those of its units."""
        return [self._section(at), *self._inner(at)]

    def _section(self, at: int) -> Node:
        found = self._made.get(at)
        if found is None:
            packed, above = self._packed, self._packed.parent[at]
            entry = _Section(*packed.name(at), packed.start[at], packed.end[at])
            found = section_node(at, entry, self._section(above) if above >= 0 else None)
            found.order = packed.first[at]
            found.last = packed.first[packed.last[at] + 1] - 1
            found.children = _Children(self, at)
            self._made[at] = found
        return found

    def _inner(self, at: int) -> list[Node]:
        """The nodes of the units of the section at a position, in order."""
        found = self._units.get(at)
        if found is not None:
            return found
        section = self._section(at)
        found = self._units[at] = list(unit_nodes(section, self._entries(at)))
        for order, unit in enumerate(found, section.order + 1):
            unit.order = unit.last = order
            if unit.parent is not None and unit.parent is not section:
                cast("list[Node]", unit.parent.children).append(unit)
        for unit in reversed(found):
            if unit.parent is not None and unit.parent is not section:
                unit.parent.last = max(unit.parent.last, unit.last)
        return found

    def children_of(self, at: int) -> Sequence[Node]:
        """The units of the section at a position that are in no other, then the sections below it."""
        section = self._section(at)
        units = [unit for unit in self._inner(at) if unit.parent is section]
        below = self._packed.children(at) if self._packed.last[at] > at else []
        size = len(units)
        return LazySequence(
            size + len(below), lambda n: units[n] if n < size else self._section(below[n - size])
        )


class _Children(Sequence[Node]):
    """What is directly below a section, found when it is looked at."""

    def __init__(self, tree: PackedTree, at: int) -> None:
        self._tree, self._at = tree, at
        self._found: Sequence[Node] | None = None

    @property
    def _nodes(self) -> Sequence[Node]:
        if self._found is None:
            self._found = self._tree.children_of(self._at)
        return self._found

    def __len__(self) -> int:
        return len(self._nodes)

    @overload
    def __getitem__(self, at: int) -> Node: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Node]: ...
    def __getitem__(self, at: int | slice) -> Node | Sequence[Node]:
        return self._nodes[at]
