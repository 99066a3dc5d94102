"""The reading tool: a section and everything below it, in order, in passages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from pincite.corpus.linked import heading_anchor
from pincite.corpus.outline import Outline, SectionText
from pincite.corpus.references_grammar import find_citations
from pincite.corpus.references_tree import Node
from pincite.corpus.rows import DocumentRow, SectionRow
from pincite.tools.arguments import ReadArguments
from pincite.tools.contents import section_name
from pincite.tools.context import Context, find_document
from pincite.tools.continuation import continuation, read_continuation
from pincite.tools.failures import ToolFailedError, bad_arguments
from pincite.tools.finding import find_section
from pincite.tools.follow import followed, linked, section_text
from pincite.tools.links import outgoing, reference_lines, terms_line, terms_used
from pincite.tools.passage import Passage
from pincite.tools.render import quoted
from pincite.tools.resolve import Target, label, node_of
from pincite.tools.result import ToolResult
from pincite.tools.showing import Showing, Shown, counted, result_text
from pincite.tools.spans import body, pieces
from pincite.tools.standing import standing
from pincite.tools.widen import cut

# So many passages at most in one call, however many of them are only named.
_MOST = 60
_BATCH = 24
_CHILDREN = 40
_NEAR = 10


Start = tuple[int, int]


def read_section(context: Context, arguments: ReadArguments) -> ToolResult:
    """The passages of a section or unit, as many as fit in a call. Raises ToolFailedError."""
    document = find_document(context, arguments.document)
    outline = context.index.outline_of(document.id, context.scope)
    document, outline, target = _opened(context, document, outline, arguments)
    about = [document.id, target.row.version, target.row.id, target.unit[0] if target.unit else ""]
    start = _start(arguments, about, target)
    showing = Showing(context)
    read: list[tuple[SectionRow, Passage]] = []
    following = None
    for row, candidate in _candidates(context, target, start):
        if context.ledger.barred(candidate):
            continue
        if len(read) >= _MOST or not showing.add(candidate):
            following = continuation("r", about, row.position, candidate.start - row.start)
            break
        read.append((row, candidate))
    shown = showing.commit()
    children = outline.children(target.row)
    listed = children if _heading_only(target, start) else []
    references = outgoing(context, outline, read)
    terms = terms_used(outline, read)
    return ToolResult(
        tool=arguments.tool,
        text=result_text(
            context,
            _what_happened(shown, listed, heading_only=_heading_only(target, start)),
            shown,
            names=[
                *(f"  {section_name(outline, row)}" for row in listed[:_CHILDREN]),
                *(
                    f"{word}: {section_name(outline, row)}"
                    for word, row in _neighbours(outline, target.row).items()
                ),
                *reference_lines(references, document.id),
                *terms_line(terms),
            ],
            last=[f'More: the same call with "from": "{following}".' if following else ""],
        ),
        passages=shown.passages,
        already_shown=shown.named,
        next=following,
        data={
            **_data(outline, target, read),
            "children": [_named(row) for row in children],
            "references": references,
            "terms": terms,
        },
    )


def _opened(
    context: Context, document: DocumentRow, outline: Outline, arguments: ReadArguments
) -> tuple[DocumentRow, Outline, Target]:
    """The place that a call names: in this document, or where a reference in it leads.

    `relative_to` is the section, or the passage, in which the reference stands. Raises ToolFailedError.
    """
    text = section_text(context, outline)
    here = None
    if arguments.relative_to is not None:
        here = _standing_place(context, document, outline, arguments.relative_to, text)
    places = linked(context, document.id, arguments.section) if "#" in arguments.section else []
    places = places or _of_other_act(context, document, arguments.section)
    if not places:
        try:
            return document, outline, find_section(outline, arguments.section, text, here)
        except ToolFailedError as failure:
            places = followed(context, document.id, arguments.section, None)
            if failure.error.code != "no_such_section" or not places:
                raise
    if len(places) > 1:
        near = tuple(f"{row.id}: {one.number or label(one.row)}" for row, one in places[:_NEAR])
        message = f"{quoted(arguments.section)} leads to {len(places)} places in other documents."
        raise ToolFailedError("ambiguous", message, "Read one of them in its document.", near)
    found, target = places[0]
    return found, context.index.outline_of(found.id, context.scope), target


def _of_other_act(
    context: Context, document: DocumentRow, reference: str
) -> list[tuple[DocumentRow, Target]]:
    """The places of a reference that names an act which is another document, and not this one."""
    act = next((one.act.name for one in find_citations(reference) if one.act and one.act.way == "name"), None)
    if act is None or document.id in {row.id for row in context.index.named(act, context.scope)}:
        return []
    return followed(context, document.id, reference, act)


def _standing_place(
    context: Context, document: DocumentRow, outline: Outline, name: str, text: SectionText
) -> Node:
    passage = context.ledger.passages.get(name.strip().upper())
    if passage is None:
        return node_of(outline, find_section(outline, name, text))
    if passage.document != document.id or passage.section not in outline.by_id:
        raise bad_arguments("relative_to", "is a passage of another document", ReadArguments.example)
    return outline.tree.at_offset(outline.by_id[passage.section].position, passage.start)


def _start(arguments: ReadArguments, about: Sequence[str], target: Target) -> Start:
    """Position of the section and offset in its body from which to read."""
    if arguments.start is None:
        return target.row.position, 0
    try:
        start = read_continuation(arguments.start, "r", about)
        if not target.row.position <= start[0] <= target.row.tree_last:
            raise ValueError("is not a value that this tool gave for this call")
    except ValueError as error:
        raise bad_arguments("from", str(error), arguments.example) from None
    return start


def _candidates(context: Context, target: Target, start: Start) -> Iterator[tuple[SectionRow, Passage]]:
    """The passages from `start` on; sections are fetched as they are needed."""
    budget = context.limits.passage_tokens
    position, offset = start
    last = target.row.position if target.unit else target.row.tree_last
    while position <= last:
        behind = min(last, position + _BATCH - 1) + 1
        for row in context.index.sections(target.row.document, range(position, behind), context.scope):
            if row.version != target.row.version:
                raise ToolFailedError("search_unavailable", "The document was just replaced.", "Call again.")
            begin, end = target.unit[1:] if target.unit else (row.start, row.end)
            for piece in _pieces(row, begin, end, budget):
                if row.position != start[0] or piece[0] - row.start >= offset:
                    yield row, _addressed(cut(row, *piece, budget), target)
        position = behind


def _addressed(passage: Passage, target: Target) -> Passage:
    """A passage of a unit carries the unit's own number."""
    if target.unit is None:
        return passage
    return passage.model_copy(update={"number": target.number, "path": (*passage.path, target.unit[0])})


def _pieces(row: SectionRow, start: int, end: int, budget: int) -> Iterator[tuple[int, int]]:
    """The whole of a section that fits, exactly as a search shows it; else its pieces."""
    if (start, end) == (row.start, row.end) and row.tokens <= budget:
        return iter([(start, end)] if start < end else [])
    return pieces(row, start, end, budget)


def _heading_only(target: Target, start: Start) -> bool:
    row = target.row
    return target.unit is None and row.start >= row.end and start == (row.position, 0)


def _neighbours(outline: Outline, row: SectionRow) -> dict[str, SectionRow]:
    """The section to read before this one (the last of its siblings, else the one above) and after it."""
    found = {}
    before = outline.before(row)
    if before is not None:
        found["Previous"] = before
    if row.tree_last + 1 < len(outline.rows):
        found["Next"] = outline.rows[row.tree_last + 1]
    return found


def _what_happened(shown: Shown, children: Sequence[SectionRow], *, heading_only: bool) -> str:
    below = f" with {counted(len(children), 'section')} below it" if children else ""
    heading = f"This section is a heading{below}. " if heading_only else ""
    if shown.passages:
        return f"{heading}{counted(len(shown.passages), 'passage')}."
    return f"{heading}{'Nothing new.' if shown.named else 'No text.'}".strip()


def _data(outline: Outline, target: Target, read: Sequence[tuple[SectionRow, Passage]]) -> dict[str, Any]:
    """{document, document_title, section, number, title, heading_path, page, page_end, page_label,
    page_end_label, anchor, text, previous, next, ...}: what `read --json` is made of."""
    row = target.row
    near = _neighbours(outline, row)
    first = read[0][1] if read else None
    page = first.page if first and target.unit else row.page
    return {
        "document": row.document,
        "document_title": row.document_title,
        "section": row.id,
        "number": target.number,
        "span": list(target.unit[1:]) if target.unit else [row.start, outline.rows[row.tree_last].end],
        "title": row.title,
        "heading_path": " > ".join(row.path),
        "version": row.version,
        "standing": standing(row),
        "page": page,
        **_printed(outline, target, page, read),
        "text": _text(target, read),
        "previous": _named(near.get("Previous")),
        "next": _named(near.get("Next")),
    }


def _printed(
    outline: Outline, target: Target, page: int | None, read: Sequence[tuple[SectionRow, Passage]]
) -> dict[str, Any]:
    """The last page that was read, what is printed on the pages, and the anchor, as far as there are any."""
    row = target.row
    last = read[-1][1] if read else None
    found = {
        "page_end": last.page_end if last is not None else None,
        "page_label": dict(row.labels).get(page or 0),
        "page_end_label": last.page_end_label if last is not None else None,
        "anchor": read[0][1].anchor if target.unit and read else heading_anchor(row),
    }
    return {name: value for name, value in found.items() if value is not None}


def _text(target: Target, read: Sequence[tuple[SectionRow, Passage]]) -> str:
    """The text that was read, pieces of a section joined, sections below the first under their headings."""
    parts = []
    for _, group in groupby(read, key=lambda entry: entry[0].position):
        entries = list(group)
        row = entries[0][0]
        text = body(row, entries[0][1].start, entries[-1][1].end)
        below = row.id != target.row.id and row.has_heading
        parts.append(f"{label(row)}\n\n{text}" if below else text)
    return "\n\n".join(parts)


def _named(row: SectionRow | None) -> dict[str, Any] | None:
    return None if row is None else {"section": row.id, "number": row.number, "title": row.title}
