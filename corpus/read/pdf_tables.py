"""Tables on PDF pages: lines that follow each other whose cells stand in the same columns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.corpus.labels import parse_label
from pincite.corpus.read.pdf_process import PdfLine

LEAST_ROWS = 3
# Points by which the cells of a column may miss each other.
APART = 5.0
# Beyond this mean length two cells side by side are two columns of running text.
LONG_CELL = 40
MARK = re.compile(r"\(?[A-Za-z0-9]{1,4}[.)]")
BULLETS = frozenset("•·▪◦‣–—-*○●")
Cell = tuple[str, float, float]


@dataclass(frozen=True, slots=True)
class PdfTable:
    """The lines `first` to `last` of a page, as rows of equally many cells."""

    first: int
    last: int
    rows: tuple[tuple[str, ...], ...]


def tables(page: Sequence[PdfLine]) -> list[PdfTable]:
    """The tables of a page in order; their first row is the header."""
    found: list[PdfTable] = []
    at = 0
    while at < len(page):
        stop = at
        while stop < len(page) and page[stop].gaps and not _is_item(page[stop]):
            stop += 1
        table = _table(page, at, stop) if stop - at >= LEAST_ROWS else None
        if table is not None:
            found.append(table)
        at = max(stop, at + 1)
    return found


def _is_item(line: PdfLine) -> bool:
    """Whether the first cell is the mark of a list or of a heading."""
    mark = line.text[: line.gaps[0][0]].strip()
    label = parse_label(mark)
    return mark in BULLETS or MARK.fullmatch(mark) is not None or (label is not None and label.closed)


def _table(page: Sequence[PdfLine], first: int, stop: int) -> PdfTable | None:
    lines = [_cells(line) for line in page[first:stop]]
    width, times = Counter(len(cells) for cells in lines).most_common(1)[0]
    full = [cells for cells in lines if len(cells) == width]
    if times < LEAST_ROWS or times < 0.6 * len(lines) or max(map(len, lines)) > width:
        return None
    if not all(_is_column([cells[at] for cells in full]) for at in range(width)):
        return None
    letters = sum(len(text) for cells in full for text, *_ in cells)
    if letters > LONG_CELL * width * len(full):
        return None
    centres = [sum(cells[at][1] + cells[at][2] for cells in full) / (2 * len(full)) for at in range(width)]
    return PdfTable(first, stop - 1, tuple(_row(cells, centres) for cells in lines))


def _cells(line: PdfLine) -> list[Cell]:
    """Text, left and right edge of each cell."""
    starts = [0, *(at for at, *_ in line.gaps)]
    stops = [*starts[1:], len(line.text)]
    lefts = [line.left, *(left for *_, left in line.gaps)]
    rights = [*(right for _, right, _ in line.gaps), line.right]
    return [
        (line.text[start:stop].strip(), left, right)
        for start, stop, left, right in zip(starts, stops, lefts, rights, strict=True)
    ]


def _is_column(cells: Sequence[Cell]) -> bool:
    """Whether cells are aligned at their left or right edges, or centred."""
    for edge in (
        [left for _, left, _ in cells],
        [right for *_, right in cells],
        [(left + right) / 2 for _, left, right in cells],
    ):
        middle = sorted(edge)[len(edge) // 2]
        if sum(abs(place - middle) <= APART for place in edge) >= 0.8 * len(edge):
            return True
    return False


def _row(cells: Sequence[Cell], centres: Sequence[float]) -> tuple[str, ...]:
    """The cells in their columns, each in the nearest one that is free."""
    row = [""] * len(centres)
    at = 0
    for number, (text, left, right) in enumerate(cells):
        left_over = len(cells) - number - 1
        choices = range(at, len(centres) - left_over)
        at = min(choices, key=lambda column: abs(centres[column] - (left + right) / 2))
        row[at] = text
        at += 1
    return tuple(row)
