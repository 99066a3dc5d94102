"""Units and scales beside numbers: percent, basis points, currencies, thousands, millions and so on.

A number of a statement must stand in a source with a unit that agrees. Where a source leaves the unit out
beside the number, as tables do, it may say it anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

PERCENT, POINTS = "percent", "basis points"

_PERCENT = (
    r"[%٪％]|per\s?cent(?:age)?s?\b|pct\b|prozent|pour\s?cent|por\s?ciento|per\s?cento|procent|процент|"
    r"パーセント|퍼센트|प्रतिशत|بالمئة|بالمائة|في المئة|百分"
)
_POINTS = r"basis[\s-]points?\b|bps?\b|basispunkte?n?\b|points? de base\b"
_CURRENCIES = {
    "eur": r"€|\beur\b|\beuros?\b",
    "gbp": r"£|\bgbp\b|\bpounds?\b|\blbs?\b|\bsterling\b|\bpence\b",
    "usd": r"\$|\b(?:usd|cad|aud|nzd|sgd|hkd)\b|\bdollars?\b|\bcents?\b",
    "yen": r"[¥￥円元]|\b(?:jpy|cny|rmb|yen|yuan|renminbi)\b",
    "chf": r"\bchf\b|\bsfr\b|\b(?:swiss )?franc[s]?\b|\bfranken\b|\bfr\.",
    "inr": r"₹|\binr\b|\brupees?\b|\brs\.",
    "crown": r"\b(?:sek|nok|dkk|isk|czk)\b|\bcrowns?\b|\bkron[aeo]r?\b|\bkr\b|kč",
    "pln": r"\bpln\b|zł|\bzloty",
    "krw": r"₩|\bkrw\b",
}
_CURRENCY = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _CURRENCIES.items()}
_ANY_CURRENCY = "|".join(_CURRENCIES.values())
_SCALES = {
    3: r"thousands?\b|tausend\b|mille\b|tsd\b|['’]000\b",
    5: r"lakhs?\b",
    6: r"millions?\b|millionen\b|millones\b|milioni\b|mio\b|mn\b|mln\b",
    7: r"crores?\b",
    9: r"billions?\b|milliard(?:s|en|e)?\b|mrd\b|bn\b|mld\b",
    12: r"trillions?\b|billionen\b|tn\b",
}
# Only beside a currency: otherwise m is metres.
_LETTERS = {3: r"k\b", 6: r"m\b", 9: r"b\b"}
_ANY_SCALE = re.compile("|".join(rf"(?<![^\W\d_])(?:{one})" for one in _SCALES.values()), re.IGNORECASE)
_BEFORE = re.compile(rf"(?:{_ANY_CURRENCY})\s?\Z", re.IGNORECASE)
_AFTER_CURRENCY = re.compile(rf"[\s-]?(?:of |d'|d’|de )?(?:{_ANY_CURRENCY})", re.IGNORECASE)
_AFTER_PERCENT = re.compile(rf"[\s-]{{0,2}}(?:{_PERCENT})", re.IGNORECASE)
_AFTER_POINTS = re.compile(rf"[\s-]{{0,2}}(?:{_POINTS})", re.IGNORECASE)
_HAS_PERCENT = re.compile(_PERCENT, re.IGNORECASE)
_HAS_POINTS = re.compile(rf"\b(?:{_POINTS})", re.IGNORECASE)
_OTHER_SCRIPT = re.compile(r"\s?[^\W\d_\u0000-\u024f]")


@dataclass(frozen=True, slots=True)
class Unit:
    """What stands beside a number: PERCENT or POINTS or "", a power of ten (0 for none), currencies.

    `foreign` when a word in a script that we do not read follows.
    """

    share: str = ""
    scale: int = 0
    currencies: frozenset[str] = frozenset()
    foreign: bool = False


@dataclass(frozen=True, slots=True)
class UnitsSaid:
    """The units that a text says anywhere."""

    percent: bool
    points: bool
    currencies: frozenset[str]
    scales: frozenset[int]

    def and_also(self, other: UnitsSaid) -> UnitsSaid:
        """What either of two texts says."""
        return UnitsSaid(
            self.percent or other.percent,
            self.points or other.points,
            self.currencies | other.currencies,
            self.scales | other.scales,
        )


NOTHING_SAID = UnitsSaid(False, False, frozenset(), frozenset())


def unit_at(text: str, start: int, end: int) -> Unit:
    """The unit beside the number at [start, end) of a text."""
    before = _BEFORE.search(text[max(0, start - 20) : start])
    rest = text[end : end + 40]
    currencies = _names(before.group()) if before else frozenset()
    if _AFTER_PERCENT.match(rest):
        return Unit(PERCENT, 0, currencies)
    if _AFTER_POINTS.match(rest):
        return Unit(POINTS, 0, currencies)
    scale, width = _scale_at(rest, _SCALES)
    if not scale:
        letter, letter_width = _scale_at(rest, _LETTERS)
        if letter and (currencies or _AFTER_CURRENCY.match(rest[letter_width:])):
            scale, width = letter, letter_width
    after = _AFTER_CURRENCY.match(rest[width:])
    if after:
        currencies |= _names(after.group())
    return Unit("", scale, currencies, _OTHER_SCRIPT.match(rest) is not None)


def said_in(text: str) -> UnitsSaid:
    """The units that a text says anywhere, beside a number or not."""
    lowered = text.lower()
    scales = {
        power
        for power, pattern in _SCALES.items()
        if re.search(rf"(?<![^\W\d_])(?:{pattern})", lowered)
        or (power in _LETTERS and re.search(rf"(?:{_ANY_CURRENCY})\s?{_LETTERS[power]}", lowered))
        or (
            power in _LETTERS
            and re.search(rf"(?<![^\W_]){_LETTERS[power][0]}\s?(?:{_ANY_CURRENCY})", lowered)
        )
    }
    return UnitsSaid(
        _HAS_PERCENT.search(text) is not None,
        _HAS_POINTS.search(text) is not None,
        _names(text),
        frozenset(scales),
    )


def scaled(text: str) -> bool:
    """Whether a text holds a scale word."""
    return _ANY_SCALE.search(text) is not None


def agree(stated: Unit, places: Iterable[Unit], said: UnitsSaid, *, other_scale: bool) -> bool:
    """Whether one of the places of a number has a unit that allows the stated one.

    `said` is what the sources say anywhere. `other_scale`: a scale elsewhere in the statement may count for
    this number too (5 to 6 million).
    """
    return any(_agrees(stated, unit, said, other_scale) for unit in places)


def _agrees(stated: Unit, unit: Unit, said: UnitsSaid, other_scale: bool) -> bool:
    if unit.foreign:
        return True
    if stated.share:
        if unit.share or unit.scale or unit.currencies:
            return unit.share == stated.share
        return said.percent if stated.share == PERCENT else said.points
    measured = stated.scale or stated.currencies
    if measured and unit.share:
        return False
    if stated.scale and stated.scale != unit.scale and (unit.scale or stated.scale not in said.scales):
        return False
    if stated.currencies and not stated.scale and unit.scale and not other_scale:
        return False
    return not stated.currencies or bool(stated.currencies & (unit.currencies or said.currencies))


def _scale_at(rest: str, scales: dict[int, str]) -> tuple[int, int]:
    for power, pattern in scales.items():
        found = re.match(rf"[\s-]?(?:{pattern})\.?", rest, re.IGNORECASE)
        if found:
            return power, found.end()
    return 0, 0


def _names(text: str) -> frozenset[str]:
    return frozenset(_each_name(text))


def _each_name(text: str) -> Iterator[str]:
    return (name for name, pattern in _CURRENCY.items() if pattern.search(text))
