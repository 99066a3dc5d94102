"""`pincite list`, `forget` and `reindex`: what the index holds, and changing it as a whole."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from pincite.cli.options import Setup, command, scope_options
from pincite.cli.progress import watch_sync
from pincite.cli.terminal import Page, counted, one_line, print_json, spelled
from pincite.corpus.all_documents import all_documents
from pincite.corpus.encoder import load_encoder
from pincite.corpus.manage import forget as forget_document
from pincite.corpus.manage import reindex as reindex_with
from pincite.corpus.rows import DocumentRow
from pincite.corpus.scope import Scope
from pincite.corpus.unseen import narrowing


@command("list")
@scope_options
@click.option("--contains", help="Only documents with these words in their id or title.")
def list_documents(setup: Setup, *, scope: Scope, contains: str | None) -> None:
    """List the documents of the index."""
    rows = _documents(setup, scope)
    if contains is not None:
        part = contains.casefold()
        rows = [row for row in rows if part in row.id.casefold() or part in row.title.casefold()]
    if setup.as_json:
        print_json({"documents": [_as_json(row) for row in rows]})
        return
    page = Page()
    for row in rows:
        page.line(f"{spelled(row.id)}  {one_line(row.title)}", style="bold")
        page.line(one_line(", ".join(_facts(row))), indent=4)
    count = counted(len(rows), "document")
    page.line(count if scope == Scope() else f"{count} {narrowing(scope)}")


def _documents(setup: Setup, scope: Scope) -> list[DocumentRow]:
    """The owner sees every document of every day, anybody else what a question of theirs would see."""
    if scope != Scope():
        return setup.open_index().documents(scope)
    return all_documents(setup.settings.db, tenant=setup.settings.tenant)


def _as_json(row: DocumentRow) -> dict[str, Any]:
    fields = asdict(row)
    for key in ("effective_from", "effective_to"):
        fields[key] = fields[key].isoformat() if fields[key] else None
    return fields


def _facts(row: DocumentRow) -> list[str]:
    facts = [counted(row.sections, "section")]
    if row.pages:
        facts.append(counted(row.pages, "page"))
    if row.version_label:
        facts.append(f"version {row.version_label}")
    if row.status:
        facts.append(row.status)
    if row.effective_from or row.effective_to:
        facts.append(f"in force {row.effective_from or '…'} to {row.effective_to or '…'}")
    if row.groups:
        facts.append("groups " + ", ".join(row.groups))
    return facts


@command("forget")
@click.argument("document")
def forget(setup: Setup, document: str) -> None:
    """Remove DOCUMENT (its id, path or title) from the index; its file stays where it is.

    A sync of its folder does not bring it back, a sync that names the file does. The name of a synced
    folder removes all its documents.
    """
    setup.open_index()
    forgotten = forget_document(setup.settings.db, document, tenant=setup.settings.tenant)
    if setup.as_json:
        print_json({"forgotten": forgotten})
    else:
        Page().line(f"forgot {spelled(forgotten)}")


@command("reindex")
@click.option("--encoder", help="Folder or name of the encoder (default: the one a sync would use).")
def reindex(setup: Setup) -> None:
    """Encode every chunk again, beside the old index, and swap when done."""
    setup.open_index()
    with watch_sync() as watcher:
        encoder = load_encoder(setup.settings.encoder, progress=watcher.say)
        chunks = reindex_with(
            setup.settings.db, encoder, tenant=setup.settings.tenant, progress=watcher.moved
        )
    if setup.as_json:
        print_json({"encoder": encoder.spec.model_dump(mode="json"), "chunks": chunks})
    else:
        Page().line(f"{counted(chunks, 'chunk')} encoded anew with {one_line(encoder.spec.name)}")
