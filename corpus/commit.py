"""Writing what was read: a batch of documents in one commit, vectors of unchanged chunks kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.corpus.lock import engine_errors
from pincite.corpus.query import one_of
from pincite.corpus.records import Record
from pincite.corpus.table import CHUNK, FAILURE, TEXT_COLUMN, row_key

if TYPE_CHECKING:
    from lancedb.table import Table

BATCH_ROWS = 2_048
BATCH_CHARACTERS = 16_000_000
_NAMES_PER_DELETE = 500


class Batch:
    """Documents on their way into the table. Each `commit` is one version of it: what a reader sees of a
    document is the old one or the new one.
    """

    def __init__(self, table: Table, folder: Path, *, keep_vectors: bool) -> None:
        self._table = table
        self._folder = folder
        self._keep_vectors = keep_vectors
        self._records: list[Record] = []
        self._replaced: list[str] = []
        self._characters = 0

    @property
    def full(self) -> bool:
        """Whether it is time to commit."""
        return len(self._records) >= BATCH_ROWS or self._characters >= BATCH_CHARACTERS

    def put_document(self, document: str, records: Sequence[Record]) -> None:
        """Replace everything that stands for `document`, also a failure to read it."""
        self._records += records
        self._replaced.append(document)
        for record in records:
            self._characters += len(record.get("text") or record.get(TEXT_COLUMN) or "")
            self._characters += sum(map(len, record.get("outline_parts") or ()))

    def put_failure(self, document: str, root: str, file: str, stamp: str) -> None:
        """Remember that a file could not be read; what stands for an older version of it stays."""
        self._records.append(
            {
                "key": row_key(FAILURE, document),
                "kind": FAILURE,
                "document": document,
                "root": root,
                "file": file,
                "stamp": stamp,
            }
        )

    def commit(self) -> None:
        """Write what was put; nothing to write is fine. Raises NothingUsableError."""
        if not self._records:
            return
        import pyarrow as pa

        if self._keep_vectors:
            self._carry_over()
        with engine_errors(self._folder):
            rows = pa.Table.from_pylist(self._records, schema=self._table.schema)
            merge = self._table.merge_insert("key").when_matched_update_all().when_not_matched_insert_all()
            if self._replaced:
                merge = merge.when_not_matched_by_source_delete(one_of("document", self._replaced))
            merge.execute(rows, on_bad_vectors="null")
        self._records, self._replaced, self._characters = [], [], 0

    def _carry_over(self) -> None:
        """Give chunks the vectors that the table holds for exactly the same text."""
        chunks = [record for record in self._records if record["kind"] == CHUNK]
        where = f"vector IS NOT NULL AND {one_of('embed_key', (c['embed_key'] for c in chunks))}"
        with engine_errors(self._folder):
            query = self._table.search().where(where).select(["embed_key", "vector"]).limit(None)
            found = {row["embed_key"]: row["vector"] for row in query.to_list()}
        for chunk in chunks:
            chunk["vector"] = found.get(chunk["embed_key"])


def remove_documents(table: Table, folder: Path, documents: Sequence[str]) -> None:
    """Delete everything that stands for these documents; each goes as a whole."""
    names = sorted(documents)
    for start in range(0, len(names), _NAMES_PER_DELETE):
        with engine_errors(folder):
            table.delete(one_of("document", names[start : start + _NAMES_PER_DELETE]))


def read_rows(table: Table, folder: Path, where: str, columns: Sequence[str]) -> list[dict[str, Any]]:
    """Rows as the writer sees them, without a scope."""
    with engine_errors(folder):
        rows: list[dict[str, Any]] = table.search().where(where).select(list(columns)).limit(None).to_list()
    return rows
