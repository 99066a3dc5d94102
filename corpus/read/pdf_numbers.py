"""Page numbers as they are printed: "12", "iv", "F-3", "Page 3 of 12", alone or in a running header."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

# Pages that must agree before their numbers are believed; of Roman ones two are no accident.
LEAST, LEAST_ROMAN = 3, 2
# Of all pages, those that must have a number for it to be the pages' label.
SHARE = 0.5
WORDS = r"(?:page|seite|página|pagina|p\.|s\.|pg\.)"
OF = r"(?:of|von|de|sur|di|/)"
ALONE = re.compile(
    rf"[-–—\[(|·\s]*(?:{WORDS}\s*)?(?P<number>(?P<prefix>[A-Z]{{1,3}}[-–.]\s?)?\d{{1,4}}|[ivxlc]{{1,8}}|[IVXLC]{{1,8}})"
    rf"(?:\s*{OF}\s*(?:\d{{1,4}}|[ivxlc]{{1,8}}))?[-–—\])|·\s]*",
    re.IGNORECASE,
)
ROMAN = re.compile(r"(?=[ivxlc])c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
INSIDE = re.compile(r"(?<![\w.,/-])\d{1,4}(?![\w/]|[.,]\d)")
ROMAN_SIGNS = ((100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"))
VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """A number on a page: `style` tells rows of numbers apart that count on their own."""

    style: str
    value: int
    label: str


def lone_number(text: str) -> PrintedNumber | None:
    """The number that a line is, with the signs and words that belong to page numbers only."""
    match = ALONE.fullmatch(text.strip())
    if match is None:
        return None
    number = match["number"]
    digits = re.search(r"\d+$", number)
    if digits is not None:
        prefix = "".join((match["prefix"] or "").split())
        if prefix != prefix.upper():
            return None
        return PrintedNumber(prefix, int(digits[0]), f"{prefix}{digits[0]}")
    if number not in (number.lower(), number.upper()) or ROMAN.fullmatch(number.lower()) is None:
        return None
    return PrintedNumber("roman", roman_value(number), number)


def roman_value(number: str) -> int:
    """ "iv" is 4; `number` holds Roman digits only, in either case."""
    values = [VALUES[letter] for letter in number.lower()]
    return sum(
        -value if any(after > value for after in values[at + 1 : at + 2]) else value
        for at, value in enumerate(values)
    )


def printed_labels(removed: Mapping[int, Iterable[str]], pages: int) -> dict[int, str]:
    """For each page (from 1) what is printed as its number in the lines around its text, which `removed`
    holds by page from 0; empty where that is not consistent.

    Numbers are believed where they count the pages: several pages with the same distance between their number
    and the one that is printed. A page without one between such pages has its number too.
    """
    found: defaultdict[tuple[str, int], dict[int, PrintedNumber]] = defaultdict(dict)
    for page, lines in removed.items():
        for number in (number for line in lines for number in _numbers(line)):
            found[number.style, number.value - page].setdefault(page, number)
    labels: dict[int, str] = {}
    rows = sorted(found.items(), key=lambda entry: (-len(entry[1]), entry[0]))
    for (style, distance), row in rows:
        if len(row) < (LEAST_ROMAN if style == "roman" else LEAST):
            continue
        for page in range(min(row), max(row) + 1):
            here = row.get(page)
            labels.setdefault(page + 1, here.label if here else _spelled(style, page + distance, row))
    return labels if len(labels) >= SHARE * pages else {}


def _numbers(line: str) -> list[PrintedNumber]:
    alone = lone_number(line)
    if alone is not None:
        return [alone]
    return [PrintedNumber("", int(match[0]), match[0]) for match in INSIDE.finditer(line)]


def _spelled(style: str, value: int, row: Mapping[int, PrintedNumber]) -> str:
    if style != "roman":
        return f"{style}{value}"
    upper = next(iter(row.values())).label.isupper()
    spelled = to_roman(value)
    return spelled.upper() if upper else spelled


def to_roman(value: int) -> str:
    """4 is "iv"; for numbers of pages, from 1 to 399."""
    letters = ""
    for size, sign in ROMAN_SIGNS:
        letters += sign * (value // size)
        value %= size
    return letters + "i" * value


def page_number_rows(numbers: Iterable[tuple[int, PrintedNumber]]) -> Counter[tuple[str, int]]:
    """How many pages agree in the distance between their number and the one that is printed, by style."""
    seen = {(page, number.style, number.value - page) for page, number in numbers}
    return Counter((style, distance) for _, style, distance in seen)
