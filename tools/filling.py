"""Filling a call's tokens with passages: in the order of the ranking, or by worth where not all have room."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.tools.context import Context
from pincite.tools.showing import Showing
from pincite.tools.widen import widen
from pincite.tools.worth import Hit, Worth

# A rest of room smaller than this is left to the next call.
LEAST = 60


def collect(
    context: Context, queries: Sequence[str], hits: Sequence[Hit], first: int, limit: int
) -> tuple[Showing, int]:
    """The hits from `first` on, each with what stands around it, until there are `limit`; where to go on."""
    showing = Showing(context)
    at = first
    while at < len(hits) and len(showing) < limit:
        if not showing.add(widen(*hits[at], context.limits.passage_tokens)):
            return _fill(context, queries, hits, first, limit)
        at += 1
    return showing, at


def _fill(
    context: Context, queries: Sequence[str], hits: Sequence[Hit], first: int, limit: int
) -> tuple[Showing, int]:
    """What adds most for its tokens where not all has room; to go on with the first that was passed over.

    The best hit is always shown, and that of each query in their first call: none is passed over for ever.
    """
    showing = Showing(context)
    candidates = {at: hits[at] for at in range(first, len(hits))}
    worth = Worth(candidates, queries, context.limits.passage_tokens)
    sure = first + 1 if first else len(queries)
    left = set(candidates)
    passed = []
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
                passed.append(at)
                continue
        worth.take(at, passage)
    return showing, min(left.union(passed), default=len(hits))
