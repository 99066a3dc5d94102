"""Footnotes of PDF pages: they stand between the two halves of a sentence that runs over the page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from pincite.corpus.read.pdf_layout import Page
from pincite.corpus.read.pdf_process import PdfLine

# Notes are printed smaller than the text, in parts of its size.
SMALLER = 0.94
MARK = re.compile(r"(?:\((?P<round>\d{1,4}|[a-z*]{1,2})\)|(?P<bare>\d{1,4}|[*†‡]{1,3})[.)]?)\s*(?=\S)")


def without_notes(pages: Sequence[Page]) -> tuple[list[list[PdfLine]], list[list[PdfLine]]]:
    """The pages without their footnotes, and the lines of the footnotes of each page.

    Footnotes are the lowest lines of a page, smaller than the text, from a line that begins with a mark on.
    """
    sizes: Counter[float] = Counter()
    for page in pages:
        for line in page:
            sizes[round(line.size * 2) / 2] += len(line.text)
    if not sizes:
        return [list(page) for page in pages], [[] for _ in pages]
    small = SMALLER * sizes.most_common(1)[0][0]
    kept, notes = [], []
    for page in pages:
        taken: set[int] = set()
        for column in {line.column for line in page}:
            first = _first_note(page, small, column)
            taken.update(
                id(line) for line in page if line.column == column and first is not None and line.top <= first
            )
        kept.append([line for line in page if id(line) not in taken])
        notes.append([line for line in page if id(line) in taken])
    return kept, notes


def note_texts(lines: Sequence[PdfLine]) -> list[str]:
    """The notes that lines of a page make, each with its mark in square brackets."""
    notes: list[str] = []
    for line in lines:
        mark = MARK.match(line.text)
        if mark is not None:
            notes.append(f"[{mark['round'] or mark['bare']}] {line.text[mark.end() :]}")
        elif notes:
            notes[-1] += f"\n{line.text}"
    return notes


def _first_note(page: Page, small: float, column: int) -> float | None:
    """The height of the first note at the foot of a column, or of the page where there are none (0)."""
    lowest = min(
        (line.top for line in page if line.size > small and (not column or line.column in (0, column))),
        default=None,
    )
    if lowest is None:
        return None
    own = (line for line in page if line.column == column and line.top < lowest - 1)
    below = sorted(own, key=lambda line: -line.top)
    for line in below:
        if MARK.match(line.text):
            return line.top + 0.5
    return None
