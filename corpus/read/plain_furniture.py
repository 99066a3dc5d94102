"""Running headers, footers and page numbers in plain text that was made from pages."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

LEAST = 4
LEAST_NUMBERS = 3
# Characters between two page ends; what comes again sooner belongs to a form or a table.
PAGE = 700
LONGEST = 150
LEAST_WORDS = 3
DIGITS = re.compile(r"\d+")
NUMBER = re.compile(
    r"[-–—\[(|]?\s*(?:page\s+|seite\s+)?(\d{1,4})(?:\s+(?:of|von|de)\s+\d{1,4})?\s*[-–—\])|]?", re.IGNORECASE
)


def without_furniture(text: str) -> str:
    """The text with such lines emptied; lines keep their numbers.

    A line is one of them when it stands alone between blank lines, comes again at the distance of pages, and
    is the same each time but for numbers; or is only a number that counts the pages.
    """
    lines = text.split("\n")
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line) + 1)
    same: defaultdict[str, list[int]] = defaultdict(list)
    numbers: list[tuple[int, int]] = []
    for at, line in enumerate(lines):
        words = line.strip()
        if not words or len(words) > LONGEST or not _alone(lines, at):
            continue
        number = NUMBER.fullmatch(words)
        if number is not None:
            numbers.append((int(number[1]), at))
        elif len(words.split()) >= LEAST_WORDS:
            same[DIGITS.sub("#", " ".join(words.split()))].append(at)
    gone = {at for places in same.values() if _pages(places, offsets, LEAST) for at in places}
    gone.update(_counting(numbers, offsets))
    return "\n".join("" if at in gone else line for at, line in enumerate(lines)) if gone else text


def _alone(lines: Sequence[str], at: int) -> bool:
    before = lines[at - 1] if at else ""
    after = lines[at + 1] if at + 1 < len(lines) else ""
    return not before.strip() and not after.strip()


def _pages(places: Sequence[int], offsets: Sequence[int], least: int) -> bool:
    if len(places) < least:
        return False
    return median(offsets[after] - offsets[at] for at, after in pairwise(places)) >= PAGE


def _counting(numbers: Sequence[tuple[int, int]], offsets: Sequence[int]) -> list[int]:
    """The lines of the longest row of numbers that count on one by one, if they stand as far as pages."""
    best: list[int] = []
    rows: dict[int, list[int]] = {}
    for value, at in numbers:
        rows[value] = [*rows.get(value - 1, []), at]
        best = max(best, rows[value], key=len)
    return best if _pages(best, offsets, LEAST_NUMBERS) else []
