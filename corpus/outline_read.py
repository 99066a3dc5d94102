"""The outline of a document from an index: as it was stored, else made of the document's sections."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pincite.corpus.outline import Stored, packed_rows
from pincite.corpus.outline_packed import Packed
from pincite.corpus.query import one_of
from pincite.corpus.scope import Scope
from pincite.corpus.table import (
    COMMON_COLUMNS,
    DATE_COLUMNS,
    DOCUMENT,
    OUTLINE_COLUMNS,
    SECTION,
    row_key,
    section_row,
)
from pincite.errors import NothingUsableError

log = logging.getLogger(__name__)

_SAID = (*COMMON_COLUMNS, *DATE_COLUMNS)
_Row = Mapping[str, Any]
# Rows of a kind for which a predicate holds, in a scope, with these columns.
AskRows = Callable[[str, str, Scope, Sequence[str]], Sequence[_Row]]


def read_outline(ask: AskRows, document: str, scope: Scope) -> Stored | None:
    """The outline of a document; None when the scope holds no such document."""
    head = _head(ask, document, scope)
    if head is None:
        return None
    packed = _whole(head)
    if packed is not None:
        return _stored(packed, head)
    rows = ask(SECTION, one_of("document", [document]), scope, OUTLINE_COLUMNS)
    sections = [section_row(row) for row in sorted(rows, key=lambda row: row["position"])]
    return _stored(packed_rows(sections), rows[0] if rows else head)


def _head(ask: AskRows, document: str, scope: Scope) -> _Row | None:
    """The document's row, through the index of keys unless it is broken."""
    columns = (*_SAID, "outline_parts")
    try:
        found = ask(DOCUMENT, one_of("key", [row_key(DOCUMENT, document)]), scope, columns)
    except NothingUsableError:
        found = ask(DOCUMENT, one_of("document", [document]), scope, columns)
    return found[0] if found else None


def _whole(head: _Row) -> Packed | None:
    """The stored outline; None for a document synced by an earlier version, and for one that is damaged."""
    data: list[bytes] | None = head.get("outline_parts")
    if not data:
        return None
    try:
        return Packed(b"".join(data))
    except ValueError as error:
        log.warning("the stored outline of %r is left aside: %s", head["document"], error)
        return None


def _stored(packed: Packed, row: _Row) -> Stored:
    return Stored(packed, **{column: row[column] for column in _SAID})
