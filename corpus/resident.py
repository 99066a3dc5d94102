"""A copy of an index's chunks in memory: searching it costs a tenth of asking the table.

It is of one version of one table and dropped with it. Which rows a scope may see is still decided by the
table, once for each scope.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from pincite.corpus.hits import Found, cosines
from pincite.corpus.memo import Memo
from pincite.corpus.query import day_of
from pincite.corpus.rows import ChunkHit
from pincite.corpus.scope import Scope
from pincite.corpus.table import CHUNK, HIT_COLUMNS, TEXT_COLUMN, chunk_hit

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from lancedb.table import Table

log = logging.getLogger(__name__)

# What a copy may take; an index with more chunks is searched on disk. A chunk is its vector, its text and
# places as the table holds them (about 1.3 KB), and the hit that is made of it when it is first found.
MEMORY_BYTES = 256 << 20
_CHUNK_BYTES = 4_096
# One question asks two legs: it is not worth copying anything for.
_WORTH = 3
_SCOPES = 32

Until = Callable[[list[dict[str, Any]]], list[dict[str, Any]]]
Version = tuple[str, int]


class Resident:
    """The chunks of one version, in the order of document and position. Safe to use from several threads."""

    def __init__(self, version: Version, rows: pa.Table, until: Until) -> None:
        import numpy as np
        import pyarrow as pa

        rows = in_order(rows)
        self.version = version
        self._row_ids = rows["_rowid"].to_numpy()
        self._by_id = np.argsort(self._row_ids)
        self._sorted_ids = self._row_ids[self._by_id]
        self._vectors: np.ndarray | None = None
        if "vector" in rows.schema.names:
            column = rows["vector"].combine_chunks()
            if isinstance(column, pa.ChunkedArray):
                column = pa.concat_arrays(column.chunks)
            width = column.type.list_size
            self._embedded = column.is_valid().to_numpy(zero_copy_only=False)
            flat = column.flatten().to_numpy(zero_copy_only=False)
            self._vectors = np.zeros((len(column), width), dtype=np.float32)
            self._vectors[self._embedded] = flat.reshape(-1, width)
            rows = rows.drop_columns(["vector"])
        self._rows = rows.drop_columns(["_rowid"]).combine_chunks()
        self._until = until
        self._hits: list[ChunkHit | None] = [None] * rows.num_rows
        self._seen = Memo(_SCOPES)

    def nearest(self, query: np.ndarray, limit: int, seen: np.ndarray) -> list[Found]:
        """About the `limit` nearest chunks that `seen` allows, with their exact cosines."""
        import numpy as np

        if self._vectors is None:
            return []
        allowed = np.flatnonzero(seen & self._embedded)
        near = self._vectors @ query
        if len(allowed) > limit:
            allowed = allowed[np.argpartition(-near[allowed], limit - 1)[:limit]]
        return self._found(allowed, cosines(self._vectors[allowed], query))

    def named(self, row_ids: np.ndarray, scores: Sequence[float]) -> list[Found]:
        """The chunks of these rows of the table, with their scores."""
        import numpy as np

        return self._found(self._by_id[np.searchsorted(self._sorted_ids, row_ids)], scores)

    def texts(self, seen: np.ndarray) -> pa.ChunkedArray:
        """Labels and texts of the chunks that `seen` allows."""
        texts = self._rows[TEXT_COLUMN]
        return texts if seen.all() else texts.filter(seen)

    def seen(self, scope: Scope, where: Callable[[Scope], str], table: Table) -> np.ndarray | None:
        """Which chunks a scope lets through, as the table says, as booleans of shape (chunks,).

        `where` makes the scope's predicate. None when the table is of another version by now.
        """
        import numpy as np

        def ask() -> np.ndarray | None:
            rows = table.search().where(where(scope)).with_row_id(True).select(["kind"]).limit(None)
            seen = np.isin(self._row_ids, rows.to_arrow()["_rowid"].to_numpy())
            return seen if version_of(table) == self.version else None

        return self._seen.get((scope, day_of(scope)), 0, ask)

    def _found(self, at: np.ndarray, scores: Sequence[float] | np.ndarray) -> list[Found]:
        places = [int(place) for place in at]
        self._make(places)
        hits = [self._hits[place] for place in places]
        return [
            Found(float(score), place, hit.scored)
            for place, hit, score in zip(places, hits, scores, strict=True)
            if hit is not None
        ]

    def _make(self, places: Sequence[int]) -> None:
        """Make the hits of these chunks that are not made yet."""
        missing = [place for place in places if self._hits[place] is None]
        if missing:
            for place, row in zip(missing, self._until(self._rows.take(missing).to_pylist()), strict=True):
                self._hits[place] = chunk_hit(row, 0.0)


class Residence:
    """Keeps the copy of the newest version: made in the background once it is worth it, then at hand.

    `memory` is how many bytes it may take; 0 keeps none. `until` is what is done to rows before they
    become hits.
    """

    def __init__(self, memory: int, until: Until) -> None:
        self._memory = memory
        self._until = until
        self._lock = threading.Lock()
        self._version: Version | None = None
        self._copy: Resident | None = None
        self._searches = 0
        self._making: threading.Thread | None = None

    def of(self, table: Table, *, searches: int = 0) -> Resident | None:
        """The copy of the table as it stands now, if it is at hand. `searches` counts towards making it."""
        version = version_of(table)
        with self._lock:
            if version != self._version:
                self._version, self._copy, self._searches, self._making = version, None, 0, None
            self._searches += searches
            if self._copy is None and self._making is None and self._searches >= _WORTH:
                name = "pincite-resident"
                self._making = threading.Thread(target=self._make, args=(table, version), name=name)
                self._making.daemon = True
                self._making.start()
            return self._copy

    def wait(self, seconds: float) -> bool:
        """Whether a copy is at hand, after waiting for the one that is being made."""
        making = self._making
        if making is not None:
            making.join(seconds)
        return self._copy is not None

    def _make(self, table: Table, version: Version) -> None:
        try:
            copy = read_resident(table, version, self._memory, self._until)
        except (RuntimeError, OSError, ValueError):
            # searches go on asking the table, which says what is wrong with it
            log.debug("the chunks could not be copied into memory", exc_info=True)
            return
        with self._lock:
            if self._version == version:
                self._copy = copy


def in_order(rows: pa.Table) -> pa.Table:
    """Chunks by document and position."""
    import pyarrow.compute as pc

    return rows.take(pc.sort_indices(rows, [("document", "ascending"), ("position", "ascending")]))


def version_of(table: Table) -> Version:
    """What tells this state of the table from every other."""
    return table.name, int(table.version)


def read_resident(table: Table, version: Version, memory: int, until: Until) -> Resident | None:
    """The copy of this version; None when it would be too large or the table has moved on meanwhile."""
    columns = [*HIT_COLUMNS]
    width = 0
    if "vector" in table.schema.names:
        columns.append("vector")
        width = int(table.schema.field("vector").type.list_size)
    if table.count_rows(f"kind = '{CHUNK}'") * (_CHUNK_BYTES + 4 * width) > memory:
        return None
    rows = table.search().where(f"kind = '{CHUNK}'").with_row_id(True).select(columns).limit(None).to_arrow()
    return Resident(version, rows, until) if version_of(table) == version else None
