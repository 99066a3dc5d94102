"""Words that hardly any chunk has are also looked for as if they were misspelt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from unicodedata import normalize

from pincite.corpus.rows import ChunkHit

# Fewer hits than this are thin; only words of so many letters are taken for misspelt ones.
_THIN = 3
_LETTERS = range(5, 21)
# Finding what is like one word of 20 letters takes about 5 ms, and with its length it takes ever longer
# until the engine refuses: neither may hold up a search.
_MOST_WORDS = 16


def with_misspelt(
    words: Sequence[str], exact: list[ChunkHit], similar: Callable[[Sequence[str]], list[ChunkHit]], k: int
) -> list[ChunkHit]:
    """The exact hits, and where they are thin those of `similar` words behind them, with lower scores.

    `similar` gets words as the index holds them, in lower case and without accents.
    """
    if len(exact) >= min(_THIN, k):
        return exact
    known = {hit.key for hit in exact}
    like = [hit for hit in similar(_looked_for(words)) if hit.key not in known]
    if not like:
        return exact
    below = (exact[-1].score if exact else like[0].score) / (2 * like[0].score)
    return [*exact, *(hit.scored(below * hit.score) for hit in like)][:k]


def _looked_for(words: Sequence[str]) -> list[str]:
    """The first of the words that may be misspelt ones, each once."""
    long = (_as_indexed(word) for word in words if len(word) in _LETTERS and word.isalpha())
    return list(islice(dict.fromkeys(long), _MOST_WORDS))


def _as_indexed(word: str) -> str:
    lower = word.lower()
    plain = normalize("NFKD", lower).encode("ascii", "ignore").decode()
    return plain if len(plain) == len(lower) else lower
