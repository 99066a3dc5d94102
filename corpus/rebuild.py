"""Copying an index's documents into a new table, cut anew for another encoder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.corpus.chunk import ChunkBudget, chunk_document
from pincite.corpus.chunking import Tokenizer, budget_for, chunking_of
from pincite.corpus.commit import BATCH_ROWS, Batch, read_rows
from pincite.corpus.plan import Stamp
from pincite.corpus.query import one_of
from pincite.corpus.records import Record, chunk_records, restore_document
from pincite.corpus.report import SyncProgress
from pincite.corpus.table import DOCUMENT, FAILURE, SECTION, SHARED_COLUMNS, schema

if TYPE_CHECKING:
    from lancedb.table import Table


def copy_documents(
    old: Table,
    new: Table,
    folder: Path,
    encoder: Tokenizer | None,
    tell: Callable[[SyncProgress], None],
) -> int:
    """Write every document and failure of `old` into `new`, without vectors; returns the number of chunks."""
    budget = budget_for(encoder)
    chunking = chunking_of(encoder.spec if encoder is not None else None)
    heads = read_rows(old, folder, f"kind = '{DOCUMENT}'", ("document", "sections"))
    heads.sort(key=lambda head: head["document"])
    batch = Batch(new, folder, keep_vectors=False)
    chunks = done = 0
    for names in _portions(heads):
        for records in _documents(old, folder, names):
            rows = _cut_anew(records, budget, chunking)
            tell(SyncProgress("reading", done, len(heads), "document", rows[0]["document"]))
            batch.put_document(rows[0]["document"], rows)
            chunks += rows[0]["chunks"]
            done += 1
            if batch.full:
                batch.commit()
    for row in read_rows(old, folder, f"kind = '{FAILURE}'", ("document", "root", "file", "stamp")):
        batch.put_failure(row["document"], row["root"], row["file"], row["stamp"])
    batch.commit()
    return chunks


def _cut_anew(records: list[Record], budget: ChunkBudget, chunking: str) -> list[Record]:
    """A document's rows with new chunks; `records` are its document row and its sections, in order."""
    head, *sections = records
    document = restore_document(head, sections)
    chunks = chunk_document(document, budget=budget)
    stamp = Stamp.model_validate_json(head["stamp"]).model_copy(update={"chunking": chunking})
    common = {column: head[column] for column in SHARED_COLUMNS}
    new_head = {**head, "chunks": len(chunks), "stamp": stamp.model_dump_json()}
    return [new_head, *sections, *chunk_records(document, common, chunks)]


def _documents(old: Table, folder: Path, names: list[str]) -> Iterator[list[Record]]:
    """The document row and the sections of each document, by name, sections in order."""
    where = f"kind IN ('{DOCUMENT}', '{SECTION}') AND {one_of('document', names)}"
    by_document: dict[str, list[Record]] = {name: [] for name in names}
    for row in read_rows(old, folder, where, schema(None).names):
        by_document[row["document"]].append(row)
    for rows in by_document.values():
        yield sorted(rows, key=lambda row: (row["kind"] != DOCUMENT, row["position"] or 0))


def _portions(heads: list[Record]) -> Iterator[list[str]]:
    """Names of documents in order, as many at a time as make about one commit."""
    names: list[str] = []
    rows = 0
    for head in heads:
        names.append(head["document"])
        rows += head["sections"]
        if rows >= BATCH_ROWS // 2:
            yield names
            names, rows = [], 0
    if names:
        yield names
