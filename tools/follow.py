"""A reference to another document: by the name of an act, or by a number that is a file of its own."""

from __future__ import annotations

from typing import Any

from pincite.corpus.linked import beside, split_address
from pincite.corpus.outline import Outline
from pincite.corpus.references_grammar import Citation, find_citations
from pincite.corpus.references_words import DIVISIONS, INNER, KIND
from pincite.corpus.rows import DocumentRow, SectionRow
from pincite.tools.context import Context
from pincite.tools.resolve import Target, resolve

_MOST = 5


def other_document(context: Context, document: str, reference: str, act: str | None) -> list[dict[str, Any]]:
    """Where a reference out of `document` leads: {document, section, number, title} each."""
    return placed(followed(context, document, reference, act))


def linked(context: Context, document: str, address: str) -> list[tuple[DocumentRow, Target]]:
    """Where an address relative to a document leads in another document of the scope: "other.html#term"."""
    parts = split_address(address)
    place = beside(document, parts[0]) if parts is not None and parts[0] else None
    row = context.index.document(place, context.scope) if place is not None else None
    if parts is None or row is None or row.id != place:
        return []
    outline = context.index.outline_of(row.id, context.scope)
    if not parts[1]:
        return [(row, Target(first)) for first in outline.rows[:1]]
    return [(row, Target(one.section, one.unit)) for one in outline.anchored(parts[1])]


def placed(places: list[tuple[DocumentRow, Target]]) -> list[dict[str, Any]]:
    """Places in other documents as {document, section, number, title} each."""
    return [
        {"document": row.id, "section": one.row.id, "number": one.number, "title": one.row.title}
        for row, one in places
    ]


def followed(
    context: Context, document: str, reference: str, act: str | None
) -> list[tuple[DocumentRow, Target]]:
    """The places in other documents of the scope that a reference means; none when they are not at hand."""
    citations = find_citations(reference, loose=True)
    if not citations:
        return []
    act = act or next((one.act.name for one in citations if one.act and one.act.way == "name"), None)
    bare = " ".join(reference[citations[0].start : citations[-1].end].split())
    if act is not None:
        documents = [row for row in context.index.named(act, context.scope) if row.id != document]
        return _in_documents(context, documents[:_MOST], bare)
    return _in_files(context, document, citations[0], bare)


def _in_documents(
    context: Context, documents: list[DocumentRow], reference: str
) -> list[tuple[DocumentRow, Target]]:
    found = []
    for row in documents:
        outline = context.index.outline_of(row.id, context.scope)
        found += [(row, one) for one in resolve(outline, reference, section_text(context, outline))]
    return found


def _in_files(
    context: Context, document: str, citation: Citation, reference: str
) -> list[tuple[DocumentRow, Target]]:
    """ "section 151" where each section of a code is a file: beside the file that holds the reference."""
    first = citation.steps[0]
    if first.kind in INNER | DIVISIONS or not first.values:
        return []
    value = first.values[0]
    whole = _spelled(value.tokens[: value.whole])
    folder, slash, _ = document.rpartition("/")
    rows = context.index.numbered(_printed(first.kind, whole), context.scope, below=folder + slash)
    beside = [row.document for row in rows if row.document != document and (slash or "/" not in row.document)]
    ids = list(dict.fromkeys(beside))[:_MOST]
    documents = [row for name in ids if (row := context.index.document(name, context.scope)) is not None]
    return _in_documents(context, documents, reference)


def _spelled(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """The spellings of a number of several parts."""
    return tuple(dict.fromkeys((".".join(tokens), "-".join(tokens), f"{tokens[0]}-{'.'.join(tokens[1:])}")))


def _printed(kind: str, numbers: tuple[str, ...]) -> list[str]:
    """How a number of this kind may be printed in front of a heading."""
    words = [word for word, named in KIND.items() if named == kind]
    heads = {word for known in words for word in (known, known.capitalize(), known.upper())}
    return [
        spelled
        for number in numbers
        for spelled in (
            number,
            f"{number}.",
            *(f"{head}{gap}{number}" for head in heads for gap in (" ", ". ", "")),
        )
    ]


def section_text(context: Context, outline: Outline) -> Any:
    """What gives the words of a section of an outline by its position, each fetched once."""
    fetched: dict[int, SectionRow] = {}

    def text(at: int) -> str:
        row = outline.rows[at]
        if row.text is not None:
            return row.text
        if at not in fetched:
            found = context.index.sections(row.document, [row.id], context.scope)
            fetched[at] = found[0] if found and found[0].version == row.version else row
        return fetched[at].text or ""

    return text
