"""From the lines of PDF pages to lines of running text: pieces joined, hyphens mended, paragraphs told."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from pincite.corpus.labels import NAMES
from pincite.corpus.read.pdf_process import PdfLine
from pincite.corpus.read.pdf_worker import WIDE_GAP

PARAGRAPH_GAP = 1.35
# The parser marks a hyphen at the end of a line, and runs the lines together there.
LINE_HYPHEN = re.compile(r"(?P<left>\w+)[\ufffe\u00ad\x02-]?[\ufffe\x02]\s*(?P<right>\w+)")
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

    def mended(line: PdfLine) -> PdfLine:
        text = CONTROLS.sub("", LINE_HYPHEN.sub(mend, line.text))
        glued = GLUED.match(text)
        if glued is not None:
            text = f"{glued[0]} {text[glued.end() :]}"
        return line if text == line.text else replace(line, text=text, gaps=())

    return [[mended(line) for line in page] for page in pages]


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
