"""An estimate of cl100k_base's token count, for when its vocabulary is not at hand and for caps.

cl100k_base splits text into words, digits in threes, runs of signs and runs of spaces, then words into
pieces it knows. English words are almost all one piece whatever their length; words of other languages in
Latin letters take a piece per three or four letters; other scripts have a rate per character. The rates
below hold a margin: the estimate is meant to be above the count.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from functools import lru_cache
from itertools import pairwise
from math import ceil

# A space before a digit is a token of its own; before a word or a sign it is part of that.
_PART = re.compile(r"([^\W\d_]{1,64})|(\d{1,60})|((?:[^\w\s]|_){1,64})|\s{2,32}|[\n\t]|\s(?=\d)")
_ENGLISH_WORDS = (
    "the of and to in or a any shall for by with that this be is as from such not which it an are was "
    "at will may has have been its"
)
_KNOWN_WORDS = (
    "der die das und ist den dem des ein eine von zu mit auf für nicht sich im de la le les et du en une un "
    "dans que qui pour par el los las del por una il di che della"
)
_ENGLISH = frozenset(_ENGLISH_WORDS.split())
_KNOWN = frozenset(_KNOWN_WORDS.split())
# From these shares of function words on, all words are taken to be of that language.
_ENGLISH_SHARE = 0.2
_KNOWN_SHARE = 0.2
_MARGIN = 1.09

# (first code point, tokens per character), in order.
_RATES = (
    (0x0080, 1.1),  # Latin letters with marks, and typographic signs of Latin-1
    (0x0370, 1.05),  # Greek
    (0x0400, 0.6),  # Cyrillic
    (0x0530, 2.1),  # Armenian
    (0x0590, 1.2),  # Hebrew
    (0x0600, 0.87),  # Arabic
    (0x0700, 2.2),
    (0x0900, 1.25),  # Devanagari
    (0x0980, 1.7),
    (0x0E00, 1.15),  # Thai
    (0x0E80, 2.3),
    (0x1E00, 1.3),  # Latin letters with two marks, Greek with breathings
    (0x2000, 1.0),  # typographic signs
    (0x2070, 2.2),  # mathematical and other signs
    (0x2500, 1.2),
    (0x2600, 2.3),
    (0x3000, 1.15),  # kana
    (0x3400, 1.38),  # Chinese characters
    (0xA000, 2.2),
    (0xAC00, 1.35),  # Hangul
    (0xD7B0, 2.2),
    (0xFF00, 1.3),  # full-width forms
    (0xFFF0, 2.0),
    (0x10000, 3.2),  # emoji and rare scripts
)
_STARTS = tuple(start for start, _ in _RATES)


def estimate_tokens(text: str) -> int:
    """About how many cl100k_base tokens `text` has: deterministic, linear, rarely below the real count."""
    words = english = known = 0
    fixed = as_english = as_known = as_other = 0.0
    for (word, digits, signs), n in Counter(_PART.findall(text)).items():
        if word:
            costs = _word(word)
            words += n
            as_english += n * costs[0]
            as_known += n * costs[1]
            as_other += n * costs[2]
            lower = word.lower()
            english += n * (lower in _ENGLISH)
            known += n * (lower in _KNOWN)
        elif digits:
            fixed += n * ceil(len(digits) / 3)
        elif signs:
            fixed += n * _signs(signs)
        else:
            fixed += n
    of_english = min(1.0, english / (_ENGLISH_SHARE * words)) if words else 0.0
    of_known = min(1.0 - of_english, known / (_KNOWN_SHARE * words)) if words else 0.0
    of_other = 1.0 - of_english - of_known
    return ceil(_MARGIN * (fixed + of_english * as_english + of_known * as_known + of_other * as_other))


@lru_cache(maxsize=1 << 15)
def _word(word: str) -> tuple[float, float, float]:
    """Tokens of a run of letters: in English, in a language half known, in any other."""
    n = len(word)
    if not word.isascii():
        fixed = sum(_rate(character) for character in word if character >= "\x80")
        ascii_letters = sum(character < "\x80" for character in word)
        known, other = fixed + 0.25 * ascii_letters, fixed + 0.38 * ascii_letters
        return (known, known, other) if ascii_letters else (fixed, fixed, fixed)
    if word.islower():
        return 1.0 + 0.035 * max(0, n - 4), max(1.0, 0.29 * n), max(1.0, 0.39 * n)
    if word[1:].islower():
        return 1.0 + 0.1 * max(0, n - 3), max(1.0, 0.3 * n), max(1.0, 0.39 * n)
    upper = 1.0 + 0.36 * max(0, n - 2)
    return upper, upper, upper


@lru_cache(maxsize=1 << 12)
def _signs(signs: str) -> float:
    """Tokens of a run of signs, marks and symbols."""
    if signs.isascii():
        repeats = sum(left == right for left, right in pairwise(signs))
        return max(1.0, 0.55 * (len(signs) - repeats) + 0.4 * min(repeats, 3) + 0.1 * max(0, repeats - 3))
    return sum(_rate(character) for character in signs)


def _rate(character: str) -> float:
    """Tokens per character, by script."""
    if character < "\x80":
        return 0.6
    return _RATES[bisect_right(_STARTS, ord(character)) - 1][1]
