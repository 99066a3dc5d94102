"""Both ways to search the chunks of an index, in its table or in their copy in memory, with one result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from pincite.corpus.hits import Found, best_hits, cosines, matching
from pincite.corpus.resident import Residence, Resident, in_order, version_of
from pincite.corpus.rows import ChunkHit
from pincite.corpus.scope import Scope
from pincite.corpus.store import TableReader
from pincite.corpus.table import CHUNK, HIT_COLUMNS, TEXT_COLUMN, chunk_hit
from pincite.corpus.versions import Versions

if TYPE_CHECKING:
    import numpy as np
    from lancedb.table import Table

# Rows of an index of which all texts may be read for one question: about 100 ms.
_MOST_READ = 100_000

_Row = dict[str, Any]


class ChunkSearch:
    """Searches one index; `memory` bounds the copy of its chunks, in bytes. Safe across threads."""

    def __init__(self, reader: TableReader, versions: Versions, memory: int) -> None:
        self._reader = reader
        self._versions = versions
        self._residence = Residence(memory, versions.until)

    def keyword(self, words: Sequence[str], scope: Scope, k: int, *, edits: int = 0) -> list[ChunkHit]:
        """The best chunks with any of the words; `edits` letters of a word, not its first, may differ."""
        from lancedb.query import MatchQuery

        if not words:
            return []
        match = MatchQuery(" ".join(words), TEXT_COLUMN, fuzziness=edits, prefix_length=1 if edits else 0)

        def first(table: Table, copy: Resident | None, limit: int) -> list[Found]:
            search = table.search(match, query_type="fts").limit(limit)
            seen = copy.seen(scope, self._where, table) if copy else None
            if copy is not None and seen is not None:
                # only chunks have this text: where all of them are seen, there is nothing to leave out
                if not seen.all():
                    search = search.where(self._where(scope), prefilter=True)
                found = search.with_row_id(True).select(["_score"]).to_arrow()
                if version_of(table) == copy.version:
                    return copy.named(found["_rowid"].to_numpy(), found["_score"].to_pylist())
                search = table.search(match, query_type="fts").limit(limit)
            search = search.where(self._where(scope), prefilter=True)
            rows = search.select([*HIT_COLUMNS, "_score"]).to_list()
            return self._found(rows, [row["_score"] for row in rows])

        return self._best(first, k)

    def vector(self, vector: np.ndarray, scope: Scope, k: int) -> list[ChunkHit]:
        """The nearest chunks by cosine."""

        def first(table: Table, copy: Resident | None, limit: int) -> list[Found]:
            seen = copy.seen(scope, self._where, table) if copy else None
            if copy is not None and seen is not None:
                return copy.nearest(vector, limit, seen)
            search = table.search(vector, vector_column_name="vector", query_type="vector")
            search = search.distance_type("cosine").where(self._where(scope), prefilter=True).limit(limit)
            rows = search.select([*HIT_COLUMNS, "vector", "_distance"]).to_arrow()
            return self._found(
                rows.drop_columns(["vector", "_distance"]).to_pylist(),
                cosines(_matrix(rows["vector"], len(vector)), vector),
            )

        return self._best(first, k)

    def texts(self, pattern: str, scope: Scope) -> list[str]:
        """Labels and texts of the first chunks that a pattern of RE2 is found in; none of a large index."""

        def read(table: Table) -> list[str]:
            if table.count_rows() > _MOST_READ:
                return []
            copy = self._residence.of(table)
            seen = copy.seen(scope, self._where, table) if copy else None
            if copy is not None and seen is not None:
                return matching(copy.texts(seen), pattern)
            columns = ["document", "position", TEXT_COLUMN]
            rows = table.search().where(self._where(scope)).select(columns).limit(None).to_arrow()
            return matching(in_order(rows)[TEXT_COLUMN], pattern)

        return self._reader.ask(read)

    def in_memory(self, seconds: float = 60.0) -> bool:
        """Whether the chunks are in memory, after waiting for a copy that is being made."""
        return self._residence.wait(seconds)

    def _where(self, scope: Scope) -> str:
        return f"kind = '{CHUNK}' AND {self._versions.visible(scope)}"

    def _best(self, first: Callable[[Table, Resident | None, int], list[Found]], k: int) -> list[ChunkHit]:
        """The best of one state of the table: asking which is the newest is a good part of a search."""

        def best(table: Table) -> list[ChunkHit]:
            copy = self._residence.of(table, searches=1)
            return best_hits(lambda limit: first(table, copy, limit), k)

        return self._reader.ask(best)

    def _found(self, rows: list[_Row], scores: Sequence[float] | np.ndarray) -> list[Found]:
        rows = self._versions.until(rows)
        return [
            Found(float(score), (row["document"], row["position"]), _maker(row))
            for row, score in zip(rows, scores, strict=True)
        ]


def _maker(row: _Row) -> Callable[[float], ChunkHit]:
    return lambda score: chunk_hit(row, score)


def _matrix(column: Any, width: int) -> np.ndarray:
    """A column of vectors as one array, shape (rows, width)."""
    import numpy as np

    parts = [chunk.flatten().to_numpy(zero_copy_only=False) for chunk in column.chunks]
    flat: np.ndarray = np.concatenate(parts) if parts else np.empty(0, dtype=np.float32)
    return flat.reshape(-1, width)
