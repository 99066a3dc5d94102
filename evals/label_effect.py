"""What the label in front of each chunk is worth: one folder and its questions, with labels and without.

`python -m pincite.evals.label_effect --corpus DIR --questions FILE --db DIR` prints hit@3 and the mean
reciprocal rank for each leg.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from pincite.corpus.document import Document
from pincite.corpus.encoder import Encoder, load_encoder
from pincite.corpus.read import read
from pincite.corpus.scope import Scope
from pincite.errors import ReadError
from pincite.evals.bench_index import build_index
from pincite.evals.questions import Question, read_questions
from pincite.evals.retrieval import evaluate, question_task

Figures = dict[str, tuple[float, float]]


def documents(folder: Path) -> Iterator[tuple[str, Document]]:
    """Every readable file below a folder, by its path there."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            try:
                yield path.relative_to(folder).as_posix(), read(path, root=folder)
            except ReadError:
                continue


def label_effect(
    corpus: Path, questions: Sequence[Question], db: Path, encoder: Encoder
) -> dict[str, Figures]:
    """ "with the label" and "without" -> leg -> (hit@3, mean reciprocal rank)."""
    table: dict[str, Figures] = {}
    for name, label in (("with the label", True), ("without", False)):
        index = build_index(documents(corpus), str(corpus.resolve()), db, encoder, label=label)
        report = evaluate(question_task("label", questions, index, Scope()), index, encoder, cutoffs=(3,))
        legs = {leg: one.metrics for leg, one in report.by_leg.items()}
        table[name] = {leg: (metrics["hit@3"], metrics["MRR"]) for leg, metrics in legs.items()}
    return table


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m pincite.evals.label_effect", description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--db", type=Path, required=True, help="where the indexes are kept")
    parser.add_argument("--kind", help="only questions of this kind")
    options = parser.parse_args(arguments)
    questions = [
        one for one in read_questions(options.questions) if options.kind in (None, one.kind) and one.expected
    ]
    for name, figures in label_effect(options.corpus, questions, options.db, load_encoder()).items():
        cells = ", ".join(f"{leg} hit@3 {hit:.2f} MRR {rank:.3f}" for leg, (hit, rank) in figures.items())
        sys.stdout.write(f"{name} ({len(questions)} questions): {cells}\n")


if __name__ == "__main__":
    main()
