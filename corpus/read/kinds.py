"""Which format a file has: by its content first, by its suffix where the content does not tell."""

from __future__ import annotations

import re

from pincite.corpus.read.failure import failure

PACKAGES = b"PK\x03\x04"
EMPTY_PACKAGE = b"PK\x05\x06"
COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"II*\0", "a TIFF picture"),
    (b"MM\0*", "a TIFF picture"),
    (b"{\\rtf", "an RTF document"),
    (b"%!PS", "a PostScript document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\0", "an xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\x7fELF", "a program"),
    (b"SQLite format 3\0", "a database"),
    (b"RIFF", "a picture or recording"),
    (b"ID3", "a recording"),
    (b"OggS", "a recording"),
)
BY_SUFFIX = {
    ".pdf": "pdf",
    ".docx": "docx",
    ".docm": "docx",
    ".dotx": "docx",
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdown": "markdown",
    ".mkd": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".xml": "xml",
    ".xlsx": "xlsx",
    ".xlsm": "xlsx",
    ".pptx": "pptx",
    ".epub": "epub",
    ".eml": "mail",
    ".csv": "table",
    ".tsv": "table",
}
UNREAD = {
    ".json": "JSON",
    ".jsonl": "JSON lines",
    ".ndjson": "JSON lines",
    ".ipynb": "a notebook",
    ".mbox": "a mailbox",
    ".msg": "an Outlook mail",
    ".mht": "a web archive",
    ".mhtml": "a web archive",
    ".p7s": "a signature",
    ".doc": "an old Word document",
    ".xls": "an old Excel workbook",
    ".ppt": "an old PowerPoint file",
    ".odt": "an OpenDocument text",
    ".ods": "an OpenDocument sheet",
    ".odp": "an OpenDocument presentation",
    ".rtf": "an RTF document",
    ".svg": "an SVG picture",
}
HTML_START = re.compile(
    r"\s*(?:<\?xml[^>]*\?>\s*|<!--.*?-->\s*)*(?:<!doctype\s+html\b|<html\b|<head\b|<body\b)", re.DOTALL | re.I
)
XML_START = re.compile(r"\s*(?:<\?xml\s|<!DOCTYPE\s|<!--)")
XML_ROOT = re.compile(r"\s*<[A-Za-z_][\w.:-]*[\s/>]")


def binary_kind(data: bytes, suffix: str) -> str | None:
    """ "pdf", "package" (a zip archive), "mail" or None for what may be text; `suffix` is lower case.

    Raises `ReadError` with `unsupported_format` or `encrypted` for other formats that the content shows,
    and `damaged` for a PDF or DOCX suffix whose content is neither that nor another known format.
    """
    start = data[:1024].lstrip(b"\xef\xbb\xbf\r\n\t \0")
    if start.startswith(b"%PDF-") or (suffix == ".pdf" and b"%PDF-" in data[:1024]):
        return "pdf"
    if data.startswith((PACKAGES, EMPTY_PACKAGE)):
        return "package"
    if data.startswith(COMPOUND):
        if "EncryptedPackage".encode("utf-16-le") in data:
            raise failure("encrypted", "the document is protected by a password")
        raise failure(
            "unsupported_format", "this is an old Office file (.doc, .xls, .ppt or .msg), which is not read"
        )
    for signature, what in SIGNATURES:
        if data.startswith(signature):
            raise failure("unsupported_format", f"this is {what}, which is not read")
    if (data[:2] == b"BM" and b"\0" in data[:64]) or data[4:8] == b"ftyp":
        raise failure("unsupported_format", "this is a picture or a recording, which is not read")
    kind = BY_SUFFIX.get(suffix)
    if kind in ("pdf", "docx", "xlsx", "pptx", "epub"):
        raise failure("damaged", f"the file is called {suffix} and does not hold such a document")
    return kind if kind == "mail" else None


def text_kind(text: str, suffix: str) -> str:
    """ "html", "xml", "markdown", "table" or "plain". Raises `ReadError` with `unsupported_format`."""
    head = text[:4096]
    if HTML_START.match(head):
        return "html"
    if suffix in UNREAD:
        raise failure("unsupported_format", f"{UNREAD[suffix]} ({suffix}) is not read")
    kind = BY_SUFFIX.get(suffix)
    if kind == "html":
        return kind
    if kind == "xml" or (XML_START.match(head) and (head.lstrip().startswith("<?xml") or kind is None)):
        return "xml" if XML_START.match(head) or XML_ROOT.match(head) else "plain"
    return kind or "plain"
