"""A document's sections and the units inside them as one tree, found by number.

Numbers are compared as tokens: "Article 6(1)(f)" is ("6", "1", "f"), "4.2.1" ("4", "2", "1"). A node's `key`
is its number from where the numbering starts; `own` is the last part of it, the one printed at the node.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile
from operator import attrgetter
from typing import cast

from pincite.corpus.references_entry import Entry
from pincite.corpus.references_words import (
    ALIKE,
    ATTACHED,
    INNER,
    KIND,
    TOKEN,
    lone_roman,
    plain_ordinal,
    roman_token,
    token_value,
)

Tokens = tuple[str, ...]
Span = tuple[int, int]
_LONE = {("I",): "1", ("V",): "5", ("X",): "10"}
_LABEL = re.compile(r"(?P<word>§§?|[^\W\d_][^\W\d_-]{0,24})\.?[\s“\"'‘]*(?P<rest>.*)$", re.DOTALL)


@dataclass(slots=True, eq=False)
class Node:
    """A section (`unit` None) or a unit inside one. `at` is the section's position in the document.
    `start`..`end` is the body of a section, the whole of a unit; `last` the highest order of what is below.
    """

    at: int
    unit: str | None
    kind: str | None
    key: Tokens
    own: Tokens
    start: int
    end: int
    parent: Node | None
    order: int = 0
    last: int = 0
    children: Sequence[Node] = field(default_factory=list)

    @property
    def above(self) -> Iterator[Node]:
        """The node and those that enclose it, from the inside out."""
        node: Node | None = self
        while node is not None:
            yield node
            node = node.parent

    def holds(self, other: Node) -> bool:
        """Whether `other` lies below this node (or is a part of its text, when this is a counted one)."""
        if self.last < 0:
            return other.at == self.at and other.unit is not None and self.start <= other.start < self.end
        return self.order < other.order <= self.last


class Tree:
    """The nodes of one document by number."""

    def __init__(self, entries: Sequence[Entry], units: Sequence[Sequence[tuple[str, int, int]]]) -> None:
        nodes, sections = list[Node](), list[Node]()
        self.nodes: Sequence[Node] = nodes
        self.sections: Sequence[Node] = sections
        self.by_key: defaultdict[Tokens, list[Node]] = defaultdict(list)
        self.by_own: defaultdict[Tokens, list[Node]] = defaultdict(list)
        self._folded: defaultdict[Tokens, list[Node]] | None = None
        self.kinds: set[str | None] = set()
        self.titles = [entry.title for entry in entries]
        by_id: dict[str, Node] = {}
        for at, (entry, inside) in enumerate(zip(entries, units, strict=True)):
            node = section_node(at, entry, by_id.get(entry.parent or ""))
            by_id[entry.id] = node
            self._add(nodes, node)
            sections.append(node)
            for unit in unit_nodes(node, inside):
                self._add(nodes, unit)
        for node in reversed(nodes):
            node.last = max(node.last, node.order)
            if node.parent is not None:
                node.parent.last = max(node.parent.last, node.last)

    def _add(self, nodes: list[Node], node: Node) -> None:
        nodes.append(node)
        node.order = len(nodes)
        if node.parent is not None:
            cast("list[Node]", node.parent.children).append(node)
        if node.key:
            for key in keys_of(node):
                self.by_key[key].append(node)
            self.by_own[node.own].append(node)
            if node.unit is None:
                self.kinds.add(node.kind)

    def keyed(self, tokens: Tokens, inside: Node | None = None) -> list[Node]:
        """The nodes with this number from where the numbering starts, in order; only those below `inside`."""
        found = self.by_key.get(tokens, [])
        return found if inside is None else _inside(found, inside)

    def owned(self, tokens: Tokens, inside: Node | None = None) -> list[Node]:
        """The nodes at which this is printed, in order; only those below `inside`."""
        found = self.by_own.get(tokens, [])
        return found if inside is None else _inside(found, inside)

    def at_offset(self, at: int, offset: int) -> Node:
        """The innermost node of section `at` that holds the character at `offset`."""
        node = self.sections[at]
        while True:
            units = takewhile(lambda child: child.unit is not None, node.children)  # sections stand behind
            inner = next((c for c in units if c.start <= offset < c.end), None)
            if inner is None:
                return node
            node = inner

    def numbered(self, tokens: Tokens, kind: str | None) -> list[Node]:
        """Every node with this number from the start of its numbering, of this kind where that is told."""
        found = self.of_kind(self.keyed(tokens), kind)
        if not found:
            found = self.of_kind(self.folded(tokens), kind)
        # A section wins over a unit of the same number that only stands in the text of another one.
        return [node for node in found if node.unit is None or _at_home(node)] or found

    def below(self, node: Node, tokens: Tokens, kind: str | None) -> list[Node]:
        """What is numbered so below a node: counted on from its number, or anew."""
        for keys, plain in (((node.key + tokens), True), (tokens, False)):
            if plain and not node.key:
                continue
            inside = self.keyed(keys, node)
            if not plain:
                inside = self.of_kind([other for other in inside if other.key == tokens], kind)
            elif kind is not None and kind not in INNER:
                inside = [other for other in inside if other.kind in {kind, None} or other.unit is not None]
            if inside:
                return _nearest(inside)
        inside = self.owned(tokens, node)
        if kind is None or kind in INNER | ALIKE:
            return _nearest([o for o in inside if o.unit is not None or o.kind is None])
        return _nearest([other for other in inside if other.kind == kind])

    def ending(self, tokens: Tokens, *, deep: bool = False) -> list[Node]:
        """The units whose number ends so, behind that of the section that they stand in: "(b)(1)" of § 7;
        `deep`: or behind that of a unit, where figures stand below letters."""
        found: list[Node] = []
        for node in self.owned(tokens[-1:]):
            stem = node.key[: -len(tokens)]
            whole = next((one for one in node.above if len(one.key) <= len(stem)), None)
            if stem + tokens == node.key and whole is not None and whole.key == stem:
                lettered = whole.unit is None or not (whole.own[0].isdigit() and tokens[0].isdigit())
                found += [node] if whole.unit is None or (deep and lettered) else []
        return _nearest([node for node in found if node.parent is not None])

    def folded(self, tokens: Tokens) -> list[Node]:
        """The nodes with this number whatever the case of its letters."""
        if self._folded is None:
            self._folded = defaultdict(list)
            for node in self.nodes:
                if node.key:
                    self._folded[fold(node.key)].append(node)
        return self._folded.get(fold(tokens), [])

    def of_kind(self, nodes: list[Node], kind: str | None) -> list[Node]:
        """Those of a kind; where the document does not use that word, those that it may stand for."""
        plain = [node for node in nodes if node.kind is None]
        if kind is None:
            return plain or nodes
        same = [node for node in nodes if node.kind == kind]
        if kind in ATTACHED and not same:
            lettered = [node for node in plain if node.key[0].isalpha()]
            others = [] if kind in self.kinds else [node for node in nodes if node.kind in ATTACHED]
            return others or lettered
        if same or plain or kind in self.kinds or kind not in ALIKE:
            return same or plain
        return [node for node in nodes if node.kind in ALIKE]


def section_node(at: int, entry: Entry, parent: Node | None) -> Node:
    """The node of the section at a position, below that of the section above it."""
    kind, own = number_of(entry.number or "")
    key = own
    if own and parent is not None and _continues(kind, entry.number or ""):
        above = next((node.key for node in parent.above if node.key), ())
        key = above + own
    node = Node(at, None, kind, key, own, entry.start, entry.end, parent)
    if own and parent is not None and kind is None and len(own) > 1 and own[: len(parent.key)] == parent.key:
        node.own = own[len(parent.key) :]
    return node


def unit_nodes(section: Node, units: Iterable[tuple[str, int, int]]) -> Iterator[Node]:
    """The nodes of a section's units, in order, each below the innermost one that encloses it."""
    open_: list[Node] = []
    for number, start, end in units:
        while open_ and not (open_[-1].start <= start and end <= open_[-1].end):
            open_.pop()
        tokens = _tokens(number)
        if not tokens:
            continue
        parent = open_[-1] if open_ else section
        kind, key, own = section.kind, section.key + tokens, tokens[-1:]
        if number[:1].isdigit() and "." in number.split("(")[0].rstrip("."):
            kind, key = None, tokens
            if tokens[: len(parent.key)] == parent.key:
                own = tokens[len(parent.key) :] or tokens
        node = Node(section.at, number, kind, key, own, start, end, parent)
        yield node
        open_.append(node)


def keys_of(node: Node) -> Iterator[Tokens]:
    """The numbers by which a node is found: "I." may be the first of Roman numerals or the ninth letter."""
    yield node.key
    if node.unit is None and node.own in _LONE:
        yield (*node.key[:-1], _LONE[node.own])


def _at_home(node: Node) -> bool:
    """Whether a unit with a whole decimal number belongs to the section it stands in: 1.3 in Section 1."""
    section = next(one for one in node.above if one.unit is None)
    size = len(section.key)
    return node.kind is None and len(node.key) > size > 0 and node.key[:size] == section.key


@lru_cache(maxsize=1 << 14)
def _tokens(number: str) -> Tokens:
    """The parts of a unit's number; most documents use few of them, again and again."""
    return tuple(token_value(token) for token in TOKEN.findall(number))


@lru_cache(maxsize=1 << 14)
def number_of(number: str) -> tuple[str | None, Tokens]:
    """A printed number as its kind and tokens: "Article 6" is ("article", ("6",)), "IV." (None, ("4",))."""
    kind, rest = None, " ".join(number.split())
    match = _LABEL.match(rest)
    if match is not None and (match["rest"] or match["word"].startswith("§")):
        named = KIND.get(match["word"].lower())
        if named is not None or len(match["word"]) > 3:
            kind, rest = named, match["rest"]
    tokens = TOKEN.findall(plain_ordinal(rest))
    if not tokens:
        return kind, ()
    tokens[0] = roman_token(tokens[0], lone=lone_roman(kind) and len(tokens) == 1)
    while len(tokens) > 1 and not tokens[-1].strip("0"):
        tokens.pop()
    return kind, tuple(token_value(token) for token in tokens)


def _continues(kind: str | None, number: str) -> bool:
    """Whether a section's number goes on from that of the section above: "(a)", "b.", "Absatz 1"."""
    if kind is not None:
        return kind in INNER and "." not in number.rstrip(".")
    bare = number.strip()
    return bare.startswith("(") or bare.endswith(")") or (len(bare.rstrip(".)")) == 1 and bare[0].isalpha())


def _nearest(nodes: list[Node]) -> list[Node]:
    """Without those that lie below another of them; `nodes` are in order."""
    found: list[Node] = []
    for node in nodes:
        if not found or not found[-1].holds(node):
            found.append(node)
    return found


def _inside(nodes: list[Node], node: Node) -> list[Node]:
    """Those of `nodes`, which are in order, that lie below a node."""
    if node.last < 0:
        return [other for other in nodes if other.at == node.at and node.holds(other)]
    first = bisect_right(nodes, node.order, key=attrgetter("order"))
    return nodes[first : bisect_right(nodes, node.last, key=attrgetter("order"))]


def fold(tokens: Tokens) -> Tokens:
    """A number whatever the case of its letters."""
    return tuple(token.lower() for token in tokens)
