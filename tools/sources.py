"""What the tools need from an index, an encoder and a reranker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from pincite.corpus.lookup import Name
from pincite.corpus.outline import Outline
from pincite.corpus.references import Reference
from pincite.corpus.rows import ChunkHit, DocumentRow, SectionRow
from pincite.corpus.scope import Scope

if TYPE_CHECKING:
    import numpy as np

    from pincite.corpus.encoder import EncoderSpec

SectionKey = tuple[str, str]


class QueryEncoder(Protocol):
    """Turns a query into a vector."""

    @property
    def spec(self) -> EncoderSpec:
        """What it is."""

    def encode_query(self, text: str) -> np.ndarray:
        """A float32 vector of shape (dimension,), of unit length."""


class Reranker(Protocol):
    """Scores texts against a query."""

    def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """One finite number for each text, higher is better."""


class IndexInfo(Protocol):
    """What an index knows about itself."""

    @property
    def encoder(self) -> EncoderSpec | None:
        """The encoder of its vectors, None when it has none."""


class Searchable(Protocol):
    """The part of an index that retrieval asks. A scope holds for everything."""

    @property
    def info(self) -> IndexInfo:
        """What the index is now."""

    @property
    def version(self) -> int:
        """A number that changes whenever anything in the index does."""

    def keyword(self, query: str, scope: Scope, k: int) -> list[ChunkHit]:
        """The k best chunks by words."""

    def vector(self, vector: np.ndarray, scope: Scope, k: int) -> list[ChunkHit]:
        """The k nearest chunks."""

    def documents(
        self, scope: Scope, *, limit: int | None = None, offset: int = 0, contains: str | None = None
    ) -> list[DocumentRow]:
        """Documents in the order of their ids."""

    def section_texts(self, keys: Sequence[SectionKey], scope: Scope) -> Mapping[SectionKey, SectionRow]:
        """Sections with their text, by (document, section); what is not there is left out."""


class Readable(Searchable, Protocol):
    """An index as the tools see it."""

    def document(self, reference: str, scope: Scope) -> DocumentRow | None:
        """The document with this id, path or title. AmbiguousError when several carry it."""

    def outline(self, document_id: str, scope: Scope) -> list[SectionRow]:
        """The sections of a document in order, without text."""

    def outline_of(self, document_id: str, scope: Scope) -> Outline:
        """The same, ready for look-ups."""

    def names(self, scope: Scope) -> list[Name]:
        """What the documents are called, by id."""

    def documents_by_id(self, ids: Sequence[str], scope: Scope) -> list[DocumentRow]:
        """These documents, in the order of their ids; what is not there is left out."""

    def named(self, name: str, scope: Scope) -> list[DocumentRow]:
        """The documents that a reference in a text means by a name or by the number of an act."""

    def numbered(self, numbers: Sequence[str], scope: Scope, *, below: str = "") -> list[SectionRow]:
        """Sections at the top of documents with one of these numbers, without text."""

    def defining(self, scope: Scope) -> list[SectionRow]:
        """The sections that define terms, without text."""

    def references(
        self, document_id: str, sections: Sequence[str], scope: Scope
    ) -> Mapping[str, tuple[Reference, ...]]:
        """The references in these sections, by section id."""

    def sections(self, document_id: str, positions: range | Sequence[str], scope: Scope) -> list[SectionRow]:
        """Sections with text, in order, by position or by id."""
