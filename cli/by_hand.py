"""A tool called from the command line: its passages printed, its errors in a person's words."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from pincite.cli.options import Setup
from pincite.cli.terminal import Page, complain, note, one_line, place, spelled
from pincite.corpus.all_documents import all_documents
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.corpus.unseen import narrowing, nothing_in_scope, out_of_force
from pincite.errors import NothingUsableError, PinciteError, ServiceError, UsageError
from pincite.tools.passage import Passage
from pincite.tools.result import ToolError, ToolResult
from pincite.tools.retrieve import Retriever
from pincite.tools.toolbox import Toolbox


def call_tool(
    setup: Setup,
    index: Index,
    retriever: Retriever,
    scope: Scope,
    tool: str,
    *,
    start: str | None,
    **arguments: Any,
) -> ToolResult:
    """Run a tool by hand, leaving out what is None; an error of it speaks to a person."""
    given = {key: value for key, value in arguments.items() if value is not None}
    for name, value in given.items():
        if isinstance(value, str) and not value.strip():
            raise UsageError(f"the {name} is empty", hint="see --help")
    if start is not None:
        given["from"] = start
    result = Toolbox(index, retriever, scope, seed=secrets.token_hex(16)).call(tool, given)
    if result.error is None:
        return result
    spoken = _spoken(setup, index, scope, given.get("document"), result.error)
    return result.model_copy(update={"error": spoken})


def print_passages(result: ToolResult) -> None:
    """Print what a tool showed: its first line, each passage under its place, how to go on."""
    page = Page()
    if result.error is None:
        page.line(result.text.partition("\n")[0], style="dim")
    for passage in result.passages:
        page.line()
        page.line(_head(passage), style="bold")
        if passage.also_in:
            page.line(f"also in: {_others(passage.also_in)}", indent=2, style="dim")
        page.line(passage.text, indent=2)
    print_more(page, result.next)


def _head(passage: Passage) -> str:
    """Handle, document, headings, place and score; the id as it is spelled everywhere on a terminal."""
    # A title is often the file's name, and a first heading often the title.
    title = "" if passage.path and passage.document_title in passage.document else passage.document_title
    names = [name for name, _ in groupby(one_line(name) for name in (title, *passage.path)) if name]
    score = "" if passage.score is None else f"{passage.score:.3f}"
    where = place(passage.page, passage.page_end, passage.line, passage.page_label, passage.page_end_label)
    anchor = f"#{one_line(passage.anchor, 100)}" if passage.anchor else ""
    version = one_line(passage.standing)
    parts = [passage.handle, spelled(passage.document), " > ".join(names), where, anchor, version, score]
    return " | ".join(part for part in parts if part)


def _others(places: Sequence[str]) -> str:
    """Places of other documents with the same words, the rest as a number."""
    rest = len(places) - _MOST_PLACES
    shown = "; ".join(spelled(name) for name in places[:_MOST_PLACES])
    return f"{shown}; {rest} more" if rest > 0 else shown


def print_more(page: Page, following: str | None) -> None:
    """Say how to go on, where there is more."""
    if following is not None:
        page.line()
        page.line(f"more: the same command with --from {following}")


_MOST_PLACES = 5
# What a person does about it; the tools' own hints speak to a model.
_HINTS = {
    "bad_arguments": "see --help",
    "no_such_document": "pincite list shows them all",
    "no_such_section": "pincite toc DOCUMENT shows them",
    "ambiguous": "use an id",
    "search_unavailable": "pincite doctor says what is missing",
    "no_match": "try other words",
}
_KINDS: dict[str, type[PinciteError]] = {
    "bad_arguments": UsageError,
    "search_unavailable": ServiceError,
    "internal": PinciteError,
}
_SPOKEN = {"from": "--from ", "document": "the document's name ", "section": "the section's name "}
_FIELD = re.compile(r'"(\w+)": ')


def _spoken(setup: Setup, index: Index, scope: Scope, document: str | None, error: ToolError) -> ToolError:
    """A tool's error in the words of the command line, for JSON and stderr alike."""
    message, hint = error.message.rstrip("."), _HINTS.get(error.code, error.hint)
    if error.code == "index_empty":
        empty = nothing_in_scope(index, scope)
        message, hint = empty.message, empty.hint
    elif error.code == "bad_arguments":
        message = _FIELD.sub(lambda found: _SPOKEN.get(found[1], f"the {found[1]} "), message, count=1)
    elif error.code == "no_such_document" and document is not None:
        if scope.groups is None:
            rows = all_documents(setup.settings.db, tenant=setup.settings.tenant)
            elsewhen = out_of_force(document, rows, scope)
            if elsewhen:
                return ToolError(code=error.code, message=elsewhen, hint="--as-of names another day")
        if scope != Scope():
            message += f" {narrowing(scope)}"
    return ToolError(code=error.code, message=message, hint=hint, near=error.near)


def finish(error: ToolError | None) -> int:
    """Say a tool's error in one line and give its exit code; a search that found nothing is no error."""
    if error is None:
        return 0
    if error.code == "no_match":
        note(error.message)
        return 0
    kind = _KINDS.get(error.code, NothingUsableError)
    complain(kind(error.message, code=error.code, hint=error.hint, near=error.near))
    return kind.exit_code
