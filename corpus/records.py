"""From a document, as a reader made it, to the rows that stand for it, and back."""

from __future__ import annotations

import hashlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pincite.corpus.definitions import Definition, definition_section, find_definitions
from pincite.corpus.document import Chunk, Document, Place, Section, Unit
from pincite.corpus.linked import Named, anchors_by_section, link_references, with_links
from pincite.corpus.outline_pack import pack, pieces
from pincite.corpus.references import Reference, document_tree, find_references
from pincite.corpus.references_names import own_names
from pincite.corpus.table import (
    CHUNK,
    DOCUMENT,
    SECTION,
    TEXT_COLUMN,
    Start,
    definitions_json,
    heading_starts,
    layout_json,
    references_json,
    row_key,
    section_row,
)
from pincite.corpus.tokens import estimate_tokens

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a document comes from: `id` is "root/file", `source` the absolute path, `stamp` what was read."""

    id: str
    root: str
    file: str
    source: str
    groups: tuple[str, ...]
    stamp: str


def content_version(text: str) -> str:
    """A document's version: 16 hex digits of the SHA-256 of its plain text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def embed_key(indexed_text: str) -> str:
    """What tells whether a chunk's vector can be kept: 32 hex digits of the SHA-256 of what is embedded."""
    return hashlib.sha256(indexed_text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def document_records(document: Document, origin: Origin, chunks: Sequence[Chunk]) -> list[Record]:
    """All rows of one document: the document, its sections, its chunks (without vectors)."""
    metadata = document.metadata
    common: Record = {
        "document": origin.id,
        "document_title": document.title,
        "version": content_version(document.text),
        "status": metadata.status,
        "version_label": metadata.version_label,
        "groups": sorted(origin.groups) or None,
        "effective_from": metadata.effective_from,
        "effective_to": metadata.effective_to,
    }
    own = own_names(document.title, document.text)
    tree = document_tree(document)
    sections, tail = _section_records(document, common, find_references(document, own, tree))
    pages = [place.page for place in document.places if place.page is not None]
    head: Record = {
        **common,
        "key": row_key(DOCUMENT, origin.id),
        "kind": DOCUMENT,
        "file": origin.file,
        "source": origin.source,
        "root": origin.root,
        "stamp": origin.stamp,
        "tail": tail,
        "names": list(own.names),
        "pages": max(pages) if pages else None,
        "sections": len(sections),
        "chunks": len(chunks),
        "tokens": sum(record["tokens"] for record in sections),
        "outline_parts": pieces(pack([section_row({**one, "references": None}) for one in sections], tree)),
    }
    return [head, *sections, *chunk_records(document, common, chunks)]


def chunk_records(document: Document, common: Mapping[str, Any], chunks: Sequence[Chunk]) -> list[Record]:
    """The chunk rows of a document; `common` holds the columns that all its rows share."""
    by_id = {section.id: section for section in document.sections}
    records = []
    for position, chunk in enumerate(chunks):
        section = by_id[chunk.section]
        first, last = document.place(chunk.start), document.place(max(chunk.start, chunk.end - 1))
        records.append(
            {
                **common,
                "key": row_key(CHUNK, common["document"], f"{position:07d}"),
                "kind": CHUNK,
                "section": section.id,
                "number": section.number,
                "title": section.title,
                "headings": list(section.path),
                "position": position,
                "start": chunk.start,
                "end": chunk.end,
                "page": first.page,
                "page_end": last.page,
                "line": first.line,
                "label": chunk.label,
                TEXT_COLUMN: chunk.indexed_text,
                "size": len(chunk.indexed_text),
                "embed_key": embed_key(chunk.indexed_text),
            }
        )
    return records


def restore_document(head: Mapping[str, Any], sections: Sequence[Mapping[str, Any]]) -> Document:
    """The document that `document_records` took apart, from its rows, sections in document order.

    Its text, sections and tables are what they were, and `place` gives the same for every character of a
    heading or body; metadata is left empty.
    """
    parts: list[str] = []
    places: list[Place] = []
    tables: list[tuple[int, int]] = []
    tree: list[Section] = []
    for record in sections:
        row = section_row(record)
        parts += [record["lead"], row.text or ""]
        starts = (*heading_starts(record), *row.starts)
        labels = dict(row.labels)
        places += [Place(offset, page, line, labels.get(page or 0)) for offset, page, line in starts]
        tables += row.tables
        tree.append(_restore_section(record, row.units))
    text = "".join(parts) + (head["tail"] or "")
    return Document(
        title=head["document_title"],
        text=text,
        sections=tuple(tree),
        places=tuple(places),
        tables=tuple(tables),
    )


def _section_records(
    document: Document, common: Record, references: Sequence[Sequence[Reference]]
) -> tuple[list[Record], str]:
    """The section rows, and the text behind the last section's body."""
    last = _last_descendants(document.sections)
    offsets = [place.offset for place in document.places]
    linked = link_references(document)
    anchors = {entry[0]: entry[-1] for entry in anchors_by_section(document)}
    records = []
    cursor = 0
    for position, section in enumerate(document.sections):
        text = document.text[section.start : section.end]
        begin = document.place(min(section.heading_start, section.start))
        records.append(
            {
                **common,
                "key": row_key(SECTION, common["document"], section.id),
                "kind": SECTION,
                "section": section.id,
                "parent": section.parent,
                "number": section.number,
                "title": section.title,
                "headings": list(section.path),
                "level": section.level,
                "position": position,
                "tree_last": last[position],
                "start": section.start,
                "end": section.end,
                "heading_start": section.heading_start,
                "tree_end": section.tree_end,
                "page": begin.page,
                "page_end": document.place(max(section.start, section.end - 1)).page,
                "line": begin.line,
                "tokens": estimate_tokens(text),
                "has_heading": section.has_heading,
                "layout": _layout(document, section, offsets, anchors.get(section.id, ())),
                "references": references_json(with_links(references[position], linked[position])),
                "definitions": definitions_json(_definitions(document, section)),
                "lead": document.text[cursor : section.start],
                "text": text,
            }
        )
        cursor = section.end
    return records, document.text[cursor:]


def _definitions(document: Document, section: Section) -> tuple[Definition, ...]:
    announced = any(definition_section(heading) for heading in section.path)
    return find_definitions(document.text, section, announced)


def _layout(document: Document, section: Section, offsets: list[int], anchors: Sequence[Named]) -> str:
    labels: dict[int, str] = {}

    def starts(start: int, end: int) -> list[Start]:
        first = document.place(start)
        later = document.places[bisect_right(offsets, start) : bisect_left(offsets, end)]
        labels.update((p.page, p.label) for p in (first, *later) if p.page is not None and p.label)
        return [(start, first.page, first.line), *((p.offset, p.page, p.line) for p in later)]

    before = starts(section.heading_start, section.start) if section.heading_start < section.start else []
    inside = starts(section.start, section.end)
    return layout_json(
        before,
        inside,
        ((unit.number, unit.start, unit.end) for unit in section.units),
        (table for table in document.tables if section.start <= table[0] < section.end),
        labels=sorted(labels.items()),
        anchors=anchors,
    )


def _last_descendants(sections: Sequence[Section]) -> list[int]:
    """For each section the position of its last descendant, itself when it has none."""
    last = list(range(len(sections)))
    position = {section.id: index for index, section in enumerate(sections)}
    for index in reversed(range(len(sections))):
        parent = sections[index].parent
        if parent is not None:
            last[position[parent]] = max(last[position[parent]], last[index])
    return last


def _restore_section(record: Mapping[str, Any], units: Iterable[tuple[str, int, int]]) -> Section:
    return Section(
        id=record["section"],
        parent=record["parent"],
        number=record["number"],
        title=record["title"],
        path=tuple(record["headings"] or ()),
        level=record["level"],
        heading_start=record["heading_start"],
        start=record["start"],
        end=record["end"],
        tree_end=record["tree_end"],
        has_heading=record["has_heading"],
        units=tuple(Unit(number, start, end) for number, start, end in units),
    )
