"""Word documents: the text as it stands with all changes accepted, headings, lists, tables and notes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from pincite.corpus.headings import find_headings
from pincite.corpus.labels import Heading
from pincite.corpus.lines import Line, lines_of
from pincite.corpus.read.builder import Draft, TextBuilder, collapse
from pincite.corpus.read.docx_styles import BULLET, Numbering, Styles, child, is_on, number, value
from pincite.corpus.read.failure import failure
from pincite.corpus.read.package import Package
from pincite.corpus.read.xml_safe import Element, local_name

# Deleted text, properties, field codes, and the second copy of what stands in mc:Choice.
SKIPPED = frozenset(
    (
        "del",
        "moveFrom",
        "pPr",
        "rPr",
        "delText",
        "delInstrText",
        "instrText",
        "Fallback",
        "sdtPr",
        "rt",
        "tblPr",
        "tcPr",
    )
)
SIGNS = {"tab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "ptab": " "}


def read_docx(package: Package) -> Draft:
    """The draft of a Word document, in the transitional or the strict form."""
    main = package.related("", "officeDocument")
    root = package.part(main) if main is not None else None
    body = child(root, "body")
    if main is None or root is None or local_name(root) != "document" or body is None:
        known = any(name.startswith("word/") for name in package.names())
        raise failure(
            "damaged" if known else "unsupported_format",
            "the Word document has no body"
            if known
            else f"this is {package.other_kind()}, which is not read",
        )
    reader = _Reader(package, main)
    reader.blocks(body)
    reader.flush_notes()
    draft = reader.builder.finish(title=reader.title)
    return draft if _is_styled(draft) else _with_typed_headings(draft)


def _is_styled(draft: Draft) -> bool:
    """Whether heading styles are used for more than a title at the top."""
    below = [heading for heading in draft.headings if heading.level > 0 and heading.start > 0]
    return bool(below)


def _with_typed_headings(draft: Draft) -> Draft:
    """Headings by number and capitals, below the titles that have a style."""
    titles = [Heading(0, title.start, title.end, title.number) for title in draft.headings]
    free = [
        line if not any(t.start <= line.start < t.end for t in titles) else Line("", line.start)
        for line in lines_of(draft.text, draft.tables)
    ]
    headings = sorted((*titles, *find_headings(free)), key=lambda heading: heading.start)
    return replace(draft, headings=tuple(headings))


class Run(NamedTuple):
    """A piece of a paragraph: its text, a reference to a note, or a text box that hangs on it."""

    text: str
    note: tuple[str, str] | None = None
    box: Element | None = None


class _Reader:
    """Appends the blocks of a document in order."""

    def __init__(self, package: Package, main: str) -> None:
        def part(kind: str) -> Element | None:
            name = package.related(main, kind)
            return package.part(name) if name is not None else None

        self.builder = TextBuilder()
        self.title: str | None = None
        self._styles = Styles(part("styles"))
        self._numbering = Numbering(part("numbering"), self._styles)
        self._notes = {kind: _note_elements(part(f"{kind}s")) for kind in ("footnote", "endnote")}
        self._pending: list[tuple[str, str]] = []
        self._cited = 0

    def blocks(self, parent: Element) -> None:
        """Append the paragraphs and tables below `parent`, also those inside content controls and changes."""
        for element in parent:
            match local_name(element):
                case "p":
                    self._paragraph(element)
                case "tbl":
                    self._table(element)
                case name if name in SKIPPED:
                    pass
                case _:
                    self.blocks(element)

    def flush_notes(self) -> None:
        """Append the notes referred to since the last heading."""
        for kind, ident in self._pending:
            element = self._notes[kind].pop(ident, None)
            if element is not None:
                self._cited += 1
                text = "\n".join(filter(None, (self._text(item) for item in _paragraphs(element))))
                self.builder.block(f"[{self._cited}] {text}")
        self._pending.clear()

    def _paragraph(self, paragraph: Element) -> None:
        properties = child(paragraph, "pPr")
        level = self._styles.heading_level(properties)
        runs = list(_runs(paragraph))
        text = "".join(run.text for run in runs)
        numbering = self._numbered(properties)
        printed = self._numbering.next_number(*numbering) if numbering and text.strip() else ""
        if level is not None and text.strip():
            self.flush_notes()
            self._heading(level, text, "" if printed == BULLET else printed)
        elif printed and numbering is not None:
            self.builder.item(text, depth=numbering[1], marker=printed)
        else:
            self.builder.block(text)
        self._pending.extend(run.note for run in runs if run.note is not None)
        for run in runs:
            if run.box is not None:
                self.blocks(run.box)

    def _numbered(self, properties: Element | None) -> tuple[int, int] | None:
        """The list and the level of a paragraph."""
        found = self._styles.numbering(properties)
        if found is None:
            return None
        num, level = found
        if level is None:
            level = self._numbering.level_of(num, self._styles.styles_of(properties))
        return num, level

    def _heading(self, level: int, text: str, printed: str) -> None:
        if level == 0 and self.title is None:
            self.title = collapse(text)
        label = (
            printed.rstrip(".:)") if printed.count(")") == printed.count("(") + 1 else printed.rstrip(".:")
        )
        self.builder.heading(level, f"{printed} {text}", number=label or None)

    def _table(self, table: Element) -> None:
        rows = list(_rows(table))
        cells = [cell for row in rows for cell in row]
        headed = any(
            self._styles.heading_level(child(item, "pPr")) is not None and self._text(item)
            for cell in cells
            for item in _paragraphs(cell)
        )
        if headed or all(len(row) <= 1 for row in rows):
            # A table for the layout: its cells are read one after another.
            for cell in cells:
                self.blocks(cell)
            return
        lines: list[list[str]] = []
        for row in rows:
            line: list[str] = []
            for cell in row:
                properties = child(cell, "tcPr")
                merge = child(properties, "vMerge")
                above = lines[-1] if lines else []
                if merge is not None and value(merge) != "restart" and len(line) < len(above):
                    line.append(above[len(line)])
                else:
                    line.append(collapse(" ".join(self._text(item) for item in _paragraphs(cell))))
                span = number(child(properties, "gridSpan")) or 1
                line.extend([""] * min(max(span - 1, 0), 100))
            lines.append(line)
        self.builder.table(lines)

    def _text(self, paragraph: Element) -> str:
        """The text of a paragraph on one line; its notes are kept for the end of the section."""
        runs = list(_runs(paragraph))
        self._pending.extend(run.note for run in runs if run.note is not None)
        boxes = (self._text(item) for run in runs if run.box is not None for item in _paragraphs(run.box))
        return collapse(" ".join(("".join(run.text for run in runs), *boxes)))


def _note_elements(root: Element | None) -> dict[str, Element]:
    return {
        value(item, "id") or "": item
        for item in (root if root is not None else ())
        if value(item, "type") in (None, "normal")
    }


def _paragraphs(parent: Element) -> Iterator[Element]:
    """All paragraphs below an element in order, also in tables inside it, but not in text boxes."""
    todo = list(reversed(parent))
    while todo:
        element = todo.pop()
        name = local_name(element)
        if name == "p":
            yield element
        elif name not in SKIPPED:
            todo.extend(reversed(element))


def _rows(table: Element) -> Iterator[list[Element]]:
    """The cells of each row; rows and cells may stand inside content controls, deleted rows are left out."""
    for row in _nearest(table, "tr"):
        properties = child(row, "trPr")
        if child(properties, "del") is None:
            yield list(_nearest(row, "tc"))


def _nearest(parent: Element, name: str) -> Iterator[Element]:
    todo = list(reversed(parent))
    while todo:
        element = todo.pop()
        here = local_name(element)
        if here == name:
            yield element
        elif here not in SKIPPED and here not in ("tbl", "tr", "p"):
            todo.extend(reversed(element))


def _runs(paragraph: Element) -> Iterator[Run]:
    todo = list(reversed(paragraph))
    while todo:
        element = todo.pop()
        name = local_name(element)
        if name in SKIPPED or (name == "r" and is_on(child(element, "rPr", "vanish"))):
            continue
        if name == "t":
            yield Run(element.text or "")
        elif name in ("footnoteReference", "endnoteReference"):
            yield Run("", note=(name.removesuffix("Reference"), value(element, "id") or ""))
        elif name == "txbxContent":
            yield Run("", box=element)
        elif name == "sym":
            yield Run(_symbol(value(element, "char") or ""))
        elif name in SIGNS:
            yield Run("" if name == "br" and value(element, "type") == "page" else SIGNS[name])
        else:
            todo.extend(reversed(element))


def _symbol(code: str) -> str:
    """A character given by its code; those of symbol fonts mean nothing without the font."""
    try:
        point = int(code, 16)
    except ValueError:
        return ""
    return chr(point) if 0x20 <= point < 0xD800 else ""
