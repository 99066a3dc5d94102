"""Parsing XML that nobody vouches for: no entities, no document types from elsewhere, no network."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from pincite.corpus.read.failure import failure

# lxml has no types that mypy can read here.
Element = Any

DOCTYPE = re.compile(r"<!DOCTYPE\b", re.IGNORECASE)
ENTITY = re.compile(r"<!ENTITY\b", re.IGNORECASE)
LIMITS = ("huge", "excessive depth", "limit", "amplification", "too long", "too deep")


def parse_xml(data: bytes, *, doctype: bool) -> Element:
    """The root of an XML document. Raises `ReadError`: `unsafe_xml`, `too_large` or `damaged`.

    `doctype`: whether a document type may be named. One that declares entities never may; its files and
    addresses are never opened.
    """
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_pis=True,
        remove_comments=True,
    )
    refuse_doctype(data, doctype=doctype)
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        message = " ".join(str(error.msg).split())
        if any(word in message.lower() for word in LIMITS):
            raise failure("too_large", f"the XML goes beyond the parser's limits: {message}") from error
        raise failure("damaged", f"the XML is not well formed: {message}") from error
    except (ValueError, LookupError) as error:
        raise failure("damaged", "the XML names an encoding that it does not have") from error
    declared = root.getroottree().docinfo.internalDTD
    if declared is not None and (not doctype or any(True for _ in declared.iterentities())):
        raise failure(
            "unsafe_xml", "the XML declares entities, which could be made to grow or to read other files"
        )
    return root


def refuse_doctype(data: bytes, *, doctype: bool) -> None:
    """Raise `unsafe_xml` for entities, and without `doctype` for any document type."""
    # Entities grow while the document is parsed, so they are looked for before; wide encodings hold zeros.
    text = data.replace(b"\0", b"").decode("latin-1")
    if DOCTYPE.search(text) is None:
        return
    if not doctype or ENTITY.search(text) is not None:
        raise failure(
            "unsafe_xml", "the XML declares entities, which could be made to grow or to read other files"
        )


def local_name(element: Element) -> str:
    """The name of an element without its namespace; "" for what is no element."""
    return _local(element.tag)


@lru_cache(maxsize=4096)
def _local(tag: Any) -> str:
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""
