"""The header line that a chunk from the middle of a table repeats."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence

Span = tuple[int, int]


class TableHeaders:
    """The header lines of a document's tables: the first line of each.

    `costs[i]` is how many word pieces the header of table i adds to a chunk, 0 where it has more than
    `longest` and is therefore not repeated.
    """

    def __init__(
        self, text: str, tables: Sequence[Span], *, longest: int, counts: Callable[[Sequence[str]], list[int]]
    ) -> None:
        self.tables = sorted(tables)
        self._ends = [_line_end(text, start, end) for start, end in self.tables]
        self._lines = [
            text[start:end].strip() for (start, _), end in zip(self.tables, self._ends, strict=True)
        ]
        # A line of so many characters is too long by any count.
        shown = [line if len(line) <= 20 * longest else "" for line in self._lines]
        self.costs = [
            cost + 1 if line and cost < longest else 0
            for line, cost in zip(shown, counts(shown), strict=True)
        ]

    def before(self, start: int) -> str:
        """The header to put in front of a chunk that starts at `start`, with its line break, or ""."""
        at = bisect_right(self.tables, start, key=lambda table: table[0]) - 1
        if at < 0 or not self.costs[at] or not self._ends[at] <= start < self.tables[at][1]:
            return ""
        return self._lines[at] + "\n"

    def cost_before(self, start: int) -> int:
        """The word pieces of `before(start)`."""
        at = bisect_right(self.tables, start, key=lambda table: table[0]) - 1
        return self.costs[at] if self.before(start) else 0


def _line_end(text: str, start: int, end: int) -> int:
    """Where the first line with something in it ends."""
    first = start + len(text[start:end]) - len(text[start:end].lstrip())
    stop = text.find("\n", first, end)
    return stop if stop >= 0 else end
