"""Versions side by side: until when each is in force before a later one replaces it."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta


@dataclass(frozen=True, slots=True)
class Dated:
    """A document that says from when on it is in force."""

    id: str
    title: str
    groups: tuple[str, ...]
    effective_from: date


def ends(dated: Iterable[Dated]) -> dict[str, date]:
    """The last day of each version that a later one follows: the day before that begins.

    Versions of one document stand in one folder, carry the same title and are seen by the same groups.
    """
    versions: defaultdict[tuple[str, str, tuple[str, ...]], list[Dated]] = defaultdict(list)
    for one in dated:
        versions[one.id.rpartition("/")[0], title_key(one.title), tuple(sorted(one.groups))].append(one)
    found: dict[str, date] = {}
    for same in versions.values():
        starts = sorted({one.effective_from for one in same})
        for one in same:
            later = bisect_right(starts, one.effective_from)
            if later < len(starts):
                found[one.id] = starts[later] - timedelta(days=1)
    return found


def title_key(title: str) -> str:
    """Titles of versions are compared without case and spaces."""
    return "".join(title.casefold().split())
