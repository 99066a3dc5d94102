"""Running headers, footers and page numbers in plain text that was made from pages."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import median

from pincite.corpus.labels import Label, parse_label
from pincite.corpus.references_words import KIND

LEAST = 4
LEAST_NUMBERS = 3
# Characters between two page ends; what comes again sooner belongs to a form or a table.
PAGE = 700
LONGEST = 150
LEAST_WORDS = 3
# A title stands so many lines at most below the number that it belongs to.
TITLE_LINES = 4
DIGITS = re.compile(r"\d+")
NUMBER = re.compile(
    r"[-–—\[(|]?\s*(?:page\s+|seite\s+)?(\d{1,4})(?:\s+(?:of|von|de)\s+\d{1,4})?\s*[-–—\])|]?", re.IGNORECASE
)


def without_furniture(text: str) -> tuple[str, frozenset[int]]:
    """The text with such lines emptied; lines keep their numbers. And the numbers (from 0) of those lines of
    which only the beginning went.

    A line is one of them when it stands alone between blank lines, comes again at the distance of pages, and
    is the same each time but for numbers; or is only a number that counts the pages. Where the text of a page
    goes on in the same line as what stands alone elsewhere, only the beginning of the line goes.
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
    gone -= _named_first(lines, gone)
    gone.update(_counting(numbers, offsets))
    cut = _run_on(lines, offsets, same)
    if not gone and not cut:
        return text, frozenset()
    kept = ("" if at in gone else line[cut.get(at, 0) :] for at, line in enumerate(lines))
    return "\n".join(kept), frozenset(cut)


def _named_first(lines: Sequence[str], gone: set[int]) -> set[int]:
    """The first of the lines that name an annex on each of its pages, by number and title: its heading."""
    kept: dict[str, int] = {}
    for at in sorted(gone):
        words = " ".join(lines[at].split())
        above = next((line for line in reversed(lines[max(0, at - TITLE_LINES) : at]) if line.strip()), "")
        if _annex(words) is not None or ((label := _annex(above.strip())) is not None and not label.title):
            kept.setdefault(words, at)
    return set(kept.values())


def _annex(words: str) -> Label | None:
    label = parse_label(words)
    return label if label is not None and label.kind in ("annex", "appendix") else None


def _run_on(
    lines: Sequence[str], offsets: Sequence[int], same: Mapping[str, Sequence[int]]
) -> dict[int, int]:
    """Lines that begin with such a line and go on with the text of the page: how much of each is not text.

    Only what holds a number and stands alone somewhere in the text is looked for, and no "Section 3.7".
    """
    lengths = sorted({len(key.split()) for key in same if "#" in key}, reverse=True)
    begun: defaultdict[str, list[int]] = defaultdict(list)
    for at, line in enumerate(lines):
        words = DIGITS.sub("#", line[: 2 * LONGEST]).split()
        for key in (" ".join(words[:length]) for length in lengths if length < len(words)):
            if "#" in key and key in same and words[0].lower() not in KIND:
                begun[key].append(at)
                break
    cut: dict[int, int] = {}
    for key, places in begun.items():
        if _pages(sorted((*places, *same[key])), offsets, LEAST):
            begins = re.compile(rf"\s*{_spelled(key)}\s*")
            cut.update((at, len(lines[at])) for at in same[key])
            cut.update((at, match.end()) for at in places if (match := begins.match(lines[at])))
    return cut


def _spelled(key: str) -> str:
    """A pattern for a line that is the same but for its numbers and blanks."""
    return r"\s+".join(re.escape(word).replace(r"\#", r"\d+") for word in key.split())


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
