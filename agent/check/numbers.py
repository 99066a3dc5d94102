"""Which numbers and dates a statement holds, and whether its sources hold them too.

Numbers are compared as written, apart from grouping (1,000 = 1 000 = 1'000), the script and width of digits,
and number words. A unit or scale beside a number has to agree with that of the source. Nothing is rounded or
computed, and no unit converted.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from typing import Self

from pincite.agent.check.boundaries import is_sign
from pincite.agent.check.characters import SIGNS, flatten, is_raised
from pincite.agent.check.dates import day_and_month, full_dates, month_numbers, range_start, without
from pincite.agent.check.normalise import fold
from pincite.agent.check.number_words import number_words, ordinal_values
from pincite.agent.check.units import NOTHING_SAID, Unit, UnitsSaid, agree, said_in, scaled, unit_at
from pincite.agent.check.written import Written, other_values, written_numbers

_BLANKS = " \u00a0\u2009\u202f"
_SUPERSCRIPTS = "²³¹⁰ⁱ⁴-⁾"
_FRACTIONS = "¼-¾⅐-⅞↉"
_NUMBER = re.compile(
    rf"(?:(?:(?<![^\W_])(?<![^\W\d_][-\u2010\u2011])[1-9][0-9]{{0,2}}(?:[{_BLANKS}][0-9]{{3}})+|[1-9][0-9]{{0,2}}(?:'[0-9]{{3}})+)(?![0-9])(?:[.,][0-9]+)?"
    rf"|(?:(?<![\w.,])\.)?[0-9]+(?:[.,][0-9]+)*)(?P<raised>[{_SUPERSCRIPTS}{_FRACTIONS}]+|\^[-\u2212]?[0-9]+)?"
    rf"|[{_FRACTIONS}]"
)
_GROUPED_BY_COMMA = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+|[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}")
_GROUPED_BY_POINT = re.compile(r"[1-9][0-9]{0,2}(?:\.[0-9]{3})+")
_PLAIN = re.compile(r"[0-9]{1,15}(?:[.,][0-9]{1,9})?")
_HANDLE = re.compile(r"(?<![^\W_])[Pp][0-9]+(?![^\W_])")
_ORDINAL_ENDING = re.compile(r"(?:st|nd|rd|th)\b", re.IGNORECASE)
_MINUS_WORD = re.compile(r"\b(?:minus|moins)\s$", re.IGNORECASE)
_CLOSING = frozenset("%‰°)]}.℃℉€$£¥′″")
_LINE_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u2010\u2011]\s*?[\n\r\v\f\u2028\u2029]\s*(?=[^\W\d_])")
_ARABIC_MARKS = {0x066B: ".", 0x066C: ",", 0x2018: "'", 0x2019: "'"}


@dataclass(frozen=True, slots=True)
class Number:
    """A number at [start, end) of a text; `raw` as written, `readings` what it may stand for, as digits."""

    start: int
    end: int
    raw: str
    readings: frozenset[str]
    month: bool = False
    ordinal: bool = False
    day_and_month: tuple[int, int] | None = None


@dataclass(slots=True)
class Supply:
    """The numbers, dates, months and ordinals that a set of source texts holds."""

    numbers: set[str] = field(default_factory=set)
    dates: set[tuple[int, int, int]] = field(default_factory=set)
    months: set[int] = field(default_factory=set)
    ordinals: set[int] = field(default_factory=set)
    units: dict[str, set[Unit]] = field(default_factory=dict)
    values: set[int] = field(default_factory=set)
    said: UnitsSaid = NOTHING_SAID

    @classmethod
    def of(cls, *texts: str) -> Self:
        """What a set of source texts holds."""
        held = cls()
        for text in texts:
            held.add(text)
        return held

    def merge(self, other: "Supply") -> None:
        """Add everything that another supply holds."""
        self.numbers |= other.numbers
        self.dates |= other.dates
        self.months |= other.months
        self.ordinals |= other.ordinals
        for reading, units in other.units.items():
            self.units.setdefault(reading, set()).update(units)
        self.values |= other.values
        self.said = self.said.and_also(other.said)

    def holds(self, number: Number) -> bool:
        """Whether the number stands in the sources."""
        if not self.numbers.isdisjoint(number.readings):
            return True
        values = {int(reading) for reading in number.readings if reading.isdecimal() and len(reading) <= 2}
        if (number.month and values & self.months) or (number.ordinal and values & self.ordinals):
            return True
        return number.day_and_month is not None and number.day_and_month in {(d, m) for _, m, d in self.dates}

    def measures(self, readings: Iterable[str], unit: Unit, *, other_scale: bool) -> bool:
        """Whether a number that the sources hold stands there with a unit that agrees."""
        if unit == Unit() or unit == Unit(foreign=True):
            return True
        places = {place for reading in readings for place in self.units.get(reading, ())}
        return not places or agree(unit, places, self.said, other_scale=other_scale)

    def counts(self, written: Written) -> bool:
        """Whether a number in words is worth what a source says in digits or words."""
        value = written.value
        if value in self.values or str(value) in self.numbers:
            return True
        # A table may name the scale far from its numbers.
        return any(
            value % 10**power == 0 and str(value // 10**power) in self.numbers for power in self.said.scales
        )

    def add(self, text: str) -> None:
        """Add everything that a source text holds."""
        self.merge(_supply_of(text))

    def read(self, text: str) -> None:
        """Find out what a source text holds, and add it."""
        plain = _plain(text)
        for variant in {_LINE_HYPHEN.sub("", plain), _LINE_HYPHEN.sub("-", plain)}:
            self._add_plain(variant)

    def _add_plain(self, text: str) -> None:
        dates = full_dates(text)
        for date in dates:
            readings = date.readings | range_start(text, date)
            self.dates |= readings
            self.months |= {month for _, month, _ in readings}
            self.numbers |= {str(part) for year, _, day in readings for part in (year, day)}
        for number in _numbers(without(text, [(date.start, date.end) for date in dates]), text):
            self._measure(number.readings, unit_at(text, number.start, number.end))
        for word in number_words(text):
            self._measure({str(word.value)}, unit_at(text, word.start, word.end))
        self.values |= {written.value for written in written_numbers(text)} | set(other_values(text))
        self.said = self.said.and_also(said_in(text))
        self.ordinals |= ordinal_values(text)

    def _measure(self, readings: Iterable[str], unit: Unit) -> None:
        self.numbers |= set(readings)
        for reading in readings:
            self.units.setdefault(reading, set()).add(unit)
            worth = _worth(reading, unit.scale)
            if worth is not None:
                self.values.add(worth)


def _worth(reading: str, power: int) -> int | None:
    """A number in digits times a power of ten, when that is whole; None for what is no plain number."""
    if not _PLAIN.fullmatch(reading):
        return None
    worth = Decimal(reading.replace(",", ".")).scaleb(power)
    return int(worth) if worth == worth.to_integral_value() else None


@lru_cache(maxsize=256)
def _supply_of(text: str) -> Supply:
    """What a text holds; the same passages and questions are looked at again and again."""
    supply = Supply()
    supply.read(text)
    return supply


def unsupported_numbers(statement: str, sources: Supply) -> list[str]:
    """The numbers and dates of a statement, as written and in order, that stand in none of its sources.

    So do those with another unit or scale than there. In a statement number words count from two upwards in
    English only; handles (P3) are no numbers.
    """
    composed = fold(statement).text
    text = _plain(statement)
    dates = full_dates(text)
    missing = [
        (date.start, composed[date.start : date.end])
        for date in dates
        if date.readings.isdisjoint(sources.dates)
    ]
    hidden = [(date.start, date.end) for date in dates] + [found.span() for found in _HANDLE.finditer(text)]
    rest = without(text, sorted(hidden))
    any_scale = scaled(text)
    for number in _numbers(rest, composed):
        unit = unit_at(text, number.start, number.end)
        if not sources.holds(number) or not sources.measures(number.readings, unit, other_scale=any_scale):
            missing.append((number.start, number.raw))
    for word in number_words(rest):
        if "en" not in word.languages or word.value < 2:
            continue
        unit = unit_at(text, word.start, word.end)
        reading = str(word.value)
        if reading not in sources.numbers or not sources.measures({reading}, unit, other_scale=any_scale):
            missing.append((word.start, composed[word.start : word.end]))
    for written in written_numbers(rest):
        unit = unit_at(text, written.start, written.end)
        readings = {str(written.value)}
        if not sources.counts(written) or not sources.measures(readings, unit, other_scale=any_scale):
            missing.append((written.start, composed[written.start : written.end]))
    return [raw for _, raw in sorted(missing)]


def _plain(text: str) -> str:
    """The text with ASCII digits and marks; as long as the folded text, so that offsets agree."""
    text = flatten(fold(text).text).translate(_ARABIC_MARKS)
    if text.isascii():
        return text
    digits = {
        ord(char): str(unicodedata.decimal(char))
        for char in set(text)
        if char.isdecimal() and not char.isascii()
    }
    return text.translate(digits)


def _numbers(text: str, written: str) -> Iterator[Number]:
    """The numbers in digits of a plain text; `written` is the same text as the author wrote it."""
    months = month_numbers(text)
    for found in _NUMBER.finditer(text):
        start, end = found.span()
        raised = found["raised"] or ""
        body = text[start : end - len(raised)]
        readings = frozenset(reading + _power(raised) for reading in _readings(body))
        signed = start > 0 and text[start - 1] in SIGNS and is_sign(text, start - 1)
        if signed:
            negative = frozenset("-" + reading for reading in readings)
            # Behind a closing mark (5%-15%) the sign may be the dash of a range.
            before = text[start - 2 : start - 1]
            doubtful = before != "" and (before in _CLOSING or is_raised(before))
            readings = readings | negative if doubtful else negative
        elif _MINUS_WORD.search(text[max(0, start - 8) : start]):
            readings |= {"-" + reading for reading in readings}
        yield Number(
            start=start,
            end=end,
            raw=written[start - signed : end],
            readings=readings,
            month=start in months,
            ordinal=_ORDINAL_ENDING.match(text, end) is not None,
            day_and_month=day_and_month(body) if text[end : end + 1] == "." else None,
        )


def _readings(body: str) -> set[str]:
    """What digits with marks may stand for, without grouping: {"1000"}, {"2250.50", "2250,50"}, {"12.2"}."""
    if any(blank in body for blank in _BLANKS + "'"):
        return _decimal(re.sub(f"[{_BLANKS}']", "", body))
    if body.startswith("."):
        body = "0" + body
    points, commas = body.count("."), body.count(",")
    if points and commas:
        mark = "." if body.rfind(".") > body.rfind(",") else ","
        whole, _, fraction = body.rpartition(mark)
        grouping = _GROUPED_BY_COMMA if mark == "." else _GROUPED_BY_POINT
        if grouping.fullmatch(whole):
            return _decimal(re.sub("[.,]", "", whole) + mark + fraction)
        return {body}
    if commas:
        return {body.replace(",", "")} if _GROUPED_BY_COMMA.fullmatch(body) else {body}
    if points:
        # One point before three digits may be a decimal or a section number; two are grouping.
        grouped = points > 1 and _GROUPED_BY_POINT.fullmatch(body)
        return {body, body.replace(".", "")} if grouped else {body}
    return {body, body.lstrip("0") or "0"}


def _decimal(number: str) -> set[str]:
    """A number whose decimal mark is known: with a point, and as written."""
    return {number, number.replace(",", ".")}


def _power(raised: str) -> str:
    """Superscripts as "^" and ASCII digits; fractions as they are."""
    if not raised:
        return ""
    if raised.startswith("^"):
        return raised.replace("\u2212", "-")
    signs = {"⁺": "+", "⁻": "-"}
    return "^" + "".join(signs.get(char) or str(unicodedata.digit(char, char)) for char in raised)
