"""Finding the document of a conversation's turn: by the last turn, by all turns, and as a chat does.

    python benchmarks/doc2dial.py ../shared/data/doc2dial/doc2dial_rc_val.csv.zip [--vectors] [--half B]

Prints nDCG@10 and recall@1 of the turn's document, over turns that have others before them and over all.
Rules were made looking at half A of the dialogues only; figures worth reporting are those of half B.
"""

from __future__ import annotations

import csv
import hashlib
import math
import re
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from pincite.agent.extractive.followup import Turn
from pincite.agent.extractive.planning import first_search, subject_of
from pincite.corpus.encoder import load_encoder
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync
from pincite.tools.chain import RetrievalSettings
from pincite.tools.retrieve import Retriever

_TURN = re.compile(r"(?:^|\s)(user|agent):")


@dataclass(frozen=True, slots=True)
class Asked:
    """A turn of a dialogue: what was said before it, oldest first, and the document that answers."""

    dialogue: str
    turns: tuple[tuple[str, str], ...]
    title: str

    @property
    def user(self) -> list[str]:
        return [text for who, text in self.turns if who == "user"]

    @property
    def before(self) -> list[Turn]:
        """The earlier questions, each with what the agent said to it."""
        found: list[Turn] = []
        for who, text in self.turns[:-1]:
            if who == "user":
                found.append(Turn(text))
            elif found:
                found[-1] = Turn(found[-1].text, (), f"{found[-1].answer} {text}".strip())
        return found


def read(file: Path) -> tuple[list[Asked], dict[str, str]]:
    """The turns, and the documents by title."""
    csv.field_size_limit(10**9)
    asked, documents = [], {}
    with zipfile.ZipFile(file) as archive, archive.open(archive.namelist()[0]) as raw:
        for row in csv.DictReader(line.decode("utf-8") for line in raw):
            found = _TURN.split(row["question"])[1:]
            said = list(zip(found[::2], (text.strip() for text in found[1::2]), strict=True))
            asked.append(Asked(row["id"].rpartition("_")[0], tuple(reversed(said)), row["title"]))
            documents[row["title"]] = row["context"]
    return asked, documents


def queries(way: str, asked: Asked) -> list[str]:
    """What is searched for."""
    user = asked.user
    if way == "last turn":
        return user[-1:]
    if way == "all user turns":
        return [" ".join(reversed(user))]
    if way == "all turns":
        return [" ".join(text for _, text in reversed(asked.turns))]
    search = first_search(subject_of(user[-1], asked.before))
    found = search.get("queries") or [search["query"]]
    return [str(query) for query in found]


def ranked(retriever: Retriever, wanted: Sequence[str]) -> list[str]:
    """Documents in the order of their passages, those of several queries by turns.

    RuntimeError when a search failed or fell back: its figures would not be those of the search.
    """
    found = [retriever.retrieve(query, Scope(), k=30) for query in wanted]
    for one in found:
        failed = [run for run in one.attempts if run.outcome.value in {"error", "timeout"}]
        if failed or (one.error is not None and one.error.code != "no_match"):
            raise RuntimeError(f"a search failed: {failed or one.error}")
    hits = [one.hits for one in found]
    longest = max((len(one) for one in hits), default=0)
    by_turns = (one[at].document for at in range(longest) for one in hits if at < len(one))
    return list(dict.fromkeys(by_turns))


def half_of(dialogue: str) -> str:
    return "AB"[hashlib.sha256(dialogue.encode()).digest()[0] % 2]


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True))
@click.option("--vectors", is_flag=True, help="Encode the documents too (about a quarter of an hour).")
@click.option("--half", default="B", type=click.Choice(["A", "B"]))
@click.option("--most", default=0, help="Only so many turns.")
def main(file: Path, vectors: bool, half: str, most: int) -> None:
    asked, documents = read(file)
    asked = [one for one in asked if half_of(one.dialogue) == half and one.turns[-1][0] == "user"]
    asked = asked[: most or None]
    names = {title: f"d{number:03}.md" for number, title in enumerate(sorted(documents))}
    encoder = load_encoder() if vectors else None
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work) / "pages"
        folder.mkdir()
        for title, text in documents.items():
            (folder / names[title]).write_text(f"# {title.partition('#')[0]}\n\n{text}", encoding="utf-8")
        sync([folder], Path(work) / "kb", vectors=vectors, encoder=encoder)
        patient = RetrievalSettings(leg_deadline=600, load_deadline=600)
        index = Index.open(Path(work) / "kb")
        retriever = Retriever(index, (lambda: encoder) if encoder else None, settings=patient)
        print(f"half {half}, {len(asked)} turns, {'both searches' if vectors else 'keyword search'}")
        for way in ("last turn", "all user turns", "all turns", "a chat's search"):
            rows = list(_scores(retriever, way, asked, names))
            for label, kept in (("all", rows), ("with turns before", [r for r in rows if r[0] > 1])):
                gain = [r[1] for r in kept]
                first = [r[2] for r in kept]
                found = f"nDCG@10 {_mean(gain):.3f} ± {_error(gain):.3f}  recall@1 {_mean(first):.3f}"
                print(f"{way:16} {label:18} {found}")
        sys.stdout.flush()


def _scores(
    retriever: Retriever, way: str, asked: Sequence[Asked], names: dict[str, str]
) -> Iterator[tuple[int, float, float]]:
    for one in asked:
        order = ranked(retriever, queries(way, one))
        wanted = f"pages/{names[one.title]}"
        rank = order.index(wanted) + 1 if wanted in order else 0
        yield len(one.user), (1 / math.log2(rank + 1) if 0 < rank <= 10 else 0.0), float(rank == 1)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / max(1, len(values))


def _error(values: Sequence[float]) -> float:
    mean = _mean(values)
    spread = sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
    return math.sqrt(spread / max(1, len(values)))


if __name__ == "__main__":
    main()
