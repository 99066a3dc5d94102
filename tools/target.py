"""What a reference opens."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.corpus.outline import full_number
from pincite.corpus.rows import SectionRow


@dataclass(frozen=True, slots=True)
class Target:
    """What a reference opens: a section, or the unit (number, start, end) inside it."""

    row: SectionRow
    unit: tuple[str, int, int] | None = None

    @property
    def number(self) -> str | None:
        """The number in full, as it is cited."""
        return full_number(self.row.number, self.unit[0]) if self.unit else self.row.number


def with_text(found: list[Target]) -> list[Target]:
    """Of several, those that hold something: an empty one is mostly a line of a printed contents."""
    if len(found) < 2:
        return found
    full = [
        one
        for one in found
        if one.unit or one.row.start < one.row.end or one.row.position < one.row.tree_last
    ]
    return full or found
