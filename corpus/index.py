"""The reading side of an index. Everything here goes through a scope and never loads an encoder."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.corpus.absent import otherwise
from pincite.corpus.chunk_search import ChunkSearch
from pincite.corpus.index_facts import Counts, IndexInfo, counts_of
from pincite.corpus.lookup import Name, find_document, named_like
from pincite.corpus.memo import Memo
from pincite.corpus.misspelt import with_misspelt
from pincite.corpus.outline import Outline
from pincite.corpus.outline_read import read_outline
from pincite.corpus.pointer import DEFAULT_TENANT, tenant_folder
from pincite.corpus.query import day_of, one_of, quote
from pincite.corpus.query_words import content_words
from pincite.corpus.references import Reference
from pincite.corpus.resident import MEMORY_BYTES
from pincite.corpus.rows import ChunkHit, DocumentRow, SectionRow
from pincite.corpus.scope import Scope
from pincite.corpus.store import TableReader
from pincite.corpus.table import (
    DOCUMENT,
    DOCUMENT_COLUMNS,
    OUTLINE_COLUMNS,
    SECTION,
    SECTION_COLUMNS,
    document_row,
    row_key,
    row_references,
    section_row,
)
from pincite.corpus.versions import Versions
from pincite.errors import EncoderMismatchError, NothingUsableError

if TYPE_CHECKING:
    import numpy as np
    from lancedb.table import Table

__all__ = ["Counts", "Index", "IndexInfo"]

MAX_QUERY_WORDS = 256
# Bytes of outlines, document rows, and names of documents, that are kept for the next question about them.
_OUTLINE_BYTES, _HEADS, _NAMES = 64_000_000, 256, 50_000
# Up to so many sections are fetched by key, which has an index.
_BY_KEY = 64

_Row = dict[str, Any]


class Index:
    """One tenant's index. Reads the newest version at every call; needs no lock; safe across threads.

    `memory` is how many bytes a copy of its chunks may take; a larger index is searched on disk.
    """

    def __init__(self, folder: Path, *, memory: int = MEMORY_BYTES) -> None:
        self._folder = folder
        self._reader = TableReader(folder)
        self._versions = Versions(self._rows, lambda: self.version)
        self._search = ChunkSearch(self._reader, self._versions, memory)
        self._outlines = Memo(_OUTLINE_BYTES, lambda stored: stored.packed.size if stored else 1)
        self._heads = Memo(_HEADS)
        self._called = Memo(_NAMES, len)

    @classmethod
    def open(cls, db: Path, tenant: str = DEFAULT_TENANT) -> Index:
        """Open the index at `db`. Raises NoIndexError, NothingUsableError, UsageError (tenant's name)."""
        return cls(tenant_folder(db, tenant))

    @property
    def info(self) -> IndexInfo:
        """The index's encoder, roots and format as they stand now."""
        pointer = self._reader.pointer
        return IndexInfo(
            folder=self._folder,
            tenant=self._folder.name,
            format=pointer.format,
            created=pointer.created,
            encoder=pointer.encoder,
            roots=pointer.roots,
            forgotten=pointer.forgotten,
            table=pointer.table,
        )

    @property
    def version(self) -> int:
        """The table's version: grows with every commit, starts anew after a reindex."""
        return self._reader.ask(lambda table: int(table.version))

    def fingerprint(self) -> str:
        """What the index holds, by content: the SHA-256 over its documents' ids and versions, in hex."""
        rows = self._rows(f"kind = '{DOCUMENT}'", ("document", "version"))
        digest = hashlib.sha256()
        for name, version in sorted((row["document"], row["version"]) for row in rows):
            digest.update(f"{len(name)}:{name}{version}\n".encode())
        return digest.hexdigest()

    def counts(self) -> Counts:
        """How many documents, sections and chunks there are, and how many chunks wait for a vector."""
        return self._reader.ask(counts_of)

    def keyword(self, query: str, scope: Scope, k: int) -> list[ChunkHit]:
        """The `k` best chunks by BM25, best first. `query` is plain words: no character is syntax.

        The query's function words are left out. A word that no chunk has is replaced by what the texts have
        in its place: another spelling, longer words that hold it, or the parts of a compound. Where fewer
        than three chunks hold any of the words, those with words of nearly the same letters follow, with
        lower scores. Of a long text the first and the last words count.
        """
        plain = query.encode("utf-8", "replace").decode("utf-8")
        words = content_words(plain).split()
        if len(words) > MAX_QUERY_WORDS:
            # what is asked stands in front of what was pasted, or behind it
            first, last = dict.fromkeys(words), dict.fromkeys(reversed(words))
            half = MAX_QUERY_WORDS // 2
            words = list(dict.fromkeys([*list(first)[:half], *list(last)[:half]]))
        search = self._search.keyword
        hits = search(words, scope, k)
        others = otherwise(
            words, hits, lambda parts: search(parts, scope, k), lambda one: self._search.texts(one, scope), k
        )
        if others != words:
            hits = search(others, scope, k)
        return with_misspelt(words, hits, lambda long: search(long, scope, k, edits=2), k)

    def vector(self, vector: np.ndarray, scope: Scope, k: int) -> list[ChunkHit]:
        """The `k` best chunks by cosine similarity, best first; chunks not yet embedded are left out.

        Raises EncoderMismatchError when the index has no vectors of this length.
        """
        encoder = self._reader.pointer.encoder
        if encoder is None or vector.shape != (encoder.dimension,):
            held = "no vectors" if encoder is None else f"vectors of {encoder.dimension} numbers"
            raise EncoderMismatchError(
                f"the index holds {held}, the query has shape {vector.shape}",
                hint="run: pincite reindex" if encoder else "run: pincite sync, without --no-vectors",
            )

        return self._search.vector(vector, scope, k)

    def in_memory(self, seconds: float = 60.0) -> bool:
        """Whether searches go to a copy of the chunks in memory, after waiting for one that is being made.

        It is made in the background from the second question on, and anew when the index has changed.
        """
        return self._search.in_memory(seconds)

    def names(self, scope: Scope) -> list[Name]:
        """What the documents in scope are called, by id."""
        return sorted(self._names(scope), key=lambda name: name.id)

    def documents_by_id(self, ids: Sequence[str], scope: Scope) -> list[DocumentRow]:
        """These documents in scope, by id; what is not there is left out."""
        return self._documents(ids, scope)

    def named(self, name: str, scope: Scope) -> list[DocumentRow]:
        """The documents in scope that a reference in a text means by a name or by the number of an act."""
        return self._documents(named_like(name, self._names(scope)), scope)

    def numbered(self, numbers: Sequence[str], scope: Scope, *, below: str = "") -> list[SectionRow]:
        """Sections at the top of documents whose printed number is one of these, without text.

        `below`: only in documents whose id begins so.
        """
        where = f"{one_of('number', numbers)} AND level = 1"
        if below:
            where += f" AND starts_with(document, {quote(below)})"
        return _in_order(self._scoped(SECTION, where, scope, OUTLINE_COLUMNS))

    def defining(self, scope: Scope) -> list[SectionRow]:
        """The sections in scope that define terms, without text, by document and position."""
        rows = self._scoped(SECTION, "definitions IS NOT NULL", scope, OUTLINE_COLUMNS)
        return [section_row(row) for row in sorted(rows, key=lambda row: (row["document"], row["position"]))]

    def documents(
        self, scope: Scope, *, limit: int | None = None, offset: int = 0, contains: str | None = None
    ) -> list[DocumentRow]:
        """The documents in scope, by id; with `contains` those whose id or title holds it in any case."""
        names = self._names(scope)
        if contains is not None:
            part = contains.casefold()
            names = [n for n in names if part in n.id.casefold() or part in n.title.casefold()]
        ids = sorted(name.id for name in names)[offset:]
        return self._documents(ids[:limit], scope)

    def document(self, reference: str, scope: Scope) -> DocumentRow | None:
        """The document in scope with this id, synced path or title; None when there is none.

        Raises AmbiguousError when several carry that name.
        """

        def read() -> DocumentRow | None:
            # What is called exactly so is found without the names of all others.
            ways = " OR ".join(one_of(way, [reference]) for way in ("document", "file", "document_title"))
            rows = self._scoped(DOCUMENT, f"({ways})", scope, DOCUMENT_COLUMNS)
            identity = find_document(reference, map(_name, rows) if rows else self._names(scope))
            if identity is None:
                return None
            row = next((row for row in rows if row["document"] == identity), None)
            return document_row(row) if row else next(iter(self._documents([identity], scope)), None)

        return self._heads.get((reference, scope, day_of(scope)), self.version, read)

    def outline(self, document_id: str, scope: Scope) -> list[SectionRow]:
        """A document's sections in document order, without their text; empty outside the scope."""
        return list(self.outline_of(document_id, scope).rows)

    def outline_of(self, document_id: str, scope: Scope) -> Outline:
        """A document's outline, ready for look-ups; what it needs is kept while the index does not change."""
        key = (document_id, scope, day_of(scope))
        read = partial(read_outline, self._scoped, document_id, scope)
        return Outline(stored=self._outlines.get(key, self.version, read))

    def sections(self, document_id: str, positions: range | Sequence[str], scope: Scope) -> list[SectionRow]:
        """Sections of a document with their text, in document order: a range of positions, or ids."""
        if isinstance(positions, range) and len(positions) > _BY_KEY:
            within = f"position >= {positions.start} AND position < {positions.stop}"
            which = f"{one_of('document', [document_id])} AND {within}"
            return _in_order(self._scoped(SECTION, which, scope, SECTION_COLUMNS))
        if isinstance(positions, range):
            packed = self.outline_of(document_id, scope).packed
            inside = range(positions.start, min(positions.stop, len(packed)))
            positions = [packed.name(at).id for at in inside]
        return _in_order(self._keyed([(document_id, section) for section in positions], scope))

    def references(
        self, document_id: str, sections: Sequence[str], scope: Scope
    ) -> dict[str, tuple[Reference, ...]]:
        """The references in these sections of a document, by section id; those without any are left out."""
        which = f"{one_of('key', (row_key(SECTION, document_id, one) for one in sections))}"
        rows = self._scoped(SECTION, which, scope, ("section", "references"))
        return {row["section"]: found for row in rows if (found := row_references(row))}

    def section_texts(
        self, keys: Iterable[tuple[str, str]], scope: Scope
    ) -> dict[tuple[str, str], SectionRow]:
        """Sections with text by (document id, section id), in one query; those not found are left out."""
        rows = self._keyed(list(keys), scope)
        return {(row["document"], row["section"]): section_row(row) for row in rows}

    def _keyed(self, keys: Sequence[tuple[str, str]], scope: Scope) -> list[_Row]:
        """Rows of sections by (document, section), through the index of keys unless it is broken."""
        try:
            wanted = one_of("key", (row_key(SECTION, document, section) for document, section in keys))
            return self._scoped(SECTION, wanted, scope, SECTION_COLUMNS)
        except NothingUsableError:
            documents = one_of("document", (document for document, _ in keys))
            sections = one_of("section", (section for _, section in keys))
            rows = self._scoped(SECTION, f"{documents} AND {sections}", scope, SECTION_COLUMNS)
            asked = set(keys)
            return [row for row in rows if (row["document"], row["section"]) in asked]

    def _names(self, scope: Scope) -> list[Name]:
        def read() -> list[Name]:
            columns = ("document", "file", "document_title", "names")
            return [_name(row) for row in self._scoped(DOCUMENT, "TRUE", scope, columns)]

        return self._called.get((scope, day_of(scope)), self.version, read)

    def _documents(self, ids: Sequence[str], scope: Scope) -> list[DocumentRow]:
        rows = self._scoped(DOCUMENT, one_of("document", ids), scope, DOCUMENT_COLUMNS)
        return sorted((document_row(row) for row in rows), key=lambda document: document.id)

    def _scoped(self, kind: str, which: str, scope: Scope, columns: Sequence[str]) -> list[_Row]:
        visible, until = self._versions.seen(scope)
        return until(self._rows(f"kind = '{kind}' AND {which} AND {visible}", columns))

    def _rows(self, predicate: str, columns: Sequence[str]) -> list[_Row]:
        def read(table: Table) -> list[_Row]:
            # an index made by an earlier version lacks some columns until it is synced again
            there = set(table.schema.names)
            known = [column for column in columns if column in there]
            rows: list[_Row] = table.search().where(predicate).select(known).limit(None).to_list()
            return rows

        return self._reader.ask(read)


def _in_order(rows: list[_Row]) -> list[SectionRow]:
    return [section_row(row) for row in sorted(rows, key=lambda row: row["position"])]


def _name(row: _Row) -> Name:
    return Name(row["document"], row["file"], row["document_title"], tuple(row.get("names") or ()))
