"""Versions of documents as a scope sees them: those that a later one has replaced are left out, or say so."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

from pincite.corpus.memo import Memo
from pincite.corpus.query import day_of, one_of, scope_predicate
from pincite.corpus.replaced import Dated, ends
from pincite.corpus.scope import Scope
from pincite.corpus.table import DOCUMENT

_Row = dict[str, Any]


class Versions:
    """Knows until when each version is in force. `read` asks the index, `version` tells when it changed."""

    def __init__(self, read: Callable[[str, Sequence[str]], list[_Row]], version: Callable[[], int]) -> None:
        self._read = read
        self._version = version
        self._known = Memo(1)

    def visible(self, scope: Scope) -> str:
        """The predicate for the rows that the scope may see, without versions replaced by its day."""
        return self._visible(scope, {} if scope.any_day else self._ends())

    def seen(self, scope: Scope) -> tuple[str, Callable[[list[_Row]], list[_Row]]]:
        """`visible` and `until` of one version of the index."""
        last = self._ends()
        return self._visible(scope, last), lambda rows: _until(rows, last)

    def until(self, rows: list[_Row]) -> list[_Row]:
        """The rows; the last day in force says so where a later version replaces theirs."""
        return _until(rows, self._ends())

    @staticmethod
    def _visible(scope: Scope, ends: Mapping[str, date]) -> str:
        predicate = scope_predicate(scope)
        if scope.any_day:
            return predicate
        gone = [name for name, last in ends.items() if last < day_of(scope)]
        return f"{predicate} AND NOT {one_of('document', gone)}" if gone else predicate

    def _ends(self) -> dict[str, date]:
        """The last day of each version that a later one replaces, by document id."""
        return self._known.get("ends", self._version(), lambda: ends(self._dated()))

    def _dated(self) -> list[Dated]:
        columns = ("document", "document_title", "groups", "effective_from")
        rows = self._read(f"kind = '{DOCUMENT}' AND effective_from IS NOT NULL", columns)
        return [
            Dated(row["document"], row["document_title"], tuple(row["groups"] or ()), row["effective_from"])
            for row in rows
        ]


def _until(rows: list[_Row], last: Mapping[str, date]) -> list[_Row]:
    for row in rows:
        end = last.get(row["document"]) if "effective_to" in row else None
        if end is not None and (row["effective_to"] is None or end < row["effective_to"]):
            row["effective_to"] = end
    return rows
