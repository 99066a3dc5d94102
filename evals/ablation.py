"""What each part of retrieval is worth: the same two searches for every query, merged in different ways.

`python -m pincite.evals.ablation --data DIR --db DIR` prints the tables of docs/retrieval.md. DIR holds data
sets in the form of BEIR, in folders as `SETS` names them. Numbers were fitted on the first half of each
set ("tuned": queries by hash; for SciFact half of its training questions); the tables are of the others.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from pincite.corpus.chunk import ChunkBudget
from pincite.corpus.encoder import Encoder, load_encoder
from pincite.corpus.index import Index
from pincite.corpus.rows import ChunkHit
from pincite.corpus.scope import Scope
from pincite.evals.beir import BeirSet, read_beir
from pincite.evals.bench_index import build_index
from pincite.evals.measures import measure
from pincite.evals.retrieval import Task, beir_task, units
from pincite.tools.chain import RetrievalSettings
from pincite.tools.fuse import fuse_hybrid, fuse_ranks, fuse_scores
from pincite.tools.mentions import raise_exact, raise_mentioned

Half = Literal["tuned", "held"]
Merge = Callable[[str, Sequence[ChunkHit], Sequence[ChunkHit]], Sequence[ChunkHit]]
MEASURES = ("nDCG@10", "recall@100", "complete@10")

# Folder below the data, judgements, and whether its queries are split in two.
SETS: dict[str, tuple[str, str, str]] = {
    "SciFact": ("scifact/derived_beir", "train", "test"),
    "Cranfield": ("cranfield/derived_beir", "test", "test"),
    "CISI": ("cisi/derived_beir", "test", "test"),
    "HotpotQA-100": ("hipporag_multihop/hotpotqa_train100/derived_beir", "test", "test"),
    "MuSiQue-100": ("hipporag_multihop/musique_train100/derived_beir", "test", "test"),
    "SQuAD2": ("squad2_subset/derived_beir", "test", "test"),
}


def first_half(query: str) -> bool:
    """Whether numbers were fitted on this query."""
    return int(hashlib.sha256(query.encode()).hexdigest(), 16) % 2 == 0


@dataclass(frozen=True, slots=True)
class Searched:
    """A set's queries with what both searches found for each."""

    task: Task
    keyword: dict[str, list[ChunkHit]]
    vector: dict[str, list[ChunkHit]]


def chosen(data: BeirSet, half: Half, *, split_in_two: bool) -> Task:
    """The queries of one half; all of them where the set has a file of its own for fitting."""
    task = beir_task(data)
    if not split_in_two and half == "held":
        return task
    keep = {query for query in task.queries if first_half(query) == (half == "tuned")}
    return replace(
        task,
        queries={query: text for query, text in task.queries.items() if query in keep},
        judgements={query: grades for query, grades in task.judgements.items() if query in keep},
    )


def searched(task: Task, index: Index, encoder: Encoder, candidates: int) -> Searched:
    """Both searches for every query."""
    scope = Scope()
    keyword = {query: index.keyword(task.queries[query], scope, candidates) for query in task.judged}
    vector = {
        query: index.vector(encoder.encode_query(task.queries[query]), scope, candidates)
        for query in task.judged
    }
    return Searched(task, keyword, vector)


def figures(found: Searched, merge: Merge, *, binary: bool = False) -> dict[str, float]:
    """The mean of each measure for one way of merging; `binary` takes every grade as 1."""
    task = found.task
    rankings = {
        query: list(units(task, query, merge(task.queries[query], found.keyword[query], found.vector[query])))
        for query in task.judged
    }
    judgements: dict[str, dict[str, int]] = {
        query: {unit: min(grade, 1) if binary else grade for unit, grade in task.judgements[query].items()}
        for query in task.judged
    }
    values = measure(judgements, rankings, (10, 100))
    return {name: math.fsum(values[name].values()) / len(values[name]) for name in MEASURES}


def ways(candidates: int) -> dict[str, Merge]:
    """Ways of merging, by what the table calls them; the last is what a search does."""

    def linear(alpha: float) -> Merge:
        return lambda _, keyword, vector: fuse_scores(keyword, vector, alpha=alpha, limit=candidates)

    def ranks(c: int) -> Merge:
        return lambda _, keyword, vector: fuse_ranks([vector, keyword], c=c)

    def hybrid(keyword: Sequence[ChunkHit], vector: Sequence[ChunkHit]) -> list[ChunkHit]:
        return fuse_hybrid(keyword, vector, alpha=RetrievalSettings().fusion_alpha, limit=candidates)

    return {
        "keyword alone": lambda _, keyword, vector: keyword,
        "vectors alone": lambda _, keyword, vector: vector,
        **{f"reciprocal ranks, c = {c}": ranks(c) for c in (10, 60)},
        **{f"linear, alpha {alpha}": linear(alpha) for alpha in (0.3, 0.4, 0.5, 0.6, 0.7)},
        "with z-scores, sections, weight by query": lambda _, keyword, vector: hybrid(keyword, vector),
        "and titles that the best passages name": lambda _, keyword, vector: raise_mentioned(
            hybrid(keyword, vector)
        ),
        "and codes and quoted phrases (the default)": lambda query, keyword, vector: raise_exact(
            query, raise_mentioned(hybrid(keyword, vector))
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
        folder, tuned, held = SETS[name]
        read = read_beir(data / folder, tuned if half == "tuned" else held)
        index = build_index(read.documents(), read.digest, db, encoder)
        found = searched(chosen(read, half, split_in_two=tuned == held), index, encoder, candidates)
        for way, merge in ways(candidates).items():
            table[way][name] = figures(found, merge)
            if any(grade > 1 for grades in found.task.judgements.values() for grade in grades.values()):
                table[way][f"{name} (binary)"] = figures(found, merge, binary=True)
    return table


def compare_cuts(data: Path, db: Path, names: Sequence[str], encoder: Encoder) -> dict[str, Any]:
    """Way of cutting -> set -> figures, merged as a search does; each way needs an index of its own."""
    candidates = RetrievalSettings().candidates
    *_, default = ways(candidates).values()
    table: dict[str, Any] = {}
    for cut, budget, label in CUTS:
        table[cut] = {}
        for name in names:
            folder, tuned, held = SETS[name]
            read = read_beir(data / folder, held)
            index = build_index(read.documents(), read.digest, db, encoder, budget=budget, label=label)
            task = chosen(read, "held", split_in_two=tuned == held)
            table[cut][name] = figures(searched(task, index, encoder, candidates), default)
    return table


def markdown(table: dict[str, Any]) -> str:
    """The table as markdown: nDCG@10, recall@100, and all that is relevant within ten."""
    sets = list(next(iter(table.values())))
    lines = ["| | " + " | ".join(sets) + " |", "|---" * (len(sets) + 1) + "|"]
    for way, by_set in table.items():
        cells = [
            " / ".join(f"{by_set[name][measure]:.3f}".lstrip("0") for measure in MEASURES) for name in sets
        ]
        lines.append(f"| {way} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m pincite.evals.ablation", description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--db", type=Path, required=True, help="where the indexes are kept")
    parser.add_argument("--set", dest="sets", action="append", choices=list(SETS))
    parser.add_argument("--half", choices=("tuned", "held"), default="held")
    parser.add_argument("--cuts", action="store_true", help="compare ways of cutting instead of merging")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    names = options.sets or list(SETS)
    encoder = load_encoder()
    if options.cuts:
        table = compare_cuts(options.data, options.db, names, encoder)
    else:
        table = compare_ways(options.data, options.db, names, options.half, encoder)
    sys.stdout.write((json.dumps(table, indent=1) if options.json else markdown(table)) + "\n")


if __name__ == "__main__":
    main()
