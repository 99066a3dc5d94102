"""What stands next to where a reference would be: names to offer for one that leads nowhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

from pincite.corpus.outline import Outline, full_number, label
from pincite.corpus.references_grammar import find_citations
from pincite.corpus.references_numbers import Value
from pincite.corpus.references_tree import Node, number_of
from pincite.corpus.references_units import Named
from pincite.tools.asked import BARE_NUMBER
from pincite.tools.naming import name_key
from pincite.tools.resolve import Rows

_NEAR = 5


def nearest(rows: Rows, reference: str) -> tuple[str, ...]:
    """Names of what stands next to where the reference would be; the closest titles otherwise."""
    outline = rows if isinstance(rows, Outline) else Outline(rows)
    step, above = _last_step(outline, reference)
    if step is not None:
        near = _neighbours(outline, step, above)
        if near:
            return near
    names = list(outline.packed.names())
    labels = {name_key(name.label): name.label for name in names}
    titles = {name_key(name.title): name.label for name in names}
    wanted = name_key(re.sub(r"^\w+\s+(?=[\"“])", "", reference).strip("\"“”'"))[:200]
    close = get_close_matches(wanted, [*labels, *titles], n=_NEAR, cutoff=0.5)
    found = dict.fromkeys({**titles, **labels}[key] for key in close)
    return tuple(found) or _top(outline)


def _last_step(outline: Outline, reference: str) -> tuple[Named | None, list[Node] | None]:
    """The step of a citation that leads nowhere, and the places from which it was taken (None: the top)."""
    citations = [
        one for one in find_citations(reference, loose=True) if one.steps[0].values or one.steps[0].ordinal
    ]
    if citations:
        steps = citations[0].steps
    else:
        kind, tokens = number_of(" ".join(reference.split()).rstrip(".:;, "))
        if (
            not tokens
            or kind is not None
            or not BARE_NUMBER.fullmatch(" ".join(reference.split()).rstrip(".:;, "))
        ):
            return None, None
        return Named("", "", 0, 0, (Value(tokens, 0, 0),)), None
    locator = outline.locator(lambda at: outline.rows[at].text or "")
    for count in range(len(steps) - 1, 0, -1):
        nodes = locator.locate(steps[:count]).nodes
        if nodes:
            return steps[count], nodes
    return steps[0], None


def _neighbours(outline: Outline, step: Named, above: list[Node] | None) -> tuple[str, ...]:
    """The numbers before and behind the wanted one on its level, else the nearest level above it."""
    if above is not None and (step.ordinal is not None or not step.values):
        return tuple(_names(outline, above))
    tokens = step.values[0].tokens if step.values else ()
    tree = outline.tree
    if above is not None:
        stem = above[0].key
        if any(node.key[: len(stem)] == stem for node in tree.below_all(above)):
            tokens = (*stem, *tokens)
    fits = tree.alike(step.kind) if above is None and step.kind else None
    for depth in range(len(tokens), 0, -1):
        stem, last = tokens[: depth - 1], tokens[depth - 1]
        level = [node for node in tree.level(stem, above) if fits is None or fits(node)]
        exact = [node for node in level if node.key[-1] == last]
        if exact:
            return tuple(_names(outline, exact))
        if level:
            ordered = sorted(level, key=lambda node: _rank(node.key[-1]))
            before = [node for node in ordered if _rank(node.key[-1]) < _rank(last)]
            behind = [node for node in ordered if _rank(node.key[-1]) > _rank(last)]
            return tuple(_names(outline, [*before[-2:], *behind[:2]]))
    return tuple(_names(outline, above)) if above else ()


def _rank(token: str) -> tuple[int, int, str]:
    return (0, int(token), "") if token.isdigit() else (1, len(token), token)


def _names(outline: Outline, nodes: Sequence[Node]) -> list[str]:
    names = (
        full_number(outline.rows[node.at].number, node.unit) if node.unit else label(outline.rows[node.at])
        for node in nodes
    )
    return list(dict.fromkeys(names))[:_NEAR]


def _top(outline: Outline) -> tuple[str, ...]:
    """The first names of the highest level that has several."""
    levels: dict[int, dict[str, None]] = {}
    for level, name in zip(outline.packed.level, outline.packed.names(), strict=True):
        levels.setdefault(level, {})[name.label] = None
    several = [level for level in sorted(levels) if len(levels[level]) > 1]
    return tuple(levels[several[0] if several else min(levels)])[:_NEAR] if levels else ()
