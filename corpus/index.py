"""The reading side of an index. Everything here goes through a scope and never loads an encoder."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.corpus.encoder_spec import EncoderSpec
from pincite.corpus.lookup import Name, find_document
from pincite.corpus.pointer import DEFAULT_TENANT, Root, tenant_folder
from pincite.corpus.query import one_of, scope_predicate
from pincite.corpus.query_words import content_words
from pincite.corpus.rows import ChunkHit, DocumentRow, SectionRow
from pincite.corpus.scope import Scope
from pincite.corpus.store import TableReader
from pincite.corpus.table import (
    CHUNK,
    DOCUMENT,
    DOCUMENT_COLUMNS,
    HIT_COLUMNS,
    OUTLINE_COLUMNS,
    SECTION,
    SECTION_COLUMNS,
    TEXT_COLUMN,
    chunk_hit,
    document_row,
    row_key,
    section_row,
)
from pincite.errors import EncoderMismatchError

if TYPE_CHECKING:
    import numpy as np
    from lancedb.table import Table

MAX_QUERY_WORDS = 256
# Fewer hits than this, and words of at least so many letters are also looked for as if they were misspelt.
_THIN = 3
_MISSPELT = 5

_Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class IndexInfo:
    """What the index says about itself; `encoder` is None while nothing is embedded."""

    folder: Path
    tenant: str
    format: int
    created: datetime
    encoder: EncoderSpec | None
    roots: tuple[Root, ...]
    forgotten: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of rows, whatever the scope."""

    documents: int
    sections: int
    chunks: int
    chunks_without_vector: int


class Index:
    """One tenant's index. Reads the newest version at every call; needs no lock; safe across threads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._reader = TableReader(folder)

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

        def count(table: Table) -> Counts:
            missing = "vector IS NULL" if "vector" in table.schema.names else "TRUE"
            return Counts(
                documents=table.count_rows(f"kind = '{DOCUMENT}'"),
                sections=table.count_rows(f"kind = '{SECTION}'"),
                chunks=table.count_rows(f"kind = '{CHUNK}'"),
                chunks_without_vector=table.count_rows(f"kind = '{CHUNK}' AND {missing}"),
            )

        return self._reader.ask(count)

    def keyword(self, query: str, scope: Scope, k: int) -> list[ChunkHit]:
        """The `k` best chunks by BM25, best first. `query` is plain words: no character is syntax.

        Where fewer than three chunks hold any of the words, those with words of nearly the same letters
        follow, with lower scores.
        """
        words = content_words(query.encode("utf-8", "replace").decode("utf-8")).split()
        if len(words) > MAX_QUERY_WORDS:
            words = list(dict.fromkeys(words))[:MAX_QUERY_WORDS]
        exact = self._matching(words, scope, k)
        if len(exact) >= min(_THIN, k):
            return exact
        long = [word for word in words if len(word) >= _MISSPELT and word.isalpha()]
        known = {hit.key for hit in exact}
        like = [hit for hit in self._matching(long, scope, k, edits=2) if hit.key not in known]
        if not like:
            return exact
        below = (exact[-1].score if exact else like[0].score) / (2 * like[0].score)
        return [*exact, *(replace(hit, score=below * hit.score) for hit in like)][:k]

    def _matching(self, words: Sequence[str], scope: Scope, k: int, *, edits: int = 0) -> list[ChunkHit]:
        """The best chunks with any of the words; `edits` letters of a word, not its first, may differ."""
        from lancedb.query import MatchQuery

        if not words:
            return []
        match = MatchQuery(" ".join(words), TEXT_COLUMN, fuzziness=edits, prefix_length=1 if edits else 0)
        return self._best(
            scope, k, "_score", lambda table: table.search(match, query_type="fts"), lambda score: score
        )

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

        def search(table: Table) -> Any:
            found = table.search(vector, vector_column_name="vector", query_type="vector")
            return found.distance_type("cosine")

        return self._best(scope, k, "_distance", search, lambda distance: 1.0 - distance)

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
        found = self._documents([reference], scope)
        if not found:
            identity = find_document(reference, self._names(scope))
            found = self._documents([identity], scope) if identity is not None else []
        return found[0] if found else None

    def outline(self, document_id: str, scope: Scope) -> list[SectionRow]:
        """A document's sections in document order, without their text; empty outside the scope."""
        rows = self._scoped(SECTION, one_of("document", [document_id]), scope, OUTLINE_COLUMNS)
        return _in_order(rows)

    def sections(self, document_id: str, positions: range | Sequence[str], scope: Scope) -> list[SectionRow]:
        """Sections of a document with their text, in document order: a range of positions, or ids."""
        if isinstance(positions, range):
            wanted = f"position >= {positions.start} AND position < {positions.stop}"
        else:
            wanted = one_of("section", positions)
        which = f"{one_of('document', [document_id])} AND {wanted}"
        return _in_order(self._scoped(SECTION, which, scope, SECTION_COLUMNS))

    def section_texts(
        self, keys: Iterable[tuple[str, str]], scope: Scope
    ) -> dict[tuple[str, str], SectionRow]:
        """Sections with text by (document id, section id), in one query; those not found are left out."""
        wanted = one_of("key", (row_key(SECTION, document, section) for document, section in keys))
        rows = self._scoped(SECTION, wanted, scope, SECTION_COLUMNS)
        return {(row["document"], row["section"]): section_row(row) for row in rows}

    def _names(self, scope: Scope) -> list[Name]:
        rows = self._scoped(DOCUMENT, "TRUE", scope, ("document", "file", "document_title"))
        return [Name(row["document"], row["file"], row["document_title"]) for row in rows]

    def _documents(self, ids: Sequence[str], scope: Scope) -> list[DocumentRow]:
        rows = self._scoped(DOCUMENT, one_of("document", ids), scope, DOCUMENT_COLUMNS)
        return sorted((document_row(row) for row in rows), key=lambda document: document.id)

    def _scoped(self, kind: str, which: str, scope: Scope, columns: Sequence[str]) -> list[_Row]:
        return self._rows(f"kind = '{kind}' AND {which} AND {scope_predicate(scope)}", columns)

    def _rows(self, predicate: str, columns: Sequence[str]) -> list[_Row]:
        def read(table: Table) -> list[_Row]:
            rows: list[_Row] = table.search().where(predicate).select(list(columns)).limit(None).to_list()
            return rows

        return self._reader.ask(read)

    def _best(
        self,
        scope: Scope,
        k: int,
        column: str,
        search: Callable[[Table], Any],
        score: Callable[[float], float],
    ) -> list[ChunkHit]:
        """The first `k` of a leg, ties broken by document and position, so that they are always the same."""
        where = f"kind = '{CHUNK}' AND {scope_predicate(scope)}"
        columns = [*HIT_COLUMNS, column]
        wanted = k + 1
        while k > 0:
            rows = self._first(search, where, columns, wanted)
            ranked = sorted(
                ((score(row[column]), row) for row in rows),
                key=lambda pair: (-pair[0], pair[1]["document"], pair[1]["position"]),
            )
            # a tie across the cut: only with all of it at hand is the choice the same every time
            if len(ranked) < wanted or ranked[k - 1][0] != ranked[-1][0]:
                return [chunk_hit(row, value) for value, row in ranked[:k]]
            wanted *= 4
        return []

    def _first(
        self, search: Callable[[Table], Any], where: str, columns: Sequence[str], limit: int
    ) -> list[_Row]:
        def read(table: Table) -> list[_Row]:
            found = search(table).where(where, prefilter=True).select(list(columns)).limit(limit)
            rows: list[_Row] = found.to_list()
            return rows

        return self._reader.ask(read)


def _in_order(rows: list[_Row]) -> list[SectionRow]:
    return [section_row(row) for row in sorted(rows, key=lambda row: row["position"])]
