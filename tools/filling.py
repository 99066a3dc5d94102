"""Filling a call's tokens with passages: in the order of the ranking, or by worth where not all have room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pincite.tools.context import Context
from pincite.tools.showing import Showing
from pincite.tools.widen import widen
from pincite.tools.worth import Hit, Worth

# A rest of room smaller than this is left to the next call.
LEAST = 60


class Collected(NamedTuple):
    """What is shown, where to go on, and which hits behind that place are shown already."""

    showing: Showing
    behind: int
    taken: frozenset[int]


def collect(
    context: Context,
    queries: Sequence[str],
    hits: Sequence[Hit],
    first: int,
    limit: int,
    *,
    taken: frozenset[int] = frozenset(),
) -> Collected:
    """At most `limit` of the hits from `first` on, without those `taken`, each with what stands around it."""
    showing = Showing(context)
    at = first
    while at < len(hits) and (len(showing) < limit or at in taken):
        if at not in taken and not showing.add(widen(*hits[at], context.limits.passage_tokens)):
            return _fill(context, queries, hits, first, limit, taken=taken)
        at += 1
    return Collected(showing, at, taken)


def _fill(
    context: Context,
    queries: Sequence[str],
    hits: Sequence[Hit],
    first: int,
    limit: int,
    *,
    taken: frozenset[int],
) -> Collected:
    """What adds most for its tokens where not all has room; to go on with the first that was passed over.

    The best hit is always shown, and that of each query in their first call: none is passed over for ever.
    """
    showing = Showing(context)
    candidates = {at: hits[at] for at in range(first, len(hits)) if at not in taken}
    worth = Worth(candidates, queries, context.limits.passage_tokens)
    sure = first + 1 if first else len(queries)
    left = set(candidates)
    passed = set()
    while left and len(showing) < limit and (showing.room >= LEAST or not len(showing)):
        at = min(left)
        if at >= sure:
            at = worth.best(left, showing.room)
        left.remove(at)
        passage = widen(*hits[at], context.limits.passage_tokens)
        if not showing.add(passage, at):
            rest = showing.room_for(passage)
            passage = widen(*hits[at], max(rest, LEAST))
            if rest < LEAST or not showing.add(passage, at):
                passed.add(at)
                continue
        worth.take(at, passage)
    behind = min(left | passed, default=len(hits))
    return Collected(showing, behind, taken | (candidates.keys() - left - passed))
