"""One ranking out of several: by scores, or by ranks alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pincite.corpus.rows import ChunkHit

# With the version: while a document is being replaced, two legs may see two versions of one chunk.
Key = tuple[str, tuple[str, str, int, int]]


def fuse_scores(
    keyword: Sequence[ChunkHit], vector: Sequence[ChunkHit], *, alpha: float = 0.5, limit: int | None = None
) -> list[ChunkHit]:
    """One ranking of at most `limit`, best first: alpha x vector + (1 - alpha) x keyword, from 0 to 1.

    BM25 scores are divided by the highest (its theoretical minimum is 0, so a clear lead stays one: an
    exact code that one chunk holds); cosines are stretched from their lowest to their highest (their
    differences matter, not their level). A chunk that only one leg found gets the other's lowest score, or
    0 by keyword where that ranking is not full: then it shares no word with the query.
    Source of the normalisations: Bruch, Gai, Ingber, "An analysis of fusion functions for hybrid
    retrieval", ACM TOIS 2023. Equal sums are ordered by the keyword rank, then the vector rank.
    """
    highest = max((hit.score for hit in keyword), default=0.0)
    by_keyword = {_key(hit): hit.score / highest if highest > 0 else 0.0 for hit in keyword}
    top = max((hit.score for hit in vector), default=0.0)
    bottom = min((hit.score for hit in vector), default=0.0)
    by_vector = {_key(hit): (hit.score - bottom) / (top - bottom) if top > bottom else 1.0 for hit in vector}
    full = limit is not None and len(keyword) >= limit
    floor_keyword = min(by_keyword.values(), default=0.0) if full else 0.0
    floor_vector = min(by_vector.values(), default=0.0)
    # A dict keeps the order in which it was filled, and the sort below is stable.
    hits = {_key(hit): hit for hit in (*keyword, *vector)}
    scores = {
        key: (1 - alpha) * by_keyword.get(key, floor_keyword) + alpha * by_vector.get(key, floor_vector)
        for key in hits
    }
    return _ranked(hits, scores, limit)


def fuse_ranks(
    rankings: Sequence[Sequence[ChunkHit]], c: int = 60, limit: int | None = None
) -> list[ChunkHit]:
    """Reciprocal rank fusion: scores are sums of 1 / (c + rank), rank from 1; at most `limit`, best first.

    Source: Cormack, Clarke, Buettcher, "Reciprocal rank fusion outperforms Condorcet and individual rank
    learning methods", SIGIR 2009; c = 60 is theirs. Equal sums are ordered by the better rank in the
    earlier ranking, so the result depends on nothing but the rankings.
    """
    scores: dict[Key, float] = {}
    best: dict[Key, tuple[ChunkHit, int, int]] = {}
    for order, ranking in enumerate(rankings):
        for rank, hit in enumerate(ranking, 1):
            scores[_key(hit)] = scores.get(_key(hit), 0.0) + 1.0 / (c + rank)
            known = best.get(_key(hit))
            if known is None or rank < known[1]:
                best[_key(hit)] = (hit, rank, known[2] if known else order)
    hits = {key: best[key][0] for key in sorted(scores, key=lambda key: (best[key][1:], key))}
    return _ranked(hits, scores, limit)


def _key(hit: ChunkHit) -> Key:
    return hit.version, hit.key


def _ranked(hits: dict[Key, ChunkHit], scores: dict[Key, float], limit: int | None) -> list[ChunkHit]:
    ordered = sorted(hits, key=lambda key: -scores[key])
    return [replace(hits[key], score=scores[key]) for key in ordered[:limit]]
