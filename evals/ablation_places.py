"""Questions whose labels are places: stretches of documents, as they stand in what was read of the files."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pincite.corpus.document import Document
from pincite.corpus.rows import ChunkHit
from pincite.corpus.scope import Scope
from pincite.evals.ablation_sets import MOST, LabelledSet, by_lot
from pincite.evals.answer_metrics import Letters, letters
from pincite.evals.bench_index import ROOT, as_document
from pincite.evals.retrieval import Task

# About half a chunk.
NEAR = 500

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Characters of a document of an index."""

    document: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class PlacedSet:
    """Documents and questions, each with the places that answer it.

    A place is a tuple of stretches, any of which will do. `lost` counts the questions that were left out
    because a label of theirs does not stand in what was read of the documents.
    """

    documents: Sequence[tuple[str, Document]]
    queries: Mapping[str, str]
    places: Mapping[str, tuple[tuple[Stretch, ...], ...]]
    scopes: Mapping[str, Scope]
    digest: str
    lost: int = 0

    def labelled(self, name: str) -> LabelledSet:
        """The same set for measures of a ranking, where a chunk counts as the place that it shows.

        A chunk can only count once: places of a question that one chunk may show together are one there.
        """
        groups = {query: _grouped(places) for query, places in self.places.items()}

        def unit(query: str, hit: ChunkHit) -> str:
            for number, group in enumerate(groups[query]):
                if any(shows(hit, one) for one in group):
                    return _place(number)
            return f"{hit.document} {hit.start}-{hit.end}"

        judgements = {query: {_place(at): 1 for at in range(len(found))} for query, found in groups.items()}
        task = Task(name=name, queries=self.queries, judgements=judgements, unit=unit, scopes=self.scopes)
        return LabelledSet(self.documents, task, self.digest)


def _grouped(places: Iterable[Sequence[Stretch]]) -> list[list[Stretch]]:
    """Places less than `NEAR` characters apart as one, any stretch of which will do."""
    groups: list[list[Stretch]] = []
    for place in sorted(places, key=lambda place: (place[0].document, place[0].start)):
        last = groups[-1] if groups else []
        if any(place[0].document == one.document and place[0].start - one.end < NEAR for one in last):
            last.extend(place)
        else:
            groups.append(list(place))
    return groups


def _place(number: int) -> str:
    return f"place {number + 1}"


def shows(hit: ChunkHit, one: Stretch) -> bool:
    """Whether a chunk holds half of a stretch, or half of the chunk belongs to one that is longer."""
    common = min(hit.end, one.end) - max(hit.start, one.start)
    return hit.document == one.document and 2 * common >= min(one.end - one.start, hit.end - hit.start) > 0


def whole_documents(labelled: LabelledSet) -> PlacedSet:
    """A set whose labels are documents: the place is all of the document."""
    documents = [one if isinstance(one, tuple) else (one.id, as_document(one)) for one in labelled.documents]
    lengths = {name: len(document.text) for name, document in documents}
    places = {
        query: tuple(
            (Stretch(f"{ROOT}/{name}", 0, lengths[name]),)
            for name, grade in labelled.task.judgements[query].items()
            if grade > 0 and lengths.get(name)
        )
        for query in labelled.task.judged
    }
    task = labelled.task
    return PlacedSet(documents, task.queries, places, task.scopes, labelled.digest)


@dataclass(slots=True)
class Making:
    """A set in the making: documents as they were read, questions with spans of the raw texts."""

    documents: dict[str, Document] = field(default_factory=dict)
    asked: list[tuple[str, str, str, tuple[tuple[Span, ...], ...]]] = field(default_factory=list)
    raw: dict[str, str] = field(default_factory=dict)

    def add(self, name: str, raw: str, document: Document) -> None:
        """A document: its text as it was labelled, and what was read of it."""
        self.documents[name], self.raw[name] = document, raw

    def ask(self, text: str, name: str, places: Iterable[Sequence[Span]]) -> None:
        """A question about a document; a place is given by spans of its raw text, any of which will do."""
        identity = hashlib.sha256(f"{name}\n{text}\n{len(self.asked)}".encode()).hexdigest()[:16]
        self.asked.append((identity, text, name, tuple(tuple(place) for place in places)))

    def made(self, *, scoped: bool) -> PlacedSet:
        """At most `MOST` of the questions, by lot, each asked of its document only if `scoped`."""
        chosen = set(by_lot(one[0] for one in self.asked)[:MOST])
        texts: dict[str, tuple[Letters, Letters]] = {}
        queries, found, scopes, lost = dict[str, str](), {}, dict[str, Scope](), 0
        for query, text, name, places in self.asked:
            if query not in chosen:
                continue
            if name not in texts:
                texts[name] = letters(self.raw[name]), letters(self.documents[name].text)
            document = f"{ROOT}/{name}"
            stretches = [
                tuple(Stretch(document, *span) for span in _carried(place, *texts[name])) for place in places
            ]
            if not all(stretches):
                lost += 1
                continue
            queries[query], found[query] = text, tuple(dict.fromkeys(stretches))
            if scoped:
                scopes[query] = Scope(documents=frozenset({document}))
        return PlacedSet(tuple(self.documents.items()), queries, found, scopes, digest(self.documents), lost)


def digest(documents: Mapping[str, Document]) -> str:
    """What tells these documents, as they were read, from any others."""
    told = hashlib.sha256()
    for name, document in documents.items():
        cut = [(one.start, one.end, one.path) for one in document.sections]
        told.update(f"{name}\n{document.title}\n{document.text}\n{cut}\n".encode("utf-8", "replace"))
    return told.hexdigest()


def _carried(spans: Iterable[Span], raw: Letters, text: Letters) -> list[Span]:
    """Spans of the raw text as spans of what was read: the same letters, where they stand next to as far in.

    Reading leaves out page numbers and running heads and may fold lines: offsets differ, words do not.
    """
    found = []
    for start, end in spans:
        first, behind = bisect_left(raw.places, start), bisect_left(raw.places, end)
        wanted = raw.text[first:behind]
        near = round(first * len(text.text) / max(1, len(raw.text)))
        at = min(occurrences(wanted, text.text), key=lambda place: abs(place - near), default=None)
        if at is not None:
            found.append((text.places[at], text.places[at + len(wanted) - 1] + 1))
    return found


def occurrences(wanted: str, text: str) -> Iterator[int]:
    """Every place where a text stands in another."""
    at = text.find(wanted) if wanted else -1
    while at >= 0:
        yield at
        at = text.find(wanted, at + 1)
