"""Readers: one source file to a `Document`, or a `ReadError` that says why not."""

from __future__ import annotations

import re
from pathlib import Path, PurePath

from pincite.corpus.document import Document
from pincite.corpus.labels import split_number
from pincite.corpus.read.builder import Draft
from pincite.corpus.read.decode import decode
from pincite.corpus.read.delimited import read_delimited
from pincite.corpus.read.docx import read_docx
from pincite.corpus.read.epub import read_epub
from pincite.corpus.read.failure import failure, shown
from pincite.corpus.read.html import read_html
from pincite.corpus.read.kinds import binary_kind, text_kind
from pincite.corpus.read.mail import read_mail
from pincite.corpus.read.markdown import read_markdown
from pincite.corpus.read.package import Package
from pincite.corpus.read.pdf import read_pdf
from pincite.corpus.read.plain import read_plain
from pincite.corpus.read.sheets import read_workbook
from pincite.corpus.read.slides import read_slides
from pincite.corpus.read.source import load
from pincite.corpus.read.xml import read_xml
from pincite.corpus.sections import UNTITLED, build_sections
from pincite.corpus.token_estimate import estimate_tokens

__all__ = ["READER_VERSION", "read"]

# Part of a document's fingerprint: another value means that every file is read again.
READER_VERSION = "5"
TITLE_CHARS = 200
# A cover line or the number under which a text was filed may stand above its title.
BEFORE_TITLE = 120
TEXT_BYTES = 64 * 1024 * 1024
# Characters without a blank between them; lines of encoded data and addresses of pictures stay below it.
UNBROKEN = 1_000_000
_UNBROKEN = re.compile(rf"[!-~]{{{UNBROKEN},}}")


def read(path: Path, *, root: Path | None = None, name: str | None = None) -> Document:
    """The document in the file at `path`.

    The reader is chosen by content, then by the suffix of `name` (`path`'s own name by default), which is
    also the title of a document that has none. With `root`, links that lead out of it are refused.
    Raises `ReadError` with a code of `READ_CODES` and nothing else, whatever the file holds.
    """
    shown_name = PurePath(name or path.name)
    data = load(path, root)
    if not data:
        raise failure("empty", "the file has no bytes")
    draft = _draft(data, shown_name.suffix.lower())
    if not draft.text.strip():
        raise failure("empty", "the file holds no text")
    _require_words(draft.text)
    stated = draft.metadata.title or draft.title or _top_heading(draft)
    title = _shortened(stated or shown(shown_name.stem) or shown(str(shown_name)) or UNTITLED)
    return Document(
        title=title,
        text=draft.text,
        sections=build_sections(
            draft.text,
            draft.headings,
            title=title,
            count=estimate_tokens,
            tables=draft.tables,
            known_units=draft.units,
        ),
        places=draft.places,
        tables=draft.tables,
        metadata=draft.metadata,
        warnings=draft.warnings,
        anchors=draft.anchors,
        links=draft.links,
    )


def _require_words(text: str) -> None:
    """Refuse encoded data: most of the text is one run of signs of ASCII, longer than any word."""
    if len(text) < UNBROKEN:
        return
    longest = max((match.end() - match.start() for match in _UNBROKEN.finditer(text)), default=0)
    if 2 * longest > len(text):
        raise failure("too_large", f"most of the text is one word of {longest:,} characters")


def _draft(data: bytes, suffix: str) -> Draft:
    kind = binary_kind(data, suffix)
    if kind == "package":
        return _package_draft(data)
    if kind == "pdf":
        return read_pdf(data)
    if kind == "mail":
        return read_mail(data)
    if len(data) > TEXT_BYTES:
        raise failure("too_large", f"the text has {len(data):,} bytes; at most {TEXT_BYTES:,} are read")
    text = decode(data)
    match text_kind(text, suffix):
        case "xml":
            return read_xml(data)
        case "table":
            return read_delimited(text)
        case "html":
            return read_html(text)
        case "markdown":
            return read_markdown(text)
        case _:
            return read_plain(text)


def _package_draft(data: bytes) -> Draft:
    package = Package(data)
    match package.kind():
        case "xlsx":
            return read_workbook(data, package)
        case "pptx":
            return read_slides(data, package)
        case "epub":
            return read_epub(package)
        case _:
            return read_docx(package)


def _top_heading(draft: Draft) -> str | None:
    """The first heading, when it stands above all others, has no number and next to nothing before it."""
    if not draft.headings:
        return None
    first, *rest = draft.headings
    words = " ".join(draft.text[first.start : first.end].split())
    alone = first.start <= BEFORE_TITLE and all(heading.level > first.level for heading in rest)
    return words if alone and split_number(words)[0] is None else None


def _shortened(title: str) -> str:
    """A title of bearable length: it stands in every label and citation of the document."""
    if len(title) <= TITLE_CHARS:
        return title
    return f"{title[:TITLE_CHARS].rpartition(' ')[0] or title[:TITLE_CHARS]}…"
