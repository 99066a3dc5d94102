"""The contents tool: the documents, or the sections of one, in pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any

from pincite.corpus.rows import DocumentRow, SectionRow
from pincite.corpus.tokens import estimate_tokens
from pincite.tools.arguments import ContentsArguments
from pincite.tools.context import Context, find_document
from pincite.tools.continuation import continuation, read_continuation
from pincite.tools.failures import ToolFailedError, bad_arguments
from pincite.tools.finding import find_section
from pincite.tools.render import one_line, place
from pincite.tools.resolve import addresses, label
from pincite.tools.result import ToolResult
from pincite.tools.showing import Shown, counted, result_text

_PAGE = 100
_AROUND = 160
_NO_PASSAGES = Shown((), ())


def contents(context: Context, arguments: ContentsArguments) -> ToolResult:
    """The documents in scope, or the outline of one. Raises ToolFailedError."""
    if arguments.document is None:
        if arguments.section is not None:
            raise bad_arguments("document", "is missing", arguments.example)
        return _documents(context, arguments)
    return _outline(context, arguments, find_document(context, arguments.document))


def _documents(context: Context, arguments: ContentsArguments) -> ToolResult:
    first = _start(arguments, ["documents"])
    rows = context.index.documents(context.scope, limit=_PAGE + 1, offset=first)
    if not rows and not first:
        raise ToolFailedError("index_empty", "There are no documents.")
    lines = _fitting(context, (_document_line(row) for row in rows[:_PAGE]))
    following = continuation("d", ["documents"], first + len(lines)) if len(lines) < len(rows) else None
    data = {
        "document": None,
        "title": None,
        "documents": [_document_entry(row) for row in rows[: len(lines)]],
        "next": following,
    }
    head = f"{counted(len(lines), 'document')}, by id:" if lines else "No more documents."
    return _result(context, arguments, head, lines, data)


def _outline(context: Context, arguments: ContentsArguments, document: DocumentRow) -> ToolResult:
    rows = context.index.outline(document.id, context.scope)
    top = None if arguments.section is None else find_section(rows, arguments.section).row
    listed = rows if top is None else rows[top.position : top.tree_last + 1]
    about = [document.id, document.version, top.id if top else ""]
    first = _start(arguments, about)
    level = min((row.level for row in listed), default=1)
    names = addresses(rows)
    sizes = [0, *accumulate(row.tokens for row in rows)]
    texts = (
        _section_line(row, level, names, sizes[row.tree_last + 1] - sizes[row.position])
        for row in listed[first:]
    )
    lines = _fitting(context, [f"{one_line(document.id)} | {one_line(document.title)}", *texts])
    shown = listed[first : first + len(lines) - 1]
    behind = first + len(shown)
    following = continuation("t", about, behind) if behind < len(listed) else None
    data = {
        "document": document.id,
        "title": document.title,
        "sections": nested(shown),
        "next": following,
    }
    head = f"{counted(len(shown), 'section')}:" if shown else "No more sections."
    return _result(context, arguments, head, lines, data)


def nested(rows: Sequence[SectionRow]) -> list[dict[str, Any]]:
    """Rows in document order as a tree of {section, number, title, level, page, page_end, tokens, children}.

    A row whose parent is not among them is at the top.
    """
    top: list[dict[str, Any]] = []
    by_id: dict[str, dict[str, Any]] = {}
    for row in rows:
        entry: dict[str, Any] = {
            "section": row.id,
            "number": row.number,
            "title": row.title,
            "level": row.level,
            "page": row.page,
            "page_end": row.page_end,
            "tokens": row.tokens,
            "children": [],
        }
        by_id[row.id] = entry
        above = by_id.get(row.parent or "")
        (above["children"] if above else top).append(entry)
    return top


def section_name(row: SectionRow, names: dict[str, str]) -> str:
    """A section as it is printed, with its id where nothing else opens it."""
    name = one_line(label(row))
    return name if names[row.id] != row.id else f"{name} [{row.id}]"


def _section_line(row: SectionRow, level: int, names: dict[str, str], tokens: int) -> str:
    where = place(row.page, row.page_end, row.line)
    facts = ", ".join(fact for fact in (where, f"{tokens} tokens") if fact)
    return f"{'  ' * (row.level - level)}{section_name(row, names)} ({facts})"


def _document_line(row: DocumentRow) -> str:
    pages = counted(row.pages, "page") if row.pages else ""
    facts = ", ".join(fact for fact in (pages, counted(row.sections, "section")) if fact)
    return f"{one_line(row.id)} | {one_line(row.title)} ({facts})"


def _document_entry(row: DocumentRow) -> dict[str, Any]:
    return {
        "document": row.id,
        "title": row.title,
        "pages": row.pages,
        "sections": row.sections,
        "tokens": row.tokens,
    }


def _fitting(context: Context, lines: Iterable[str]) -> list[str]:
    """As many of the lines as fit in a call, one at least."""
    room = context.limits.call_tokens - _AROUND
    found: list[str] = []
    for line in lines:
        room -= estimate_tokens(line) + 1
        if room < 0 and found:
            break
        found.append(line)
    return found


def _start(arguments: ContentsArguments, about: Sequence[str]) -> int:
    if arguments.start is None:
        return 0
    try:
        return read_continuation(arguments.start, "d" if about == ["documents"] else "t", about)[0]
    except ValueError as error:
        raise bad_arguments("from", str(error), arguments.example) from None


def _result(
    context: Context, arguments: ContentsArguments, head: str, lines: Sequence[str], data: dict[str, Any]
) -> ToolResult:
    following = data["next"]
    more = f'More: the same call with "from": "{following}".' if following else ""
    text = result_text(context, head, _NO_PASSAGES, names=lines, last=[more])
    return ToolResult(tool=arguments.tool, text=text, next=following, data=data)
