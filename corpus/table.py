"""The one table: its columns, and what its rows say as values.

Three kinds of rows make a document: one `document`, its `section`s, its `chunk`s; a fourth, `failure`,
remembers a file that could not be read. What a scope looks at (groups, dates) stands in every row.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from pincite.corpus.definitions import Definition
from pincite.corpus.references import Reference, RefTarget
from pincite.corpus.rows import ChunkHit, DocumentRow, SectionRow

if TYPE_CHECKING:
    import pyarrow as pa

DOCUMENT, SECTION, CHUNK, FAILURE = "document", "section", "chunk", "failure"
TEXT_COLUMN = "indexed_text"

COMMON_COLUMNS = ("document", "document_title", "version", "status", "version_label")
SHARED_COLUMNS = (*COMMON_COLUMNS, "groups", "effective_from", "effective_to")
_SECTION_OUTLINE = (
    *("section", "parent", "number", "title", "headings", "level", "position", "tree_last"),
    *("start", "end", "page", "page_end", "line", "tokens", "has_heading", "layout", "definitions"),
)
DOCUMENT_COLUMNS = (*SHARED_COLUMNS, "names", "file", "source", "pages", "sections", "chunks", "tokens")
DATE_COLUMNS = ("effective_from", "effective_to")
OUTLINE_COLUMNS = (*COMMON_COLUMNS, *DATE_COLUMNS, *_SECTION_OUTLINE)
SECTION_COLUMNS = (*OUTLINE_COLUMNS, "references", "text")
HIT_COLUMNS = (
    *COMMON_COLUMNS,
    *DATE_COLUMNS,
    *("section", "number", "headings", "position"),
    *("page", "page_end", "line", "start", "end", "label", TEXT_COLUMN),
)


def schema(dimension: int | None) -> pa.Schema:
    """The table's columns; without `vector` when `dimension` is None."""
    import pyarrow as pa

    text, number, texts = pa.string(), pa.int32(), pa.list_(pa.string())
    fields = [
        pa.field("key", text, nullable=False),
        pa.field("kind", text, nullable=False),
        pa.field("document", text, nullable=False),
        *(pa.field(name, text) for name in ("document_title", "version", "status", "version_label")),
        pa.field("groups", texts),
        pa.field("effective_from", pa.date32()),
        pa.field("effective_to", pa.date32()),
        *(pa.field(name, text) for name in ("file", "source", "root", "stamp", "tail")),
        *(pa.field(name, number) for name in ("pages", "sections", "chunks", "tokens")),
        *(pa.field(name, text) for name in ("section", "parent", "number", "title")),
        pa.field("headings", texts),
        *(pa.field(name, number) for name in ("level", "position", "tree_last", "start", "end")),
        *(pa.field(name, number) for name in ("page", "page_end", "line", "heading_start", "tree_end")),
        pa.field("has_heading", pa.bool_()),
        *(pa.field(name, text) for name in ("layout", "lead", "text", "label", TEXT_COLUMN)),
        *added_fields(),
        pa.field("size", number),
        pa.field("embed_key", text),
    ]
    if dimension is not None:
        fields.append(pa.field("vector", pa.list_(pa.float32(), dimension)))
    return pa.schema(fields)


def added_fields() -> list[pa.Field]:
    """Columns that indexes of earlier versions lack: names and outline of a document, what a text holds."""
    import pyarrow as pa

    return [
        pa.field("names", pa.list_(pa.string())),
        pa.field("references", pa.string()),
        pa.field("definitions", pa.string()),
        pa.field("outline_parts", pa.list_(pa.binary())),
    ]


def references_json(references: Iterable[Reference]) -> str | None:
    """A section's references as one string; None for none."""
    entries = [
        [
            *(r.start, r.end, r.status, [[t.section, t.unit, t.start, t.end] for t in r.targets], r.act),
            *([r.href] if r.href else []),
        ]
        for r in references
    ]
    return json.dumps(entries, separators=(",", ":"), ensure_ascii=False) if entries else None


def definitions_json(definitions: Iterable[Definition]) -> str | None:
    """A section's definitions as one string; None for none."""
    entries = [[one.term, one.start, one.end] for one in definitions]
    return json.dumps(entries, separators=(",", ":"), ensure_ascii=False) if entries else None


def row_references(row: Mapping[str, Any]) -> tuple[Reference, ...]:
    """The references of a `section` row; none when the column was not selected."""
    if not row.get("references"):
        return ()
    return tuple(
        Reference(start, end, status, tuple(RefTarget(*target) for target in targets), act, *href)
        for start, end, status, targets, act, *href in json.loads(row["references"])
    )


def row_definitions(row: Mapping[str, Any]) -> tuple[Definition, ...]:
    """The definitions of a `section` row; none when the column was not selected."""
    if not row.get("definitions"):
        return ()
    return tuple(Definition(*entry) for entry in json.loads(row["definitions"]))


def row_key(kind: str, document: str, within: str = "") -> str:
    """The row's key: no two rows share one, whatever characters the ids hold."""
    return f"{kind[0]}{len(document)}:{document}{within}"


Start = tuple[int, int | None, int | None]


def layout_json(
    heading: Iterable[Start],
    starts: Iterable[Start],
    units: Iterable[tuple[str, int, int]],
    tables: Iterable[tuple[int, int]],
    *,
    labels: Iterable[tuple[int, str]] = (),
    anchors: Iterable[tuple[str, int, int]] = (),
) -> str:
    """A section's layout as one string: pages and lines of its heading and its body, units, tables, and
    where there are any labels of pages and anchors."""
    layout: dict[str, list[Any]] = {
        "heading": [*heading],
        "starts": [*starts],
        "units": [*units],
        "tables": [*tables],
    }
    more: dict[str, list[Any]] = {"labels": [*labels], "anchors": [*anchors]}
    layout.update((name, entries) for name, entries in more.items() if entries)
    return json.dumps(layout, separators=(",", ":"))


def heading_starts(row: Mapping[str, Any]) -> tuple[Start, ...]:
    """Pages and lines of what stands in front of a section's body."""
    return tuple((offset, page, line) for offset, page, line in json.loads(row["layout"])["heading"])


def document_row(row: Mapping[str, Any]) -> DocumentRow:
    """A `document` row as a value."""
    return DocumentRow(
        id=row["document"],
        path=row["file"],
        title=row["document_title"],
        version=row["version"],
        source=row["source"],
        groups=tuple(row["groups"] or ()),
        effective_from=row["effective_from"],
        effective_to=row["effective_to"],
        status=row["status"],
        version_label=row["version_label"],
        pages=row["pages"],
        sections=row["sections"],
        chunks=row["chunks"],
        tokens=row["tokens"],
        names=tuple(row.get("names") or ()),
    )


def section_row(row: Mapping[str, Any]) -> SectionRow:
    """A `section` row as a value; `text` is None when the column was not selected."""
    layout = json.loads(row["layout"])
    return SectionRow(
        document=row["document"],
        document_title=row["document_title"],
        version=row["version"],
        id=row["section"],
        parent=row["parent"],
        number=row["number"],
        title=row["title"],
        path=tuple(row["headings"] or ()),
        level=row["level"],
        position=row["position"],
        tree_last=row["tree_last"],
        start=row["start"],
        end=row["end"],
        page=row["page"],
        page_end=row["page_end"],
        line=row["line"],
        tokens=row["tokens"],
        has_heading=row["has_heading"],
        starts=tuple((offset, page, line) for offset, page, line in layout["starts"]),
        units=tuple((number, start, end) for number, start, end in layout["units"]),
        tables=tuple((start, end) for start, end in layout["tables"]),
        status=row["status"],
        version_label=row["version_label"],
        effective_from=row["effective_from"],
        effective_to=row["effective_to"],
        text=row.get("text"),
        references=row_references(row),
        definitions=row_definitions(row),
        labels=tuple((page, label) for page, label in layout.get("labels", ())),
        anchors=tuple((name, start, end) for name, start, end in layout.get("anchors", ())),
    )


def chunk_hit(row: Mapping[str, Any], score: float) -> ChunkHit:
    """A `chunk` row as a hit with this score."""
    return ChunkHit(
        document=row["document"],
        document_title=row["document_title"],
        version=row["version"],
        section=row["section"],
        number=row["number"],
        path=tuple(row["headings"] or ()),
        page=row["page"],
        page_end=row["page_end"],
        line=row["line"],
        start=row["start"],
        end=row["end"],
        text=row[TEXT_COLUMN][len(row["label"]) + 1 :],
        label=row["label"],
        score=score,
        status=row["status"],
        version_label=row["version_label"],
        effective_from=row["effective_from"],
        effective_to=row["effective_to"],
    )
