"""A ledger that gives passages the handles they had in a recording, so that citations still mean them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pincite.tools.ledger import Ledger, Shown
from pincite.tools.passage import Passage


class PinnedLedger(Ledger):
    """Passages that were recorded keep their handle, also when their section says something else now.

    What was not recorded gets handles behind all recorded ones. `as_recorded` makes of a passage what would
    have been recorded of it.
    """

    def __init__(
        self, recorded: Iterable[Passage], as_recorded: Callable[[Passage], Passage] = lambda passage: passage
    ) -> None:
        super().__init__()
        self._as_recorded = as_recorded
        self._free = {passage.handle: passage for passage in recorded}
        self._last = max((int(handle[1:]) for handle in self._free), default=0)

    def show(self, candidate: Passage) -> Shown | None:
        """As in any ledger, the passage as it would have been recorded."""
        return super().show(self._as_recorded(candidate))

    def load(self, data: object) -> None:
        """Take in the state of another ledger: its handles are taken."""
        super().load(data)
        self._free = {handle: one for handle, one in self._free.items() if handle not in self.passages}

    def _next_handle(self, candidate: Passage) -> str:
        same = (candidate.document, candidate.section)
        there = [one for one in self._free.values() if (one.document, one.section) == same]
        exact = [one for one in there if one.text == candidate.text]
        chosen = next(iter(exact or there), None)
        if chosen is None:
            self._last += 1
            return f"P{self._last}"
        return self._free.pop(chosen.handle).handle
