"""Running headers, footers and page numbers: what a page shows around its text."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from statistics import median

from pincite.corpus.read.pdf_layout import Page
from pincite.corpus.read.pdf_numbers import PrintedNumber, lone_number, page_number_rows, printed_labels
from pincite.corpus.read.pdf_process import PdfLine

# How many lines from the top and the bottom of a page can be a running header or footer.
EDGE = 3
LEAST_REPEATS = 3
SHARE = 0.4
MOST = 0.8
SAME_HEIGHT = 3.0
DIGITS = re.compile(r"\d+")
PAGE_NUMBER = re.compile(r"[-–—\[(|\s]*(\d{1,4})[-–—\])|\s]*")
PAGE_WORDS = re.compile(
    r"[-–—|·\s]*(?:page|seite|p\.|s\.|página)\s*(?:\d{1,4}|[ivxl]{1,6})"
    r"(?:\s*(?:of|von|de|sur|/)\s*(?:\d{1,4}|[ivxl]{1,6}))?[-–—|·\s]*",
    re.IGNORECASE,
)
# The number of a page and of a line on it.
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Link:
    """A page number in a chain of numbers that follow each other."""

    place: Place
    length: int
    before: _Link | None


def without_furniture(pages: Sequence[Page]) -> tuple[list[list[PdfLine]], dict[int, str]]:
    """Pages without the headers and footers that come again, and without page numbers; and the numbers that
    are printed so, by page from 1."""
    numbers = _page_numbers(pages) | _edge_numbers(pages)
    repeated = _repeated(pages, numbers)
    gone = {
        number: [
            at
            for at, line in enumerate(page)
            if (number, at) in repeated or (number, at) in numbers or PAGE_WORDS.fullmatch(line.text)
        ]
        for number, page in enumerate(pages)
    }
    kept = [
        [line for at, line in enumerate(page) if at not in set(gone[number])]
        for number, page in enumerate(pages)
    ]
    around = {number: _outermost(pages[number], set(places)) for number, places in gone.items()}
    return kept, printed_labels(around, len(pages))


def _outermost(page: Page, gone: set[int]) -> list[str]:
    """Those of the lines that are left out which have no text above them, or none below: a number between
    the lines of a text is that of another print."""
    order = sorted(range(len(page)), key=lambda at: -page[at].top)
    upper = takewhile(gone.__contains__, order)
    lower = takewhile(gone.__contains__, reversed(order))
    return [page[at].text for at in dict.fromkeys((*upper, *lower))]


def _edge_numbers(pages: Sequence[Page]) -> set[Place]:
    """Page numbers at the edge of their page, also Roman ones and with gaps in their row, where they count
    the pages and stand as high as each other."""
    found: list[tuple[Place, PrintedNumber]] = []
    for number, page in enumerate(pages):
        order = sorted(range(len(page)), key=lambda at: -page[at].top)
        for at in dict.fromkeys((*order[:1], *order[-1:])):
            printed = lone_number(page[at].text)
            if printed is not None and (len(order) == 1 or _stands_off(page, number, at, set())):
                found.append(((number, at), printed))
    rows = page_number_rows((place[0], printed) for place, printed in found)
    sure = {row for row, times in rows.items() if times >= LEAST_REPEATS}
    heights = [
        pages[number][at].top for (number, at), one in found if (one.style, one.value - number) in sure
    ]
    return {
        (number, at)
        for (number, at), one in found
        if (one.style, one.value - number) in sure
        or (one.style == "roman" and any(abs(pages[number][at].top - top) <= SAME_HEIGHT for top in heights))
    }


def _repeated(pages: Sequence[Page], numbers: set[Place]) -> set[Place]:
    again = [
        places for places in _edge_groups(pages) if len({number for number, _ in places}) >= LEAST_REPEATS
    ]
    alike = {place for places in again for place in places} | numbers
    kept: set[Place] = set()
    for places in again:
        often = len({number for number, _ in places}) >= SHARE * len(pages)
        heights = [pages[number][at].top for number, at in places]
        # The header of a chapter comes on few pages of a book, but always at the same height.
        level = sum(abs(height - median(heights)) <= SAME_HEIGHT for height in heights) >= MOST * len(heights)
        if (often or level) and sum(
            _stands_off(pages[number], number, at, alike) for number, at in places
        ) >= (MOST * len(places)):
            kept.update(places)
    full = [number for number, page in enumerate(pages) if page]
    emptied = sum(
        all((number, at) in kept or (number, at) in numbers for at in range(len(pages[number])))
        for number in full
    )
    # What would leave most pages empty is their text, however alike they are.
    return kept if 2 * emptied <= len(full) else set()


def _edge_groups(pages: Sequence[Page]) -> list[list[Place]]:
    """Lines at the edges of pages that are equal, or equal but for a number that counts the pages."""
    exact: defaultdict[tuple[str, bool], list[Place]] = defaultdict(list)
    numbered: defaultdict[tuple[str, bool], list[Place]] = defaultdict(list)
    for number, page in enumerate(pages):
        order = sorted(range(len(page)), key=lambda at: -page[at].top)
        for rank, at in enumerate(order):
            upper = rank < EDGE
            words = "".join(page[at].text.casefold().split())
            if len(words) > 1 and (upper or rank >= len(order) - EDGE):
                exact[words, upper].append((number, at))
                numbered[DIGITS.sub("#", words), upper].append((number, at))
    counted = [places for places in numbered.values() if _counts_pages(pages, places)]
    return [*exact.values(), *counted]


def _counts_pages(pages: Sequence[Page], places: Sequence[Place]) -> bool:
    """Whether one of the numbers in these lines grows with the number of the page: "Article 4" does not."""
    steps: Counter[tuple[int, int]] = Counter()
    for number, at in places:
        for position, digits in enumerate(DIGITS.findall(pages[number][at].text)):
            if len(digits) < 6:
                steps[position, int(digits) - number] += 1
    return bool(steps) and max(steps.values()) >= 0.8 * len(places)


def _stands_off(page: Page, number: int, at: int, alike: set[Place]) -> bool:
    """Whether a line is the first or last of its page, and a gap lies between it and what is not its like."""
    order = sorted(range(len(page)), key=lambda place: -page[place].top)
    here = order.index(at)
    if not any(all((number, place) in alike for place in side) for side in (order[:here], order[here + 1 :])):
        return False
    for step in (-1, 1):
        last = here
        while 0 <= last + step < len(order):
            gap = abs(page[order[last]].top - page[order[last + step]].top)
            if gap >= 1.6 * max(page[at].size, 6.0):
                break
            if gap > 1 and (number, order[last + step]) not in alike:
                return False
            last += step
    return True


def _page_numbers(pages: Sequence[Page]) -> set[Place]:
    """Lines that hold nothing but a number, where these numbers count the pages."""
    lone = [
        (int(match[1]), number, at)
        for number, page in enumerate(pages)
        for at, line in enumerate(page)
        if (match := PAGE_NUMBER.fullmatch(line.text)) is not None
    ]
    # For each number the longest chain that ends with it: its length, its place and the link before.
    ends: dict[int, _Link] = {}
    best: _Link | None = None
    for value, number, at in lone:
        before = ends.get(value - 1)
        # Two numbers side by side are a list, not two pages.
        if before is not None and before.place[0] == number and at - before.place[1] < 5:
            continue
        ends[value] = link = _Link((number, at), 1 if before is None else before.length + 1, before)
        best = link if best is None or link.length > best.length else best
    chain: set[Place] = set()
    while best is not None:
        chain.add(best.place)
        best = best.before
    if len(chain) >= max(LEAST_REPEATS, SHARE * len(pages)):
        return chain
    # Two numbers say little by themselves: they must stand at the edges of two pages.
    edges = all(_stands_off(pages[number], number, at, set()) for number, at in chain)
    return chain if len(chain) == len(pages) == 2 and edges else set()
