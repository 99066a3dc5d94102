"""An index over records instead of files: each document of a data set is one section, titled as it is."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from pincite.corpus.chunk import CHUNKER_VERSION, ChunkBudget, chunk_document
from pincite.corpus.chunking import budget_for
from pincite.corpus.commit import Batch, read_rows
from pincite.corpus.document import Document, Place, Section
from pincite.corpus.embed import embed_missing, make_room, missing_vectors
from pincite.corpus.encoder_source import SyncEncoder
from pincite.corpus.index import Index
from pincite.corpus.lock import engine_errors
from pincite.corpus.pointer import tenant_folder
from pincite.corpus.records import Origin, document_records
from pincite.corpus.table import DOCUMENT
from pincite.corpus.writing import open_for_writing
from pincite.evals.beir import BeirDocument
from pincite.evals.progress import Tell, quiet

ROOT = "eval"


def document_name(index_id: str) -> str:
    """The data set's own id of a document, from the index's."""
    return index_id.removeprefix(f"{ROOT}/")


def tenant_of(digest: str, encoder: SyncEncoder | None, budget: ChunkBudget | None, label: bool) -> str:
    """The name of the index for a corpus, cut and embedded in this way."""
    way = (
        digest,
        CHUNKER_VERSION,
        encoder.spec.model_dump_json() if encoder else "words",
        f"{budget.target}/{budget.overlap}/{budget.limit}" if budget else "default",
        str(label),
    )
    return f"eval-{hashlib.sha256(chr(10).join(way).encode()).hexdigest()[:12]}"


def build_index(
    documents: Iterable[BeirDocument | tuple[str, Document]],
    digest: str,
    db: Path,
    encoder: SyncEncoder | None,
    *,
    budget: ChunkBudget | None = None,
    label: bool = True,
    progress: Tell = quiet,
) -> Index:
    """The index of these documents in a tenant of its own below `db`; what an earlier call made is kept.

    A document is a record, or its name with what a reader made of its file. `budget` and `label` are for
    experiments: other chunks, or chunks without their label. With a limit above the encoder's it reads only
    the beginning of a chunk.
    """
    tenant = tenant_of(digest, encoder, budget, label)
    folder = tenant_folder(db, tenant)
    cut = budget_for(encoder) if encoder else ChunkBudget()
    if budget is not None:
        limit = max(cut.limit, budget.limit)
        cut = replace(cut, target=budget.target, overlap=budget.overlap, limit=limit)
    with open_for_writing(folder, "eval", create=True) as writing:
        rows = read_rows(writing.table, folder, f"kind = '{DOCUMENT}'", ["document"])
        known = {row["document"] for row in rows}
        batch = Batch(writing.table, folder, keep_vectors=False)
        for done, one in enumerate(documents):
            name, document = one if isinstance(one, tuple) else (one.id, as_document(one))
            origin = Origin(f"{ROOT}/{name}", ROOT, name, "", (), "{}")
            if origin.id in known:
                continue
            known.add(origin.id)
            chunks = chunk_document(document, budget=cut)
            if not label:
                chunks = [replace(chunk, label="") for chunk in chunks]
            batch.put_document(origin.id, document_records(document, origin, chunks))
            if batch.full:
                batch.commit()
                progress("reading", done, 0)
        batch.commit()
        if encoder is not None:
            with engine_errors(folder):
                missing = writing.table.count_rows(missing_vectors(writing.table))
            if missing:
                writing.pointer = make_room(writing.table, folder, writing.pointer, encoder.spec)
                embed_missing(
                    writing.table, folder, encoder, lambda done, total: progress("embedding", done, total)
                )
        writing.tidy()
    return Index.open(db, tenant)


def as_document(record: BeirDocument) -> Document:
    """A record as a document with one section; without a text its title is what it says."""
    title = " ".join(record.title.encode("utf-8", "replace").decode().split())
    text = record.text.encode("utf-8", "replace").decode().strip() or title
    section = Section(
        id="s0",
        parent=None,
        number=None,
        title=title,
        path=(title,) if title else (),
        level=1,
        heading_start=0,
        start=0,
        end=len(text),
        tree_end=len(text),
        has_heading=False,
    )
    return Document(title=title, text=text, sections=(section,), places=(Place(0, None, 1),))
