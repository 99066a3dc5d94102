"""The best rows of a leg, the same ones every time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

from pincite.corpus.rows import ChunkHit

# Beyond those asked for: a tie across the cut is seen, and what single precision ranks too low is there.
SPARE = 16
# So many texts tell how a word is written.
_TEXTS = 200


class Found(NamedTuple):
    """One row that a leg found: its score, what orders equal scores, and how to make it a hit."""

    score: float
    order: tuple[str, int] | int
    hit: Callable[[float], ChunkHit]


def best_hits(first: Callable[[int], Sequence[Found]], k: int) -> list[ChunkHit]:
    """The `k` best hits, best first; ties are broken by document and position.

    `first` gives so many of the leg's rows, in an order that may differ among equals.
    """
    wanted = k + SPARE
    while k > 0:
        ranked = sorted(first(wanted), key=lambda found: (-found.score, found.order))
        # a tie across the cut: only with all of it at hand is the choice the same every time
        if len(ranked) < wanted or ranked[k - 1].score != ranked[-1].score:
            return [found.hit(found.score) for found in ranked[:k]]
        wanted *= 4
    return []


def cosines(vectors: np.ndarray, query: np.ndarray) -> np.ndarray:
    """The cosine of each row with the query, in double precision; 0 where a vector is all zeros.

    A row's cosine depends on nothing but the row: equal vectors have equal ones, however they were found.
    """
    import numpy as np

    rows, wanted = vectors.astype(np.float64), query.astype(np.float64)
    products = np.einsum("ij,j->i", rows, wanted)
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows) * np.einsum("j,j->", wanted, wanted))
    found: np.ndarray = np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0)
    return found


def matching(texts: pa.ChunkedArray, pattern: str) -> list[str]:
    """The first texts in which a pattern of RE2 is found."""
    import pyarrow.compute as pc

    found: list[str] = texts.filter(pc.match_substring_regex(texts, pattern))[:_TEXTS].to_pylist()
    return found
