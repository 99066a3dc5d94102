"""`pincite define` and `diff`: what a term means, and what changed between two versions."""

from __future__ import annotations

import click

from pincite.cli.by_hand import call_tool, finish, print_passages
from pincite.cli.options import Setup, command, scope_options
from pincite.cli.terminal import Page, one_line, print_json
from pincite.corpus.scope import Scope
from pincite.tools.contract import json_define
from pincite.tools.differing import Difference, Version, difference
from pincite.tools.retrieve import Retriever

_MARKS = {"same": " ", "removed": "-", "added": "+"}
_STYLES = {"same": "dim", "removed": "red", "added": "green"}


@command("define")
@click.argument("term")
@click.option("--document", help="Only this document: its id, path or title.")
@scope_options
def define(setup: Setup, *, term: str, document: str | None, scope: Scope) -> int:
    """Show what the documents mean by TERM, where they define it."""
    index = setup.open_index()
    result = call_tool(
        setup, index, Retriever(index, None), scope, "define", start=None, term=term, document=document
    )
    if setup.as_json:
        print_json(json_define(result).model_dump(mode="json"))
    else:
        print_passages(result)
    return finish(result.error)


@command("diff")
@click.argument("document")
@click.argument("section", required=False)
@click.option(
    "--from",
    "earlier",
    required=True,
    metavar="VERSION",
    help="A version's label, a day (YYYY-MM-DD), or an id.",
)
@click.option("--to", "later", required=True, metavar="VERSION", help="The version to compare it with.")
@scope_options
def diff(setup: Setup, *, document: str, section: str | None, earlier: str, later: str, scope: Scope) -> int:
    """Show what changed in SECTION of DOCUMENT, or in all of it, between two versions."""
    found = difference(setup.open_index(), scope, document, section, earlier=earlier, later=later)
    if setup.as_json:
        print_json(
            {
                "from": _version_json(found.earlier),
                "to": _version_json(found.later),
                "same": found.same,
                "changes": [{"kind": change.kind, "text": change.text} for change in found.changes],
                "error": None,
            }
        )
        return 0
    page = Page()
    page.line(f"- {_version_name(found.earlier)}", style="bold")
    page.line(f"+ {_version_name(found.later)}", style="bold")
    page.line()
    if found.same:
        page.line("No difference.")
    _print_changes(page, found)
    return 0


def _print_changes(page: Page, found: Difference) -> None:
    if found.same:
        return
    for change in found.changes:
        for line in change.text.split("\n"):
            if line.strip():
                page.line(f"{_MARKS[change.kind]} {line.strip()}", style=_STYLES[change.kind])


def _version_name(side: Version) -> str:
    place = " ".join(part for part in (side.number, side.title) if part) or "not in this version"
    return one_line(f"{side.document.title}, {side.name}: {place} ({side.document.id})")


def _version_json(side: Version) -> dict[str, object]:
    row = side.document
    return {
        "document": row.id,
        "title": row.title,
        "version": row.version,
        "version_label": row.version_label,
        "status": row.status,
        "effective_from": row.effective_from.isoformat() if row.effective_from else None,
        "effective_to": row.effective_to.isoformat() if row.effective_to else None,
        "number": side.number,
        "section_title": side.title,
        "text": side.text,
    }
