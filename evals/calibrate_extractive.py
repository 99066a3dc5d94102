"""Fits the numbers of the offline mode on the calibration halves and writes them into its package.

Run with `python -m pincite.evals.calibrate_extractive --data DIR`. Two fits for each of the two modes (with
and without an encoder), both sets weighing the same:

- `ranks`: softmax over the segments of a question; the probability of those that hold the answer is made
  large (ListNet's top-one loss). Questions with an answer among the passages.
- `answers` and `intercept`: logistic regression on the measures of the segment that ranks first. It tells
  questions where that segment is right from questions without an answer; those with an answer where it is
  wrong are left out. The four cells (set, right or unanswerable) weigh the same, so that no set's share of
  unanswerable questions goes into the numbers.

`threshold` is the log-odds at which (share of right first segments that are kept + share of unanswerable
questions that are not answered), summed over both sets, is largest: to answer wrongly is no success.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.agent.extractive import calibration
from pincite.agent.extractive.choosing import COMPARED, Judged, dot, judge, measured
from pincite.agent.extractive.named import naming_terms
from pincite.agent.extractive.question import Asked
from pincite.agent.extractive.similarity import Similarities
from pincite.evals.extractive_runs import Bench, load_timed_encoder
from pincite.evals.extractive_sets import CALIBRATED, SETS, Case

if TYPE_CHECKING:
    import numpy as np

RANKS = ("own", "around", "kind", "names")
ANSWERS = ("around", "kind", "names", "codes")
SIMILARITY = "similarity"
_RANK_PENALTY = 0.01


@dataclass(frozen=True, slots=True)
class Row:
    """One segment of one question: its measures by name, and whether it holds the answer."""

    values: dict[str, float]
    hit: bool


@dataclass(frozen=True, slots=True)
class Asking:
    """One calibration question: its set, whether it has an answer, its segments."""

    group: str
    present: bool
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class First:
    """The segment that ranks first for a question."""

    group: str
    present: bool
    row: Row


Numbers = calibration.Numbers


def look_up(case: Case, bench: Bench) -> tuple[str, list[Judged]]:
    """The segments of the first two pages of a search measured by words, and the text to compare with."""
    tools = bench.toolbox(case)
    asked = Asked(case.question)
    first = tools.call("search", {"query": case.question})
    passages = list(first.passages)
    if first.next:
        passages += tools.call("search", {"query": case.question, "from": first.next}).passages
    judged = judge(asked, passages, None).judged
    return asked.without(naming_terms(asked, passages)), list(judged)


def rows_by_words(case: Case, judged: Sequence[Judged], bench: Bench) -> tuple[Row, ...]:
    """The segments of a question with their labels."""
    return tuple(Row(measured(one.measures), bench.hits(case, one.candidate.text)) for one in judged)


def compared(
    asked: str, judged: Sequence[Judged], rows: Sequence[Row], ranks: Numbers, similarity: Similarities
) -> tuple[Row, ...]:
    """The 24 segments that rank first by words, with the encoder's measure added."""
    order = sorted(range(len(rows)), key=lambda at: -dot(ranks.ranks, rows[at].values))[:COMPARED]
    cosines = similarity(asked, [judged[at].candidate.in_context for at in order])
    return tuple(
        Row(rows[at].values | {SIMILARITY: cosine}, rows[at].hit)
        for at, cosine in zip(order, cosines, strict=True)
    )


def fit(askings: Sequence[Asking], ranks: Sequence[str], answers: Sequence[str]) -> Numbers:
    """All the numbers of one mode."""
    rank = fit_ranks(askings, ranks)
    firsts = [
        First(one.group, one.present, max(one.rows, key=lambda row: dot(rank, row.values)))
        for one in askings
        if one.rows
    ]
    told = [first for first in firsts if first.row.hit or not first.present]
    weights, intercept = fit_answers(told, answers)
    odds = [intercept + dot(weights, first.row.values) for first in told]
    return Numbers(rank, weights, intercept, best_threshold(told, odds))


def _matrix(rows: Sequence[Row], names: Sequence[str]) -> np.ndarray:
    import numpy as np

    return np.array([[row.values[name] for name in names] for row in rows], dtype=float)


def fit_ranks(askings: Sequence[Asking], names: Sequence[str]) -> dict[str, float]:
    """Weights that put the segments holding the answer first."""
    import numpy as np
    from scipy.optimize import minimize

    useful = [one for one in askings if any(row.hit for row in one.rows)]
    counts = {group: sum(one.group == group for one in useful) for group in {one.group for one in useful}}
    data = [
        (
            _matrix(one.rows, names),
            np.array([row.hit for row in one.rows]),
            1 / (len(counts) * counts[one.group]),
        )
        for one in useful
    ]

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        total, slope = _RANK_PENALTY * float(weights @ weights), 2 * _RANK_PENALTY * weights
        for values, hit, share in data:
            scores = values @ weights
            chances = np.exp(scores - scores.max())
            chances /= chances.sum()
            held = float(chances[hit].sum()) + 1e-12
            total -= share * float(np.log(held))
            slope = slope + share * (values.T @ (chances - np.where(hit, chances, 0) / held))
        return total, slope

    found = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B").x
    return {name: round(float(value), 2) for name, value in zip(names, found, strict=True)}


def fit_answers(firsts: Sequence[First], names: Sequence[str]) -> tuple[dict[str, float], float]:
    """Weights and intercept of the log-odds that a first segment is right."""
    import numpy as np
    from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

    cells = Counter((first.group, first.row.hit) for first in firsts)
    weights = np.array([len(firsts) / (len(cells) * cells[first.group, first.row.hit]) for first in firsts])
    model = LogisticRegression(C=1.0, max_iter=1000)
    model.fit(
        _matrix([first.row for first in firsts], names),
        [first.row.hit for first in firsts],
        sample_weight=weights,
    )
    found = {name: round(float(value), 2) for name, value in zip(names, model.coef_[0], strict=True)}
    return found, round(float(model.intercept_[0]), 2)


def best_threshold(firsts: Sequence[First], odds: Sequence[float]) -> float:
    """The log-odds that tell right first segments from unanswerable questions best, all cells alike."""
    cells = Counter((first.group, first.row.hit) for first in firsts)

    def worth(threshold: float) -> float:
        return sum(
            1 / cells[first.group, first.row.hit]
            for first, value in zip(firsts, odds, strict=True)
            if (value >= threshold) == first.row.hit
        )

    return max((step / 20 for step in range(-60, 61)), key=lambda value: (worth(value), -abs(value)))


def gather(data: Path, work: Path) -> tuple[list[Asking], list[Asking]]:
    """The calibration questions of both sets, measured by words and with the encoder."""
    encoder = load_timed_encoder()
    similarity = Similarities(encoder)
    by_words: list[Asking] = []
    found: list[tuple[str, list[Judged]]] = []
    for name in CALIBRATED:
        questions = SETS[name](data, work)
        bench = Bench(questions, work, encoder)
        for case in questions.cases:
            if case.half == "calibration":
                asked, judged = look_up(case, bench)
                rows = rows_by_words(case, judged, bench)
                by_words.append(Asking(name, case.present, rows))
                found.append((asked, judged))
    words = fit(by_words, RANKS, ANSWERS)
    with_encoder = [
        Asking(one.group, one.present, compared(asked, judged, one.rows, words, similarity))
        for one, (asked, judged) in zip(by_words, found, strict=True)
    ]
    return by_words, with_encoder


def source_of(with_encoder: Numbers, by_words: Numbers) -> str:
    """The text of agent/extractive/calibration.py with these numbers."""
    old = Path(calibration.__file__).read_text(encoding="utf-8")
    head, _, rest = old.partition("WITH_ENCODER = ")
    tail = rest[rest.index("NARROW_GAP") :]
    numbers = f"WITH_ENCODER = {_literal(with_encoder)}\nBY_WORDS = {_literal(by_words)}\n"
    return f"{head}{numbers}{tail}"


def _literal(numbers: Numbers) -> str:
    def table(values: dict[str, float]) -> str:
        return "{\n" + "".join(f'        "{name}": {value},\n' for name, value in values.items()) + "    }"

    return (
        f"Numbers(\n    ranks={table(dict(numbers.ranks))},\n    answers={table(dict(numbers.answers))},\n"
        f"    intercept={numbers.intercept},\n    threshold={numbers.threshold},\n)"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Calibrate and write."""
    parser = argparse.ArgumentParser(prog="python -m pincite.evals.calibrate_extractive")
    parser.add_argument("--data", type=Path, required=True, help="folder with squad2_subset and cuad")
    parser.add_argument("--work", type=Path, help="folder for the indexes, kept; default: a temporary one")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as temporary:
        by_words, with_encoder = gather(options.data, options.work or Path(temporary))
    text = source_of(
        fit(with_encoder, (*RANKS, SIMILARITY), (*ANSWERS, SIMILARITY)), fit(by_words, RANKS, ANSWERS)
    )
    Path(calibration.__file__).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
