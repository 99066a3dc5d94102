"""EPUB: the chapters of a book in reading order, through the HTML reader."""

from __future__ import annotations

import posixpath
from urllib.parse import unquote

from pincite.corpus.read.builder import Draft, TextBuilder, collapse
from pincite.corpus.read.decode import decode
from pincite.corpus.read.docx_styles import child, value
from pincite.corpus.read.failure import failure
from pincite.corpus.read.html import add_page
from pincite.corpus.read.package import Package
from pincite.corpus.read.xml_safe import Element, local_name
from pincite.errors import ReadError

CONTAINER = "META-INF/container.xml"
ENCRYPTION = "META-INF/encryption.xml"
# Fonts may be mixed up by these without the book being locked.
FONT_ALGORITHMS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
PAGES = frozenset({"application/xhtml+xml", "text/html"})


def read_epub(package: Package) -> Draft:
    """The draft of a book. Raises `ReadError`: `damaged`, `encrypted`."""
    _refuse_locked(package)
    name = _package_file(package)
    # Older books name the document type of their list.
    root = package.part(name, doctype=True)
    if root is None:
        raise failure("damaged", "the book names a list of its chapters that is not in it")
    builder = TextBuilder()
    folder = posixpath.dirname(name)
    items = {value(item, "id"): item for item in _children(root, "manifest")}
    for reference in _children(root, "spine"):
        item = items.get(value(reference, "idref"))
        if item is None or value(item, "media-type") not in PAGES or value(reference, "linear") == "no":
            continue
        href = posixpath.normpath(posixpath.join(folder, unquote(value(item, "href") or "")))
        data = package.data(href)
        if data is None:
            builder.warnings.append(f"the chapter {href[:100]} is missing in the file")
            continue
        try:
            add_page(decode(data), builder, href)
        except ReadError as error:
            if error.code != "empty":
                raise
    return builder.finish(title=_title(root))


def _package_file(package: Package) -> str:
    root = package.part(CONTAINER)
    for element in root.iter() if root is not None else ():
        if local_name(element) == "rootfile" and value(element, "full-path"):
            return value(element, "full-path") or ""
    raise failure("damaged", "the book has no list of its chapters")


def _refuse_locked(package: Package) -> None:
    root = package.part(ENCRYPTION)
    for element in root.iter() if root is not None else ():
        if local_name(element) == "EncryptionMethod":
            algorithm = value(element, "Algorithm") or ""
            if not algorithm.startswith(FONT_ALGORITHMS):
                raise failure("encrypted", "the book is locked by its publisher")


def _children(root: Element, name: str) -> list[Element]:
    element = child(root, name)
    return [] if element is None else list(element)


def _title(root: Element) -> str | None:
    for element in _children(root, "metadata"):
        if local_name(element) == "title" and (element.text or "").strip():
            return collapse(element.text)
    return None
