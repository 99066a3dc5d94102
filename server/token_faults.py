"""What a token file names that is not there. It may come later, so that it is told and not refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from pincite.corpus.index import Index
from pincite.corpus.lookup import nearest
from pincite.corpus.scope import Scope
from pincite.errors import PinciteError
from pincite.server.access import TokenEntry

_MOST = 20


def told_of(entries: Iterable[TokenEntry], db: Path) -> list[str]:
    """A line for each tenant without an index and each document that its token would never see."""
    found = list(_faults(entries, db))
    more = len(found) - _MOST
    return found if more <= 0 else [*found[:_MOST], f"tokens: {more} more of this kind"]


def _faults(entries: Iterable[TokenEntry], db: Path) -> Iterator[str]:
    opened: dict[str, Index | None] = {}
    for entry in entries:
        if entry.tenant not in opened:
            try:
                opened[entry.tenant] = Index.open(db, entry.tenant)
            except PinciteError as error:
                opened[entry.tenant] = None
                whose = f"tokens: {entry.name} asks the tenant {entry.tenant}, which cannot be asked"
                yield f"{whose}: {error.message}"
        index = opened[entry.tenant]
        if index is None or entry.documents is None:
            continue
        seen = Scope(groups=entry.groups, any_day=True)
        held = {row.id for row in index.documents_by_id(sorted(entry.documents), seen)}
        for name in sorted(entry.documents - held):
            near = nearest(name, index.names(seen), 3)
            close = f" (close: {', '.join(near)})" if near else ""
            yield f"tokens: {entry.name} can see no document with the id {name}{close}"
        if not held:
            yield f"tokens: {entry.name} can see no document at all"
