"""Which atoms go together in a chunk: about equal chunks, cut where paragraphs end, with an overlap."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import ceil

from pincite.corpus.chunk_atoms import Atom

# How much worse than a paragraph's end a cut is, as a share of the chunk's length it may be off by.
_AFTER_SENTENCE = 0.15
_AFTER_FRAGMENT = 0.3
_AFTER_COLON = 0.3
_INSIDE_TABLE = 0.2


def pack(
    text: str,
    atoms: Sequence[Atom],
    *,
    target: int,
    longest: int,
    overlap: int,
    extra: Callable[[int], int],
) -> Iterator[tuple[int, int]]:
    """Where chunks begin and end: (start, end) offsets, each a run of atoms.

    A chunk has about `target` pieces and at most `longest`, unless a single atom has more. The next one
    begins with the last whole sentences of it, as near to `overlap` pieces as they come. `extra` is what a
    chunk that begins at an offset has in front (a table's header).
    """
    sums = [0, *accumulate(atom.cost for atom in atoms)]
    start = fresh = 0
    while fresh < len(atoms):
        room = longest - extra(atoms[start].start)
        left = sums[-1] - sums[start]
        if left <= room:
            end = len(atoms)
        else:
            parts = max(2, ceil((left - overlap) / max(1, target - overlap)))
            goal = min((left + (parts - 1) * overlap) / parts, room)
            ends = range(fresh + 1, bisect_right(sums, sums[start] + room, fresh + 1))
            if not ends and start < fresh:
                start = fresh
                continue
            end = min(ends, key=_Score(text, atoms, sums, start, goal), default=fresh + 1)
        yield atoms[start].start, atoms[end - 1].end
        fresh = end
        start = _overlap_start(atoms, start, end, overlap)


@dataclass(frozen=True, slots=True)
class _Score:
    """How bad it is to end the chunk that began at atom `start` before a given atom."""

    text: str
    atoms: Sequence[Atom]
    sums: Sequence[int]
    start: int
    goal: float

    def __call__(self, end: int) -> float:
        off = abs(self.sums[end] - self.sums[self.start] - self.goal) / max(1.0, self.goal)
        return off + _cut_cost(self.text, self.atoms[end - 1], self.atoms[end])


def _cut_cost(text: str, last: Atom, following: Atom) -> float:
    if last.table is not None and last.table == following.table:
        return _INSIDE_TABLE
    cost = 0.0 if last.closes else _AFTER_SENTENCE if last.sentence else _AFTER_FRAGMENT
    return cost + (_AFTER_COLON if text[last.end - 1] in ":：" else 0.0)


def _overlap_start(atoms: Sequence[Atom], start: int, end: int, overlap: int) -> int:
    """The first of the whole sentences before `end` that come nearest to `overlap` pieces together."""
    first, total = end, 0
    while first - 1 > start and atoms[first - 1].sentence:
        cost = atoms[first - 1].cost
        if total + cost - overlap > overlap - total:
            break
        total += cost
        first -= 1
    return first
