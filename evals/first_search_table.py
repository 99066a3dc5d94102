"""What queries worded by a model are worth, on the labelled sets, beside those that need no model.

`python -m pincite.evals.first_search_table --data DIR --db DIR --model M --base-url URL` asks the model as
`--first-search` does and prints a table for docs/retrieval.md. Questions are those that nothing was fitted
on, at most `--most` of a set, by hash. MuSiQue names the questions that each of its own consists of; they
are searched for as they are ("#1" for what the first one finds is left out), and with the answers to the
earlier ones filled in, which nobody knows before a search. Of a dialogue the last turns are searched for
as one query. Without `--model` only these are measured.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from pincite.agent.messages import Message
from pincite.agent.model import ChatModel
from pincite.agent.models import resolve_model
from pincite.agent.queries import wording
from pincite.corpus.encoder import Encoder, load_encoder
from pincite.corpus.index import Index
from pincite.errors import PinciteError
from pincite.evals.ablation_sets import read_set
from pincite.evals.bench_index import build_index
from pincite.evals.first_search import Worded, Wordings, compared, word
from pincite.evals.measures import Comparison
from pincite.evals.report import RetrievalReport, Spread
from pincite.evals.retrieval import Task, evaluate

# What each set can show something about.
SETS: dict[str, tuple[Worded, ...]] = {
    "HotpotQA-100": ("decompose",),
    "MuSiQue-100": ("decompose",),
    "SciFact": ("hypothetical",),
    "doc2dial, last turn": ("rewrite",),
}
MOST = 60
_COLUMNS = ("nDCG@10", "complete@10", "recall@100")
_HEAD = (
    "| set, questions | searched for | nDCG@10 | all within ten | recall@100 | nDCG@10 against the question "
    "alone | tokens read / written | seconds |"
)
_ANSWER = re.compile(r"#(\d+)")


@dataclass(frozen=True, slots=True)
class Row:
    """One way to search a set; `differences` are those from the question alone."""

    name: str
    searched: str
    report: RetrievalReport
    differences: tuple[Comparison, ...]
    wordings: Wordings | None = None


def by_people(data: Path, *, filled: bool) -> dict[str, tuple[str, ...]]:
    """The parts of each of MuSiQue's questions, by its id; `filled`: with the answers that they build on."""
    found = {}
    path = data / "hipporag_multihop" / "musique_train.json"
    for one in json.loads(path.read_text(encoding="utf-8")):
        steps = one["question_decomposition"]
        answers = [step["answer"] if filled else "" for step in steps]
        found[one["id"]] = tuple(_filled(step["question"], answers) for step in steps)
    return found


def _filled(question: str, answers: Sequence[str]) -> str:
    """A question in the set's notation: "#1" is the answer to the first, ">>" stands before what is asked."""
    text = _ANSWER.sub(lambda mark: answers[int(mark[1]) - 1], question)
    return " ".join(text.replace(">>", " ").split())


def rows(task: Task, index: Index, encoder: Encoder, model: ChatModel | None, data: Path) -> Iterator[Row]:
    """A set searched for the question alone and in each other way; `data` has the parts made by people."""
    plain = evaluate(task, index, encoder)
    yield Row(task.name, "the question alone", plain, ())

    def row(searched: str, queries: Mapping[str, tuple[str, ...]], wordings: Wordings | None = None) -> Row:
        report = evaluate(replace(task, also=queries), index, encoder)
        return Row(task.name, searched, report, compared(plain, report), wordings)

    if model is not None:
        for way in SETS[task.name]:
            tell = partial(_tell, f"{task.name}, {way}")
            # a slow machine says nothing about the queries: the model has the time it takes
            wordings = word(model, way, task, None, tell)
            given = f"{len(wordings.queries)} worded, {wordings.failures} failed"
            yield row(f"and {way}, {wordings.model} ({given})", wordings.queries, wordings)
    if task.name == "MuSiQue-100":
        yield row("and its parts, by people", by_people(data, filled=False))
        yield row("and its parts with the answers before them", by_people(data, filled=True))
    if task.earlier:
        yield row("and all that a model is sent, as one query", conversations(task))


def conversations(task: Task) -> dict[str, tuple[str, ...]]:
    """The turns that a model is shown of the conversation before each query, and the query, as one text."""
    found: dict[str, tuple[str, ...]] = {}
    for query in task.asked:
        if earlier := task.earlier.get(query):
            _, *turns = wording("rewrite", earlier, Message("user", task.queries[query]))
            found[query] = (" ".join(turn.content for turn in turns),)
    return found


def _prepared(name: str, data: Path, db: Path, encoder: Encoder, most: int) -> tuple[Task, Index]:
    """At most so many held questions of a set, by hash, and its index."""
    labelled = read_set(name, data, "held")
    index = build_index(labelled.documents, labelled.digest, db, encoder)
    chosen = sorted(labelled.task.judged, key=lambda query: hashlib.sha256(query.encode()).hexdigest())[:most]
    queries = {query: labelled.task.queries[query] for query in chosen}
    return replace(labelled.task, name=name, queries=queries), index


def markdown(row: Row) -> str:
    """The row of the table."""
    report, wordings = row.report, row.wordings
    cells = [f"{row.name}, {report.queries}", row.searched]
    cells += [f"{_figure(report.metrics[name])}{_span(report.intervals[name])}" for name in _COLUMNS]
    gained = next((one for one in row.differences if one.measure == "nDCG@10"), None)
    if gained is None:
        cells.append("")
    else:
        cells.append(
            f"{gained.difference:+.3f} ({gained.low:+.3f} to {gained.high:+.3f}), p = {gained.p:.3f}, "
            f"better {gained.better}, worse {gained.worse}"
        )
    if wordings is None:
        cells += ["", ""]
    else:
        read = Spread.of([one.input_tokens for one in wordings.usages]).mean
        written = Spread.of([one.output_tokens for one in wordings.usages]).mean
        cells += [f"{read:.0f} / {written:.0f}", f"{Spread.of(wordings.seconds).median:.1f}"]
    return f"| {' | '.join(cells)} |"


def _figure(value: float) -> str:
    return f"{value:.3f}".removeprefix("0")


def _span(span: tuple[float, float]) -> str:
    return f" ({_figure(span[0])}-{_figure(span[1])})"


def _tell(what: str, done: int, total: int) -> None:
    sys.stderr.write(f"{what}: {done} of {total}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m pincite.evals.first_search_table", description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--db", type=Path, required=True, help="where the indexes are kept")
    parser.add_argument("--model", help="the model that words queries")
    parser.add_argument("--base-url", help="its OpenAI-compatible endpoint")
    parser.add_argument("--set", dest="sets", action="append", choices=tuple(SETS))
    parser.add_argument("--most", type=int, default=MOST, help="questions of a set, by hash")
    parser.add_argument("--wordings", type=Path, help="also write what the model worded to this file")
    options = parser.parse_args(arguments)
    encoder = load_encoder()
    written: dict[str, dict[str, tuple[str, ...]]] = {}
    sys.stdout.write(f"{_HEAD}\n{'|---' * (_HEAD.count('|') - 1)}|\n")
    try:
        model = resolve_model(options.model, base_url=options.base_url) if options.model else None
        for name in options.sets or SETS:
            task, index = _prepared(name, options.data, options.db, encoder, options.most)
            for row in rows(task, index, encoder, model, options.data):
                sys.stdout.write(f"{markdown(row)}\n")
                sys.stdout.flush()
                if row.wordings is not None:
                    written[f"{name}, {row.wordings.way}"] = dict(row.wordings.queries)
                    _tell(
                        f"{name}, {row.wordings.way}, worded", len(row.wordings.queries), row.wordings.asked
                    )
    except PinciteError as error:
        sys.stderr.write(f"{error.message}\n")
        return error.exit_code
    if options.wordings is not None:
        options.wordings.write_text(json.dumps(written, ensure_ascii=False, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
