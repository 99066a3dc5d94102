"""What each part of retrieval is worth: the same two searches for every query, merged in different ways.

`python -m pincite.evals.ablation --data DIR --db DIR` prints the tables of docs/retrieval.md, and with
`--into FILE` puts them between its marks. Indexes are kept in `--db`, so that a run goes on where the last
one ended. Numbers were fitted on the first half of each set in the form of BEIR ("tuned": queries by hash;
for SciFact half of its training questions); the tables are of the others.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite.corpus.chunk import ChunkBudget
from pincite.corpus.encoder import Encoder, load_encoder
from pincite.corpus.index import Index
from pincite.corpus.rows import ChunkHit
from pincite.corpus.scope import Scope
from pincite.evals.ablation_sets import BEIR, NAMES, Half, LabelledSet, read_set
from pincite.evals.bench_index import build_index
from pincite.evals.measures import measure
from pincite.evals.retrieval import Task, units
from pincite.tools.chain import STEP_CANDIDATES, RetrievalSettings
from pincite.tools.fuse import fuse_hybrid, fuse_ranks, fuse_scores
from pincite.tools.mentions import raise_adjacent, raise_exact, raise_mentioned
from pincite.tools.second_step import Search, queries, with_second_step

Merge = Callable[[str, Sequence[ChunkHit], Sequence[ChunkHit], Search], Sequence[ChunkHit]]
MEASURES = ("nDCG@10", "recall@100", "complete@10")
# Sets in one table, so that it can be read.
WIDTH = 7


@dataclass(frozen=True, slots=True)
class Searched:
    """A set's queries with what both searches found for each, and how to search again."""

    task: Task
    keyword: dict[str, list[ChunkHit]]
    vector: dict[str, list[ChunkHit]]
    again: dict[str, Search]


def searched(task: Task, index: Index, encoder: Encoder, candidates: int) -> Searched:
    """Both searches for every query."""

    def again(scope: Scope) -> Search:
        return lambda wanted: index.keyword(wanted, scope, STEP_CANDIDATES)

    found = Searched(task, {}, {}, {})
    for query in task.judged:
        text, scope = task.queries[query], task.scopes.get(query, Scope())
        found.keyword[query] = index.keyword(text, scope, candidates)
        found.vector[query] = index.vector(encoder.encode_query(text), scope, candidates)
        found.again[query] = again(scope)
    return found


def figures(found: Searched, merge: Merge, *, binary: bool = False) -> dict[str, float]:
    """The mean of each measure for one way of merging; `binary` takes every grade as 1."""
    task = found.task
    rankings = {}
    for query in task.judged:
        text, again = task.queries[query], found.again[query]
        merged = merge(text, found.keyword[query], found.vector[query], again)
        rankings[query] = list(units(task, query, merged))
    judgements: dict[str, dict[str, int]] = {
        query: {unit: min(grade, 1) if binary else grade for unit, grade in task.judgements[query].items()}
        for query in task.judged
    }
    values = measure(judgements, rankings, (10, 100))
    return {name: math.fsum(values[name].values()) / len(values[name]) for name in MEASURES}


def ways(candidates: int) -> dict[str, Merge]:
    """Ways of merging, by what the table calls them; the last is what a search does."""

    def linear(alpha: float) -> Merge:
        return lambda _, keyword, vector, again: fuse_scores(keyword, vector, alpha=alpha, limit=candidates)

    def ranks(c: int) -> Merge:
        return lambda _, keyword, vector, again: fuse_ranks([vector, keyword], c=c)

    def hybrid(keyword: Sequence[ChunkHit], vector: Sequence[ChunkHit]) -> list[ChunkHit]:
        return fuse_hybrid(keyword, vector, alpha=RetrievalSettings().fusion_alpha, limit=candidates)

    def adjacent(query: str, keyword: Sequence[ChunkHit], vector: Sequence[ChunkHit]) -> list[ChunkHit]:
        return raise_adjacent(query, hybrid(keyword, vector))

    def stepped(
        query: str, keyword: Sequence[ChunkHit], vector: Sequence[ChunkHit], again: Search
    ) -> list[ChunkHit]:
        first = adjacent(query, keyword, vector)
        found = [(source, named, again(wanted)) for source, named, wanted in queries(query, first)]
        return with_second_step(first, found)

    return {
        "keyword alone": lambda _, keyword, vector, again: keyword,
        "vectors alone": lambda _, keyword, vector, again: vector,
        **{f"reciprocal ranks, c = {c}": ranks(c) for c in (10, 60)},
        **{f"linear, alpha {alpha}": linear(alpha) for alpha in (0.3, 0.4, 0.5, 0.6, 0.7)},
        "with z-scores, sections, weight by query": lambda _, keyword, vector, again: hybrid(keyword, vector),
        "and words side by side": lambda query, keyword, vector, again: adjacent(query, keyword, vector),
        "and titles that the best passages name": lambda query, keyword, vector, again: raise_mentioned(
            adjacent(query, keyword, vector)
        ),
        "and what the first passages name": lambda query, keyword, vector, again: raise_mentioned(
            stepped(query, keyword, vector, again)
        ),
        "and codes and quoted phrases (the default)": lambda query, keyword, vector, again: raise_exact(
            query, raise_mentioned(stepped(query, keyword, vector, again))
        ),
    }


# Cutting and labels, each with an index of its own: (name, target, overlap, label).
CUTS: tuple[tuple[str, ChunkBudget | None, bool], ...] = (
    ("200 word pieces, overlap .15 (the default)", None, True),
    ("without the label", None, False),
    ("100 word pieces", ChunkBudget(target=100), True),
    ("200 word pieces, no overlap", ChunkBudget(overlap=0.0), True),
)


def compare_ways(data: Path, db: Path, names: Sequence[str], half: Half, encoder: Encoder) -> dict[str, Any]:
    """Way of merging -> set -> figures."""
    candidates = RetrievalSettings().candidates
    table: dict[str, Any] = {way: {} for way in ways(candidates)}
    for name in names:
        labelled = read_set(name, data, half)
        index = build_index(labelled.documents, labelled.digest, db, encoder)
        found = searched(labelled.task, index, encoder, candidates)
        for way, merge in ways(candidates).items():
            table[way][name] = figures(found, merge)
            if any(grade > 1 for grades in found.task.judgements.values() for grade in grades.values()):
                table[way][f"{name} (binary)"] = figures(found, merge, binary=True)
    return table


def compare_cuts(data: Path, db: Path, names: Sequence[str], encoder: Encoder) -> dict[str, Any]:
    """Way of cutting -> set -> figures, merged as a search does; each way needs an index of its own."""
    candidates = RetrievalSettings().candidates
    *_, default = ways(candidates).values()
    sets: dict[str, LabelledSet] = {name: read_set(name, data, "held") for name in names}
    table: dict[str, Any] = {}
    for cut, budget, label in CUTS:
        table[cut] = {}
        for name, one in sets.items():
            index = build_index(one.documents, one.digest, db, encoder, budget=budget, label=label)
            table[cut][name] = figures(searched(one.task, index, encoder, candidates), default)
    return table


def markdown(table: dict[str, Any]) -> str:
    """The table as markdown: nDCG@10, recall@100, and all that is relevant within ten."""
    sets = list(next(iter(table.values())))
    parts = []
    for first in range(0, len(sets), WIDTH):
        names = sets[first : first + WIDTH]
        lines = ["| | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
        for way, by_set in table.items():
            cells = [
                " / ".join(f"{by_set[name][measure]:.3f}".removeprefix("0") for measure in MEASURES)
                for name in names
            ]
            lines.append(f"| {way} | " + " | ".join(cells) + " |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


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
    parser.add_argument("--set", dest="sets", action="append", choices=NAMES)
    parser.add_argument("--half", choices=("tuned", "held"), default="held")
    parser.add_argument("--cuts", action="store_true", help="compare ways of cutting instead of merging")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--into", type=Path, help="a page with marks, such as docs/retrieval.md")
    options = parser.parse_args(arguments)
    names = options.sets or list(BEIR if options.half == "tuned" else NAMES)
    encoder = load_encoder()
    if options.cuts:
        table = compare_cuts(options.data, options.db, names, encoder)
    else:
        table = compare_ways(options.data, options.db, names, options.half, encoder)
    if options.into is not None:
        page = options.into.read_text(encoding="utf-8")
        mark = "cuts" if options.cuts else "ways"
        options.into.write_text(put_into(page, mark, markdown(table)), encoding="utf-8")
    sys.stdout.write((json.dumps(table, indent=1) if options.json else markdown(table)) + "\n")


if __name__ == "__main__":
    main()
