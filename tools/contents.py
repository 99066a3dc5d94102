"""The contents tool: the outline of a document, in pages, as deep as fits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pincite.corpus.linked import heading_anchor
from pincite.corpus.outline import Outline
from pincite.corpus.rows import DocumentRow, SectionRow
from pincite.corpus.tokens import estimate_tokens
from pincite.tools.arguments import ContentsArguments
from pincite.tools.catalogue import catalogue
from pincite.tools.context import Context, find_document
from pincite.tools.continuation import continuation, read_continuation
from pincite.tools.failures import bad_arguments
from pincite.tools.finding import find_section
from pincite.tools.follow import section_text
from pincite.tools.naming import address
from pincite.tools.render import one_line, place
from pincite.tools.resolve import full_number, label
from pincite.tools.result import ToolResult
from pincite.tools.showing import Shown, counted, result_text
from pincite.tools.standing import standing

_AROUND = 160
# What a line costs, in estimated tokens.
_LINE = 20
# The greatest depth that can be asked for.
_DEEPEST = 20
_NO_PASSAGES = Shown((), ())


def contents(context: Context, arguments: ContentsArguments) -> ToolResult:
    """The documents in scope, or the outline of one. Raises ToolFailedError."""
    if arguments.document is None:
        if arguments.section is not None:
            raise bad_arguments("document", "is missing", arguments.example)
        return catalogue(context, arguments)
    return _outline(context, arguments, find_document(context, arguments.document))


def _outline(context: Context, arguments: ContentsArguments, document: DocumentRow) -> ToolResult:
    outline = context.index.outline_of(document.id, context.scope)
    text = section_text(context, outline)
    top = None if arguments.section is None else find_section(outline, arguments.section, text).row
    under = range(len(outline.rows)) if top is None else range(top.position, top.tree_last + 1)
    levels = outline.packed.level[under.start : under.stop].tolist()
    level = top.level if top is not None else min(levels, default=1)
    if arguments.start is None:
        first, depth = 0, arguments.depth or _fitting_depth(context, levels)
    else:
        # a depth may have been asked for that goes beyond the deepest section
        first, depth = _continued(arguments, document, top, _DEEPEST)
    listed = [at for at, own in zip(under, levels, strict=True) if own < level + depth]
    about = _about(document, top, depth)
    version = standing(document)
    head_line = " | ".join(
        part for part in (one_line(document.id), one_line(document.title), one_line(version)) if part
    )
    lines = _fitting(
        context,
        (
            head_line if at is None else _section_line(outline, outline.rows[at], level, depth)
            for at in (None, *listed[first:])
        ),
    )
    shown = [outline.rows[at] for at in listed[first : first + len(lines) - 1]]
    behind = first + len(shown)
    following = continuation("t", about, behind) if behind < len(listed) else None
    data = {
        "document": document.id,
        "title": document.title,
        "standing": version,
        "sections": nested(outline, shown, _referred(context, outline, shown)),
        "depth": depth,
        "next": following,
    }
    head = f"{counted(len(shown), 'section')}:" if shown else "No more sections."
    more = [f'More: the same call with "from": "{following}".' if following else ""]
    if len(listed) < len(under):
        hidden = len(under) - len(listed)
        more.append(f'{counted(hidden, "section")} further down: name a "section", or a greater "depth".')
    text_ = result_text(context, head, _NO_PASSAGES, names=lines, last=more)
    return ToolResult(tool=arguments.tool, text=text_, next=following, data=data)


def _about(document: DocumentRow, top: SectionRow | None, depth: int) -> list[str]:
    return [document.id, document.version, top.id if top else "", str(depth)]


def _continued(
    arguments: ContentsArguments, document: DocumentRow, top: SectionRow | None, deepest: int
) -> tuple[int, int]:
    """Where to go on among the rows that were listed, and how many levels of them that were."""
    for depth in range(1, deepest + 1):
        try:
            at, _ = read_continuation(arguments.start or "", "t", _about(document, top, depth))
        except ValueError:
            continue
        return at, depth
    raise bad_arguments("from", "not a value that this tool gave for this call", arguments.example)


def _fitting_depth(context: Context, levels: Sequence[int]) -> int:
    """As many levels as two pages hold, and one at least; what is opened shows its children."""
    level = min(levels, default=1)
    deepest = max(levels, default=level) - level + 1
    room = max(6, (context.limits.call_tokens - _AROUND) // _LINE)
    counts = [0] * (deepest + 1)
    for own in levels:
        counts[own - level + 1] += 1
    total = 0
    for depth in range(1, deepest + 1):
        total += counts[depth]
        if total > 2 * room and depth > (2 if counts[1] == 1 else 1):
            return depth - 1
    return deepest


def _referred(context: Context, outline: Outline, rows: Sequence[SectionRow]) -> dict[str, list[str]]:
    """For each section the places and acts that its own text refers to, each once."""
    if not rows:
        return {}
    found = context.index.references(rows[0].document, [row.id for row in rows], context.scope)
    named: dict[str, list[str]] = {}
    for section, references in found.items():
        names = [
            full_number(row.number, target.unit) if target.unit else label(row)
            for one in references
            for target in one.targets
            # The document may have been replaced since its outline was read.
            if (row := outline.by_id.get(target.section)) is not None
        ]
        acts = [one.act or one.href or "" for one in references if one.act or (one.href and not one.targets)]
        named[section] = list(dict.fromkeys([*names, *acts]))
    return named


def nested(
    outline: Outline, rows: Sequence[SectionRow], references: Mapping[str, list[str]]
) -> list[dict[str, Any]]:
    """Rows in document order as a tree of {section, number, title, level, page, page_end, tokens, ...}.

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
            "tree_page_end": outline.page_end(row),
            "tree_tokens": outline.size(row),
            "levels_below": outline.levels_below(row),
            "sections_below": row.tree_last - row.position,
            "references": references.get(row.id, []),
            **_printed(outline, row),
            "children": [],
        }
        by_id[row.id] = entry
        above = by_id.get(row.parent or "")
        (above["children"] if above else top).append(entry)
    return top


def _printed(outline: Outline, row: SectionRow) -> dict[str, str]:
    """What is printed on the pages of a row, and its anchor, as far as there are any."""
    last = outline.rows[row.tree_last]
    found = {
        "page_label": dict(row.labels).get(row.page or 0),
        "tree_page_end_label": dict(last.labels).get(outline.page_end(row) or 0),
        "anchor": heading_anchor(row),
    }
    return {name: value for name, value in found.items() if value}


def section_name(outline: Outline, row: SectionRow) -> str:
    """A section as it is printed, with its id where nothing else opens it."""
    name = one_line(label(row))
    return name if address(outline, row) != row.id else f"{name} [{row.id}]"


def _section_line(outline: Outline, row: SectionRow, level: int, depth: int) -> str:
    labels = (*row.labels, *outline.rows[row.tree_last].labels)
    where = place(row.page, outline.page_end(row), row.line, labels)
    below = ""
    if row.level == level + depth - 1 and row.tree_last > row.position:
        levels = outline.levels_below(row)
        below = f"{row.tree_last - row.position} below in {counted(levels, 'level')}"
    facts = ", ".join(fact for fact in (where, f"{outline.size(row)} tokens", below) if fact)
    return f"{'  ' * (row.level - level)}{section_name(outline, row)} ({facts})"


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
