"""HTML tables as rows of cells, and which tables are only there for the layout."""

from __future__ import annotations

from collections.abc import Callable

from pincite.corpus.read.html_tree import Node, events, inline_text
from pincite.corpus.read.points import MARK

MOST_SPANNED = 1000
LONG_CELL = 600


def is_data(table: Node) -> bool:
    """Whether a table holds data: it has header cells or a caption, or rows of several short cells."""
    if table.attributes.get("role") in ("presentation", "none"):
        return False
    own = [node for kind, node in _own(table) if kind == "open"]
    tags = [node.tag for node in own]
    if "th" in tags or "caption" in tags:
        return True
    cells = [node for node in own if node.tag == "td"]
    if any(cell.css_first("table,h1,h2,h3,h4,h5,h6") is not None for cell in cells):
        return False
    rows = tags.count("tr")
    if rows < 2 or len(cells) < 2 * rows:
        return False
    return all(len(inline_text(cell)) <= LONG_CELL for cell in cells)


def caption(table: Node) -> str:
    """The caption, or nothing."""
    for kind, node in _own(table):
        if kind == "open" and node.tag == "caption":
            return inline_text(node)
    return ""


def rows(table: Node, marks: Callable[[str, Node], str] | None = None) -> list[list[str]]:
    """The rows of a table, its header first; a cell that spans rows is repeated in each of them.

    The text of a table inside a cell becomes part of that cell. `marks` is as for `inline_text`.
    """
    found: list[tuple[bool, list[str]]] = []
    spanning: dict[int, tuple[int, str]] = {}
    in_head = False
    current: list[Node] | None = None
    opened = ""
    for kind, node in _own(table):
        if node.tag == "thead":
            in_head = kind == "open"
        elif node.tag == "tr" and kind == "open":
            current = []
            opened = marks("open", node) if marks is not None else ""
        elif node.tag == "tr" and current is not None:
            head = in_head or (bool(current) and all(cell.tag == "th" for cell in current))
            found.append((head, _row(current, spanning, marks, opened)))
            current = None
        elif node.tag in ("td", "th") and kind == "open" and current is not None:
            current.append(node)
    # A header row that stands further down is left where it is: it may head the rows behind it.
    first = next((at for at, (head, _) in enumerate(found) if head), 0)
    order = [found[first], *found[:first], *found[first + 1 :]] if found and first <= 2 else found
    return [row for _, row in order if any(row)]


def _row(
    cells: list[Node],
    spanning: dict[int, tuple[int, str]],
    marks: Callable[[str, Node], str] | None,
    opened: str,
) -> list[str]:
    row: list[str] = []

    def from_above() -> None:
        while len(row) in spanning:
            left, text = spanning.pop(len(row))
            if left > 1:
                spanning[len(row)] = (left - 1, text)
            row.append(text)

    for cell in cells:
        from_above()
        marked = f"{opened}{inline_text(cell, marks)}"
        text = MARK.sub("", marked)
        opened = ""
        down = _span(cell, "rowspan")
        for _ in range(_span(cell, "colspan")):
            if down > 1:
                spanning[len(row)] = (down - 1, text)
            row.append(marked)
            text = marked = ""
    from_above()
    return row


def _span(cell: Node, name: str) -> int:
    value = (cell.attributes.get(name) or "").strip()
    return min(max(int(value), 1), MOST_SPANNED) if value.isdecimal() and len(value) < 6 else 1


def _own(table: Node) -> list[tuple[str, Node]]:
    """Events of a table's own rows and cells; cells are not entered."""
    found: list[tuple[str, Node]] = []
    cell: int | None = None
    for kind, node in events(table):
        if cell is not None:
            if kind == "close" and node.mem_id == cell:
                cell = None
            continue
        if kind != "text":
            found.append((kind, node))
            if kind == "open" and node.tag in ("td", "th", "caption"):
                cell = node.mem_id
    return found
