"""The data sets of the ablation, each as documents with queries and judgements.

Those in the form of BEIR are read as they are. The others are made into it: a paragraph, a segment of a
policy or a page is one document, and a question about one policy is asked of that one only.
"""

from __future__ import annotations

import csv
import hashlib
import json
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from pincite.agent.messages import Message
from pincite.corpus.document import Document
from pincite.corpus.scope import Scope
from pincite.evals.beir import BeirDocument, read_beir
from pincite.evals.bench_index import ROOT
from pincite.evals.retrieval import Task, beir_task, document_unit

Half = Literal["tuned", "held"]
# Questions of a set that is not in the form of BEIR, by hash; each takes two searches.
MOST = 300

# Folder below the data, judgements to fit numbers on and to report; the same name: its queries are split.
BEIR: dict[str, tuple[str, str, str]] = {
    "SciFact": ("scifact/derived_beir", "train", "test"),
    "Cranfield": ("cranfield/derived_beir", "test", "test"),
    "CISI": ("cisi/derived_beir", "test", "test"),
    "HotpotQA-100": ("hipporag_multihop/hotpotqa_train100/derived_beir", "test", "test"),
    "MuSiQue-100": ("hipporag_multihop/musique_train100/derived_beir", "test", "test"),
    "SQuAD2": ("squad2_subset/derived_beir", "test", "test"),
}


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """Documents, the queries of one half, and what tells the documents from those of any other set."""

    documents: Sequence[BeirDocument | tuple[str, Document]]
    task: Task
    digest: str


@dataclass(slots=True)
class _Made:
    """A set in the making; `about` names the documents that a query is asked of, by its prefix, `earlier` has
    the conversation before it.
    """

    documents: list[BeirDocument] = field(default_factory=list)
    queries: dict[str, str] = field(default_factory=dict)
    judgements: dict[str, dict[str, int]] = field(default_factory=dict)
    about: dict[str, str] = field(default_factory=dict)
    earlier: dict[str, tuple[Message, ...]] = field(default_factory=dict)

    def ask(
        self, text: str, relevant: Sequence[str], about: str = "", earlier: tuple[Message, ...] = ()
    ) -> None:
        query = f"q{len(self.queries)}"
        self.queries[query] = text.strip()
        self.judgements[query] = dict.fromkeys(relevant, 1)
        if about:
            self.about[query] = about
        if earlier:
            self.earlier[query] = earlier


def by_lot(names: Iterable[str]) -> list[str]:
    """In an order that says nothing about them and is always the same: by hash."""
    return sorted(names, key=lambda name: hashlib.sha256(name.encode()).hexdigest())


def first_half(query: str) -> bool:
    """Whether numbers were fitted on this query."""
    return int(hashlib.sha256(query.encode()).hexdigest(), 16) % 2 == 0


def read_set(name: str, data: Path, half: Half) -> LabelledSet:
    """The set with the queries of one half; nothing was fitted on those that are not in the form of BEIR."""
    if name not in BEIR:
        return _labelled(name, OTHERS[name](data), half)
    folder, tuned, held = BEIR[name]
    read = read_beir(data / folder, tuned if half == "tuned" else held)
    task = beir_task(read)
    if tuned == held or half == "tuned":
        task = _kept(task, {query for query in task.queries if first_half(query) == (half == "tuned")})
    return LabelledSet(tuple(read.documents()), task, read.digest)


def _kept(task: Task, keep: set[str]) -> Task:
    return replace(
        task,
        queries={query: text for query, text in task.queries.items() if query in keep},
        judgements={query: grades for query, grades in task.judgements.items() if query in keep},
        no_answer=task.no_answer & keep,
    )


def _labelled(name: str, made: _Made, half: Half) -> LabelledSet:
    chosen = by_lot(made.queries)[:MOST]
    groups: dict[str, frozenset[str]] = {}
    for about in {made.about[query] for query in chosen if query in made.about}:
        ids = (one.id for one in made.documents if one.id.startswith(f"{about}#"))
        groups[about] = frozenset(f"{ROOT}/{one}" for one in ids)
    task = Task(
        name=name,
        queries=made.queries,
        judgements=made.judgements,
        unit=document_unit,
        scopes={q: Scope(documents=groups[made.about[q]]) for q in chosen if q in made.about},
        earlier=made.earlier,
    )
    text = "\n".join(f"{one.id}\t{one.title}\t{one.text}" for one in made.documents)
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
    return LabelledSet(made.documents, _kept(task, set(chosen) if half == "held" else set()), digest)


def squad_articles(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """(article, paragraph) for each paragraph of a file in SQuAD's form."""
    for article in json.loads(path.read_text(encoding="utf-8"))["data"]:
        for paragraph in article["paragraphs"]:
            yield article["title"].replace("_", " "), paragraph


def _xquad(language: str) -> Callable[[Path], _Made]:
    def read(data: Path) -> _Made:
        made = _Made()
        for at, (_, paragraph) in enumerate(squad_articles(data / "xquad" / f"xquad.{language}.json")):
            made.documents.append(BeirDocument(_id=f"p{at}", text=paragraph["context"]))
            for question in paragraph["qas"]:
                made.ask(question["question"], [f"p{at}"])
        return made

    return read


def _policyqa(data: Path) -> _Made:
    made = _Made()
    asked: dict[tuple[str, str], list[str]] = {}
    for at, (title, paragraph) in enumerate(squad_articles(data / "policyqa" / "data" / "dev.json")):
        name = f"{title}#{at}"
        made.documents.append(BeirDocument(_id=name, title=title, text=paragraph["context"]))
        for question in paragraph["qas"]:
            asked.setdefault((title, question["question"].strip()), []).append(name)
    for (title, text), relevant in asked.items():
        made.ask(text, relevant, title)
    return made


def doc2dial_turns(data: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """(page, row) for each turn of a dialogue; "last" and "turns" are added: what the user asks now, and all
    that was said until then, the latest first. The same page under two titles is one page."""
    names: dict[str, str] = {}
    csv.field_size_limit(10**9)
    file = data / "doc2dial" / "doc2dial_rc_val.csv.zip"
    with zipfile.ZipFile(file) as archive, archive.open(archive.namelist()[0]) as raw:
        for row in csv.DictReader(line.decode("utf-8") for line in raw):
            name = names.setdefault(row["context"], f"d{len(names)}")
            said = [one.content for one in _turns(row["question"])]
            yield name, {**row, "last": said[0], "turns": "\n".join(said)}


def _doc2dial(wanted: Literal["last", "turns"]) -> Callable[[Path], _Made]:
    def read(data: Path) -> _Made:
        made, seen = _Made(), set[str]()
        for name, row in doc2dial_turns(data):
            if name not in seen:
                seen.add(name)
                title = row["title"].partition("#")[0]
                made.documents.append(BeirDocument(_id=name, title=title, text=row["context"]))
            made.ask(row[wanted], [name], earlier=tuple(reversed(_turns(row["question"])[1:])))
        return made

    return read


def _turns(text: str) -> list[Message]:
    """The turns of a dialogue, the last one first, as the file has them."""
    _, *parts = re.split(r"(?:^|\t)(user|agent):", text)
    return [
        Message("user" if who == "user" else "assistant", said.strip())
        for who, said in zip(parts[::2], parts[1::2], strict=True)
    ]


OTHERS: dict[str, Callable[[Path], _Made]] = {
    "XQuAD en": _xquad("en"),
    "XQuAD de": _xquad("de"),
    "XQuAD zh": _xquad("zh"),
    "XQuAD ar": _xquad("ar"),
    "PolicyQA": _policyqa,
    "doc2dial, last turn": _doc2dial("last"),
    "doc2dial, all turns": _doc2dial("turns"),
}
NAMES = (*BEIR, *OTHERS)
