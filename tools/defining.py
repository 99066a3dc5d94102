"""The look-up of defined terms: what a document means by a word, in its own text."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

from pincite.corpus.definitions import Definition, same_term
from pincite.corpus.rows import SectionRow
from pincite.tools.arguments import DefineArguments
from pincite.tools.context import Context, find_document
from pincite.tools.failures import ToolFailedError
from pincite.tools.passage import Passage
from pincite.tools.render import quoted
from pincite.tools.resolve import full_number
from pincite.tools.result import ToolResult
from pincite.tools.showing import Showing, counted, result_text
from pincite.tools.widen import cut

_NEAR = 6
_MOST = 12

Defined = tuple[SectionRow, Definition]


def define(context: Context, arguments: DefineArguments) -> ToolResult:
    """The definitions of a term, in one document or in all. Raises ToolFailedError `no_match`."""
    rows = _defining(context, arguments.document)
    term = arguments.term.strip(" \"'“”‘’„«».,;:")
    found = [(row, one) for row in rows for one in row.definitions if same_term(one.term, term)][:_MOST]
    if not found:
        raise ToolFailedError(
            "no_match",
            f"No definition of {quoted(term)} was found.",
            "Search for the words instead.",
            _near(rows, term),
        )
    showing = Showing(context)
    texts = context.index.section_texts([(row.document, row.id) for row, _ in found], context.scope)
    shown: list[tuple[Defined, Passage]] = []
    for row, one in found:
        whole = texts.get((row.document, row.id))
        if whole is None or whole.version != row.version:
            continue
        passage = _passage(whole, one, context.limits.passage_tokens)
        if not showing.add(passage):
            break
        shown.append(((row, one), passage))
    result = showing.commit()
    return ToolResult(
        tool=arguments.tool,
        text=result_text(context, f"{counted(len(shown), 'definition')}.", result),
        passages=result.passages,
        already_shown=result.named,
        data={"term": term, "definitions": [_entry(row, one, passage) for (row, one), passage in shown]},
    )


def _defining(context: Context, document: str | None) -> Sequence[SectionRow]:
    if document is None:
        return context.index.defining(context.scope)
    row = find_document(context, document)
    return context.index.outline_of(row.id, context.scope).defining


def _passage(row: SectionRow, one: Definition, budget: int) -> Passage:
    passage = cut(row, one.start, max(one.end, one.start + 1), budget)
    unit = _unit(row, one)
    if unit is None:
        return passage
    return passage.model_copy(update={"number": full_number(row.number, unit), "path": (*passage.path, unit)})


def _unit(row: SectionRow, one: Definition) -> str | None:
    return next((name for name, start, end in reversed(row.units) if start <= one.start < end), None)


def _entry(row: SectionRow, one: Definition, passage: Passage) -> dict[str, Any]:
    return {
        "term": one.term,
        "document": row.document,
        "section": row.id,
        "number": passage.number,
        "heading_path": passage.heading_path,
        "page": passage.page,
        "span": [one.start, one.end],
        "text": passage.text,
    }


def _near(rows: Sequence[SectionRow], term: str) -> tuple[str, ...]:
    terms = {one.term.casefold(): one.term for row in rows for one in row.definitions}
    wanted = term.casefold()
    held = [known for known in terms if wanted in known or known in wanted]
    close = get_close_matches(wanted, terms, n=_NEAR, cutoff=0.6)
    return tuple(terms[known] for known in dict.fromkeys([*close, *sorted(held, key=len)]))[:_NEAR]
