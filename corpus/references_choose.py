"""Which of several places with one number is meant, where nothing else says so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pincite.corpus.references_numbers import Value
from pincite.corpus.references_tree import Node, Tree
from pincite.corpus.references_words import ATTACHED, INNER

_APART = ATTACHED | {"chapter", "part", "title", "book"}


def with_text(nodes: list[Node]) -> list[Node]:
    """Those that hold something: an empty one is mostly a line of a printed contents."""
    return [n for n in nodes if n.unit is not None or n.start < n.end or n.last > n.order] or nodes


def nearest_to(nodes: Sequence[Node], here: Node) -> list[Node]:
    """Those that share most with a place; of those that share nothing with it, that of the main body."""
    around = list(here.above)
    shared = [max((other.order for other in node.above if other in around), default=0) for node in nodes]
    best = max(shared)
    near = [node for node, depth in zip(nodes, shared, strict=True) if depth == best]
    return main_body(near) if len(near) > 1 and best == 0 else near


def main_body(nodes: list[Node]) -> list[Node]:
    """Those outside annexes, exhibits and whole instruments of their own, when there is just one."""
    outside = [node for node in nodes if all(other.key and other.kind not in _APART for other in node.above)]
    if not outside:
        outside = [node for node in nodes if not _attached(node)]
    return outside if len(outside) == 1 else nodes


def from_outside(nodes: list[Node], tree: Tree, value: Value, kind: str | None) -> list[Node]:
    """Those that a number can mean which is said of the whole text.

    An annex with numbered clauses is an instrument of its own: its "1.3" may be meant as well as that of the
    main body. Of a whole number only where both are counted by the same word, and never the items of a list.
    """
    if kind in INNER and len(value.tokens) == 1:
        return nodes
    if kind is not None and len(value.tokens) == 1:
        worded = [node for node in nodes if _counted_by(node, tree, kind)]
        nodes = worded or nodes
    nodes = [node for node in nodes if not _listed(node)] or nodes
    return nodes if any(_attached(node) and not _listed(node) for node in nodes) else main_body(nodes)


def of_annex(nodes: list[Node], annex: Node) -> list[Node]:
    """Of the places below an annex its own, not those of an annex to it, where it has any."""
    inside = {
        other for node in nodes for other in node.above if other.kind in ATTACHED and annex.holds(other)
    }
    return [node for node in nodes if not any(other in inside for other in node.above)] or nodes


def _counted_by(node: Node, tree: Tree, kind: str) -> bool:
    """Whether a node, or one that is counted with it, has this word before its number."""
    if node.kind == kind:
        return True
    beside: Iterable[Node] = (
        node.parent.children if node.parent is not None else (n for n in tree.sections if n.parent is None)
    )
    return any(other.kind == kind for other in beside)


def _attached(node: Node) -> bool:
    return any(other.kind in ATTACHED for other in node.above if other is not node and other.unit is None)


def _listed(node: Node) -> bool:
    """Whether a node is an item of a list in an annex, not in a clause of it."""
    if node.unit is None or not _attached(node):
        return False
    section = next(other for other in node.above if other.unit is None)
    return not section.key or section.kind in ATTACHED


def kept(values: Iterable[Value]) -> list[Value]:
    """The numbers of a step that are not left out."""
    return [value for value in values if not value.excepted]


def without(groups: Sequence[tuple[Node, ...]], left_out: set[Node]) -> list[tuple[Node, ...]]:
    """Groups of places without those that are left out."""
    if not left_out:
        return list(groups)
    rests = [(tuple(node for node in group if node not in left_out), group) for group in groups]
    return [rest for rest, group in rests if rest or not group]
