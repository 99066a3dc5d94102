"""One ranking out of several: by scores, or by ranks alone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from pincite.corpus.rows import ChunkHit

# With the version: while a document is being replaced, two legs may see two versions of one chunk.
Key = tuple[str, tuple[str, str, int, int]]
Scores = dict[Key, float]

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
    hits = {_key(hit): hit for hit in (*keyword, *vector)}
    return _ranked(hits, _linear(hits, _scores(keyword), _scores(vector), alpha, full=full), limit)


def _linear(
    hits: Mapping[Key, ChunkHit], keyword: Scores, vector: Scores, alpha: float, *, full: bool
) -> Scores:
    highest = max(keyword.values(), default=0.0)
    by_keyword = {key: score / highest if highest > 0 else 0.0 for key, score in keyword.items()}
    top, bottom = max(vector.values(), default=0.0), min(vector.values(), default=0.0)
    by_vector = {
        key: (score - bottom) / (top - bottom) if top > bottom else 1.0 for key, score in vector.items()
    }
    floor_keyword = min(by_keyword.values(), default=0.0) if full else 0.0
    floor_vector = min(by_vector.values(), default=0.0)
    return {
        key: (1 - alpha) * by_keyword.get(key, floor_keyword) + alpha * by_vector.get(key, floor_vector)
        for key in hits
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
    by_keyword, by_vector = _scores(keyword), _with_section(vector, section_share)
    alpha = _weight(keyword, alpha, flat_weight)
    # A dict keeps the order in which it was filled, and the sort of `_ranked` is stable.
    hits = {_key(hit): hit for hit in (*keyword, *vector)}
    hits = {key: hits[key] for key in (*by_keyword, *sorted(by_vector, key=lambda key: -by_vector[key]))}
    linear = _linear(hits, by_keyword, by_vector, alpha, full=limit is not None and len(keyword) >= limit)
    by_keyword, by_vector = _z_scores(by_keyword), _z_scores(by_vector)
    least_keyword, least_vector = min(by_keyword.values(), default=0.0), min(by_vector.values(), default=0.0)
    sums = {
        key: score
        + z_weight
        * ((1 - alpha) * by_keyword.get(key, least_keyword) + alpha * by_vector.get(key, least_vector))
        for key, score in linear.items()
    }
    low, high = min(sums.values(), default=0.0), max(sums.values(), default=0.0)
    scores = {key: (value - low) / (high - low) if high > low else 1.0 for key, value in sums.items()}
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
    return {key: (score - mean) / deviation for key, score in scores.items()}


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


def _scores(ranking: Sequence[ChunkHit]) -> Scores:
    return {_key(hit): hit.score for hit in ranking}


def _with_section(vector: Sequence[ChunkHit], share: float) -> Scores:
    """Each chunk's score, `share` of it the mean over the chunks of its section in this ranking."""
    sections: dict[tuple[str, str, str], list[float]] = {}
    for hit in vector:
        sections.setdefault((hit.version, hit.document, hit.section), []).append(hit.score)
    means = {section: sum(scores) / len(scores) for section, scores in sections.items()}
    return {
        _key(hit): (1 - share) * hit.score + share * means[hit.version, hit.document, hit.section]
        for hit in vector
    }


def _key(hit: ChunkHit) -> Key:
    return hit.version, hit.key


def _ranked(hits: dict[Key, ChunkHit], scores: dict[Key, float], limit: int | None) -> list[ChunkHit]:
    ordered = sorted(hits, key=lambda key: -scores[key])
    return [hits[key].scored(scores[key]) for key in ordered[:limit]]
