"""Reciprocal rank fusion of several rankings into one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pincite.corpus.rows import ChunkHit


def fuse(rankings: Sequence[Sequence[ChunkHit]], c: int = 60, limit: int | None = None) -> list[ChunkHit]:
    """One ranking of at most `limit`, best first, whose scores are sums of 1 / (c + rank), rank from 1.

    Source: Cormack, Clarke, Buettcher, "Reciprocal rank fusion outperforms Condorcet and individual rank
    learning methods", SIGIR 2009; c = 60 is theirs. Equal sums are ordered by the better rank in the
    earlier ranking, so the result depends on nothing but the rankings.
    """
    scores: dict[tuple[str, str, int, int], float] = {}
    best: dict[tuple[str, str, int, int], tuple[ChunkHit, int, int]] = {}
    for order, ranking in enumerate(rankings):
        for rank, hit in enumerate(ranking, 1):
            scores[hit.key] = scores.get(hit.key, 0.0) + 1.0 / (c + rank)
            known = best.get(hit.key)
            if known is None or rank < known[1]:
                best[hit.key] = (hit, rank, known[2] if known else order)
    ordered = sorted(scores, key=lambda key: (-scores[key], best[key][1:], key))
    return [replace(best[key][0], score=scores[key]) for key in ordered[:limit]]
