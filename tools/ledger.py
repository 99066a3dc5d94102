"""What was shown in a session, under which handle, and which of it still stands in the request.

A handle never changes its meaning: P3 names one span of one document version for the whole session, also
after compaction, withdrawal or a resumed session.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from pincite.errors import UsageError
from pincite.tools.passage import Passage

# One section of one document version; spans are compared only inside it.
Place = tuple[str, str, str]
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Shown:
    """`passage` carries its handle; `sent` is False when it is to be named instead of sent again."""

    passage: Passage
    sent: bool


@dataclass(slots=True)
class _Shelf:
    """The spans of one section: all by exact span, and the widest standing ones in order.

    No span in `standing` lies inside another there, so starts and ends both ascend and one bisection
    finds the only span that could hold a given one.
    """

    by_span: dict[Span, str] = field(default_factory=dict)
    standing: list[tuple[int, int, str]] = field(default_factory=list)
    withdrawn: list[Span] = field(default_factory=list)

    def holder(self, start: int, end: int) -> str | None:
        """The handle of a standing span that holds start..end."""
        at = bisect_right(self.standing, start, key=lambda entry: entry[0]) - 1
        if at >= 0 and self.standing[at][1] >= end:
            return self.standing[at][2]
        return None

    def stand(self, start: int, end: int, handle: str) -> None:
        """Add a standing span and drop those that it holds."""
        if self.holder(start, end) is not None:
            return
        self.standing = [entry for entry in self.standing if not (start <= entry[0] and entry[1] <= end)]
        insort(self.standing, (start, end, handle))


class LedgerState(BaseModel):
    """A ledger as JSON: passages in the order of their handles, and the handles in each state."""

    model_config = ConfigDict(extra="forbid")

    passages: list[Passage]
    standing: list[str]
    cited: list[str] = []
    withdrawn: list[str] = []

    @model_validator(mode="after")
    def _dense(self) -> LedgerState:
        expected = [f"P{number}" for number in range(1, len(self.passages) + 1)]
        if [passage.handle for passage in self.passages] != expected:
            raise ValueError("the handles are not P1, P2, P3 ... in order")
        if not {*self.standing, *self.cited, *self.withdrawn} <= set(expected):
            raise ValueError("a handle is named that has no passage")
        if set(self.standing) & set(self.withdrawn):
            raise ValueError("a withdrawn passage cannot stand")
        return self


class Ledger:
    """The passages of one session. Candidates are passages whose handle is empty."""

    def __init__(self) -> None:
        self._passages: dict[str, Passage] = {}
        self._standing: set[str] = set()
        self._cited: set[str] = set()
        self._withdrawn: set[str] = set()
        self._shelves: dict[Place, _Shelf] = {}

    @property
    def passages(self) -> Mapping[str, Passage]:
        """Every passage ever shown, by handle, in the order of handles."""
        return MappingProxyType(self._passages)

    @property
    def standing(self) -> AbstractSet[str]:
        """Handles whose text still stands in the request."""
        return self._standing

    @property
    def cited(self) -> AbstractSet[str]:
        """Handles that an accepted answer cited."""
        return self._cited

    @property
    def withdrawn(self) -> AbstractSet[str]:
        """Handles whose document was deleted or is no longer permitted."""
        return self._withdrawn

    def named(self, candidate: Passage) -> str | None:
        """The handle under which the candidate's whole text already stands in the request."""
        shelf = self._shelves.get(_place(candidate))
        return shelf.holder(candidate.start, candidate.end) if shelf else None

    def barred(self, candidate: Passage) -> bool:
        """Whether the candidate overlaps text that was withdrawn."""
        shelf = self._shelves.get(_place(candidate))
        if shelf is None:
            return False
        return any(candidate.start < end and start < candidate.end for start, end in shelf.withdrawn)

    def show(self, candidate: Passage) -> Shown | None:
        """Give the candidate its handle and say whether its text has to be sent.

        A span that stands already, or lies inside one that does, is named. One that stood once is sent
        again under its old handle; any other gets the next handle. None: withdrawn, not to be shown.
        """
        if self.barred(candidate):
            return None
        shelf = self._shelves.setdefault(_place(candidate), _Shelf())
        holder = shelf.holder(candidate.start, candidate.end)
        if holder is not None:
            return Shown(self._passages[holder], sent=False)
        span = (candidate.start, candidate.end)
        handle = shelf.by_span.get(span)
        if handle is None:
            handle = self._next_handle(candidate)
            self._passages[handle] = candidate.model_copy(update={"handle": handle})
            shelf.by_span[span] = handle
        self._standing.add(handle)
        shelf.stand(*span, handle)
        return Shown(self._passages[handle], sent=True)

    def _next_handle(self, candidate: Passage) -> str:
        """The handle of a passage that was not shown before."""
        return f"P{len(self._passages) + 1}"

    def compact(self, handles: Iterable[str]) -> None:
        """These became receipts: their text no longer stands in the request."""
        gone = {handle for handle in handles if handle in self._standing}
        self._standing -= gone
        for place in {_place(self._passages[handle]) for handle in gone}:
            self._restand(place)

    def cite(self, handles: Iterable[str]) -> None:
        """An accepted answer cited these. KeyError for a handle that was never shown."""
        for handle in handles:
            self._cited.add(self._passages[handle].handle)

    def withdraw(self, handles: Iterable[str]) -> None:
        """The documents behind these are gone or forbidden. KeyError for a handle that was never shown."""
        for handle in handles:
            passage = self._passages[handle]
            self._standing.discard(handle)
            if handle not in self._withdrawn:
                self._withdrawn.add(handle)
                self._shelves[_place(passage)].withdrawn.append((passage.start, passage.end))
                self._restand(_place(passage))

    def to_json(self) -> dict[str, Any]:
        """The whole state, JSON-ready; `from_json` rebuilds an equal ledger."""
        state = LedgerState(
            passages=list(self._passages.values()),
            standing=_ordered(self._standing),
            cited=_ordered(self._cited),
            withdrawn=_ordered(self._withdrawn),
        )
        return state.model_dump(mode="json")

    @classmethod
    def from_json(cls, data: object) -> Ledger:
        """Rebuild a ledger; UsageError when the data is not one."""
        ledger = cls()
        ledger.load(data)
        return ledger

    def load(self, data: object) -> None:
        """Take in the state of another ledger, as an empty one; UsageError when the data is not one."""
        try:
            state = LedgerState.model_validate(data)
        except ValidationError as error:
            hint = error.errors()[0]["msg"]
            raise UsageError("This is not a ledger.", code="bad_ledger", hint=hint) from error
        for passage in state.passages:
            self._passages[passage.handle] = passage
            shelf = self._shelves.setdefault(_place(passage), _Shelf())
            shelf.by_span[(passage.start, passage.end)] = passage.handle
        self._standing = set(state.standing)
        self._cited = set(state.cited)
        self.withdraw(state.withdrawn)
        for handle in state.standing:
            passage = self._passages[handle]
            self._shelves[_place(passage)].stand(passage.start, passage.end, handle)

    def _restand(self, place: Place) -> None:
        """Work out anew which spans of a section stand, the widest first."""
        shelf = self._shelves[place]
        shelf.standing = []
        spans = [(span, handle) for span, handle in shelf.by_span.items() if handle in self._standing]
        for (start, end), handle in sorted(spans, key=lambda entry: (entry[0][0] - entry[0][1], entry[0])):
            shelf.stand(start, end, handle)


def _place(passage: Passage) -> Place:
    return (passage.document, passage.version, passage.section)


def _ordered(handles: set[str]) -> list[str]:
    return sorted(handles, key=lambda handle: int(handle[1:]))
