"""Longer English numbers in words (sixty-four, half a million) and what they are worth."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_SMALL_WORDS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_TEN_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
_GERMAN_UNIT_WORDS = "ein zwei drei vier fünf sechs sieben acht neun"
_GERMAN_TEN_WORDS = "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig"
_FRENCH_UNIT_WORDS = "un deux trois quatre cinq six sept huit neuf"


def _counted(words: str, first: int = 1, step: int = 1) -> dict[str, int]:
    return {word: step * value for value, word in enumerate(words.split(), start=first)}


_SMALL = _counted(_SMALL_WORDS)
_TENS = _counted(_TEN_WORDS, 2, 10)
_SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_PART = "|".join([*_SMALL, *_TENS, *_SCALES])
_CHAIN = re.compile(
    rf"(?<![^\W_])(?<![0-9] )(?<![0-9]-)(?:(?P<half>half an? |half-)|an? )?"
    rf"(?P<words>(?:{_PART})(?:(?:\s?-\s?|\s+and\s+|\s+)(?:{_PART}))*)(?![^\W_])",
    re.IGNORECASE,
)
_GERMAN_UNITS = _counted(_GERMAN_UNIT_WORDS)
_GERMAN_TENS = _counted(_GERMAN_TEN_WORDS, 2, 10)
_GERMAN = re.compile(
    rf"(?<![^\W_])(?:({'|'.join(_GERMAN_UNITS)})und)?({'|'.join(_GERMAN_TENS)}|dreissig)(?![^\W_])",
    re.IGNORECASE,
)
_FRENCH = re.compile(
    r"(?<![^\W_])(vingt|trente|quarante|cinquante|soixante)(?:[\s-](?:et[\s-])?"
    r"(une?|deux|trois|quatre|cinq|six|sept|huit|neuf))?(?![^\W_])",
    re.IGNORECASE,
)
_FRENCH_TENS = {"vingt": 20, "trente": 30, "quarante": 40, "cinquante": 50, "soixante": 60}
_FRENCH_UNITS = _counted(_FRENCH_UNIT_WORDS)


@dataclass(frozen=True, slots=True)
class Written:
    """A number in words at [start, end) of a text, and its value."""

    start: int
    end: int
    value: int


def written_numbers(text: str) -> Iterator[Written]:
    """English numbers in words above twenty; those that read in no one way are left out."""
    for found in _CHAIN.finditer(text):
        words = [word for word in re.split(r"[\s-]+", found["words"].lower()) if word != "and"]
        value = _value(words)
        if value is None or _ordinal_follows(text[found.end() :]):
            continue
        if found["half"]:
            if words[0] not in _SCALES or value % 2:
                continue
            value //= 2
        if value > 20:
            yield Written(found.start(), found.end(), value)


def other_values(text: str) -> Iterator[int]:
    """What German and French numbers in words from twenty to ninety-nine are worth, for sources."""
    for found in _GERMAN.finditer(text):
        unit, ten = (found[1] or "").lower(), found[2].lower().replace("dreissig", "dreißig")
        yield _GERMAN_UNITS.get(unit, 0) + _GERMAN_TENS[ten]
    for found in _FRENCH.finditer(text):
        yield _FRENCH_TENS[found[1].lower()] + _FRENCH_UNITS.get(
            (found[2] or "").lower().replace("une", "un"), 0
        )


def _ordinal_follows(rest: str) -> bool:
    """Whether the number goes on as an ordinal or a fraction: twenty-first, thirty thirds."""
    return (
        re.match(r"[\s-](?:first|second|third|[a-z]+ths?\b|quarters?\b|hal(?:f|ves)\b|point\b)", rest, re.I)
        is not None
    )


def _value(words: list[str]) -> int | None:
    """The value of number words; None for those that are several numbers, such as a year."""
    total = group = 0
    last = 10**15
    for word in words:
        if word in _SCALES:
            power = 10 ** _SCALES[word]
            if word == "hundred":
                if group >= 10:
                    return None
                group = max(1, group) * 100
                continue
            if power >= last:
                return None
            total, group, last = total + max(1, group) * power, 0, power
            continue
        number = _SMALL.get(word) or _TENS[word]
        rest = group % 100
        fits = rest == 0 or (rest >= 20 and rest % 10 == 0 and number < 10)
        if not fits:
            return None
        group += number
    return total + group
