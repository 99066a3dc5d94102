"""Files of each format, made by hand, and what must hold for every document that is read."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from pincite.corpus.document import Document
from pincite.corpus.read import read

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
W_STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"
REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
REL_STRICT = "http://purl.oclc.org/ooxml/officeDocument/relationships/"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/"


@pytest.fixture
def read_bytes(tmp_path: Path) -> Callable[..., Document]:
    """Write bytes or text to a file of the given name and read it."""

    def run(data: bytes | str, name: str) -> Document:
        path = tmp_path / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return read(path, root=tmp_path)

    return run


@pytest.fixture
def outline() -> Callable[[Document], list[tuple[int, str]]]:
    """The tree of a document as (level, last element of the path)."""
    return lambda document: [(section.level, section.path[-1]) for section in document.sections]


@pytest.fixture
def body_of() -> Callable[[Document, str], str]:
    """The body of the section with this title."""

    def run(document: Document, title: str) -> str:
        (section,) = [section for section in document.sections if section.title == title]
        return document.text[section.start : section.end]

    return run


@pytest.fixture
def make_docx() -> Callable[..., bytes]:
    """A Word document from the XML of its body; `parts` replaces or adds the XML of further parts."""

    def make(body: str, parts: Mapping[str, str] | None = None, *, strict: bool = False) -> bytes:
        word, rel = (W_STRICT, REL_STRICT) if strict else (W, REL)
        inner = {
            "styles": "<w:styles>"
            + "".join(
                f'<w:style w:type="paragraph" w:styleId="H{n}"><w:name w:val="heading {n}"/></w:style>'
                for n in (1, 2)
            )
            + '<w:style w:type="paragraph" w:styleId="T"><w:name w:val="Title"/></w:style></w:styles>',
            **(parts or {}),
        }
        related = "".join(
            f'<Relationship Id="r{at}" Type="{rel}{name}" Target="{name}.xml"/>'
            for at, name in enumerate(inner)
        )
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("[Content_Types].xml", f'<Types xmlns="{PACKAGE}content-types"/>')
            archive.writestr(
                "_rels/.rels",
                f'<Relationships xmlns="{PACKAGE}relationships"><Relationship Id="r" '
                f'Type="{rel}officeDocument" Target="word/document.xml"/></Relationships>',
            )
            archive.writestr(
                "word/_rels/document.xml.rels",
                f'<Relationships xmlns="{PACKAGE}relationships">{related}</Relationships>',
            )
            space = (
                f'xmlns:w="{word}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
                'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
                'xmlns:v="urn:schemas-microsoft-com:vml"'
            )
            archive.writestr("word/document.xml", f"<w:document {space}><w:body>{body}</w:body></w:document>")
            for name, xml in inner.items():
                archive.writestr(f"word/{name}.xml", xml.replace(">", f" {space}>", 1))
        return buffer.getvalue()

    return make


Shown = tuple[float, float, float, str, str]


@pytest.fixture
def make_pdf() -> Callable[..., bytes]:
    """A PDF from pages of (x, y, size, font, text), fonts F1 plain and F2 bold; `marks` are bookmarks as
    (title, page, height), `labels` the numbers of a tree of page labels. A page beyond the last is none."""

    def make(
        pages: Sequence[Sequence[Shown]],
        marks: Sequence[tuple[str, int, float]] = (),
        title: str = "",
        labels: str = "",
    ) -> bytes:
        objects: dict[int, bytes] = {
            3: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
            4: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
            5: b"<< /Title (%s) >>" % title.encode("cp1252"),
        }
        kids: list[int] = []
        for page in pages:
            number = 10 + 2 * len(kids)
            rows = []
            for x, y, size, font, text in page:
                escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)").encode("cp1252")
                rows.append(b"BT /%s %g Tf %g %g Td (%s) Tj ET" % (font.encode(), size, x, y, escaped))
            stream = b"\n".join(rows)
            objects[number] = b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream)
            objects[number + 1] = (
                b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R "
                b"/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>" % number
            )
            kids.append(number + 1)
        first = 10 + 2 * len(pages) + 1
        for at, (words, page_number, height) in enumerate(marks):
            links = b""
            if at:
                links += b" /Prev %d 0 R" % (first + at - 1)
            if at + 1 < len(marks):
                links += b" /Next %d 0 R" % (first + at + 1)
            objects[first + at] = b"<< /Title (%s) /Parent 6 0 R /Dest [%d 0 R /XYZ 0 %g 0]%s >>" % (
                words.encode("cp1252"),
                kids[page_number - 1] if page_number <= len(kids) else 9,
                height,
                links,
            )
        catalog = b"<< /Type /Catalog /Pages 2 0 R"
        if marks:
            objects[6] = b"<< /First %d 0 R /Last %d 0 R /Count %d >>" % (
                first,
                first + len(marks) - 1,
                len(marks),
            )
            catalog += b" /Outlines 6 0 R"
        if labels:
            catalog += b" /PageLabels << /Nums [%s] >>" % labels.encode()
        objects[1] = catalog + b" >>"
        objects[2] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (
            len(kids),
            b" ".join(b"%d 0 R" % kid for kid in kids),
        )
        out = bytearray(b"%PDF-1.4\n")
        offsets = {}
        for number in sorted(objects):
            offsets[number] = len(out)
            out += b"%d 0 obj\n%s\nendobj\n" % (number, objects[number])
        table = len(out)
        size = max(objects) + 1
        out += b"xref\n0 %d\n0000000000 65535 f \n" % size
        for number in range(1, size):
            known = number in offsets
            out += b"%010d %05d %s \n" % (
                offsets.get(number, 0),
                0 if known else 65535,
                b"n" if known else b"f",
            )
        out += b"trailer\n<< /Size %d /Root 1 0 R /Info 5 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, table)
        return bytes(out)

    return make
