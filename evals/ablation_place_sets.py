"""Long documents with labelled places: contracts, policies, articles, pages, a folder of one's own.

Each is read as the files of a user are, with its sections. Nothing was fitted on any of them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from pincite.corpus.document import Document
from pincite.corpus.read import read
from pincite.evals.ablation_places import (
    Making,
    PlacedSet,
    Span,
    Stretch,
    digest,
    occurrences,
    whole_documents,
)
from pincite.evals.ablation_sets import Half, LabelledSet, by_lot, doc2dial_turns, read_set, squad_articles
from pincite.evals.answer_metrics import letters
from pincite.evals.bench_index import ROOT
from pincite.evals.extractive_sets import clause_question, clause_rows
from pincite.evals.label_effect import documents as readable
from pincite.evals.questions import read_questions

# Contracts of CUAD's part for development, by hash.
CONTRACTS = 15


def _read_text(folder: Path, suffix: str, raw: str, title: str) -> Document:
    """A text as a file of this name would be read."""
    path = folder / f"document{suffix}"
    path.write_text(raw, encoding="utf-8", errors="replace")
    return read(path, root=folder, name=f"{title}{suffix}")


def _cuad(data: Path) -> PlacedSet:
    """Contracts, each asked for its own clauses; a clause in several parts has several places."""
    made = Making()
    rows = clause_rows(data)
    for file in by_lot({row["file"] for row in rows})[:CONTRACTS]:
        path = data / "cuad" / "full_contract_txt" / file
        name = Path(file).stem
        made.add(name, path.read_text(encoding="utf-8", errors="replace"), read(path, root=path.parent))
        for row in rows:
            if row["file"] == file and row["spans"]:
                text = clause_question(row["category"], row["description"])
                made.ask(text, name, [[(start, end)] for start, end in row["spans"]])
    return made.made(scoped=True)


def _squad2(data: Path) -> PlacedSet:
    """Whole articles; the place of a question is the answer, as any of those who labelled it marked it."""
    made = Making()
    with TemporaryDirectory() as folder:
        for file in ("dev-v2.0.json", "train-v2.0.json"):
            texts: dict[str, str] = {}
            asked: list[tuple[str, str, list[Span]]] = []
            for title, paragraph in squad_articles(data / "squad2_subset" / file):
                if title not in made.documents:
                    raw = texts.get(title, f"# {title}")
                    before = len(raw) + 2
                    texts[title] = f"{raw}\n\n{paragraph['context']}"
                    for one in paragraph["qas"]:
                        if one["answers"] and not one.get("is_impossible"):
                            asked.append((one["question"].strip(), title, _answers(one, before)))
            for title, raw in texts.items():
                made.add(title, raw, _read_text(Path(folder), ".md", raw, title))
            for text, title, spans in asked:
                made.ask(text, title, [spans])
    return made.made(scoped=False)


def _policyqa(data: Path) -> PlacedSet:
    """Whole policies, each asked of itself; a question asked of several segments has several places."""
    made = Making()
    texts: dict[str, str] = {}
    asked: dict[tuple[str, str], list[list[Span]]] = {}
    for title, paragraph in squad_articles(data / "policyqa" / "data" / "dev.json"):
        raw = texts.get(title, title)
        before = len(raw) + 2
        texts[title] = f"{raw}\n\n{paragraph['context']}"
        for one in paragraph["qas"]:
            asked.setdefault((title, one["question"].strip()), []).append(_answers(one, before))
    with TemporaryDirectory() as folder:
        for title, raw in texts.items():
            made.add(title, raw, _read_text(Path(folder), ".txt", raw, title))
    for (title, text), places in asked.items():
        made.ask(text, title, places)
    return made.made(scoped=True)


def _answers(question: Mapping[str, list[Mapping[str, object]]], before: int) -> list[Span]:
    spans = []
    for answer in question["answers"]:
        start, text = answer["answer_start"], answer["text"]
        if isinstance(start, int) and isinstance(text, str):
            spans.append((before + start, before + start + len(text)))
    return spans


def _doc2dial(data: Path) -> PlacedSet:
    """Pages, each asked the last turn of a dialogue about itself."""
    made = Making()
    with TemporaryDirectory() as folder:
        for name, row in doc2dial_turns(data):
            if name not in made.documents:
                title = row["title"].partition("#")[0]
                made.add(name, row["context"], _read_text(Path(folder), ".txt", row["context"], title))
            answers = ast.literal_eval(row["answers"])
            spans = [
                (start, start + len(text))
                for start, text in zip(answers["answer_start"], answers["text"], strict=True)
            ]
            made.ask(row["last"], name, [[span] for span in spans])
    return made.made(scoped=True)


def own_documents(folder: Path) -> PlacedSet:
    """A folder with `corpus` and `questions.jsonl`; wherever in its document a quote stands will do."""
    documents = dict(readable(folder / "corpus"))
    places: dict[str, tuple[tuple[Stretch, ...], ...]] = {}
    queries: dict[str, str] = {}
    for question in read_questions(folder / "questions.jsonl"):
        wanted = [(one.document, one.quote) for one in question.expected if one.quote]
        found = tuple(tuple(_quoted(documents, name, quote)) for name, quote in wanted)
        if found and all(found):
            queries[question.id], places[question.id] = question.question, found
    return PlacedSet(tuple(documents.items()), queries, places, {}, digest(documents))


def _quoted(documents: Mapping[str, Document], name: str, quote: str) -> Iterable[Stretch]:
    if name in documents:
        text, wanted = letters(documents[name].text), letters(quote).text
        for at in occurrences(wanted, text.text):
            yield Stretch(f"{ROOT}/{name}", text.places[at], text.places[at + len(wanted) - 1] + 1)


PLACED: dict[str, Callable[[Path], PlacedSet]] = {
    "CUAD": _cuad,
    "PolicyQA policies": _policyqa,
    "SQuAD2 articles": _squad2,
    "doc2dial pages": _doc2dial,
}


def labelled_set(name: str, data: Path, half: Half) -> LabelledSet:
    """A set for measures of a ranking. Numbers were fitted on halves of those in the form of BEIR only."""
    if name in PLACED:
        if half == "tuned":
            raise ValueError(f"nothing was fitted on {name}")
        return PLACED[name](data).labelled(name)
    return read_set(name, data, half)


def placed_set(name: str, data: Path) -> PlacedSet:
    """A set for measures of what is shown: the half of its questions that nothing was fitted on."""
    return PLACED[name](data) if name in PLACED else whole_documents(read_set(name, data, "held"))
