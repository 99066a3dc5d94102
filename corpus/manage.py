"""Changing an index as a whole: what it holds, forgetting a document, another encoder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pincite.corpus.all_documents import ALL_DOCUMENTS
from pincite.corpus.commit import read_rows, remove_documents
from pincite.corpus.embed import embed_missing
from pincite.corpus.encoder_source import SyncEncoder
from pincite.corpus.lock import engine_errors
from pincite.corpus.lookup import Name, find_document, nearest
from pincite.corpus.pointer import DEFAULT_TENANT, Root, tenant_folder
from pincite.corpus.rebuild import copy_documents
from pincite.corpus.report import SyncProgress
from pincite.corpus.store import create_table, drop_tables_except, tidy
from pincite.corpus.writing import Writing, new_table_name, open_for_writing
from pincite.errors import NothingUsableError


def forget(db: Path, reference: str, *, tenant: str = DEFAULT_TENANT) -> str:
    """Remove a document (id, path or title) from the index and from its files on disk; returns its id.

    A sync of its folder does not bring it back; a sync that names the file does. The name of a synced
    folder removes all its documents and the folder from those that are known. When this returns, the text
    is gone from the disk. Raises NothingUsableError (`no_such_document`), AmbiguousError.
    """
    with open_for_writing(tenant_folder(db, tenant), "forget") as writing:
        root = next((r for r in writing.pointer.roots if reference.rstrip("/") == r.name), None)
        gone = _forget_root(writing, root) if root is not None else _forget_document(writing, reference)
        writing.tidy()
    return gone


def reindex(
    db: Path,
    encoder: SyncEncoder | None,
    *,
    tenant: str = DEFAULT_TENANT,
    progress: Callable[[SyncProgress], None] | None = None,
) -> int:
    """Cut and embed every document anew, beside the old index, then swap; returns the number of chunks.

    Works from what the index holds: no source file is needed. Without an encoder the new index has no
    vectors. Interrupted, it leaves the old index as it was, and the next writer clears away the rest.
    """
    tell = progress or _tell_nobody
    with open_for_writing(tenant_folder(db, tenant), "reindex") as writing:
        folder = writing.folder
        spec = encoder.spec if encoder is not None else None
        name = new_table_name()
        with engine_errors(folder):
            table = create_table(folder, name, spec.dimension if spec is not None else None)
        chunks = copy_documents(writing.table, table, folder, encoder, tell)
        if encoder is not None:
            embed_missing(
                table,
                folder,
                encoder,
                lambda done, total: tell(SyncProgress("embedding", done, total, "chunk")),
            )
        with engine_errors(folder):
            tidy(table, folder, name)
        writing.update(table=name, encoder=spec)
        with engine_errors(folder):
            drop_tables_except(folder, [name])
    return chunks


def _forget_root(writing: Writing, root: Root) -> str:
    rows = read_rows(writing.table, writing.folder, "root IS NOT NULL", ("document", "root"))
    remove_documents(writing.table, writing.folder, [r["document"] for r in rows if r["root"] == root.name])
    kept = (name for name in writing.pointer.forgotten if not name.startswith(f"{root.name}/"))
    roots = tuple(r for r in writing.pointer.roots if r.name != root.name)
    writing.update(roots=roots, forgotten=tuple(kept))
    return f"{root.name}/"


def _forget_document(writing: Writing, reference: str) -> str:
    columns = ("document", "file", "document_title")
    rows = read_rows(writing.table, writing.folder, ALL_DOCUMENTS, columns)
    names = [Name(row["document"], row["file"], row["document_title"]) for row in rows]
    found = find_document(reference, names)
    if found is None:
        raise NothingUsableError(
            f"no document is called {reference[:200]!r}",
            code="no_such_document",
            hint="pincite list shows the documents",
            near=nearest(reference, names),
        )
    # first, so that a sync cannot bring it back when this is interrupted
    writing.update(forgotten=tuple(sorted({*writing.pointer.forgotten, found})))
    remove_documents(writing.table, writing.folder, [found])
    return found


def _tell_nobody(progress: SyncProgress) -> None:
    pass
