"""`pincite search`, `toc` and `read`: the model's tools by hand."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from pincite.agent.named_encoder import require_named_encoder
from pincite.cli.by_hand import call_tool, finish, print_more, print_passages
from pincite.cli.options import Setup, command, reranker_option, scope_options
from pincite.cli.terminal import Page, counted, note, one_line, place, print_json, spelled
from pincite.corpus.encoder import load_encoder
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.errors import UsageError
from pincite.tools.chain import LEGS, LegName
from pincite.tools.contract import ContentsEntryJson, ReadJson, json_read, json_search, json_toc
from pincite.tools.reranker import (
    RERANKER_HINT,
    RerankerUnavailableError,
    chosen_reranker,
    find_reranker,
    why_none,
)
from pincite.tools.retrieve import Retrieved, Retriever
from pincite.tools.sources import Reranker

_from_option = click.option(
    "--from", "start", metavar="NEXT", help='Go on where "next" of the last output said.'
)


class _OneWay(Retriever):
    """A retriever that takes the leg that was asked for, and no fallback."""

    def __init__(self, index: Index, leg: LegName, load: Any, reranker: Reranker | None) -> None:
        super().__init__(index, None if leg == "keyword" else load, reranker if leg == "reranked" else None)
        self._leg = leg

    def retrieve(
        self, query: str, scope: Scope, *, k: int, legs: LegName | None = None, deadline: float | None = None
    ) -> Retrieved:
        return super().retrieve(query, scope, k=k, legs=legs or self._leg, deadline=deadline)


@command("search")
@click.argument("query")
@click.option("--leg", type=click.Choice(LEGS), help="Retrieve in this way only, without a fallback.")
@click.option("--limit", type=click.IntRange(1, 50), default=6, show_default=True, help="How many passages.")
@click.option("--document", help="Only this document: its id, path or title.")
@_from_option
@scope_options
@click.option("--encoder", help="Folder or name of the encoder.")
@reranker_option
def search(
    setup: Setup,
    *,
    query: str,
    leg: LegName | None,
    limit: int,
    document: str | None,
    start: str | None,
    scope: Scope,
) -> int:
    """Search the documents for QUERY."""
    index = setup.open_index()
    if leg != "keyword":
        require_named_encoder(setup.settings.encoder, index)
    chosen = setup.settings.reranker
    if leg == "reranked" and find_reranker(chosen) is None:
        raise RerankerUnavailableError(f"there is no reranker: {why_none(chosen)}", hint=RERANKER_HINT)
    load = partial(load_encoder, setup.settings.encoder, progress=note)
    reranker = chosen_reranker(chosen, progress=note)
    retriever = _OneWay(index, leg, load, reranker) if leg else Retriever(index, load, reranker)
    result = call_tool(
        setup, index, retriever, scope, "search",
        query=query, limit=limit, document=document, start=start,
    )  # fmt: skip
    if setup.as_json:
        print_json(json_search(result).model_dump(mode="json"))
    else:
        print_passages(result)
    return finish(result.error)


@command("toc")
@click.argument("document", required=False)
@click.argument("section", required=False)
@click.option(
    "--depth", type=click.IntRange(1, 20), help="How many levels of sections (default: as many as fit)."
)
@click.option("--folder", help="Only the documents in this folder.")
@click.option("--find", help="Only documents whose name holds these words.")
@_from_option
@scope_options
def toc(
    setup: Setup,
    *,
    document: str | None,
    section: str | None,
    depth: int | None,
    folder: str | None,
    find: str | None,
    start: str | None,
    scope: Scope,
) -> int:
    """List the documents, or the sections of DOCUMENT, from SECTION down if given."""
    index = setup.open_index()
    result = call_tool(
        setup, index, Retriever(index, None), scope, "table_of_contents",
        document=document, section=section, depth=depth, folder=folder, find=find, start=start,
    )  # fmt: skip
    contents = json_toc(result)
    if setup.as_json:
        print_json(contents.model_dump(mode="json"))
    else:
        page = Page()
        for group in contents.folders:
            page.line(f"{one_line(group.folder)}  {counted(group.documents, 'document')}")
        for entry in contents.documents:
            version = f"  [{one_line(entry.standing)}]" if entry.standing else ""
            page.line(f"{spelled(entry.document)}  {one_line(entry.title)}{version}")
        if contents.document is not None:
            version = f" [{one_line(contents.standing)}]" if contents.standing else ""
            page.line(
                f"{one_line(contents.title or '')} ({spelled(contents.document)}){version}", style="bold"
            )
        for section_entry in contents.sections:
            _print_entry(page, section_entry, 2)
        print_more(page, contents.next)
    return finish(result.error)


@command("read")
@click.argument("document")
@click.argument("section", required=False)
@click.option("--relative-to", metavar="SECTION", help='Where a reference such as "paragraph 2" stands.')
@_from_option
@scope_options
def read(
    setup: Setup,
    *,
    document: str,
    section: str | None,
    relative_to: str | None,
    start: str | None,
    scope: Scope,
) -> int:
    """Read SECTION (its number, title or id) of DOCUMENT (its id, path or title).

    DOCUMENT#ANCHOR names both, and #ANCHOR alone a section.
    """
    if section is None:
        document, sign, anchor = document.rpartition("#")
        if not (document and sign and anchor):
            raise UsageError(
                "the section is missing", hint="pincite read DOCUMENT SECTION, or DOCUMENT#ANCHOR"
            )
        section = f"#{anchor}"
    index = setup.open_index()
    result = call_tool(
        setup, index, Retriever(index, None), scope, "read_section",
        document=document, section=section, relative_to=relative_to, start=start,
    )  # fmt: skip
    if setup.as_json:
        print_json(json_read(result).model_dump(mode="json"))
    else:
        print_passages(result)
        _print_links(json_read(result))
    return finish(result.error)


def _print_links(read: ReadJson) -> None:
    """The references in what was read, and the defined terms it uses."""
    page = Page()
    for reference in {(one.text, one.status): one for one in read.references}.values():
        targets = "; ".join(
            f"{one.document}, {one.number or one.title}"
            if one.document != read.document
            else one.number or one.title
            for one in reference.targets[:6]
        )
        leads = targets or (reference.act or reference.href or reference.status)
        page.line(one_line(f"-> {reference.text}: {leads}"), style="dim")
    if read.terms:
        terms = ", ".join(f'"{one.term}"' + (f" ({one.number})" if one.number else "") for one in read.terms)
        page.line(one_line(f"defined: {terms}"), style="dim")


def _print_entry(page: Page, entry: ContentsEntryJson, indent: int) -> None:
    name = one_line(" ".join(part for part in (entry.number, entry.title) if part))
    facts = [
        place(entry.page, entry.tree_page_end, None, entry.page_label, entry.tree_page_end_label),
        f"{entry.tree_tokens} tokens",
        f"#{one_line(entry.anchor, 100)}" if entry.anchor else "",
    ]
    if entry.sections_below and not entry.children:
        facts.append(f"{entry.sections_below} below in {counted(entry.levels_below, 'level')}")
    page.line(f"{name}  ({', '.join(fact for fact in facts if fact)})", indent=indent)
    for child in entry.children:
        _print_entry(page, child, indent + 2)
