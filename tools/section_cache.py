"""Sections that were read lately, for as long as the index does not change."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from threading import Lock

from pincite.corpus.rows import SectionRow
from pincite.tools.sources import SectionKey

Fetch = Callable[[Sequence[SectionKey]], Mapping[SectionKey, SectionRow]]

# Characters of section text that are kept; a small corpus is kept whole.
_KEPT = 4_000_000


class SectionCache:
    """Remembers sections of one version of an index. Safe to use from several threads.

    It knows nothing of scopes: ask it only for sections of hits that were just found within the scope.
    """

    def __init__(self, kept: int = _KEPT) -> None:
        self._kept = kept
        self._version = -1
        self._rows: OrderedDict[SectionKey, SectionRow] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def sections(
        self, wanted: Mapping[SectionKey, str], version: int, fetch: Fetch
    ) -> dict[SectionKey, SectionRow]:
        """The wanted sections of these document versions; `fetch` is asked for those not at hand.

        What `fetch` gives is passed on as it is, also when it is of another document version.
        """
        known = self._known(wanted, version)
        missing = [key for key in wanted if key not in known]
        fetched = fetch(missing) if missing else {}
        self._keep(fetched, version)
        return {**known, **fetched}

    def _known(self, wanted: Mapping[SectionKey, str], version: int) -> dict[SectionKey, SectionRow]:
        with self._lock:
            if version != self._version:
                self._rows.clear()
                self._version, self._size = version, 0
            found = {
                key: row for key in wanted if (row := self._rows.get(key)) and row.version == wanted[key]
            }
            for key in found:
                self._rows.move_to_end(key)
            return found

    def _keep(self, rows: Mapping[SectionKey, SectionRow], version: int) -> None:
        with self._lock:
            if version != self._version:
                return
            for key, row in rows.items():
                before = self._rows.pop(key, None)
                self._size += _size(row) - (_size(before) if before else 0)
                self._rows[key] = row
            while self._size > self._kept:
                _, gone = self._rows.popitem(last=False)
                self._size -= _size(gone)


def _size(row: SectionRow) -> int:
    return len(row.text or "")
