"""The contents of the corpus: its documents in pages, grouped by folder, searched by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from pincite.corpus.lookup import Name
from pincite.corpus.rows import DocumentRow
from pincite.corpus.tokens import estimate_tokens
from pincite.tools.arguments import ContentsArguments
from pincite.tools.context import Context
from pincite.tools.continuation import continuation, read_continuation
from pincite.tools.failures import ToolFailedError, bad_arguments
from pincite.tools.render import one_line, quoted
from pincite.tools.result import ToolResult
from pincite.tools.showing import Shown, counted, result_text
from pincite.tools.standing import standing

# Documents on a page at most; more than two pages are shown by folder first.
_PAGE = 100
_AROUND = 160
_NEAR = 5
_NO_PASSAGES = Shown((), ())


def catalogue(context: Context, arguments: ContentsArguments) -> ToolResult:
    """The documents in scope, or those of a folder or with words in their names. Raises ToolFailedError."""
    names = context.index.names(context.scope)
    if not names:
        raise ToolFailedError("index_empty", "There are no documents.")
    folder = _folder(names, arguments.folder)
    inside = [name for name in names if name.id.startswith(folder)]
    if arguments.find is not None:
        inside = _found(inside, arguments.find)
    entries = _entries(inside, folder, grouped=arguments.find is None)
    about = ["documents", folder, (arguments.find or "").casefold()]
    first = _start(arguments, about)
    page = entries[first : first + _PAGE]
    rows = {row.id: row for row in _rows(context, [one for one in page if isinstance(one, Name)])}
    lines: list[str] = []
    room = context.limits.call_tokens - _AROUND
    for one in page:
        line = _line(one, rows)
        room -= estimate_tokens(line) + 1
        if room < 0 and lines:
            break
        lines.append(line)
    shown = page[: len(lines)]
    behind = first + len(shown)
    following = continuation("d", about, behind) if behind < len(entries) else None
    data = {
        "document": None,
        "title": None,
        "documents": [
            _document_entry(rows[one.id]) for one in shown if isinstance(one, Name) and one.id in rows
        ],
        "folders": [{"folder": one[0], "documents": one[1]} for one in shown if isinstance(one, tuple)],
        "next": following,
    }
    more = [f'More: the same call with "from": "{following}".' if following else ""]
    if data["folders"]:
        more.append('A "folder" opens one; "find" searches the names of documents.')
    head = _head(shown, len(inside), folder, arguments.find)
    text = result_text(context, head, _NO_PASSAGES, names=lines, last=more)
    return ToolResult(tool=arguments.tool, text=text, next=following, data=data)


Entry = Name | tuple[str, int]


def _entries(inside: Sequence[Name], folder: str, *, grouped: bool) -> list[Entry]:
    """The documents; when they are many, the folders on the next level and what lies beside them."""
    if not grouped or len(inside) <= 2 * _PAGE:
        return list(inside)
    while True:
        below = Counter(
            name.id[: len(folder) + name.id[len(folder) :].index("/") + 1]
            for name in inside
            if "/" in name.id[len(folder) :]
        )
        beside = [name for name in inside if "/" not in name.id[len(folder) :]]
        if beside or len(below) != 1:
            return [*sorted(below.items()), *beside]
        folder = next(iter(below))


def _folder(names: Sequence[Name], wanted: str | None) -> str:
    """The folder as ids begin with it. ToolFailedError `no_match` for one that is not there."""
    if wanted is None:
        return ""
    plain = one_line(wanted, 1000).strip("/").casefold() + "/"
    folders = {name.id[: at + 1] for name in names for at, sign in enumerate(name.id) if sign == "/"}
    same = sorted(folder for folder in folders if folder.casefold() == plain)
    ends = same or sorted(folder for folder in folders if f"/{folder.casefold()}".endswith(f"/{plain}"))
    if len(ends) == 1:
        return ends[0]
    if ends:
        message = "Several folders end so."
        raise ToolFailedError("ambiguous", message, "Name one of them.", tuple(ends[:_NEAR]))
    near = sorted(folder for folder in folders if plain.strip("/") in folder.casefold())[:_NEAR]
    message = f"There is no folder {quoted(wanted)}."
    raise ToolFailedError("no_match", message, "Call without a folder.", tuple(near))


def _found(names: Sequence[Name], wanted: str) -> list[Name]:
    """Documents whose id, title or other names hold all the words."""
    words = wanted.casefold().split()
    found = [
        name
        for name in names
        if all(word in " ".join((name.id, name.title, *name.names)).casefold() for word in words)
    ]
    if not found:
        raise ToolFailedError("no_match", f"No document's name holds {quoted(wanted)}.", "Use fewer words.")
    return found


def _rows(context: Context, names: Sequence[Name]) -> list[DocumentRow]:
    return context.index.documents_by_id([name.id for name in names], context.scope)


def _line(one: Entry, rows: dict[str, DocumentRow]) -> str:
    if isinstance(one, tuple):
        return f"{one_line(one[0])} ({counted(one[1], 'document')})"
    row = rows.get(one.id)
    if row is None:
        return one_line(one.id)
    pages = counted(row.pages, "page") if row.pages else ""
    facts = ", ".join(f for f in (pages, counted(row.sections, "section"), one_line(standing(row))) if f)
    return f"{one_line(row.id)} | {one_line(row.title)} ({facts})"


def _document_entry(row: DocumentRow) -> dict[str, Any]:
    return {
        "document": row.id,
        "title": row.title,
        "pages": row.pages,
        "sections": row.sections,
        "tokens": row.tokens,
        "version_label": row.version_label,
        "status": row.status,
        "effective_from": row.effective_from,
        "effective_to": row.effective_to,
        "standing": standing(row),
    }


def _head(shown: Sequence[Entry], total: int, folder: str, find: str | None) -> str:
    if not shown:
        return "No more documents."
    folders = sum(isinstance(one, tuple) for one in shown)
    documents = len(shown) - folders
    if folders:
        beside = f" and {counted(documents, 'document')}" if documents else ""
        return f"{counted(total, 'document')}, in {counted(folders, 'folder')}{beside}:"
    within = " in this folder" if folder else ""
    holding = " with these words in the name" if find else ""
    of = f" of {total}" if total > documents else ""
    return f"{counted(documents, 'document')}{of}{within}{holding}, by id:"


def _start(arguments: ContentsArguments, about: Sequence[str]) -> int:
    if arguments.start is None:
        return 0
    try:
        return read_continuation(arguments.start, "d", about)[0]
    except ValueError as error:
        raise bad_arguments("from", str(error), arguments.example) from None
