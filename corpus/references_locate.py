"""From a citation to places of a document: step by step from the large to the small."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pincite.corpus.references_choose import (
    from_outside,
    kept,
    main_body,
    nearest_to,
    of_annex,
    with_text,
    without,
)
from pincite.corpus.references_grammar import rank
from pincite.corpus.references_numbers import Value
from pincite.corpus.references_parts import Parts, Texts
from pincite.corpus.references_tree import Node, Tokens, Tree
from pincite.corpus.references_units import Named
from pincite.corpus.references_words import ALIKE, INNER, PARTS, RANK, between

_MOST = 400


@dataclass(frozen=True, slots=True)
class Located:
    """Where a citation leads. `groups` holds for each number of the last step the places that carry it."""

    groups: tuple[tuple[Node, ...], ...] = ()

    @property
    def nodes(self) -> list[Node]:
        """All places, each once, in the order they were named."""
        return list(dict.fromkeys(node for group in self.groups for node in group))

    @property
    def missing(self) -> bool:
        """Whether some number leads nowhere."""
        return not self.groups or any(not group for group in self.groups)

    @property
    def ambiguous(self) -> bool:
        """Whether some number leads to several places."""
        return any(len(group) > 1 for group in self.groups)


class Locator:
    """Follows citations in one document. `texts` is asked only where places have no number."""

    def __init__(self, tree: Tree, texts: Texts) -> None:
        self._tree = tree
        self._main: bool | None = None
        self.parts = Parts(tree, texts)

    def locate(
        self, steps: Sequence[Named], here: Node | None = None, roots: Sequence[Node] | None = None
    ) -> Located:
        """The places that `steps` name, seen from `here` (None: from outside), below `roots` if given."""
        current: tuple[tuple[Node, ...], ...] = ()
        for number, step in enumerate(steps):
            if number == 0:
                current = self._first(step, here, roots, following=steps[1:])
            else:
                current = tuple(
                    group
                    for nodes in current
                    for group in self._merge([self._step(node, step) for node in nodes])
                )
            if not any(current):
                return Located()
        return Located(current)

    def anywhere(self, steps: Sequence[Named], *, main: bool = False) -> Located:
        """The same from outside: wherever the numbers stand, or with `main` in the main body if they do."""
        self._main = main
        try:
            return self.locate(steps)
        finally:
            self._main = None

    def numbered(self, step: Named) -> list[Node]:
        """The places of a number that stands without a word for its kind."""
        value = step.values[0]
        found = self._absolute(value.tokens, value, None)
        return self._choose(found or self._ending(value), value, None, None)

    def _ending(self, value: Value) -> list[Node]:
        """The units that a number without their section can mean, where no whole number is a part of it."""
        return self._tree.ending(value.tokens) if value.inner else []

    def _merge(self, ways: list[list[list[Node]]]) -> list[tuple[Node, ...]]:
        """What several possible wholes hold, number by number."""
        most = max((len(way) for way in ways), default=0)
        return [
            tuple(dict.fromkeys(node for way in ways if at < len(way) for node in way[at]))
            for at in range(most)
        ]

    def _first(
        self, step: Named, here: Node | None, roots: Sequence[Node] | None, following: Sequence[Named]
    ) -> tuple[tuple[Node, ...], ...]:
        if roots is not None:
            return tuple(self._merge([self._step(root, step) for root in roots]))
        if step.pointing is not None and not step.values:
            node = self.parts.pointed(step, here) if here is not None else None
            return ((node,),) if node is not None else ()
        relative = RANK[step.kind] > RANK["recital"] and rank(step) > RANK["article"]
        if here is not None and (relative or step.ordinal is not None):
            found = self._climb(step, here)
            if found or step.ordinal is not None:
                return tuple(tuple(group) for group in found)
            return ()
        if step.ordinal is not None:
            return ()
        groups: list[tuple[Node, ...]] = []
        for value in kept(step.values):
            for tokens in self._expanded(value, step.kind, None):
                part = here is None and relative and value.whole == 1
                found_here = self._absolute(tokens, value, step.kind)
                if part and (step.kind == "point" or step.word.lower() in PARTS):
                    # No article or section is called so; a number without a word may be.
                    plain = step.word.lower() not in PARTS
                    found_here = [node for node in found_here if plain and node.kind is None]
                if part and not found_here:
                    found_here = self._tree.ending(tokens, deep=step.kind != "subsection")
                groups.append(tuple(self._choose(found_here, value, step.kind, here, following)))
        return tuple(without(groups, self._excepted(step, None)))

    def _choose(
        self,
        nodes: list[Node],
        value: Value,
        kind: str | None,
        here: Node | None,
        following: Sequence[Named] = (),
    ) -> list[Node]:
        """Of several nodes with one number those that are meant: the nearest ones, or the main body's."""
        nodes = with_text(nodes)
        if len(nodes) < 2:
            return nodes
        if following:
            fitting = [node for node in nodes if any(self._step(node, following[0]))]
            if len(fitting) == 1:
                return fitting
            nodes = fitting or nodes
        if here is not None:
            return nearest_to(nodes, here)
        if self._main is not None:
            return main_body(nodes) if self._main else nodes
        return from_outside(nodes, self._tree, value, kind)

    def _absolute(self, tokens: Tokens, value: Value, kind: str | None) -> list[Node]:
        found = self._tree.numbered(tokens, kind)
        at = len(tokens) - 1
        while not found and at >= value.whole:
            heads = self._tree.numbered(tokens[:at], kind)
            found = [node for head in heads for node in self._rest(head, tokens[at:])]
            at -= 1
        return found

    def _rest(self, node: Node, tokens: Tokens) -> list[Node]:
        """Levels below a node one by one, where some have no number of their own in the document."""
        current = [node]
        for token in tokens:
            current = [below for one in current for below in self._token(one, token)]
        return current

    def _token(self, node: Node, token: str) -> list[Node]:
        found = self._tree.below(node, (token,), None)
        if found:
            return found
        folded = [c for c in node.children if c.own and c.own[0].lower() == token.lower()]
        if folded:
            return folded
        inside = [child for child in node.children if child.key]
        if token.isdigit():
            if any(child.own[0].isdigit() for child in inside):
                return []
            counted = self.parts.counted(node, "paragraph", int(token))
            return [counted] if counted is not None and (node.unit is None or inside) else []
        return self.parts.inline(node, token)

    def _step(self, node: Node, step: Named) -> list[list[Node]]:
        """For each number of a step the places below `node`."""
        if step.ordinal is not None:
            found = self.parts.counted(node, step.kind, step.ordinal)
            return [[found]] if found is not None else [[]]
        if not step.values:
            return [[node]]
        groups: list[list[Node]] = []
        for value in kept(step.values):
            for tokens in self._expanded(value, step.kind, node):
                found_here = self._tree.below(node, tokens, step.kind)
                if not found_here and len(tokens) > 1 and step.kind not in INNER:
                    found_here = [
                        n
                        for n in self._tree.below(node, tokens[:1], step.kind)
                        for n in self._rest(n, tokens[1:])
                    ][:_MOST]
                if not found_here and step.kind in INNER | ALIKE:
                    found_here = self._rest(node, tokens)
                groups.append(of_annex(found_here, node))
        return [list(group) for group in without([tuple(g) for g in groups], self._excepted(step, node))]

    def _excepted(self, step: Named, node: Node | None) -> set[Node]:
        left_out: set[Node] = set()
        for value in step.values:
            if value.excepted:
                for tokens in self._expanded(value, step.kind, node):
                    found = (
                        self._tree.below(node, tokens, step.kind)
                        if node
                        else self._tree.numbered(tokens, step.kind)
                    )
                    left_out.update(found)
        return left_out

    def _expanded(self, value: Value, kind: str, node: Node | None) -> list[Tokens]:
        """The numbers of a range that exist, with its two ends; else the number itself."""
        if value.until is None:
            return [value.tokens]
        low, high = value.tokens, value.until
        if len(high) < len(low):
            high = (*low[: len(low) - len(high)], *high)
        if len(low) != len(high) or low[:-1] != high[:-1]:
            return [low, high]
        inside = [(*low[:-1], token) for token in between(low[-1], high[-1])]
        known = [
            t for t in inside if (self._tree.below(node, t, kind) if node else self._tree.numbered(t, kind))
        ]
        return known if low in known or high in known else [low, high]

    def _climb(self, step: Named, here: Node) -> list[list[Node]]:
        """What a number without its article means: the nearest unit around the place that has it."""
        level = self._paragraphs(step, here)
        if level is not None:
            return level
        ways = (self._numbered, self._folded, self._unnumbered)
        for way in (self._sibling_counted,) if step.ordinal is not None else ways:
            for node in here.above:
                found = way(node, step)
                if found is not None:
                    return found
                if node.unit is None and self._closed(node):
                    break
        return []

    def _paragraphs(self, step: Named, here: Node) -> list[list[Node]] | None:
        """ "paragraph 2" where the article's own paragraphs have figures: never an item of one of them."""
        if step.kind != "paragraph" or not step.values or not step.values[0].tokens[0].isdigit():
            return None
        section = next((node for node in here.above if node.unit is None), None)
        if section is None or not any(
            c.unit is not None and c.own and c.own[0].isdigit() for c in section.children
        ):
            return None
        groups = self._step(section, step)
        return groups if all(groups) else None

    def _sibling_counted(self, node: Node, step: Named) -> list[list[Node]] | None:
        """A counted part is one of the numbered unit (or article) around the place, not of an item."""
        ordinal = step.ordinal or 0
        if node.unit is not None and step.kind in {"subparagraph", "paragraph"}:
            lettered = bool(node.own) and not node.own[0].isdigit()
            if lettered or (step.kind == "paragraph" and node.parent is not None):
                return None
        counted = self.parts.counted(node, step.kind, ordinal)
        return [[counted]] if counted is not None else None

    def _numbered(self, node: Node, step: Named) -> list[list[Node]] | None:
        """The places below a node that carry the numbers, where it has any of them."""
        if not any(self._tree.below(node, value.tokens, step.kind) for value in step.values):
            return None
        groups = self._step(node, step)
        return groups if all(groups) else None

    def _folded(self, node: Node, step: Named) -> list[list[Node]] | None:
        """The children of a node that carry the letters in the other case."""
        wanted = [tuple(token.lower() for token in value.tokens) for value in step.values]
        groups = [
            [child for child in node.children if child.own and (child.own[0].lower(),) == tokens]
            for tokens in wanted
        ]
        return groups if groups and all(groups) else None

    def _unnumbered(self, node: Node, step: Named) -> list[list[Node]] | None:
        """Paragraphs that have to be counted, and items inside a sentence, of the place's own section."""
        counted = step.values[0].tokens[0].isdigit() if step.values else False
        if node.unit is not None or (counted and step.kind != "paragraph"):
            return None
        groups = self._step(node, step)
        return groups if groups and all(groups) else None

    def _closed(self, node: Node) -> bool:
        """Whether a relative number is not looked for above: articles and numbered annexes stand alone."""
        return node.kind in {"article", "recital", "rule"} or node.kind in {"annex", "exhibit", "schedule"}
