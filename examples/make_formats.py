"""Render three documents of the sample corpus from their markdown sources.

Reads ``sources/*.md`` beside this file and writes one PDF, one DOCX and one HTML file into ``corpus/``.
The results are committed, so this is needed only after a source has changed::

    python -m venv /tmp/formats && /tmp/formats/bin/pip install markdown-it-py python-docx reportlab
    /tmp/formats/bin/python examples/make_formats.py

Made with markdown-it-py 4.3 (MIT), python-docx 1.2 (MIT) and reportlab 5.1 (BSD).
The same sources and versions give the same bytes.
"""

from __future__ import annotations

import html
import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from docx import Document
from docx.oxml import OxmlElement
from docx.text.paragraph import Paragraph as WordParagraph
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    Flowable,
    ListFlowable,
    Paragraph,
    SimpleDocTemplate,
    Table,
    TableStyle,
)

HERE = Path(__file__).resolve().parent
AUTHOR = "Larkenholt Asset Management"
BUILT = datetime(2025, 7, 14, 9, 0)
FRONT_MATTER = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text of one weight."""

    text: str
    bold: bool


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; ``level`` 1 is the title of the document."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph."""

    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Items:
    """A flat list, numbered when ``ordered``."""

    ordered: bool
    items: tuple[tuple[Run, ...], ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; the first row is its header."""

    rows: tuple[tuple[str, ...], ...]


Block = Heading | Text | Items | Grid


def split_front_matter(source: str) -> tuple[str, str]:
    """Return the title named in the front matter and the markdown below it."""
    found = FRONT_MATTER.match(source)
    if not found:
        raise ValueError("the source has no front matter")
    fields = dict(line.split(": ", 1) for line in found.group(1).splitlines())
    return fields["title"], source[found.end() :]


def runs_of(node: SyntaxTreeNode, bold: bool = False) -> Iterator[Run]:
    """Yield the text below ``node``; only plain and strong text occur in the sources."""
    for child in node.children:
        if child.type in ("inline", "paragraph", "strong"):
            yield from runs_of(child, bold or child.type == "strong")
        elif child.type == "text":
            if child.content:
                yield Run(child.content, bold)
        elif child.type == "softbreak":
            yield Run(" ", bold)
        else:
            raise ValueError(f"unexpected markup in a source: {child.type}")


def plain(node: SyntaxTreeNode) -> str:
    """Return the text below ``node`` without markup."""
    return "".join(run.text for run in runs_of(node))


def blocks_of(markdown: str) -> Iterator[Block]:
    """Yield the blocks of a document in order."""
    parser = MarkdownIt("commonmark").enable("table")
    for node in SyntaxTreeNode(parser.parse(markdown)).children:
        if node.type == "heading":
            yield Heading(int(node.tag[1]), plain(node))
        elif node.type == "paragraph":
            yield Text(tuple(runs_of(node)))
        elif node.type in ("bullet_list", "ordered_list"):
            items = tuple(tuple(runs_of(item)) for item in node.children)
            yield Items(node.type == "ordered_list", items)
        elif node.type == "table":
            rows = [row for part in node.children for row in part.children]
            yield Grid(tuple(tuple(plain(cell) for cell in row.children) for row in rows))
        else:
            raise ValueError(f"unexpected block in a source: {node.type}")


BODY = ParagraphStyle("body", fontName="Helvetica", fontSize=10, leading=14, spaceAfter=6)
HEAD = {
    1: ParagraphStyle("h1", BODY, fontName="Helvetica-Bold", fontSize=18, leading=23, spaceAfter=10),
    2: ParagraphStyle(
        "h2", BODY, fontName="Helvetica-Bold", fontSize=13, leading=17, spaceBefore=8, keepWithNext=1
    ),
    3: ParagraphStyle(
        "h3", BODY, fontName="Helvetica-Bold", fontSize=11, leading=14, spaceBefore=4, keepWithNext=1
    ),
}
GRID = TableStyle(
    [
        ("FONTNAME", (0, 0), (-1, 0), "Helvetica-Bold"),
        ("FONTSIZE", (0, 0), (-1, -1), 9),
        ("LINEBELOW", (0, 0), (-1, -1), 0.4, colors.grey),
        ("BACKGROUND", (0, 0), (-1, 0), colors.whitesmoke),
    ]
)


class Bookmarked(Paragraph):
    """A heading that adds a bookmark where it is drawn."""

    def __init__(self, heading: Heading) -> None:
        super().__init__(html.escape(heading.text, quote=False), HEAD[heading.level])
        self.heading = heading

    def draw(self) -> None:
        """Draw the heading and its bookmark."""
        key = f"{self.canv.getPageNumber()}-{self.heading.text}"
        self.canv.bookmarkHorizontal(key, 0, self.height)
        self.canv.addOutlineEntry(self.heading.text, key, self.heading.level - 1)
        super().draw()


def markup(runs: tuple[Run, ...]) -> str:
    """Return ``runs`` in reportlab's paragraph markup."""
    parts = (html.escape(run.text, quote=False) for run in runs)
    return "".join(f"<b>{part}</b>" if run.bold else part for run, part in zip(runs, parts, strict=True))


def draw_footer(canvas: Canvas, template: SimpleDocTemplate) -> None:
    """Print the page number below the text."""
    canvas.setFont("Helvetica", 8)
    canvas.drawRightString(A4[0] - 22 * mm, 12 * mm, f"{AUTHOR} · page {canvas.getPageNumber()}")


def flowables_of(blocks: list[Block]) -> Iterator[Flowable]:
    """Yield what reportlab lays out for ``blocks``."""
    for block in blocks:
        match block:
            case Heading():
                yield Bookmarked(block)
            case Text(runs):
                yield Paragraph(markup(runs), BODY)
            case Items(ordered, items):
                entries = [Paragraph(markup(runs), BODY) for runs in items]
                if ordered:
                    yield ListFlowable(entries, bulletType="1", bulletFormat="%s.", leftIndent=16)
                else:
                    yield ListFlowable(entries, bulletType="bullet", start="\u2022", leftIndent=16)
            case Grid(rows):
                cells = [list(row) for row in rows]
                yield Table(cells, style=GRID, hAlign="LEFT", repeatRows=1, spaceAfter=8)


def write_pdf(title: str, blocks: list[Block], path: Path) -> None:
    """Write a PDF with bookmarks and page numbers."""
    template = SimpleDocTemplate(
        str(path),
        pagesize=A4,
        leftMargin=22 * mm,
        rightMargin=22 * mm,
        topMargin=20 * mm,
        bottomMargin=22 * mm,
        title=title,
        author=AUTHOR,
        lang="en-GB",
        invariant=1,
    )
    template.build(list(flowables_of(blocks)), onFirstPage=draw_footer, onLaterPages=draw_footer)


def write_docx(title: str, blocks: list[Block], path: Path) -> None:
    """Write a Word file that uses Word's own heading, list and table styles."""
    document = Document()
    properties = document.core_properties
    properties.title, properties.author, properties.language = title, AUTHOR, "en-GB"
    properties.comments = ""
    properties.created = properties.modified = BUILT
    for block in blocks:
        match block:
            case Heading(level, text):
                document.add_heading(text, level - 1)
            case Text(runs):
                add_runs(document.add_paragraph(), runs)
            case Items(ordered, items):
                for runs in items:
                    add_runs(document.add_paragraph(style="List Number" if ordered else "List Bullet"), runs)
            case Grid(rows):
                table = document.add_table(len(rows), len(rows[0]), "Table Grid")
                for row, values in zip(table.rows, rows, strict=True):
                    for cell, value in zip(row.cells, values, strict=True):
                        cell.text = value
                table.rows[0]._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))
                document.add_paragraph()
    packed = io.BytesIO()
    document.save(packed)
    # Archive members carry the time of saving; a fixed one keeps the file the same from run to run.
    with zipfile.ZipFile(packed) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            member = zipfile.ZipInfo(name, BUILT.timetuple()[:6])
            member.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(member, source.read(name))


def add_runs(paragraph: WordParagraph, runs: tuple[Run, ...]) -> None:
    """Append ``runs`` to a paragraph of a Word file."""
    for run in runs:
        paragraph.add_run(run.text).bold = run.bold or None


def write_html(title: str, markdown: str, path: Path) -> None:
    """Write an intranet page: the document between a banner, menus and a footer that are not part of it."""
    page = (HERE / "sources" / "page.html").read_text(encoding="utf-8")
    body = MarkdownIt("commonmark").enable("table").render(markdown)
    path.write_text(page.replace("{{title}}", html.escape(title)).replace("{{body}}", body), encoding="utf-8")


def main() -> None:
    """Write the three files."""
    corpus, sources = HERE / "corpus", HERE / "sources"

    title, markdown = split_front_matter((sources / "aqueduct-infrastructure-fund.md").read_text("utf-8"))
    write_pdf(title, list(blocks_of(markdown)), corpus / "factsheets" / "aqueduct-infrastructure-fund.pdf")

    title, markdown = split_front_matter((sources / "data-retention-policy.md").read_text("utf-8"))
    write_docx(title, list(blocks_of(markdown)), corpus / "policies" / "data-retention-policy.docx")

    title, markdown = split_front_matter((sources / "complaints-handling-policy.md").read_text("utf-8"))
    write_html(title, markdown, corpus / "policies" / "complaints-handling-policy.html")


if __name__ == "__main__":
    main()
