"""Giving vectors to the chunks that have none: longest with longest, a commit per block."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from pincite.corpus.encoder_spec import EncoderSpec, require_same_encoder
from pincite.corpus.lock import engine_errors
from pincite.corpus.memory import release_memory
from pincite.corpus.pointer import Pointer, write_pointer
from pincite.corpus.query import one_of
from pincite.corpus.store import add_vector_column, refresh_text_index
from pincite.corpus.table import CHUNK, TEXT_COLUMN

if TYPE_CHECKING:
    import numpy as np
    from lancedb.table import Table

BLOCK = 1_024


class DocumentEncoder(Protocol):
    """What embedding needs of an encoder."""

    @property
    def spec(self) -> EncoderSpec:
        """What tells this encoder from others."""

    def encode_documents(
        self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
    ) -> np.ndarray:
        """Unit vectors, float32, shape (len(texts), dimension)."""


def missing_vectors(table: Table) -> str:
    """The predicate of chunks without a vector."""
    missing = "vector IS NULL" if "vector" in table.schema.names else "TRUE"
    return f"kind = '{CHUNK}' AND {missing}"


def make_room(table: Table, folder: Path, pointer: Pointer, spec: EncoderSpec) -> Pointer:
    """The pointer for an index that holds this encoder's vectors, after making their column."""
    require_same_encoder(pointer.encoder, spec)
    if pointer.encoder is not None:
        return pointer
    with engine_errors(folder):
        add_vector_column(table, spec.dimension)
    pointer = pointer.model_copy(update={"encoder": spec})
    write_pointer(folder, pointer)
    return pointer


def embed_missing(
    table: Table, folder: Path, encoder: DocumentEncoder, progress: Callable[[int, int], None]
) -> int:
    """Embed every chunk without a vector; returns how many. `progress` gets (done, total) in chunks.

    A block is committed as soon as it is encoded: what an interrupted call has done is kept.
    """
    import pyarrow as pa

    with engine_errors(folder):
        query = table.search().where(missing_vectors(table)).select(["key", "size"]).limit(None)
        waiting = query.to_arrow().sort_by([("size", "descending"), ("key", "ascending")])
    total = waiting.num_rows
    schema = pa.schema([table.schema.field("key"), table.schema.field("vector")])
    done = 0
    for first, last in _blocks(total):
        keys = one_of("key", waiting["key"].slice(first, last - first).to_pylist())
        with engine_errors(folder):
            rows = table.search().where(keys).select(["key", TEXT_COLUMN]).limit(None).to_arrow()
        vectors = encoder.encode_documents(
            rows[TEXT_COLUMN].to_pylist(), progress=_from(done, total, progress)
        )
        flat = pa.array(vectors.reshape(-1), type=pa.float32())
        column = pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1])
        update: Any = pa.table([rows["key"].combine_chunks(), column], schema=schema)
        with engine_errors(folder):
            table.merge_insert("key").when_matched_update_all().execute(update)
            refresh_text_index(table)
        release_memory()
        done += last - first
        progress(done, total)
    return done


def _from(done: int, total: int, progress: Callable[[int, int], None]) -> Callable[[int], None]:
    return lambda count: progress(done + count, total)


def _blocks(total: int) -> list[tuple[int, int]]:
    """Blocks of the sorted chunks, longest and shortest in turn, so that the time left is told fairly."""
    blocks = [(first, min(first + BLOCK, total)) for first in range(0, total, BLOCK)]
    mixed = []
    while blocks:
        mixed.append(blocks.pop(0))
        if blocks:
            mixed.append(blocks.pop())
    return mixed
