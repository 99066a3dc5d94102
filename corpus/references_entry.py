"""What a tree of numbers needs to know of each section."""

from __future__ import annotations

from typing import Protocol


class Entry(Protocol):
    """What the tree needs of a section; units are (number, start, end)."""

    @property
    def id(self) -> str:
        """The section's id."""

    @property
    def parent(self) -> str | None:
        """The id of the section above."""

    @property
    def number(self) -> str | None:
        """The printed number."""

    @property
    def title(self) -> str:
        """The heading without its number."""

    @property
    def start(self) -> int:
        """Where its body begins."""

    @property
    def end(self) -> int:
        """Where its body ends."""
