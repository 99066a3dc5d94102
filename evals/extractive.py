"""Measures the offline mode on labelled questions, through sync, tools, loop and check.

Run with `python -m pincite.evals.extractive --data DIR` (squad2_subset and cuad, the halves that nothing was
calibrated on), and with `--questions FILE --corpus DIR` for a file of questions over a folder of one's own.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pincite.agent.answer import Answer
from pincite.evals.answer_metrics import Outcome, summary
from pincite.evals.extractive_runs import Bench, TimedEncoder, load_timed_encoder
from pincite.evals.extractive_sets import CALIBRATED, SETS, Case, QuestionSet, own_questions

Figures = dict[str, float | int]


def measure(
    questions: QuestionSet,
    cases: Sequence[Case],
    work: Path,
    encoder: TimedEncoder | None,
    tell: Callable[[Case, Answer, Outcome], None],
) -> Figures:
    """Ask every case and sum up; `encoder_seconds_mean` is the encoder's part of a question's seconds."""
    bench = Bench(questions, work, encoder)
    if cases:
        bench.ask(cases[0])  # loads what is loaded once
    before = encoder.seconds if encoder else 0.0
    outcomes = []
    for case in cases:
        started = time.perf_counter()
        answer = bench.ask(case)
        seconds = time.perf_counter() - started
        outcomes.append(bench.outcome(case, answer, seconds))
        tell(case, answer, outcomes[-1])
    figures = summary(outcomes)
    if encoder and outcomes:
        figures["encoder_seconds_mean"] = round((encoder.seconds - before) / len(outcomes), 4)
    return figures


def chosen(cases: Sequence[Case], half: str, limit: int | None) -> list[Case]:
    """The cases of a half ("all" for both), at most `limit` of them, taken evenly."""
    kept = [case for case in cases if half in ("all", case.half)]
    if limit is None or limit >= len(kept):
        return kept
    return [kept[at * len(kept) // limit] for at in range(limit)]


def described(case: Case, answer: Answer, outcome: Outcome) -> dict[str, Any]:
    """One question as a line of JSON: what was asked, what would be right, what came."""
    return {
        "question": case.question,
        "document": case.document,
        "gold": list(case.gold),
        "status": outcome.status,
        "hit": outcome.hit,
        "f1": round(outcome.f1, 3),
        "seconds": round(outcome.seconds, 3),
        "statements": [
            {"text": statement.text, "quotes": [citation.quote for citation in statement.citations]}
            for statement in answer.statements
        ],
        "unanswered": list(answer.unanswered),
    }


def _table(results: dict[str, Figures]) -> str:
    names = list(results)
    rows = list(dict.fromkeys(key for figures in results.values() for key in figures))
    lines = [f"{'':26}" + "".join(f"{name:>12}" for name in names)]
    for row in rows:
        cells = [results[name].get(row, "") for name in names]
        lines.append(f"{row:26}" + "".join(f"{_cell(cell):>12}" for cell in cells))
    return "\n".join(lines)


def _cell(value: float | int | str) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m pincite.evals.extractive", description=__doc__)
    parser.add_argument("--data", type=Path, help="folder that holds squad2_subset, cuad and xquad")
    parser.add_argument(
        "--set", dest="sets", action="append", choices=sorted(SETS), help="default: squad2, cuad"
    )
    parser.add_argument("--half", choices=("held", "calibration", "all"), default="held")
    parser.add_argument("--questions", type=Path, help="questions of one's own, JSON lines as in examples/")
    parser.add_argument("--corpus", type=Path, help="the folder that they are about")
    parser.add_argument("--limit", type=int, help="ask only so many of each set, evenly taken")
    parser.add_argument("--keyword", action="store_true", help="without the encoder")
    parser.add_argument("--work", type=Path, help="folder for indexes, kept; default: a temporary one")
    parser.add_argument("--details", type=Path, help="write each question and its answer to this file")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args(arguments)
    if (options.questions is None) != (options.corpus is None):
        parser.error("--questions and --corpus go together")
    if options.data is None and options.questions is None:
        parser.error("nothing to measure: give --data, or --questions with --corpus")
    return options


@contextmanager
def _folder(kept: Path | None) -> Iterator[Path]:
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept
        return
    with tempfile.TemporaryDirectory() as temporary:
        yield Path(temporary)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    options = _options(arguments)
    encoder = None if options.keyword else load_timed_encoder()
    details: list[dict[str, Any]] = []

    def tell(case: Case, answer: Answer, outcome: Outcome) -> None:
        details.append(described(case, answer, outcome))

    results: dict[str, Figures] = {}
    with _folder(options.work) as work:
        asked: list[QuestionSet] = []
        if options.data is not None:
            asked += [SETS[name](options.data, work) for name in options.sets or CALIBRATED]
        if options.questions is not None:
            asked.append(own_questions(options.questions, options.corpus))
        for questions in asked:
            half = options.half if questions.name in CALIBRATED else "all"
            cases = chosen(questions.cases, half, options.limit)
            results[questions.name] = measure(questions, cases, work, encoder, tell)
    if options.details is not None:
        lines = (json.dumps(entry, ensure_ascii=False) + "\n" for entry in details)
        options.details.write_text("".join(lines), encoding="utf-8")
    text = json.dumps(results, indent=2) if options.json else _table(results)
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    main()
