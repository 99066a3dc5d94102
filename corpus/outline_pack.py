"""A document's outline as one run of bytes: what is stored beside it, so that nothing is built to look up.

    magic, then the JSON of `Head` behind its length, then the parts that it lists:

    names        a JSON array [id, number, title] for each section, from `names_at` on
    rows         a JSON array with the rest of its row, from `rows_at` on; null for headings that are those
                 of the section above and its own label, and for a body on one page or line
    definitions  one JSON array [position, term, start, end] for each defined term
    level, parent, last, start, end, tokens, pages, depth, first
                 for each section: its level, the positions of the one above it (-1: none) and of its last
                 descendant, its span, the tokens before it, the last page of its tree (0: none), the levels
                 below it, and which node of the document's tree of numbers it is
    ids, labels, paths, titles, numbers, keys, own, stems, unit_stems, anchors
                 sorted 64-bit entries, a hash above the position of a section that holds such a name

A look-up by hash finds sections that may hold a name; the reader compares the names themselves.
"""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Iterable, Sequence
from itertools import accumulate
from zlib import adler32, crc32

from pydantic import BaseModel, ConfigDict, Field

from pincite.corpus.references_tree import Tokens, Tree, fold, keys_of
from pincite.corpus.rows import SectionRow

# Part of what decides whether a file is read again.
OUTLINE_VERSION = "3"
MAGIC = b"pincite outline\n"
# Of a name, so many letters and digits make its hash: what is printed of it is cut as well.
_NAME_CHARS = 400
_HASH_BITS = 32
_PIECE = 1 << 16


class Part(BaseModel):
    """Where a part stands behind the head, in bytes."""

    model_config = ConfigDict(frozen=True)

    start: int = Field(ge=0)
    size: int = Field(ge=0)


class Head(BaseModel):
    """What the bytes hold: `check` is the Adler-32 of everything behind the head.

    `kinds` are those of numbered sections, `all_kinds` those of their units too; `lettered`: whether a number
    without a word for its kind begins with a letter.
    """

    model_config = ConfigDict(frozen=True)

    version: str
    order: str
    sections: int = Field(ge=0)
    kinds: tuple[str | None, ...]
    all_kinds: tuple[str | None, ...]
    lettered: bool
    check: int
    parts: dict[str, Part]


def pack(rows: Sequence[SectionRow], tree: Tree) -> bytes:
    """The bytes for the sections of a document, in order, and their tree."""
    by_id = {row.id: row for row in rows}
    parts = {
        **_texts("names", ([row.id, row.number, row.title] for row in rows)),
        **_texts("rows", (_rest(row, by_id.get(row.parent or "")) for row in rows)),
        "definitions": _json([[r.position, d.term, d.start, d.end] for r in rows for d in r.definitions]),
        **{name: array("i", values).tobytes() for name, values in _columns(rows, tree).items()},
        **{name: array("Q", sorted(entries)).tobytes() for name, entries in _entries(rows, tree).items()},
    }
    body = bytearray()
    places = {}
    for name, data in parts.items():
        places[name] = Part(start=len(body), size=len(data))
        body += data
    head = Head(
        version=OUTLINE_VERSION,
        order=sys.byteorder,
        sections=len(rows),
        kinds=tuple(sorted(tree.kinds, key=str)),
        all_kinds=tuple(sorted({node.kind for node in tree.nodes if node.key}, key=str)),
        lettered=any(node.kind is None and node.key[0].isalpha() for node in tree.nodes if node.key),
        check=adler32(body),
        parts=places,
    )
    told = head.model_dump_json().encode()
    return b"".join((MAGIC, len(told).to_bytes(4, "little"), told, body))


def pieces(data: bytes) -> list[bytes]:
    """The bytes as a table holds them.

    Lance stores a column with one value in many rows as if all had it, and reads it back so, in gigabytes;
    the items of a list are not padded in this way.
    """
    return [data[start : start + _PIECE] for start in range(0, len(data), _PIECE)]


def name_hash(text: str) -> int:
    """The same number for all names that differ in case, blanks and signs only."""
    return crc32("".join(filter(str.isalnum, text.casefold()))[:_NAME_CHARS].encode())


def id_hash(section: str) -> int:
    """A number for a section's id."""
    return crc32(section.encode("utf-8", "surrogatepass"))


def anchor_hash(anchor: str) -> int:
    """The same number for anchors that differ in case only."""
    return crc32(anchor.casefold().encode("utf-8", "surrogatepass"))


def number_hash(tokens: Tokens) -> int:
    """The same number for numbers that differ in the case of their letters only."""
    return crc32("\0".join(fold(tokens)).encode())


def entry(hashed: int, position: int) -> int:
    """A hash and a position as one entry of a sorted part."""
    return hashed << _HASH_BITS | position


def position_of(packed: int) -> int:
    """The position in an entry."""
    return packed & ((1 << _HASH_BITS) - 1)


def _rest(row: SectionRow, above: SectionRow | None) -> list[object]:
    plain = above is not None and row.path == (*above.path, label(row.number, row.title))
    more = (row.tables, row.labels, row.anchors)
    return [
        *(None if plain else row.path, row.page, row.page_end, row.line),
        None if row.starts == ((row.start, row.page, row.line),) else row.starts,
        *(int(row.has_heading), row.units, *(more if any(more) else ())),
    ]


def _columns(rows: Sequence[SectionRow], tree: Tree) -> dict[str, Iterable[int]]:
    position = {row.id: at for at, row in enumerate(rows)}
    parents = [position.get(row.parent, -1) if row.parent is not None else -1 for row in rows]
    last = list(range(len(rows)))
    depth = [0] * len(rows)
    pages = [row.page_end or 0 for row in rows]
    for at in range(len(rows) - 1, -1, -1):
        above = parents[at]
        if above >= 0:
            last[above] = max(last[above], last[at])
            depth[above] = max(depth[above], depth[at] + 1)
            pages[above] = max(pages[above], pages[at])
    return {
        "level": (row.level for row in rows),
        "parent": parents,
        "last": last,
        "start": (row.start for row in rows),
        "end": (row.end for row in rows),
        "tokens": [0, *accumulate(row.tokens for row in rows)],
        "pages": pages,
        "depth": depth,
        "first": [*(node.order for node in tree.sections), len(tree.nodes) + 1],
    }


def _entries(rows: Sequence[SectionRow], tree: Tree) -> dict[str, set[int]]:
    keyed = [node for node in tree.nodes if node.key]
    return {
        "ids": {entry(id_hash(row.id), at) for at, row in enumerate(rows)},
        "labels": {entry(name_hash(label(row.number, row.title)), at) for at, row in enumerate(rows)},
        "paths": {entry(name_hash(" > ".join(row.path)), at) for at, row in enumerate(rows)},
        "titles": {entry(name_hash(row.title), at) for at, row in enumerate(rows)},
        "numbers": {entry(name_hash(row.number), at) for at, row in enumerate(rows) if row.number},
        "keys": {entry(number_hash(key), node.at) for node in keyed for key in keys_of(node)},
        "stems": {entry(number_hash(node.key[:-1]), node.at) for node in keyed if node.unit is None},
        "unit_stems": {entry(number_hash(node.key[:-1]), node.at) for node in keyed if node.unit is not None},
        "own": {entry(number_hash(node.own), node.at) for node in keyed},
        "anchors": {
            entry(hashed, at)
            for at, row in enumerate(rows)
            for anchor, *_ in row.anchors
            for hashed in (anchor_hash(anchor), anchor_hash(anchor.rpartition("#")[2]))
        },
    }


def label(number: str | None, title: str) -> str:
    """How a section is printed: number and title."""
    return f"{number} {title}".strip() if number else title


def _texts(name: str, values: Iterable[list[object]]) -> dict[str, bytes]:
    """A part of JSON texts, and where each begins."""
    texts = [_json(value) for value in values]
    starts = accumulate((len(text) for text in texts), initial=0)
    return {name: b"".join(texts), f"{name}_at": array("i", starts).tobytes()}


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")
