"""From the lines of PDF pages to lines of running text: pieces joined, furniture removed, hyphens mended."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from pincite.corpus.read.pdf_process import PdfLine

# How many lines from the top and the bottom of a page can be a running header or footer.
EDGE = 3
LEAST_REPEATS = 3
SHARE = 0.4
SAME_HEIGHT = 3.0
PARAGRAPH_GAP = 1.35
DIGITS = re.compile(r"\d+")
PAGE_NUMBER = re.compile(r"[-–—\[(|\s]*(\d{1,4})[-–—\])|\s]*")
PAGE_WORDS = re.compile(
    r"(?:page|seite|p\.|s\.|página)\s*\d{1,4}(?:\s*(?:of|von|de|sur|/)\s*\d{1,4})?", re.IGNORECASE
)
# The parser marks a hyphen at the end of a line, and runs the lines together there.
LINE_HYPHEN = re.compile(r"(?P<left>\w+)[\ufffe\u00ad\x02-]?[\ufffe\x02]\s*(?P<right>\w+)")
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff]")
WORD = re.compile(r"[^\W\d_]+")

Page = Sequence[PdfLine]


def join_pieces(page: Page) -> list[PdfLine]:
    """Lines that stand side by side, as superscripts and table cells leave them, made one."""
    joined: list[PdfLine] = []
    for line in page:
        before = joined[-1] if joined else None
        size = max(line.size, before.size if before else 0.0, 4.0)
        if (
            before is not None
            and abs(before.bottom - line.top) < 0.45 * size
            and line.left >= before.right - 0.2 * size
        ):
            gap = " " if line.left - before.right > 0.15 * size else ""
            wider = len(line.text) > len(before.text)
            joined[-1] = replace(
                before,
                text=f"{before.text}{gap}{line.text}",
                right=line.right,
                bottom=before.bottom if abs(before.bottom - before.top) < 1 else line.bottom,
                size=line.size if wider else before.size,
                bold=before.bold and line.bold,
            )
        else:
            joined.append(line)
    return joined


def without_furniture(pages: Sequence[Page]) -> list[list[PdfLine]]:
    """Pages without the headers and footers that come again, and without page numbers."""
    repeated = _repeated(pages)
    numbers = _page_numbers(pages)
    return [
        [
            line
            for at, line in enumerate(page)
            if (number, at) not in repeated
            and (number, at) not in numbers
            and not PAGE_WORDS.fullmatch(line.text)
        ]
        for number, page in enumerate(pages)
    ]


def _repeated(pages: Sequence[Page]) -> set[tuple[int, int]]:
    found: defaultdict[tuple[str, bool], list[tuple[int, int]]] = defaultdict(list)
    for number, page in enumerate(pages):
        order = sorted(range(len(page)), key=lambda at: -page[at].top)
        for rank, at in enumerate(order):
            upper, lower = rank < EDGE, rank >= len(order) - EDGE
            key = DIGITS.sub("#", "".join(page[at].text.casefold().split()))
            if (upper or lower) and len(key) > 1:
                found[key, upper].append((number, at))
    kept: set[tuple[int, int]] = set()
    for places in found.values():
        numbers = {number for number, _ in places}
        heights = [pages[number][at].top for number, at in places]
        often = len(numbers) >= max(LEAST_REPEATS, SHARE * len(pages))
        # The header of a chapter comes on few pages of a book, but always at the same height.
        level = sum(abs(height - median(heights)) <= SAME_HEIGHT for height in heights) >= 0.9 * len(heights)
        if often or (level and len(numbers) >= LEAST_REPEATS and _stands_off(pages, places)):
            kept.update(places)
    return kept


def _stands_off(pages: Sequence[Page], places: Sequence[tuple[int, int]]) -> bool:
    """Whether a line is the first or last of its pages, with nothing near it."""
    for number, at in places:
        line = pages[number][at]
        others = [other.top for other in pages[number] if abs(other.top - line.top) > 1]
        if others and min(abs(top - line.top) for top in others) < 1.6 * max(line.size, 6.0):
            return False
        if others and min(others) < line.top < max(others):
            return False
    return True


def _page_numbers(pages: Sequence[Page]) -> set[tuple[int, int]]:
    """Lines that hold nothing but a number, where these numbers count the pages."""
    lone = [
        (int(match[1]), number, at)
        for number, page in enumerate(pages)
        for at, line in enumerate(page)
        if (match := PAGE_NUMBER.fullmatch(line.text)) is not None
    ]
    chain: dict[int, list[tuple[int, int]]] = {}
    best: list[tuple[int, int]] = []
    for value, number, at in lone:
        before = chain.get(value - 1, [])
        # Two numbers side by side are a list, not two pages.
        if before and before[-1][0] == number and at - before[-1][1] < 5:
            continue
        chain[value] = [*before, (number, at)]
        best = max(best, chain[value], key=len)
    least = 2 if len(pages) <= LEAST_REPEATS else LEAST_REPEATS
    return set(best) if len(best) >= max(least, 0.4 * len(pages)) else set()


def mend_hyphens(pages: Sequence[Page]) -> list[list[PdfLine]]:
    """Words that a line end had cut, whole again: by the other words of the document, else by case."""
    words = Counter(word.lower() for page in pages for line in page for word in WORD.findall(line.text))

    def mend(match: re.Match[str]) -> str:
        left, right = match["left"], match["right"]
        whole = f"{left}{right}"
        if not (left[-1].islower() and right[0].islower()):
            return f"{left}-{right}"
        if words[whole.lower()]:
            return whole
        # Two words that stand alone elsewhere make a compound, which keeps its hyphen.
        return f"{left}-{right}" if words[left.lower()] > 1 and words[right.lower()] > 1 else whole

    return [
        [replace(line, text=CONTROLS.sub("", LINE_HYPHEN.sub(mend, line.text))) for line in page]
        for page in pages
    ]


def pitch(pages: Sequence[Page]) -> float:
    """The usual distance between two lines of a paragraph, in points; 0 when there is none to see."""
    gaps = Counter(
        round(before.bottom - line.top, 1)
        for page in pages
        for before, line in pairwise(page)
        if 0 < before.bottom - line.top < 3 * max(line.size, 4.0)
    )
    return gaps.most_common(1)[0][0] if gaps else 0.0


def begins_paragraph(before: PdfLine, line: PdfLine, usual: float) -> bool:
    """Whether a line begins a paragraph, by the gap above it or a change of size."""
    gap = before.bottom - line.top
    if gap < 0 or abs(before.size - line.size) > 0.15 * max(before.size, line.size):
        return True
    return usual > 0 and gap > PARAGRAPH_GAP * max(usual, 0.9 * line.size)
