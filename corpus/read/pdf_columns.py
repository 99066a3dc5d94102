"""Reading order of pages with columns: each column from top to bottom, what spans them all in its place.

A page is taken for columns only where running text fills them: the cells of a table, the marks of a list and
blocks of signatures stand side by side too, and are read line by line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from statistics import median

from pincite.corpus.read.pdf_process import PdfLine
from pincite.corpus.read.pdf_tables import tables

# Lines that each of two columns must have, and characters and share of the width that a usual one fills.
LEAST_LINES = 5
LEAST_CHARS = 15
LEAST_FILL = 0.68
# A column is at least this share of the print's width.
LEAST_WIDTH = 0.15
# Between columns, in parts of the print's size.
LEAST_GUTTER = 0.7
# Points by which the lines of a column may begin apart.
APART = 3.0
MOST_COLUMNS = 5


def in_reading_order(page: Sequence[PdfLine]) -> list[PdfLine]:
    """The lines of a page, those of columns one column after another and marked with its number."""
    kept = {id(line) for rows in _tables(page) if not _fills(rows) for line in rows}
    ordered = _ordered(list(page), kept, MOST_COLUMNS)
    return list(page) if ordered is None else ordered


def _tables(page: Sequence[PdfLine]) -> Iterator[Sequence[PdfLine]]:
    """The rows of each table of a page: lines below each other with as many cells."""
    for _, group in groupby(page, key=lambda line: len(line.gaps)):
        lines = list(group)
        for table in tables(lines):
            yield lines[table.first : table.last + 1]


def _fills(rows: Sequence[PdfLine]) -> bool:
    """Whether the lines of what looks like a table are the lines of columns: their cells fill the width."""
    return all(_is_prose(column) for column in zip(*map(_pieces, rows), strict=True))


def _ordered(lines: list[PdfLine], kept: set[int], most: int) -> list[PdfLine] | None:
    """The lines in order, or None when they are no columns; `kept` are lines that may not be divided."""
    edge = _gutter(lines, kept) if most > 1 else None
    if edge is None:
        return None
    found: list[PdfLine] = []
    band: tuple[list[PdfLine], list[PdfLine]] = ([], [])
    column = 1
    for line in sorted(lines, key=lambda line: -max(line.top, line.bottom)):
        sides = _divided(line, edge, kept)
        if sides is None:
            found += _band(band, kept, most, column)
            column = max((line.column for line in found), default=0) + 1
            band = ([], [])
            found.append(line)
        else:
            for side, part in zip(band, sides, strict=True):
                side.extend([part] if part is not None else [])
    return [*found, *_band(band, kept, most, column)]


def _band(
    band: tuple[list[PdfLine], list[PdfLine]], kept: set[int], most: int, column: int
) -> Iterator[PdfLine]:
    """The columns between two lines that span them; each numbered, from `column` on."""
    for side in band:
        inner = _ordered(side, kept, most - 1)
        if inner is None:
            yield from (replace(line, column=column) for line in side)
            column += bool(side)
        else:
            last = column
            for line in inner:
                last = max(last, column + line.column)
                yield replace(line, column=column + line.column)
            column = last + 1


def _gutter(lines: Sequence[PdfLine], kept: set[int]) -> float | None:
    """Where the right one of two columns begins that running text fills; None when there are none."""
    pieces = [piece for line in lines if id(line) not in kept for piece in _pieces(line)]
    if len(pieces) < 2 * LEAST_LINES:
        return None
    left, right = min(piece.left for piece in pieces), max(piece.right for piece in pieces)
    best: tuple[int, float] | None = None
    for edge in _edges(pieces):
        if not left + LEAST_WIDTH * (right - left) < edge < right - LEAST_WIDTH * (right - left):
            continue
        sides: tuple[list[PdfLine], list[PdfLine]] = ([], [])
        for line in lines:
            parts = _divided(line, edge, kept)
            for side, part in zip(sides, parts or (), strict=False):
                side.extend([part] if part is not None else [])
        lesser = min(map(len, sides))
        if (
            lesser >= LEAST_LINES
            and all(_is_filled(side) for side in sides)
            and _side_by_side(*sides)
            and (best is None or lesser > best[0])
        ):
            best = (lesser, edge)
    return best[1] if best is not None else None


def _edges(pieces: Sequence[PdfLine]) -> list[float]:
    """Where several lines begin below each other."""
    lefts = sorted(piece.left for piece in pieces)
    edges: list[float] = []
    first = 0
    for at, (here, after) in enumerate(pairwise([*lefts, float("inf")])):
        if after - here > APART:
            if at + 1 - first >= LEAST_LINES:
                edges.append(lefts[first])
            first = at + 1
    return edges


def _divided(line: PdfLine, edge: float, kept: set[int]) -> tuple[PdfLine | None, PdfLine | None] | None:
    """What of a line lies on each side of a gutter that ends at `edge`; None when the line spans it."""
    gutter = LEAST_GUTTER * max(line.size, 4.0)
    if line.left >= edge - APART:
        return None, line
    if line.right <= edge - gutter:
        return line, None
    if id(line) in kept:
        return None
    for number, (at, before, behind) in enumerate(line.gaps):
        if before <= edge - gutter and behind >= edge - APART:
            shift = at + len(line.text[at:]) - len(line.text[at:].lstrip())
            later = tuple((place - shift, end, start) for place, end, start in line.gaps[number + 1 :])
            return (
                replace(line, text=line.text[:at], right=before, bottom=line.top, gaps=line.gaps[:number]),
                replace(line, text=line.text[shift:], left=behind, top=line.bottom, gaps=later),
            )
    return None


def _pieces(line: PdfLine) -> Iterator[PdfLine]:
    """The parts of a line between its wide gaps."""
    start, left = 0, line.left
    for at, before, behind in (*line.gaps, (len(line.text), line.right, 0.0)):
        yield replace(line, text=line.text[start:at].strip(), left=left, right=before, gaps=())
        start, left = at, behind


def _is_filled(lines: Sequence[PdfLine]) -> bool:
    """Whether lines are running text, or columns of it."""
    if _is_prose(lines):
        return True
    pieces = [piece for line in lines for piece in _pieces(line)]
    groups = [[one for one in pieces if abs(one.left - edge) <= APART] for edge in _edges(pieces)]
    held = sum(len(group) for group in groups)
    return len(groups) > 1 and held >= 0.8 * len(pieces) and all(_is_prose(group) for group in groups)


def _is_prose(lines: Sequence[PdfLine]) -> bool:
    """Whether most lines fill the width of their column, as running text does."""
    left, right = min(line.left for line in lines), max(line.right for line in lines)
    if right - left <= 0 or _gapped(lines):
        return False
    usual = median(len(line.text) for line in lines)
    fill = median((line.right - line.left) / (right - left) for line in lines)
    return usual >= LEAST_CHARS and fill >= LEAST_FILL


def _gapped(lines: Sequence[PdfLine]) -> bool:
    """Whether most lines have wide gaps, so that they are rows rather than running text."""
    return 2 * sum(bool(line.gaps) for line in lines) > len(lines)


def _side_by_side(left: Sequence[PdfLine], right: Sequence[PdfLine]) -> bool:
    """Whether two columns share the height of the page, rather than one standing below the other."""
    tops = [line.top for line in left]
    low, high = min(tops), max(tops)
    return 2 * sum(low - line.size <= line.top <= high + line.size for line in right) >= len(right)
