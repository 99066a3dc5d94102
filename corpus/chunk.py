"""Cuts a document into chunks: along its sections, at sentence ends, each within the encoder's limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from pincite.corpus.chunk_atoms import (
    CHARACTERS_PER_PIECE,
    SLACK,
    Measure,
    body_atoms,
    fixed_windows,
    trimmed,
)
from pincite.corpus.chunk_label import fit_labels
from pincite.corpus.chunk_pack import pack
from pincite.corpus.chunk_table import TableHeaders
from pincite.corpus.document import Chunk, Document
from pincite.corpus.pieces import estimate_word_pieces

__all__ = ["CHUNKER_VERSION", "ChunkBudget", "chunk_document", "fixed_windows"]

CHUNKER_VERSION = "1"

# What tokenizers make of the line break between label and text.
_JOIN = 2

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class ChunkBudget:
    """How long chunks may be, in the encoder's word pieces.

    `target` is the length of a chunk's text where a section is longer, `overlap` the share of it that two
    neighbours have in common, in whole sentences. `limit` is what label and text together may have: the
    encoder's length without its special pieces and its document prefix. `count` counts without special
    pieces; `count_many` does the same for many texts at once.
    """

    target: int = 200
    overlap: float = 0.15
    limit: int = 254
    count: Callable[[str], int] = estimate_word_pieces
    count_many: Callable[[Sequence[str]], list[int]] | None = None

    def __post_init__(self) -> None:
        if self.target < 1 or self.limit < 16 or not 0 <= self.overlap < 0.5:
            raise ValueError(
                "a chunk needs a target of 1 or more, a limit of 16 or more, an overlap below 0.5"
            )

    def counts(self, texts: Sequence[str]) -> list[int]:
        """The word pieces of each text."""
        if self.count_many is not None:
            return self.count_many(texts)
        return [self.count(text) for text in texts]


@dataclass(frozen=True, slots=True)
class _Part:
    """A section's body (or the heading of a section without one), its label, and the room beside that."""

    section: str
    start: int
    end: int
    label: str
    label_cost: int
    room: int


def chunk_document(document: Document, *, budget: ChunkBudget) -> list[Chunk]:
    """The chunks of every section, in document order.

    Sections within the target stay whole; longer ones are cut at sentence ends, preferably where a
    paragraph ends. Every character of a body that is not a space is in some chunk, and spans never leave
    their section. Label and text together never exceed `budget.limit`.
    """
    return _Chunker(document, budget).chunks()


class _Chunker:
    """One document being cut; counts as many texts at once as it can."""

    def __init__(self, document: Document, budget: ChunkBudget) -> None:
        self._document = document
        self._budget = budget
        self._text = document.text
        self._measure = Measure(document.text, budget.counts)
        longest_header = min(budget.target, budget.limit // 2) // 2
        self._headers = TableHeaders(
            document.text, document.tables, longest=longest_header, counts=budget.counts
        )

    def chunks(self) -> list[Chunk]:
        parts = self._parts()
        chunks: list[Chunk] = []
        for part, whole in zip(parts, self._whole(parts), strict=True):
            if whole is not None:
                chunks.append(whole)
            else:
                chunks.extend(self._fitting([self._chunk(part, span) for span in self._cut(part)]))
        return chunks

    def _parts(self) -> list[_Part]:
        """What is to be cut: bodies, and headings of sections that hold nothing, with their labels."""
        parents = {section.parent for section in self._document.sections}
        found = []
        for section in self._document.sections:
            span = trimmed(self._text, section.start, section.end)
            if span[0] == span[1] and section.has_heading and section.id not in parents:
                span = trimmed(self._text, section.heading_start, section.start)
            if span[0] < span[1]:
                found.append((section, span))
        limit = self._budget.limit
        labels = fit_labels(
            self._document.title,
            [section.path for section, _ in found],
            limit=limit // 3,
            counts=self._budget.counts,
        )
        return [
            _Part(section.id, *span, label, cost, limit - cost - _JOIN)
            for (section, span), (label, cost) in zip(found, labels, strict=True)
        ]

    def _chunk(self, part: _Part, span: Span) -> Chunk:
        start, end = span
        return Chunk(
            part.section, start, end, self._headers.before(start) + self._text[start:end], part.label
        )

    def _whole(self, parts: list[_Part]) -> list[Chunk | None]:
        """Each part as one chunk where it is short enough for that."""
        most = [int(SLACK * min(self._budget.target, part.room)) for part in parts]
        short = [
            part.end - part.start <= CHARACTERS_PER_PIECE * longest
            for part, longest in zip(parts, most, strict=True)
        ]
        chunks = [
            self._chunk(part, (part.start, part.end)) if ok else None
            for part, ok in zip(parts, short, strict=True)
        ]
        counts = self._budget.counts([chunk.indexed_text if chunk else "" for chunk in chunks])
        return [
            chunk if count <= self._budget.limit and count - part.label_cost <= longest else None
            for part, chunk, count, longest in zip(parts, chunks, counts, most, strict=True)
        ]

    def _cut(self, part: _Part) -> Iterator[Span]:
        """The spans of the chunks of a part that is too long for one."""
        target = min(self._budget.target, part.room)
        overlap = self._budget.overlap
        atoms = body_atoms(
            self._measure, (part.start, part.end), self._headers, target=target, overlap=overlap
        )
        for window, group in groupby(atoms, key=lambda atom: atom.window):
            if window:
                yield from ((atom.start, atom.end) for atom in group)
            else:
                yield from pack(
                    self._text,
                    list(group),
                    target=target,
                    longest=min(part.room, int(SLACK * target)),
                    overlap=int(overlap * target),
                    extra=self._headers.cost_before,
                )

    def _fitting(self, chunks: list[Chunk]) -> list[Chunk]:
        """`chunks`, any over the limit halved: the pieces of joined texts need not add up."""
        counts = self._budget.counts([chunk.indexed_text for chunk in chunks])
        fitting: list[Chunk] = []
        for chunk, count in zip(chunks, counts, strict=True):
            if count <= self._budget.limit or chunk.end - chunk.start < 2:
                fitting.append(chunk)
            else:
                fitting.extend(self._fitting(self._halves(chunk)))
        return fitting

    def _halves(self, chunk: Chunk) -> list[Chunk]:
        middle = (chunk.start + chunk.end) // 2
        space = self._text.find(" ", middle, (middle + chunk.end) // 2)
        cut = space if space >= 0 else middle
        spans = (trimmed(self._text, chunk.start, cut), trimmed(self._text, cut, chunk.end))
        return [
            replace(chunk, start=start, end=end, text=self._headers.before(start) + self._text[start:end])
            for start, end in spans
            if start < end
        ]
