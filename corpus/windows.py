"""Windows: what stands in for sections where a text has no headings.

Borders are chosen by content (the paragraph end whose text has the smallest hash within reach), so an edit
in one place moves the borders near it and leaves those further on where they were.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import accumulate

LEAST = 500
MOST = 1100
TITLE_WORDS = 8
TITLE_CHARS = 80
PARAGRAPH_END = re.compile(r"\n[^\S\n]*\n\s*")
SENTENCE_END = re.compile(r"(?:[.!?…][\"'”’»)\]]*\s+|[。！？]|\n)")
SPACE = re.compile(r"\s+")
ROW_END = re.compile(r"\n")
PATTERNS = (PARAGRAPH_END, SENTENCE_END, SPACE)


@dataclass(frozen=True, slots=True)
class _Piece:
    """Text up to a place where a window may end; a lower `rank` is a better place."""

    end: int
    tokens: int
    rank: int
    order: bytes


def window_spans(
    text: str, end: int, *, count: Callable[[str], int], tables: Sequence[tuple[int, int]] = ()
) -> list[tuple[int, int]]:
    """Spans of 500 to 1,100 tokens that cover the first `end` characters, cut at paragraph ends and
    between the rows of `tables`, else at sentence ends, at spaces, or anywhere. One span when the text is
    too short for two.

    Spans have no white space at their ends.
    """
    pieces = list(_Cutter(text, count, tables).paragraphs(end))
    ends = list(accumulate(piece.tokens for piece in pieces))
    spans: list[tuple[int, int]] = []
    at, done, begin = 0, 0, 0
    while at < len(pieces):
        last = len(pieces) - 1
        if ends[-1] - done > MOST:
            low = max(bisect_left(ends, done + LEAST, lo=at), at)
            high = max(bisect_right(ends, done + MOST, lo=at) - 1, low)
            last = min(range(low, min(high, last) + 1), key=lambda n: (pieces[n].rank, pieces[n].order, n))
        body = text[begin : pieces[last].end]
        stripped = body.strip()
        if stripped:
            left = begin + len(body) - len(body.lstrip())
            spans.append((left, left + len(stripped)))
        begin, done, at = pieces[last].end, ends[last], last + 1
    return spans


def window_title(body: str) -> str:
    """The first words of a window, as its title."""
    words = body[: TITLE_CHARS * 3].split()
    title = " ".join(words[:TITLE_WORDS])[:TITLE_CHARS].strip()
    return title if len(title) >= len(body.strip()) else f"{title}…"


class _Cutter:
    """Cuts a text into pieces of at most 600 tokens: with those, some piece ends within a window's bounds."""

    def __init__(self, text: str, count: Callable[[str], int], tables: Sequence[tuple[int, int]]) -> None:
        self._text = text
        self._count = count
        self._tables = tables

    def paragraphs(self, end: int) -> Iterator[_Piece]:
        """Pieces that end with paragraphs or rows, and with smaller things where one is too long."""
        at = 0
        for start, stop in self._tables:
            if at < start < stop <= end:
                yield from self._cut(at, start, PATTERNS, 0)
                at = start
            if at == start and stop <= end:
                yield from self._cut(start, stop, (ROW_END, *PATTERNS[1:]), 0)
                at = stop
        if at < end:
            yield from self._cut(at, end, PATTERNS, 0)

    def _cut(self, start: int, end: int, patterns: Sequence[re.Pattern[str]], rank: int) -> Iterator[_Piece]:
        at = start
        for stop in self._ends(patterns[0], start, end):
            tokens = self._count(self._text[at:stop])
            if tokens <= MOST - LEAST:
                yield self._piece(at, stop, tokens, rank)
            elif len(patterns) > 1:
                yield from self._cut(at, stop, patterns[1:], rank + 1)
            else:
                yield from self._slices(at, stop, tokens)
            at = stop

    def _slices(self, start: int, end: int, tokens: int) -> Iterator[_Piece]:
        """Equal pieces of text that has no place to cut; the size follows from its tokens per character."""
        size = max(1, (end - start) * (MOST - LEAST) // (2 * tokens))
        for at in range(start, end, size):
            stop = min(end, at + size)
            yield self._piece(at, stop, max(1, tokens * (stop - at) // (end - start)), len(PATTERNS))

    def _ends(self, pattern: re.Pattern[str], start: int, end: int) -> Iterator[int]:
        for match in pattern.finditer(self._text, start, end):
            if match.end() < end:
                yield match.end()
        yield end

    def _piece(self, start: int, end: int, tokens: int, rank: int) -> _Piece:
        words = self._text[start:end].strip().encode("utf-8", "replace")
        return _Piece(end, tokens, rank, blake2b(words, digest_size=8).digest())
