"""What each part of retrieval is worth: tables for docs/retrieval.md.

`python -m pincite.evals.ablation --data DIR --db DIR` prints a table, and with `--into FILE` puts it between
its marks there. `--ways` (the default) merges the same two searches of every query differently, `--cuts`
cuts and labels the documents differently, `--passages` shows more or less around what was found. Indexes are
kept in `--db`, so that a run goes on where the last one ended.

Numbers were fitted on one half of five sets in the form of BEIR ("tuned": queries by hash; of SciFact half of
its training questions); the tables are of the other halves, and of sets that nothing was fitted on.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from statistics import fmean

from pincite.corpus.encoder import load_encoder
from pincite.evals.ablation_cuts import compare_labelled, compare_placed
from pincite.evals.ablation_passages import BUDGETS, compare_readings
from pincite.evals.ablation_place_sets import PLACED, labelled_set, own_documents, placed_set
from pincite.evals.ablation_sets import BEIR, NAMES
from pincite.evals.ablation_ways import BINARY, MEASURES, Figures, FullEncoder, compare_ways
from pincite.evals.progress import Tell, told_on_stderr

OWN = "sample corpus"
WAYS = (*NAMES, "CUAD")
# Sets whose documents are short: cutting hardly matters there, the label may.
CUTS = ("Cranfield", "HotpotQA-100", "MuSiQue-100", "XQuAD en", *PLACED)
PASSAGES = (*PLACED, "HotpotQA-100", "MuSiQue-100")
FOREIGN = ("XQuAD de", "XQuAD zh", "XQuAD ar")
# Sets in one table, so that it can be read.
WIDTH = 7


def tables(
    options: argparse.Namespace, names: Sequence[str], encoder: FullEncoder, tell: Tell
) -> dict[str, Figures]:
    """What a cell holds -> the table: one for each kind of measure."""
    data, db = options.data, options.db
    ranking = " / ".join(MEASURES)
    if options.what == "ways":
        sets = {name: labelled_set(name, data, options.half) for name in names}
        table = compare_ways(sets, db, encoder, tell)
        return {ranking: table, f"mean {MEASURES[0]} of these sets": averaged(table)}
    placed = {name: placed_set(name, data) for name in names if options.what == "passages" or name in PLACED}
    if options.own is not None:
        placed[OWN] = own_documents(options.own)
    shown = f"places shown within {' / '.join(f'{budget:,}' for budget in BUDGETS)} tokens"
    if options.what == "passages":
        return {shown: compare_readings(placed, db, encoder, tell)}
    labelled = {name: labelled_set(name, data, "held") for name in names if name not in PLACED}
    return {
        ranking: compare_labelled(labelled, db, encoder, tell),
        shown: compare_placed(placed, db, encoder, tell),
    }


def averaged(table: Figures) -> Figures:
    """The mean of the first measure over all sets and over those in English, each set counting alike."""
    found: Figures = {}
    for row, by_set in table.items():
        every = {name: cell[0] for name, cell in by_set.items() if not name.endswith(BINARY)}
        english = {name: value for name, value in every.items() if name not in FOREIGN}
        found[row] = {
            f"{what} ({len(some)})": (fmean(some.values()),)
            for what, some in (("all", every), ("in English", english))
            if some
        }
    return found


def markdown(table: Figures) -> str:
    """The table as markdown; more than `WIDTH` sets are parted by kind."""
    sets = list(next(iter(table.values())))
    kinds = [list(names) for _, names in groupby(sets, key=_kind)] if len(sets) > WIDTH else [sets]
    parts = []
    for names in kinds:
        lines = ["| | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
        for row, by_set in table.items():
            cells = [" / ".join(f"{value:.3f}".removeprefix("0") for value in by_set[name]) for name in names]
            lines.append(f"| {row} | " + " | ".join(cells) + " |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _kind(name: str) -> str:
    if name.removesuffix(BINARY) in BEIR:
        return "BEIR"
    return "languages" if name.startswith("XQuAD") else "other"


def written(found: dict[str, Figures]) -> str:
    """Every table under a line that says what its cells hold."""
    return "\n\n".join(
        f"{what}:\n\n{markdown(table)}" for what, table in found.items() if any(table.values())
    )


def put_into(page: str, mark: str, text: str) -> str:
    """The page with the text between `<!-- ablation: MARK -->` and `<!-- end -->`; ValueError without."""
    pattern = re.compile(rf"(<!-- ablation: {re.escape(mark)} -->\n).*?(<!-- end -->)", re.DOTALL)
    replaced, count = pattern.subn(lambda found: f"{found[1]}\n{text}\n\n{found[2]}", page)
    if count != 1:
        raise ValueError(f"the page has {count} places for {mark}")
    return replaced


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m pincite.evals.ablation", description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--db", type=Path, required=True, help="where the indexes are kept")
    what = parser.add_mutually_exclusive_group()
    for name, about in (
        ("ways", "compare ways of merging (default)"),
        ("cuts", "compare ways of cutting: chunk sizes, overlap, labels"),
        ("passages", "compare what is shown: one hit per section or more, and how much around it"),
    ):
        what.add_argument(f"--{name}", dest="what", action="store_const", const=name, help=about)
    parser.add_argument("--set", dest="sets", action="append", choices=[*NAMES, *PLACED])
    parser.add_argument(
        "--own", type=Path, help="a folder with corpus/ and questions.jsonl, such as examples"
    )
    parser.add_argument("--half", choices=("tuned", "held"), default="held", help="for --ways")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--into", type=Path, help="a page with marks, such as docs/retrieval.md")
    parser.set_defaults(what="ways")
    options = parser.parse_args(arguments)
    every = {"ways": BEIR if options.half == "tuned" else WAYS, "cuts": CUTS, "passages": PASSAGES}
    unfitted = [name for name in options.sets or () if options.half == "tuned" and name not in BEIR]
    if unfitted:
        parser.error(f"nothing was fitted on {', '.join(unfitted)}: there is no such half")
    with told_on_stderr() as tell:
        found = tables(options, options.sets or list(every[options.what]), load_encoder(), tell)
    if options.into is not None:
        page = options.into.read_text(encoding="utf-8")
        options.into.write_text(put_into(page, options.what, written(found)), encoding="utf-8")
    sys.stdout.write((json.dumps(found, indent=1) if options.json else written(found)) + "\n")


if __name__ == "__main__":
    main()
