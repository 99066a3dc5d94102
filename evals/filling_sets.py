"""Queries with the places that a search should show, for `filling`: documents, or labelled words in them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pincite.corpus.document import Document
from pincite.corpus.encoder import Encoder
from pincite.corpus.index import Index
from pincite.corpus.read import read
from pincite.corpus.scope import Scope
from pincite.evals.ablation_sets import Half, by_lot, first_half, read_set, squad_articles
from pincite.evals.beir import BeirDocument
from pincite.evals.bench_index import ROOT, build_index, document_name
from pincite.evals.extractive_sets import clause_question, clause_rows
from pincite.evals.places import Locator, Spot, narrowed
from pincite.evals.questions import Place, Question
from pincite.tools.passage import Passage

RECORDS = ("HotpotQA-100", "MuSiQue-100", "Cranfield")
NAMES = (*RECORDS, "PolicyQA", "CUAD")
# Contracts and questions on policies that are taken, by hash.
CONTRACTS, QUESTIONS = 12, 400


@dataclass(frozen=True, slots=True)
class Asked:
    """A query and its places: documents of which any passage counts, or spots of which one must be shown."""

    text: str
    scope: Scope
    documents: frozenset[str] = frozenset()
    places: tuple[tuple[Spot, ...], ...] = ()

    def shown(self, passages: Sequence[Passage]) -> list[bool]:
        """For each place whether one of the passages shows it."""
        named = {document_name(one.document) for one in passages}
        spans = [(one.document, one.section, one.start, one.end) for one in passages]
        return [document in named for document in sorted(self.documents)] + [
            any(spot.shown_by(*span) for spot in spots for span in spans) for spots in self.places
        ]


def read_queries(
    name: str, data: Path, db: Path, half: Half, encoder: Encoder | None
) -> tuple[Index, list[Asked]]:
    """The index of a set and the queries of one half: by hash of the query, or of what it is asked of."""
    if name in RECORDS:
        labelled = read_set(name, data, half)
        task = labelled.task
        asked = [
            Asked(task.queries[query], task.scopes.get(query, Scope()), _relevant(task.judgements[query]))
            for query in task.judged
        ]
        return build_index(labelled.documents, labelled.digest, db, encoder), asked
    documents, questions = _policies(data) if name == "PolicyQA" else _contracts(data)
    index = build_index(documents, f"{name}, whole documents", db, encoder)
    mine = [one for one in questions if first_half(one.kind) == (half == "tuned")]
    return index, asked_of(index, mine)


def asked_of(index: Index, questions: Sequence[Question]) -> list[Asked]:
    """Questions with those of their places that stand in the index; without any, a question is left out."""
    locator = Locator(index, Scope())
    about = narrowed(questions, locator)
    found = []
    for one in questions:
        places = tuple(place.spots for place in locator.locate(one) if place.spots)
        if places:
            scope = Scope(documents=frozenset({about[one.id]})) if one.id in about else Scope()
            found.append(Asked(one.question, scope, places=places))
    return found


def _relevant(grades: Mapping[str, int]) -> frozenset[str]:
    return frozenset(document for document, grade in grades.items() if grade > 0)


def _question(number: int, text: str, name: str, quotes: Iterable[str]) -> Question:
    """A question about one document; `kind` holds what decides in which half it is."""
    document = f"{ROOT}/{name}"
    places = tuple(Place(document=document, quote=quote) for quote in quotes)
    return Question(id=str(number), question=text, document=document, expected=places, answers=(), kind=name)


def _policies(data: Path) -> tuple[list[BeirDocument], list[Question]]:
    """PolicyQA with each policy as one text; the places are the first answer to each question there."""
    texts: dict[str, list[str]] = {}
    quotes: dict[str, dict[str, None]] = {}
    asked: dict[str, tuple[str, str]] = {}
    for title, paragraph in squad_articles(data / "policyqa" / "data" / "dev.json"):
        texts.setdefault(title, []).append(paragraph["context"])
        for question in paragraph["qas"]:
            key = json.dumps((title, question["question"].strip()))
            asked[key] = (title, question["question"].strip())
            quotes.setdefault(key, {})[question["answers"][0]["text"]] = None
    documents = [
        BeirDocument(_id=title, title=title, text="\n\n".join(parts)) for title, parts in texts.items()
    ]
    chosen = by_lot(asked)[:QUESTIONS]
    return documents, [
        _question(at, asked[key][1], asked[key][0], quotes[key]) for at, key in enumerate(chosen)
    ]


def _contracts(data: Path) -> tuple[Iterator[tuple[str, Document]], list[Question]]:
    """CUAD's contracts as they are read from their files; the places are the labelled clauses."""
    folder = data / "cuad" / "full_contract_txt"
    labels = clause_rows(data)
    files = by_lot({one["file"] for one in labels})[:CONTRACTS]
    questions = []
    for at, one in enumerate(labels):
        if one["file"] in files and one["spans"]:
            text = (folder / one["file"]).read_text(encoding="utf-8", errors="replace")
            quotes = (text[start:end] for start, end in one["spans"])
            words = clause_question(one["category"], one["description"])
            questions.append(_question(at, words, one["file"], quotes))
    return ((name, read(folder / name, root=folder)) for name in files), questions
