"""The reading tool: a section and everything below it, in order, in passages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from pincite.corpus.rows import SectionRow
from pincite.tools.arguments import ReadArguments
from pincite.tools.contents import section_name
from pincite.tools.context import Context, find_document
from pincite.tools.continuation import continuation, read_continuation
from pincite.tools.failures import ToolFailedError, bad_arguments
from pincite.tools.finding import find_section
from pincite.tools.passage import Passage
from pincite.tools.resolve import Target, addresses, label
from pincite.tools.result import ToolResult
from pincite.tools.showing import Showing, Shown, counted, result_text
from pincite.tools.spans import body, pieces
from pincite.tools.widen import cut

# So many passages at most in one call, however many of them are only named.
_MOST = 60
_BATCH = 24
_CHILDREN = 40


Start = tuple[int, int]


def read_section(context: Context, arguments: ReadArguments) -> ToolResult:
    """The passages of a section or unit, as many as fit in a call. Raises ToolFailedError."""
    document = find_document(context, arguments.document)
    rows = context.index.outline(document.id, context.scope)
    target = find_section(rows, arguments.section)
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
    children = [row for row in rows if row.parent == target.row.id] if _heading_only(target, start) else []
    names = addresses(rows)
    return ToolResult(
        tool=arguments.tool,
        text=result_text(
            context,
            _what_happened(shown, children, heading_only=_heading_only(target, start)),
            shown,
            names=[
                *(f"  {section_name(row, names)}" for row in children[:_CHILDREN]),
                *(
                    f"{word}: {section_name(row, names)}"
                    for word, row in _neighbours(rows, target.row).items()
                ),
            ],
            last=[f'More: the same call with "from": "{following}".' if following else ""],
        ),
        passages=shown.passages,
        already_shown=shown.named,
        next=following,
        data=_data(rows, target, read),
    )


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
                    yield row, cut(row, *piece, budget)
        position = behind


def _pieces(row: SectionRow, start: int, end: int, budget: int) -> Iterator[tuple[int, int]]:
    """The whole of a section that fits, exactly as a search shows it; else its pieces."""
    if (start, end) == (row.start, row.end) and row.tokens <= budget:
        return iter([(start, end)] if start < end else [])
    return pieces(row, start, end, budget)


def _heading_only(target: Target, start: Start) -> bool:
    row = target.row
    return target.unit is None and row.start >= row.end and start == (row.position, 0)


def _neighbours(rows: Sequence[SectionRow], row: SectionRow) -> dict[str, SectionRow]:
    """The section to read before this one (the last of its siblings, else the one above) and after it."""
    found = {}
    before = [other for other in rows if other.parent == row.parent and other.position < row.position]
    above = [other for other in rows if other.id == row.parent]
    if before or above:
        found["Previous"] = (before or above)[-1]
    after = [other for other in rows if other.position == row.tree_last + 1]
    if after:
        found["Next"] = after[0]
    return found


def _what_happened(shown: Shown, children: Sequence[SectionRow], *, heading_only: bool) -> str:
    below = f" with {counted(len(children), 'section')} below it" if children else ""
    heading = f"This section is a heading{below}. " if heading_only else ""
    if shown.passages:
        return f"{heading}{counted(len(shown.passages), 'passage')}."
    return f"{heading}{'Nothing new.' if shown.named else 'No text.'}".strip()


def _data(
    rows: Sequence[SectionRow], target: Target, read: Sequence[tuple[SectionRow, Passage]]
) -> dict[str, Any]:
    """{document, document_title, section, number, title, heading_path, page, page_end, line, text, children,
    previous, next}: what `read --json` is made of."""
    row = target.row
    near = _neighbours(rows, row)
    first = read[0][1] if read else None
    return {
        "document": row.document,
        "document_title": row.document_title,
        "section": row.id,
        "number": f"{row.number or ''}{target.unit[0]}" if target.unit else row.number,
        "title": row.title,
        "heading_path": " > ".join(row.path),
        "page": first.page if first and target.unit else row.page,
        "text": _text(target, read),
        "children": [_named(other) for other in rows if other.parent == row.id],
        "previous": _named(near.get("Previous")),
        "next": _named(near.get("Next")),
    }


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
