"""Full dates (day, month, year) in the notations that are compared, and months written as numbers."""

import re
from dataclasses import dataclass

from pincite.agent.check.number_words import chinese_value

_MONTHS = {
    1: "january jan januar jänner january janvier janv",
    2: "february feb februar feber février fevrier févr fevr fév",
    3: "march mar märz maerz mrz mär mars",
    4: "april apr avril avr",
    5: "may mai",
    6: "june jun juni juin",
    7: "july jul juli juillet juil",
    8: "august aug août aout",
    9: "september sept sep septembre",
    10: "october oct oktober okt octobre",
    11: "november nov novembre",
    12: "december dec dezember dez décembre decembre déc",
}
_MONTH_OF = {name: month for month, names in _MONTHS.items() for name in names.split()}
_NAME = "(?:" + "|".join(sorted(_MONTH_OF, key=len, reverse=True)) + r")\b\.?"
_DAY = r"[0-9]{1,2}"
_YEAR = r"[0-9]{4}"
_CHINESE = "[一二三四五六七八九十]{1,3}"
_GAP = r"[\s,]{1,4}"

_PATTERNS = (
    # 2021-03-05, 2021/3/5
    rf"(?<![0-9][.,/-])(?P<y>{_YEAR})(?P<sep>[-\u2010\u2011/.])(?P<m>{_DAY})(?P=sep)(?P<d>{_DAY})(?![0-9])",
    # 05.03.2021, 05/03/2021, 05-03-2021, 5. 3. 2021
    rf"(?<![0-9][.,/-])(?P<d>{_DAY})(?P<sep>[-\u2010\u2011/]|\.\s?)(?P<m>{_DAY})(?P=sep)(?P<y>{_YEAR})(?![0-9])",
    # 5 March 2021, 1st of February 2023, 1. Februar 2023, 1er février 2023, 5-Mar-2021
    rf"(?P<d>{_DAY})(?:\.|st|nd|rd|th|er|ème|e)?(?:[\s-]{{1,3}}(?:day\s)?(?:of\s)?|(?<=\.))(?P<name>{_NAME})"
    rf"(?:{_GAP}|-)(?:of\s)?(?P<y>{_YEAR})(?![0-9])",
    # March 5, 2021
    rf"\b(?P<name>{_NAME})\s{{1,3}}(?:the\s)?(?P<d>{_DAY})(?:st|nd|rd|th)?{_GAP}(?P<y>{_YEAR})(?![0-9])",
    # 2021年3月5日, 二〇二一年三月五日
    rf"(?P<y>{_YEAR}|[〇零一二三四五六七八九]{{4}})\s?年\s?(?P<m>{_DAY}|{_CHINESE})\s?月\s?(?P<d>{_DAY}|{_CHINESE})\s?[日号號]",
)
_DATES = tuple(re.compile(rf"(?<![0-9]){pattern}", re.IGNORECASE) for pattern in _PATTERNS)
_RANGE_START = re.compile(
    rf"(?<![0-9.,/-])(?P<d>{_DAY})\.?(?:\s?[-\u2010-\u2015]\s?|\s(?:and|or|to|und|oder|bis|et|ou|au)\s(?:le\s)?)$",
    re.IGNORECASE,
)

# 2021-03, 03/2021, 3月
_MONTH_NUMBERS = re.compile(
    rf"(?<![0-9.,/-]){_YEAR}[-/](?P<a>0[1-9]|1[0-2])(?![0-9/-])"
    rf"|(?<![0-9.,/-])(?P<b>0?[1-9]|1[0-2])/{_YEAR}(?![0-9/])"
    r"|(?<![0-9.,])(?P<c>0?[1-9]|1[0-2])\s?月"
)
_DAY_MONTH = re.compile(r"(?P<d>[0-9]{1,2})\.(?P<m>[0-9]{1,2})")


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """A full date at [start, end); `readings` holds (year, month, day), two where day and month may swap."""

    start: int
    end: int
    readings: frozenset[tuple[int, int, int]]


def full_dates(text: str) -> list[WrittenDate]:
    """The full dates in a text whose digits are ASCII, in order, none overlapping another."""
    found: list[WrittenDate] = []
    for pattern in _DATES:
        spans = []
        for match in pattern.finditer(text):
            readings = _readings(match)
            if readings:
                found.append(WrittenDate(match.start(), match.end(), readings))
                spans.append(match.span())
        text = without(text, spans)
    return sorted(found, key=lambda date: date.start)


def without(text: str, spans: list[tuple[int, int]]) -> str:
    """The text with the spans (in order) blotted out by a character that is no part of any number or word."""
    pieces: list[str] = []
    done = 0
    for start, end in spans:
        pieces += (text[done:start], "\0" * (end - start))
        done = end
    return "".join(pieces) + text[done:]


def range_start(text: str, date: WrittenDate) -> frozenset[tuple[int, int, int]]:
    """The first date of a range whose last date is `date`: 5 March 2021 in "5 to 7 March 2021"."""
    before = _RANGE_START.search(text[max(0, date.start - 16) : date.start])
    day = int(before["d"]) if before else 0
    return frozenset((y, m, day) for y, m, last in date.readings if 1 <= day < last)


def month_numbers(text: str) -> set[int]:
    """Offsets of the numbers that name a month: the 03 of 2021-03 and 03/2021, the 3 of 3月."""
    return {match.start(match.lastgroup or 0) for match in _MONTH_NUMBERS.finditer(text)}


def day_and_month(number: str) -> tuple[int, int] | None:
    """(day, month) of a number such as 05.03, which may be a German date without its year."""
    match = _DAY_MONTH.fullmatch(number)
    return (int(match["d"]), int(match["m"])) if match else None


def _readings(match: re.Match[str]) -> frozenset[tuple[int, int, int]]:
    groups = match.groupdict()
    year, day = _value(groups["y"]), _value(groups["d"])
    month = _MONTH_OF[groups["name"].rstrip(".").lower()] if groups.get("name") else _value(groups["m"])
    pairs = {(month, day)}
    if groups.get("sep") and not groups["sep"].startswith(".") and match.start("y") > match.start():
        pairs.add((day, month))
    return frozenset((year, m, d) for m, d in pairs if 1 <= m <= 12 and 1 <= d <= 31 and year >= 1000)


def _value(digits: str) -> int:
    if digits.isdecimal():
        return int(digits)
    if len(digits) == 4:
        return int("".join(str("〇一二三四五六七八九".index(char)) for char in digits.replace("零", "〇")))
    return chinese_value(digits) or 0
