"""The smallest parts a chunk is made of: sentences, table rows, and pieces of those that are too long."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import TypeVar

from pincite.corpus.chunk_table import TableHeaders
from pincite.corpus.sentences import sentence_spans

Span = tuple[int, int]
Item = TypeVar("Item")

# No text is let through on fewer than one piece per this many characters: BERT makes one unknown piece of
# any word over 100 letters, and a megabyte must not pass for one.
CHARACTERS_PER_PIECE = 8

_CLAUSE = re.compile(r"[;:,—–|]\s++|\t++|[，；：、]\s*+|(?<=\S)\s++(?=\()")
_WORD = re.compile(r"\S+")
# A text a little over the target stays whole rather than leave a small rest.
SLACK = 1.25
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")


@dataclass(frozen=True, slots=True)
class Atom:
    """A part that is not cut: a sentence, a table or a row of one, or a piece of one of those.

    `cost` is in word pieces. `sentence`: it is a whole sentence, so it may be repeated as overlap.
    `closes`: a paragraph, a list or a table ends with it. `table`: the index of the table it is a row of.
    `window`: it overlaps its neighbours already and is a chunk of its own.
    """

    start: int
    end: int
    cost: int
    sentence: bool = False
    closes: bool = False
    table: int | None = None
    window: bool = False


class Measure:
    """Counts the word pieces of spans of one text, many at once."""

    def __init__(self, text: str, counts: Callable[[Sequence[str]], list[int]]) -> None:
        self.text = text
        self._counts = counts

    def costs(self, spans: Sequence[Span], *, cap: int) -> list[int]:
        """The cost of each span; one that must be over `cap` for its length alone is not counted."""
        floors = [ceil((end - start) / CHARACTERS_PER_PIECE) for start, end in spans]
        wanted = [span for span, floor in zip(spans, floors, strict=True) if floor <= cap]
        counted = iter(self._counts([self.text[start:end] for start, end in wanted]))
        return [max(next(counted), floor) if floor <= cap else floor for floor in floors]


def fixed_windows(words: Sequence[Item], size: int, overlap: int) -> list[Sequence[Item]]:
    """Windows of `size` items, each sharing `overlap` with the one before; the last may be shorter."""
    if size < 1 or not 0 <= overlap < size:
        raise ValueError("a window needs a size of 1 or more and an overlap below it")
    last = max(1, len(words) - overlap) if words else 0
    return [words[start : start + size] for start in range(0, last, size - overlap)]


def body_atoms(
    measure: Measure,
    body: Span,
    headers: TableHeaders,
    *,
    target: int,
    overlap: float,
) -> list[Atom]:
    """The atoms of one section's body, in order, none over `target` pieces (windows overlap).

    A table within the target is one atom; a longer one is an atom per row, each leaving room for the header.
    """
    text = measure.text
    raw = list(_sentences_and_tables(text, body, headers.tables))
    costs = measure.costs([span for span, _ in raw], cap=target)
    atoms: list[Atom] = []
    for at, ((span, table), cost) in enumerate(zip(raw, costs, strict=True)):
        start, end = span
        following = raw[at + 1] if at + 1 < len(raw) else None
        closes = (
            following is None
            or table is not None
            or following[1] is not None
            or _BLANK_LINE.search(text, end, following[0][0]) is not None
        )
        if cost <= target:
            atoms.append(Atom(start, end, cost, sentence=table is None, closes=closes))
        elif table is None:
            atoms.extend(_closing(_cut(measure, span, target, overlap), closes))
        else:
            room = target - headers.costs[table]
            atoms.extend(_closing(_rows(measure, span, table, room, overlap), closes))
    return atoms


def _closing(atoms: Iterable[Atom], closes: bool) -> list[Atom]:
    """`atoms`, the last one marked as the end of a paragraph where it is."""
    done = list(atoms)
    if done and closes:
        done[-1] = replace(done[-1], closes=True)
    return done


def _sentences_and_tables(text: str, body: Span, tables: Sequence[Span]) -> Iterator[tuple[Span, int | None]]:
    """The sentences of a body, and its tables with their index, in order and without outer spaces."""
    position, end = body
    for index in range(bisect_left(tables, (position, position)), len(tables)):
        left, right = max(position, tables[index][0]), min(end, tables[index][1])
        if left >= end:
            break
        if text[left:right].strip():
            yield from ((span, None) for span in _sentences(text, position, left))
            yield trimmed(text, left, right), index
            position = right
    yield from ((span, None) for span in _sentences(text, position, end))


def _sentences(text: str, start: int, end: int) -> Iterator[Span]:
    for left, right in sentence_spans(text[start:end]):
        yield start + left, start + right


def trimmed(text: str, start: int, end: int) -> Span:
    """The span without the spaces at its ends."""
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), end - len(piece) + len(piece.rstrip())


def _rows(measure: Measure, span: Span, table: int, target: int, overlap: float) -> Iterator[Atom]:
    """The rows of a table that is too long for one chunk."""
    rows = []
    position = span[0]
    for line in measure.text[span[0] : span[1]].splitlines(keepends=True):
        if line.strip():
            rows.append(trimmed(measure.text, position, position + len(line)))
        position += len(line)
    for row, cost in zip(rows, measure.costs(rows, cap=target), strict=True):
        if cost <= target:
            yield Atom(*row, cost, table=table)
        else:
            yield from (replace(atom, table=table) for atom in _cut(measure, row, target, overlap))


def _cut(measure: Measure, span: Span, target: int, overlap: float) -> Iterator[Atom]:
    """A sentence or row that is too long, cut at the signs inside it, and where there are none, by words."""
    clauses = list(_between(measure.text, span, _CLAUSE))
    for clause, cost in zip(clauses, measure.costs(clauses, cap=target), strict=True):
        if cost <= target:
            yield Atom(*clause, cost)
        else:
            yield from _cut_words(measure, clause, target, overlap)


def _between(text: str, span: Span, separator: re.Pattern[str]) -> Iterator[Span]:
    """The span cut behind each separator, without outer spaces."""
    position = span[0]
    for match in separator.finditer(text, *span):
        left, right = trimmed(text, position, match.end())
        if left < right:
            yield left, right
        position = match.end()
    left, right = trimmed(text, position, span[1])
    if left < right:
        yield left, right


def _cut_words(measure: Measure, span: Span, target: int, overlap: float) -> Iterator[Atom]:
    """Text without sentence structure: windows of words, and slices of words that are too long."""
    run: list[Span] = []
    for match in _WORD.finditer(measure.text, *span):
        if match.end() - match.start() <= target:
            run.append(match.span())
            continue
        yield from _windows(measure, run, target, overlap)
        run = []
        yield from _slices(measure, match.span(), target)
    yield from _windows(measure, run, target, overlap)


def _windows(measure: Measure, words: list[Span], target: int, overlap: float) -> Iterator[Atom]:
    """Overlapping windows of words of about `target` pieces; where words differ too much, the words."""
    if not words:
        return
    blocks = [_around(block) for block in fixed_windows(words, target, 0)]
    total = sum(measure.costs(blocks, cap=CHARACTERS_PER_PIECE * target))
    if total <= target:
        yield Atom(words[0][0], words[-1][1], total)
        return
    size = max(1, target * len(words) // total)
    windows = [_around(window) for window in fixed_windows(words, size, int(size * overlap))]
    costs = measure.costs(windows, cap=2 * target)
    if max(costs) <= SLACK * target:
        yield from (Atom(*window, cost, window=True) for window, cost in zip(windows, costs, strict=True))
        return
    for word, cost in zip(words, measure.costs(words, cap=target), strict=True):
        if cost <= target:
            yield Atom(*word, cost)
        else:
            yield from _slices(measure, word, target)


def _around(words: Sequence[Span]) -> Span:
    return words[0][0], words[-1][1]


def _slices(measure: Measure, span: Span, target: int) -> list[Atom]:
    """Text that has no space to cut at, in slices by length, halved until each is within the target."""
    start, end = span
    pending = _sliced(measure.text, range(start, end, CHARACTERS_PER_PIECE * target), end)
    atoms: list[Atom] = []
    while pending:
        halves: list[Span] = []
        for (start, end), cost in zip(pending, measure.costs(pending, cap=target), strict=True):
            if cost <= target or end - start == 1:
                atoms.append(Atom(start, end, cost))
            else:
                halves.extend(_sliced(measure.text, (start, (start + end) // 2), end))
        pending = halves
    return sorted(atoms, key=lambda atom: atom.start)


def _sliced(text: str, starts: Sequence[int], end: int) -> list[Span]:
    """The spans that begin at `starts`, moved back where one would part a letter from its marks."""
    first = starts[0]
    moved = [first, *sorted({_before_marks(text, start, first) for start in starts[1:]} - {first})]
    spans = zip(moved, [*moved[1:], end], strict=True)
    return [span for span in (trimmed(text, *span) for span in spans) if span[0] < span[1]]


def _before_marks(text: str, position: int, first: int) -> int:
    """`position`, or up to 16 characters earlier when combining marks or joined emoji go across it."""
    for at in range(position, max(first, position - 16), -1):
        if (
            not unicodedata.combining(text[at])
            and "\u200d" not in text[at - 1 : at + 1]
            and text[at] != "\ufe0f"
        ):
            return at
    return position
