"""Versions side by side: which of them a later one has replaced on a day."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from threading import Lock


@dataclass(frozen=True, slots=True)
class Dated:
    """A document that says from when on it is in force."""

    id: str
    title: str
    groups: tuple[str, ...]
    effective_from: date


class Replaced:
    """Remembers, for one version of the index and the days asked for, which documents are replaced."""

    def __init__(self) -> None:
        self._version = -1
        self._days: dict[date, frozenset[str]] = {}
        self._lock = Lock()

    def on(self, day: date, version: int, read: Callable[[], Sequence[Dated]]) -> frozenset[str]:
        """The ids of documents that are replaced on `day`; `read` is asked when the index has changed."""
        with self._lock:
            if version == self._version and day in self._days:
                return self._days[day]
        dated = read()
        found = replaced(dated, day)
        with self._lock:
            if version != self._version:
                self._version, self._days = version, {}
            self._days[day] = found
        return found


def replaced(dated: Iterable[Dated], day: date) -> frozenset[str]:
    """The documents of which a later version is in force on `day`.

    Versions of one document stand in one folder, carry the same title and are seen by the same groups.
    """
    versions: defaultdict[tuple[str, str, tuple[str, ...]], list[Dated]] = defaultdict(list)
    for one in dated:
        if one.effective_from <= day:
            versions[one.id.rpartition("/")[0], title_key(one.title), tuple(sorted(one.groups))].append(one)
    gone: set[str] = set()
    for same in versions.values():
        latest = max(one.effective_from for one in same)
        gone.update(one.id for one in same if one.effective_from < latest)
    return frozenset(gone)


def title_key(title: str) -> str:
    """Titles of versions are compared without case and spaces."""
    return "".join(title.casefold().split())
