"""Measures the offline mode on labelled questions and says what it does wrong.

    python -m pincite.evals.extractive --data DIR [--work DIR] [--set NAME] [--limit N]

DIR holds the folders squad2_subset, cuad and xquad. Only the held half of each set is asked: the other half
is what the numbers in agent/extractive/calibration.py were chosen on.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

from pincite.errors import PinciteError
from pincite.evals.answer_metrics import Outcome, summary
from pincite.evals.extractive_runs import Bench, TimedEncoder, load_timed_encoder
from pincite.evals.extractive_sets import CALIBRATED, SETS, Case, QuestionSet

# In these sets a labelled span is a clause, of which a quote of 25 words is a part; elsewhere a short answer.
PARTS_OF_A_CLAUSE = frozenset({"cuad"})


def measure(
    questions: QuestionSet, work: Path, encoder: TimedEncoder | None, limit: int | None
) -> dict[str, float | int | str]:
    """The figures of one set's held half; with `limit` of about that many questions, evenly spread."""
    bench = Bench(questions, work, encoder)
    bench.retriever.prepare()
    cases = _thinned([case for case in questions.cases if case.half == "held"], limit)
    encoding = encoder.seconds if encoder else 0.0
    outcomes: list[Outcome] = []
    whole = questions.name not in PARTS_OF_A_CLAUSE
    for case in track(cases, questions.name, console=Console(stderr=True), disable=not sys.stderr.isatty()):
        started = time.perf_counter()
        answer = bench.ask(case)
        seconds = time.perf_counter() - started
        outcomes.append(bench.outcome(case, answer, whole=whole, seconds=seconds))
    spent = (encoder.seconds - encoding) / max(1, len(cases)) if encoder else 0.0
    return {"set": questions.name, **summary(outcomes), "encoder_seconds_mean": round(spent, 4)}


def _thinned(cases: Sequence[Case], limit: int | None) -> list[Case]:
    step = max(1, -(-len(cases) // limit)) if limit else 1
    return list(cases[::step])


def _table(rows: Sequence[dict[str, float | int | str]]) -> Table:
    table = Table("figure", *(str(row["set"]) for row in rows))
    for name in rows[0]:
        if name != "set":
            table.add_row(name, *(str(row[name]) for row in rows))
    return table


def main() -> int:
    """Measure the named sets and print the figures."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--data", type=Path, required=True, help="the folder of the data sets")
    options.add_argument("--work", type=Path, help="where the indexes are kept; default: a temporary folder")
    options.add_argument("--set", action="append", choices=sorted(SETS), help="may be given again")
    options.add_argument("--limit", type=int, help="about this many questions of each set")
    options.add_argument("--no-vectors", action="store_true", help="keyword search and words only")
    options.add_argument("--json", action="store_true", help="the figures as JSON")
    asked = options.parse_args()
    keep = nullcontext(str(asked.work)) if asked.work else tempfile.TemporaryDirectory()
    try:
        with keep as name:
            work = Path(name)
            work.mkdir(parents=True, exist_ok=True)
            encoder = None if asked.no_vectors else load_timed_encoder()
            rows = [
                measure(SETS[name](asked.data, work), work, encoder, asked.limit)
                for name in asked.set or CALIBRATED
            ]
    except PinciteError as error:
        print(f"{error.message} ({error.hint})", file=sys.stderr)  # noqa: T201
        return error.exit_code
    except FileNotFoundError as error:
        print(f"the data set is not there: {error.filename}", file=sys.stderr)  # noqa: T201
        return 3
    if asked.json:
        print(json.dumps(rows, indent=2))  # noqa: T201
    else:
        Console().print(_table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
