"""What an index says about itself."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.corpus.encoder_spec import EncoderSpec
from pincite.corpus.pointer import Root
from pincite.corpus.table import CHUNK, DOCUMENT, SECTION

if TYPE_CHECKING:
    from lancedb.table import Table


@dataclass(frozen=True, slots=True)
class IndexInfo:
    """What the index says about itself; `encoder` is None while nothing is embedded.

    `table` names the table in use: another one after a reindex.
    """

    folder: Path
    tenant: str
    format: int
    created: datetime
    encoder: EncoderSpec | None
    roots: tuple[Root, ...]
    forgotten: tuple[str, ...]
    table: str


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of rows, whatever the scope."""

    documents: int
    sections: int
    chunks: int
    chunks_without_vector: int


def counts_of(table: Table) -> Counts:
    """The numbers of rows of a table."""
    missing = "vector IS NULL" if "vector" in table.schema.names else "TRUE"
    return Counts(
        documents=table.count_rows(f"kind = '{DOCUMENT}'"),
        sections=table.count_rows(f"kind = '{SECTION}'"),
        chunks=table.count_rows(f"kind = '{CHUNK}'"),
        chunks_without_vector=table.count_rows(f"kind = '{CHUNK}' AND {missing}"),
    )
