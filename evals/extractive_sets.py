"""Labelled questions for the offline mode, each set with the files to index for it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

Half = Literal["calibration", "held"]
Labels = Literal["answers", "clauses", "places"]
"""What the labels are: short answers, which a quote must hold; clauses, which it must overlap; or places,
each of which a quote must share words with."""


@dataclass(frozen=True, slots=True)
class Case:
    """A question with what would be right.

    `document` is the path of the one document it is scoped to, below the indexed folder, or None for all.
    `source` is the text in which the answer stands, `spans` where it stands there, `gold` its words, none
    for a question that the documents do not answer.
    """

    question: str
    document: str | None
    source: str
    spans: tuple[tuple[int, int], ...]
    gold: tuple[str, ...]
    half: Half

    @property
    def present(self) -> bool:
        """Whether the documents answer it."""
        return bool(self.gold)


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """The questions of one set, what their labels are, and the folder to index for them."""

    name: str
    labels: Labels
    folder: Path
    cases: tuple[Case, ...]


def halves(keys: Iterable[str]) -> dict[str, Half]:
    """Two halves of equal size by hash: everything about one paragraph or contract is in the same half."""
    ordered = sorted(set(keys), key=lambda key: hashlib.sha256(key.encode()).hexdigest())
    return {key: "held" if place % 2 else "calibration" for place, key in enumerate(ordered)}


def squad2(data: Path, work: Path) -> QuestionSet:
    """SQuAD 2.0 over whole articles, each a markdown file; split by paragraph."""
    articles = json.loads((data / "squad2_subset" / "dev-v2.0.json").read_text(encoding="utf-8"))["data"]
    folder = work / "squad2"
    folder.mkdir(parents=True, exist_ok=True)
    for article in articles:
        title = article["title"].replace("_", " ")
        body = "\n\n".join(paragraph["context"] for paragraph in article["paragraphs"])
        (folder / f"{article['title']}.md").write_text(f"# {title}\n\n{body}\n", encoding="utf-8")
    paragraphs = [paragraph for article in articles for paragraph in article["paragraphs"]]
    half = halves(paragraph["context"] for paragraph in paragraphs)
    cases = tuple(
        _squad_case(question, paragraph["context"], half[paragraph["context"]])
        for paragraph in paragraphs
        for question in paragraph["qas"]
    )
    return QuestionSet("squad2", "answers", folder, cases)


def _squad_case(question: dict[str, Any], context: str, half: Half) -> Case:
    answers = [] if question.get("is_impossible") else question["answers"]
    spans = {(answer["answer_start"], answer["answer_start"] + len(answer["text"])) for answer in answers}
    gold = tuple(dict.fromkeys(answer["text"] for answer in answers))
    return Case(question["question"].strip(), None, context, tuple(sorted(spans)), gold, half)


def cuad(data: Path, work: Path) -> QuestionSet:
    """Clause questions over 60 contracts, each scoped to its contract; split by contract."""
    folder = data / "cuad" / "full_contract_txt"
    rows = clause_rows(data)
    half = halves(row["file"] for row in rows)
    texts = {name: (folder / name).read_text(encoding="utf-8", errors="replace") for name in half}
    cases = tuple(
        Case(
            question=clause_question(row["category"], row["description"]),
            document=row["file"],
            source=texts[row["file"]],
            spans=tuple((start, end) for start, end in row["spans"]),
            gold=tuple(texts[row["file"]][start:end] for start, end in row["spans"]),
            half=half[row["file"]],
        )
        for row in rows
        if row["present"] == bool(row["spans"])
    )
    return QuestionSet("cuad", "clauses", folder, cases)


def clause_rows(data: Path) -> list[dict[str, Any]]:
    """CUAD's clauses for development, a row for each contract and kind of clause."""
    lines = (data / "cuad" / "derived_clause_questions.dev.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def clause_question(category: str, description: str | None) -> str:
    """The first sentence of the description as a question, with the category's name behind it.

    "Which state/country's law governs the interpretation of the contract (governing law)?" A description
    that is no question becomes "What is …?"; without one it is "Is there a clause on …?".
    """
    name = category.replace("/", " or ").lower()
    if not description:
        return f"Is there a clause on {name}?"
    text = " ".join(description.split())
    match = re.match(r"[^?]*\?", text)
    asked = match[0] if match else f"What is {text[0].lower()}{text[1:].rstrip('.')}?"
    return f"{asked[:-1].rstrip()} ({name})?"


def xquad(language: str) -> Callable[[Path, Path], QuestionSet]:
    """XQuAD in one language: 240 paragraphs, every question answerable; nothing is calibrated on it."""

    def read(data: Path, work: Path) -> QuestionSet:
        path = data / "xquad" / f"xquad.{language}.json"
        articles = json.loads(path.read_text(encoding="utf-8"))["data"]
        folder = work / f"xquad-{language}"
        folder.mkdir(parents=True, exist_ok=True)
        cases: list[Case] = []
        for article in articles:
            paragraphs = article["paragraphs"]
            title = article.get("title", "").replace("_", " ")
            body = "\n\n".join(paragraph["context"] for paragraph in paragraphs)
            (folder / f"{len(cases):05}.md").write_text(f"# {title}\n\n{body}\n", encoding="utf-8")
            for paragraph in paragraphs:
                cases += [_squad_case(qa, paragraph["context"], "held") for qa in paragraph["qas"]]
        return QuestionSet(f"xquad-{language}", "answers", folder, tuple(cases))

    return read


def own_questions(path: Path, corpus: Path) -> QuestionSet:
    """A file of {question, expected: [{document, section, quote}]}; none expected where nothing is there."""
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.strip()]
    cases = []
    for row in rows:
        gold = tuple(place["quote"] for place in row["expected"])
        cases.append(Case(row["question"], None, "", (), gold, "held"))
    return QuestionSet(path.stem, "places", corpus, tuple(cases))


SETS: dict[str, Callable[[Path, Path], QuestionSet]] = {
    "squad2": squad2,
    "cuad": cuad,
    "xquad-de": xquad("de"),
    "xquad-zh": xquad("zh"),
    "xquad-ar": xquad("ar"),
}
CALIBRATED = ("squad2", "cuad")
