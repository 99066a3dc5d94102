"""Words that hardly any chunk has are also looked for as if they were misspelt."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pincite.corpus.rows import ChunkHit

# Fewer hits than this are thin; only words of so many letters are taken for misspelt ones.
_THIN = 3
_LETTERS = range(5, 40)


def with_misspelt(
    words: Sequence[str], exact: list[ChunkHit], similar: Callable[[Sequence[str]], list[ChunkHit]], k: int
) -> list[ChunkHit]:
    """The exact hits, and where they are thin those of `similar` words behind them, with lower scores."""
    if len(exact) >= min(_THIN, k):
        return exact
    known = {hit.key for hit in exact}
    long = [word for word in words if len(word) in _LETTERS and word.isalpha()]
    like = [hit for hit in similar(long) if hit.key not in known]
    if not like:
        return exact
    below = (exact[-1].score if exact else like[0].score) / (2 * like[0].score)
    return [*exact, *(hit.scored(below * hit.score) for hit in like)][:k]
