"""Places without a number of their own: counted parts, items inside a sentence, "this", "the preceding"."""

from __future__ import annotations

from collections.abc import Callable

from pincite.corpus.references_blocks import flush, indents, inline_item, sentences, subparagraphs
from pincite.corpus.references_tree import Node, Tokens, Tree
from pincite.corpus.references_units import Named
from pincite.corpus.references_words import INNER, ordinal_words

# The body of the section at a position, and the offset of its first character.
Texts = Callable[[int], tuple[str, int]]


class Parts:
    """Finds such places in one document. `texts` is asked for the sections whose words are needed."""

    def __init__(self, tree: Tree, texts: Texts) -> None:
        self._tree = tree
        self._texts = texts

    def pointed(self, step: Named, here: Node) -> Node | None:
        """ "this Chapter", "the preceding subparagraph": from where the words stand."""
        if step.pointing == "this":
            return self._this(step.kind, here)
        return self._beside(step, here)

    def _this(self, kind: str, here: Node) -> Node | None:
        named = next((node for node in here.above if node.unit is None and node.kind == kind), None)
        if named is not None:
            return named
        units = [node for node in here.above if node.unit is not None][::-1]
        section = next((node for node in here.above if node.unit is None), None)
        top = next((node for node in here.above if node.unit is None and node.kind is not None), section)
        depth = {"subsection": 0, "paragraph": 1, "subparagraph": 2, "clause": 3, "subclause": 4}
        if kind == "paragraph" and units and units[0].own[0].isdigit():
            return units[0]
        if kind == "point" and units:
            return units[-1]
        if kind in depth and units and units[0].own and not units[0].own[0].isdigit():
            return (
                units[depth[kind]] if depth[kind] < len(units) else units[-1] if kind == "paragraph" else None
            )
        if kind in {"section", "article", "clause", "rule"} and kind not in self._tree.kinds:
            return section if section is not None and section.key else top
        return None

    def _beside(self, step: Named, here: Node) -> Node | None:
        """The unit before or behind that of the place, of the kind that is named."""
        way = -1 if step.pointing == "before" else 1
        if step.kind in {"subparagraph", "sentence"} or (step.kind == "paragraph" and here.unit is None):
            for node in here.above:
                found = self._neighbour_part(node, step.kind, here, way)
                if found is not None:
                    return found
                if node.unit is None:
                    break
        mine = next(
            (
                n
                for n in here.above
                if (n.kind == step.kind and n.unit is None) or (n.unit is not None and step.kind in INNER)
            ),
            None,
        )
        if mine is None or mine.parent is None:
            return None
        level = [n for n in mine.parent.children if (n.unit is None) == (mine.unit is None)]
        at = level.index(mine) + way
        return level[at] if 0 <= at < len(level) else None

    def _neighbour_part(self, node: Node, kind: str, here: Node, way: int) -> Node | None:
        parts = self._parts(node, kind)
        at = next((n for n, part in enumerate(parts) if part[0] <= here.start < part[1]), None)
        if at is None or not 0 <= at + way < len(parts):
            return None
        return self.counted(node, kind, at + way + 1)

    def counted(self, node: Node, kind: str, number: int) -> Node | None:
        """The part of a node that is counted: the second subparagraph, the third indent."""
        numbered = [
            child
            for child in node.children
            if child.unit is not None and child.own and child.own[0].isdigit()
        ]
        if kind == "paragraph" and numbered:
            return numbered[number - 1 if number > 0 else -1] if abs(number) <= len(numbered) else None
        parts = self._parts(node, kind)
        if not parts or not -len(parts) <= (number if number < 0 else number - 1) < len(parts):
            return None
        start, end = parts[number if number < 0 else number - 1]
        label = f"{node.unit or ''}, {ordinal_words(number)} {kind}".lstrip(", ")
        return _part(node, label, start, end, node.key)

    def _parts(self, node: Node, kind: str) -> list[tuple[int, int]]:
        text, offset = self._texts(node.at)
        inside = [(c.start - offset, c.end - offset) for c in node.children if c.unit is not None]
        span = (node.start - offset, node.end - offset)
        if kind == "sentence":
            found = sentences(text, *span)
        else:
            found = (indents if kind == "indent" else subparagraphs)(text, *span, inside)
        return [(start + offset, end + offset) for start, end in found]

    def flush(self, node: Node) -> list[Node]:
        """The text behind the list of a node, at the margin of what stands before the list."""
        text, offset = self._texts(node.at)
        inside = [(c.start - offset, c.end - offset) for c in node.children if c.unit is not None]
        spans = flush(text, node.start - offset, node.end - offset, inside)
        label = f"{node.unit or ''}, flush text".lstrip(", ")
        return [_part(node, label, start + offset, end + offset, node.key) for start, end in spans[:1]]

    def inline(self, node: Node, token: str) -> list[Node]:
        """The item "(b)" inside a sentence of a node."""
        text, offset = self._texts(node.at)
        span = inline_item(text, node.start - offset, node.end - offset, token)
        if span is None:
            return []
        label = f"{node.unit or ''}({token})"
        return [_part(node, label, span[0] + offset, span[1] + offset, (*node.key, token))]


def _part(node: Node, label: str, start: int, end: int, key: Tokens) -> Node:
    """A place inside a node that is no node of the tree: it holds the units within its span."""
    inside = [child for child in node.children if child.unit is not None and start <= child.start < end]

    return Node(
        node.at, label, node.kind, key, (), start, end, node, order=node.order, last=-1, children=inside
    )
