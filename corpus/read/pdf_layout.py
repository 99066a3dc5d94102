"""From the lines of PDF pages to lines of running text: pieces joined, hyphens mended, paragraphs told."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from pincite.corpus.labels import NAMES
from pincite.corpus.read.pdf_process import PdfLine
from pincite.corpus.read.pdf_worker import WIDE_GAP

PARAGRAPH_GAP = 1.35
# The parser marks a hyphen at the end of a line, and runs the lines together there.
LINE_HYPHEN = re.compile(r"(?P<left>\w+)[\ufffe\u00ad\x02-]?[\ufffe\x02]\s*(?P<right>\w+)")
# A word that the end of a column or page cuts, and what it goes on with.
CUT_OFF = re.compile(r"(?P<left>[^\W\d_]{2,})[-\ufffe\u00ad\x02]$")
GOES_ON = re.compile(r"(?P<right>[^\W\d_]+)(?P<signs>[^\s\w]*)(?=\s|$)")
# So many lines of a size show how far they stand apart.
LEAST_GAPS = 12
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff]")
WORD = re.compile(r"[^\W\d_]+")
# Behind a number a tab is a gap without a blank: "5.1Both", "(a)The", "ARTICLE SIXPAYMENT".
_NAMES = "|".join(sorted((name.upper() for name in NAMES), key=len, reverse=True))
GLUED = re.compile(
    r"(?:\d{1,2}(?:\.\d{1,2}){1,4}\.?|\d{1,2}\.|\([A-Za-z]{1,4}\)|\(\d{1,2}\))(?=[“\"]?[^\W\d_a-z])"
    rf"|[A-Z]{{4,}}\s+(?:{_NAMES})(?=[A-Z]{{3}})"
)

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
            width = line.left - before.right
            gap = " " if width > 0.15 * size else ""
            shift = len(before.text) + len(gap)
            between = ((len(before.text), before.right, line.left),) if width > WIDE_GAP * size else ()
            wider = len(line.text) > len(before.text)
            joined[-1] = replace(
                before,
                text=f"{before.text}{gap}{line.text}",
                right=line.right,
                bottom=before.bottom if abs(before.bottom - before.top) < 1 else line.bottom,
                size=line.size if wider else before.size,
                bold=before.bold and line.bold,
                gaps=(*before.gaps, *between, *((at + shift, right, left) for at, right, left in line.gaps)),
            )
        else:
            joined.append(line)
    return joined


def word_counts(pages: Sequence[Page]) -> Counter[str]:
    """How often each word stands in the document, in lower case."""
    return Counter(word.lower() for page in pages for line in page for word in WORD.findall(line.text))


def mend_hyphens(pages: Sequence[Page], words: Counter[str]) -> list[list[PdfLine]]:
    """Words that a line end had cut, whole again: by the other words of the document, else by case."""

    def mended(line: PdfLine) -> PdfLine:
        text = LINE_HYPHEN.sub(lambda match: _whole(match["left"], match["right"], words), line.text)
        text = CONTROLS.sub("", text)
        glued = GLUED.match(text)
        if glued is not None:
            text = f"{glued[0]} {text[glued.end() :]}"
        return line if text == line.text else replace(line, text=text, gaps=())

    return [[mended(line) for line in page] for page in pages]


def _whole(left: str, right: str, words: Counter[str]) -> str:
    """A word from its two halves, with its hyphen where that belongs to it."""
    whole = f"{left}{right}"
    if not (left[-1].islower() and right[0].islower()):
        return f"{left}-{right}"
    if words[whole.lower()]:
        return whole
    # Two words that stand alone elsewhere make a compound, which keeps its hyphen.
    return f"{left}-{right}" if words[left.lower()] > 1 and words[right.lower()] > 1 else whole


def carry_hyphens(pages: Sequence[Page], words: Counter[str]) -> list[list[PdfLine]]:
    """Words cut by the end of a column or page, whole at the end of the line where they begin."""
    found = [list(page) for page in pages]
    places = [(number, at) for number, page in enumerate(found) for at in range(len(page))]
    for (number, at), (after, first) in pairwise(places):
        line, following = found[number][at], found[after][first]
        left, right = CUT_OFF.search(line.text), GOES_ON.match(following.text)
        if left is None or right is None or line.gaps or following.gaps:
            continue
        word = _whole(left["left"], right["right"], words)
        found[number][at] = replace(line, text=f"{line.text[: left.start()]}{word}{right['signs']}")
        found[after][first] = replace(following, text=following.text[right.end() :].lstrip())
    return [[line for line in page if line.text] for page in found]


def pitches(pages: Sequence[Page]) -> Callable[[float], float]:
    """The usual distance between two lines of a paragraph in print of a size, in points; 0 for unknown."""
    gaps: defaultdict[float, Counter[float]] = defaultdict(Counter)
    for page in pages:
        for before, line in pairwise(page):
            if 0 < before.bottom - line.top < 3 * max(line.size, 4.0):
                gaps[_step(line.size)][round(before.bottom - line.top, 1)] += 1
    whole = sum(gaps.values(), Counter[float]())
    usual = whole.most_common(1)[0][0] if whole else 0.0
    known = {size: found.most_common(1)[0][0] for size, found in gaps.items() if found.total() >= LEAST_GAPS}
    return lambda size: known.get(_step(size), usual)


def _step(size: float) -> float:
    return round(size * 2) / 2


def begins_paragraph(before: PdfLine, line: PdfLine, usual: float) -> bool:
    """Whether a line begins a paragraph, by the gap above it or a change of size."""
    gap = before.bottom - line.top
    if gap < 0 or abs(before.size - line.size) > 0.15 * max(before.size, line.size):
        return True
    return usual > 0 and gap > PARAGRAPH_GAP * max(usual, 0.9 * line.size)
