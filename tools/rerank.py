"""Reordering the first candidates with a reranker, for as long as there is time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from pincite.corpus.rows import ChunkHit
from pincite.tools.sources import Reranker

# Texts of one call: few enough to stop in time, enough to be worth a batch.
BLOCK = 8


def rerank(
    reranker: Reranker,
    query: str,
    hits: Sequence[ChunkHit],
    number: int,
    *,
    seconds: float,
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[list[ChunkHit], int]:
    """The ranking with its first `number` hits reordered, and how many of them were read.

    They are read in blocks, the best first. A block that would not be done within `seconds`, going by
    the one before, is not begun: what was not read keeps its order behind what was, on the same scale.
    The first block is always read. Raises ValueError when the scores are not one for each text.
    """
    started = clock()
    chosen = hits[:number]
    read: list[ChunkHit] = []
    while len(read) < len(chosen):
        block, begun = chosen[len(read) : len(read) + BLOCK], clock()
        scores = reranker.score(query, [f"{hit.label}\n{hit.text}" for hit in block])
        if len(scores) != len(block):
            raise ValueError(f"{len(scores)} scores for {len(block)} texts")
        read += [hit.scored(float(score)) for hit, score in zip(block, scores, strict=True)]
        now = clock()
        if (now - started) + (now - begun) > seconds:
            break
    return [*sorted(read, key=lambda hit: -hit.score), *_behind(read, hits)], len(read)


def _behind(read: Sequence[ChunkHit], hits: Sequence[ChunkHit]) -> list[ChunkHit]:
    """What the reranker did not read, in its order, below everything that it did."""
    rest = hits[len(read) :]
    if not rest or not read:
        return list(rest)
    lowest = min(hit.score for hit in read)
    highest = max(hit.score for hit in hits)
    return [hit.scored(lowest - 1 - (highest - hit.score)) for hit in rest]
