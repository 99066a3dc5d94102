"""One ranking out of several: by scores, or by ranks alone."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from pincite.corpus.rows import ChunkHit

# With the version: while a document is being replaced, two legs may see two versions of one chunk.
Key = tuple[str, tuple[str, str, int, int]]
# By the hit's place among all that any leg found.
Scores = dict[int, float]

# Fitted on half of SciFact's training questions and of Cranfield, CISI, HotpotQA-100 and MuSiQue-100.
Z_WEIGHT = 0.3
SECTION_SHARE = 0.5
FLAT_WEIGHT = 0.5
FLAT_RANK = 10
COMMON_FALL = 0.7


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
    full = limit is not None and len(keyword) >= limit
    hits, (by_keyword, by_vector) = _together(keyword, vector)
    return _ranked(hits, _linear(range(len(hits)), by_keyword, by_vector, alpha, full=full), limit)


def _linear(places: Iterable[int], keyword: Scores, vector: Scores, alpha: float, *, full: bool) -> Scores:
    highest = max(keyword.values(), default=0.0)
    by_keyword = {at: score / highest if highest > 0 else 0.0 for at, score in keyword.items()}
    top, bottom = max(vector.values(), default=0.0), min(vector.values(), default=0.0)
    by_vector = {
        at: (score - bottom) / (top - bottom) if top > bottom else 1.0 for at, score in vector.items()
    }
    floor_keyword = min(by_keyword.values(), default=0.0) if full else 0.0
    floor_vector = min(by_vector.values(), default=0.0)
    return {
        at: (1 - alpha) * by_keyword.get(at, floor_keyword) + alpha * by_vector.get(at, floor_vector)
        for at in places
    }


def fuse_hybrid(
    keyword: Sequence[ChunkHit],
    vector: Sequence[ChunkHit],
    *,
    alpha: float = 0.5,
    limit: int | None = None,
    z_weight: float = Z_WEIGHT,
    section_share: float = SECTION_SHARE,
    flat_weight: float = FLAT_WEIGHT,
) -> list[ChunkHit]:
    """One ranking of at most `limit`, best first, scores from 0 to 1: what a search uses.

    `fuse_scores` and, with less weight, the same sum of z-scores, which follow how a leg's scores are spread
    and not only its best and last. A cosine is half the chunk's own and half the mean over what was found
    of its section: where several parts of a section fit, it is about the question. `alpha`, the weight of
    the vectors, is that of a common question: it grows where the keyword ranking is flat, because no word
    of the query tells chunks apart, and shrinks where few chunks stand out. A part whose weight is 0 is left
    out; without all three the order is that of `fuse_scores`.
    """
    hits, (by_keyword, by_vector) = _together(keyword, vector)
    by_vector = _with_section(hits, by_vector, section_share)
    alpha = _weight(keyword, alpha, flat_weight)
    # A dict keeps the order in which it was filled, and the sort of `_ranked` is stable.
    places = dict.fromkeys((*by_keyword, *sorted(by_vector, key=lambda at: -by_vector[at])))
    linear = _linear(places, by_keyword, by_vector, alpha, full=limit is not None and len(keyword) >= limit)
    by_keyword, by_vector = _z_scores(by_keyword), _z_scores(by_vector)
    least_keyword, least_vector = min(by_keyword.values(), default=0.0), min(by_vector.values(), default=0.0)
    sums = {
        at: score
        + z_weight
        * ((1 - alpha) * by_keyword.get(at, least_keyword) + alpha * by_vector.get(at, least_vector))
        for at, score in linear.items()
    }
    low, high = min(sums.values(), default=0.0), max(sums.values(), default=0.0)
    scores = {at: (value - low) / (high - low) if high > low else 1.0 for at, value in sums.items()}
    return _ranked(hits, scores, limit)


def _weight(keyword: Sequence[ChunkHit], alpha: float, flat_weight: float) -> float:
    """The vectors' weight for this query, from how far the keyword scores fall within the first ten."""
    if len(keyword) <= FLAT_RANK or keyword[0].score <= 0:
        return alpha
    fall = keyword[FLAT_RANK - 1].score / keyword[0].score
    return min(1.0, max(0.0, alpha + flat_weight * (fall - COMMON_FALL)))


def _z_scores(scores: Scores) -> Scores:
    """How many standard deviations each score lies above the mean of its ranking."""
    if not scores:
        return {}
    mean = sum(scores.values()) / len(scores)
    deviation = math.sqrt(sum((score - mean) ** 2 for score in scores.values()) / len(scores)) or 1.0
    return {at: (score - mean) / deviation for at, score in scores.items()}


def fuse_ranks(
    rankings: Sequence[Sequence[ChunkHit]], c: int = 60, limit: int | None = None
) -> list[ChunkHit]:
    """Reciprocal rank fusion: scores are sums of 1 / (c + rank), rank from 1; at most `limit`, best first.

    Source: Cormack, Clarke, Buettcher, "Reciprocal rank fusion outperforms Condorcet and individual rank
    learning methods", SIGIR 2009; c = 60 is theirs. Equal sums are ordered by the better rank in the
    earlier ranking, so the result depends on nothing but the rankings.
    """
    hits, numbered = _together(*rankings)
    scores = dict.fromkeys(range(len(hits)), 0.0)
    best: dict[int, tuple[int, int]] = {}
    for order, ranking in enumerate(numbered):
        for rank, at in enumerate(ranking, 1):
            scores[at] += 1.0 / (c + rank)
            known = best.get(at)
            if known is None or rank < known[0]:
                best[at] = (rank, known[1] if known else order)
    firsts = sorted(scores, key=lambda at: (best[at], _key(hits[at])))
    return _ranked(hits, {at: scores[at] for at in firsts}, limit)


def _together(*rankings: Sequence[ChunkHit]) -> tuple[list[ChunkHit], list[Scores]]:
    """All hits, each once, and the scores of each ranking by the place of the hit among them."""
    places: dict[Key, int] = {}
    hits: list[ChunkHit] = []
    numbered: list[Scores] = []
    for ranking in rankings:
        scores: Scores = {}
        for hit in ranking:
            at = places.setdefault(_key(hit), len(hits))
            if at == len(hits):
                hits.append(hit)
            scores[at] = hit.score
        numbered.append(scores)
    return hits, numbered


def _with_section(hits: Sequence[ChunkHit], vector: Scores, share: float) -> Scores:
    """Each chunk's score, `share` of it the mean over the chunks of its section in this ranking."""
    section = {at: (hits[at].version, hits[at].document, hits[at].section) for at in vector}
    scores: dict[tuple[str, str, str], list[float]] = {}
    for at, score in vector.items():
        scores.setdefault(section[at], []).append(score)
    means = {key: sum(values) / len(values) for key, values in scores.items()}
    return {at: (1 - share) * score + share * means[section[at]] for at, score in vector.items()}


def _key(hit: ChunkHit) -> Key:
    return hit.version, hit.key


def _ranked(hits: Sequence[ChunkHit], scores: Scores, limit: int | None) -> list[ChunkHit]:
    ordered = sorted(scores, key=lambda at: -scores[at])
    return [hits[at].scored(scores[at]) for at in ordered[:limit]]
