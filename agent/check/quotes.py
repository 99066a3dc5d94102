"""Is a quote evidence for a passage? Exact, equal after typographic normalisation, or not found."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from pincite.agent.check.alignment import GapCodes, Skeleton, alignments, extent, letters_of, plain, skeleton
from pincite.agent.check.boundaries import splits
from pincite.agent.check.characters import IGNORABLE, QUOTATION_MARKS, is_cjk
from pincite.agent.check.closest import closest_words
from pincite.agent.check.normalise import fold, mark_soft_breaks

__all__ = ["Match", "QuoteMatch", "closest_words", "find_quote", "normalise", "too_short"]

MIN_WORDS = 3
MIN_CHARACTERS = 10
MIN_CJK_LETTERS = 4

_ADDED = f"(?:[\\s…{''.join(map(re.escape, sorted(IGNORABLE | QUOTATION_MARKS)))}]|[.．](?:\\s?[.．]){{2,}})*"
_LEADING = re.compile(_ADDED)
_TRAILING_REVERSED = re.compile(f"{_ADDED}[.,;:。．，；：]?{_ADDED}")
_BLANKS = re.compile(f"[\\s{''.join(map(re.escape, sorted(IGNORABLE)))}]*")


class Match(StrEnum):
    """How a quote stands in a passage."""

    exact = "exact"
    normalized = "normalized"
    not_found = "not_found"


@dataclass(frozen=True, slots=True)
class QuoteMatch:
    """`start` and `end` are offsets into the original passage text, None when the quote was not found."""

    match: Match
    start: int | None
    end: int | None


_NOT_FOUND = QuoteMatch(Match.not_found, None, None)


def normalise(text: str) -> str:
    """The text in the form that quotes are compared in; a hyphen at a line's end is kept as a hyphen."""
    return plain(fold(text).text)


def too_short(quote: str) -> bool:
    """Too short to be evidence: below 3 words or 10 characters; for mostly Chinese or Japanese, 4 letters.

    Marks that may have been added at the ends do not count.
    """
    start, end = _without_added(quote)
    text = normalise(quote[start:end])
    counted = [char for char in text if char.isalnum()]
    if 2 * sum(map(is_cjk, counted)) >= len(counted) > 0:
        return len(counted) < MIN_CJK_LETTERS
    words = [word for word in text.split(" ") if any(map(str.isalnum, word))]
    return len(words) < MIN_WORDS or len(text) < MIN_CHARACTERS


def find_quote(quote: str, text: str) -> QuoteMatch:
    """The first place where the quote stands in the text without cutting a word or number at its ends.

    Literal: a fragment behind "not", or text of an injection, is found.
    """
    if too_short(quote):
        return _NOT_FOUND
    marked = mark_soft_breaks(text)
    at = text.find(quote)
    while at >= 0:
        if _whole(marked, at, at + len(quote)):
            return QuoteMatch(Match.exact, at, at + len(quote))
        at = text.find(quote, at + 1)
    folded = fold(text)
    codes = GapCodes()
    letters = letters_of(folded.text)
    wanted = [
        cased
        for variant in _variants(quote)
        for cased in _first_letter_cases(skeleton(fold(variant).text, codes))
        if cased.letters and cased.letters in letters
    ]
    if not wanted:
        return _NOT_FOUND
    offset, stop = extent(folded.text, letters, [candidate.letters for candidate in wanted])
    bones = skeleton(folded.text[offset:stop], codes)
    for candidate in wanted:
        for start, end in alignments(candidate, bones):
            if _whole(folded.text, offset + start, offset + end):
                return QuoteMatch(
                    Match.normalized, *_visible(text, *folded.span(offset + start, offset + end))
                )
    return _NOT_FOUND


def _whole(text: str, start: int, end: int) -> bool:
    return not splits(text, start, end=False) and not splits(text, end, end=True)


def _visible(text: str, start: int, end: int) -> tuple[int, int]:
    """The extent without invisible characters at its ends."""
    while start < end and text[start] in IGNORABLE:
        start += 1
    while start < end and text[end - 1] in IGNORABLE:
        end -= 1
    return start, end


def _variants(quote: str) -> Iterator[str]:
    """The quote with the marks at its ends kept or dropped; a mark kept is one that stands in the source."""
    start, end = _without_added(quote)
    bare_start, bare_end = _extent(quote, _BLANKS, _BLANKS)
    _, final_end = _extent(quote, _LEADING, _LEADING)
    variants = (quote[first:last] for first in (bare_start, start) for last in (bare_end, final_end, end))
    return iter(dict.fromkeys(variants))


def _without_added(quote: str) -> tuple[int, int]:
    """Where the quote stands without white space, ellipses, quotation marks, one final mark at its ends."""
    return _extent(quote, _LEADING, _TRAILING_REVERSED)


def _extent(quote: str, leading: re.Pattern[str], trailing_reversed: re.Pattern[str]) -> tuple[int, int]:
    first = leading.match(quote)
    last = trailing_reversed.match(quote[::-1])
    start = first.end() if first else 0
    return start, max(start, len(quote) - (last.end() if last else 0))


def _first_letter_cases(quote: Skeleton) -> Iterator[Skeleton]:
    """The quote, also with its first letter in the other case, unless a digit comes before (5 mW, 5 MW)."""
    yield quote
    at = next((i for i, char in enumerate(quote.letters) if char.isalnum()), 0)
    first = quote.letters[at : at + 1]
    for other in sorted({first.lower(), first.upper(), first.title()} - {first}):
        if len(other) == 1:
            yield replace(quote, letters=quote.letters[:at] + other + quote.letters[at + 1 :])
