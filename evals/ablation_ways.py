"""Ways of merging two searches, each over the same hits of every query."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pincite.corpus.encoder_source import SyncEncoder
from pincite.corpus.index import Index
from pincite.corpus.rows import ChunkHit
from pincite.corpus.scope import Scope
from pincite.evals.ablation_sets import LabelledSet
from pincite.evals.bench_index import build_index
from pincite.evals.measures import measure
from pincite.evals.progress import Tell
from pincite.evals.retrieval import Task, units
from pincite.tools.chain import STEP_CANDIDATES, RetrievalSettings
from pincite.tools.fuse import FLAT_WEIGHT, SECTION_SHARE, Z_WEIGHT, fuse_hybrid, fuse_ranks, fuse_scores
from pincite.tools.mentions import raise_adjacent, raise_exact, raise_mentioned
from pincite.tools.second_step import Search, queries, with_second_step
from pincite.tools.sources import QueryEncoder

Merge = Callable[[str, Sequence[ChunkHit], Sequence[ChunkHit], Search], Sequence[ChunkHit]]
Figures = dict[str, dict[str, tuple[float, ...]]]
"""Row -> set -> the numbers of a cell."""


class FullEncoder(SyncEncoder, QueryEncoder, Protocol):
    """Encodes documents and queries."""


BINARY = " (binary)"
MEASURES = ("nDCG@10", "recall@100", "complete@10")


@dataclass(frozen=True, slots=True)
class Searched:
    """A set's queries with what both searches found for each, and how to search again."""

    task: Task
    keyword: dict[str, list[ChunkHit]]
    vector: dict[str, list[ChunkHit]]
    again: dict[str, Search]


def searched(task: Task, index: Index, encoder: FullEncoder, tell: Tell) -> Searched:
    """Both searches for every query, as wide as a search is."""
    candidates = RetrievalSettings().candidates

    def again(scope: Scope) -> Search:
        return lambda wanted: index.keyword(wanted, scope, STEP_CANDIDATES)

    found = Searched(task, {}, {}, {})
    for done, query in enumerate(task.judged):
        tell("searching", done, len(task.judged))
        text, scope = task.queries[query], task.scopes.get(query, Scope())
        found.keyword[query] = index.keyword(text, scope, candidates)
        found.vector[query] = index.vector(encoder.encode_query(text), scope, candidates)
        found.again[query] = again(scope)
    return found


def rankings(found: Searched, merge: Merge) -> dict[str, Sequence[ChunkHit]]:
    """What one way of merging makes of every query's hits."""
    return {
        query: merge(found.task.queries[query], found.keyword[query], found.vector[query], found.again[query])
        for query in found.task.judged
    }


def figures(
    task: Task, merged: Mapping[str, Sequence[ChunkHit]], *, binary: bool = False
) -> tuple[float, ...]:
    """The mean of each of `MEASURES`; `binary` takes every grade as 1."""
    judgements = {
        query: {unit: min(grade, 1) if binary else grade for unit, grade in task.judgements[query].items()}
        for query in task.judged
    }
    values = measure(
        judgements, {query: list(units(task, query, hits)) for query, hits in merged.items()}, (10, 100)
    )
    return tuple(math.fsum(values[name].values()) / len(values[name]) for name in MEASURES)


def default_way() -> Merge:
    """What a search does."""
    *_, default = ways().values()
    return default


def ways() -> dict[str, Merge]:
    """Ways of merging, by what the table calls them; the last is what a search does."""
    candidates, alpha = RetrievalSettings().candidates, RetrievalSettings().fusion_alpha

    def linear(share: float) -> Merge:
        return lambda _, keyword, vector, again: fuse_scores(keyword, vector, alpha=share, limit=candidates)

    def ranks(c: int) -> Merge:
        return lambda _, keyword, vector, again: fuse_ranks([vector, keyword], c=c)

    def only(z_weight: float = 0.0, section_share: float = 0.0, flat_weight: float = 0.0) -> Merge:
        return lambda _, keyword, vector, again: fuse_hybrid(
            keyword,
            vector,
            alpha=alpha,
            limit=candidates,
            z_weight=z_weight,
            section_share=section_share,
            flat_weight=flat_weight,
        )

    def hybrid(keyword: Sequence[ChunkHit], vector: Sequence[ChunkHit]) -> list[ChunkHit]:
        return fuse_hybrid(keyword, vector, alpha=alpha, limit=candidates)

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
        **{f"linear, alpha {share}": linear(share) for share in (0.3, 0.4, 0.5, 0.6, 0.7)},
        f"{alpha} and z-scores": only(z_weight=Z_WEIGHT),
        f"{alpha} and sections": only(section_share=SECTION_SHARE),
        f"{alpha} and weight by query": only(flat_weight=FLAT_WEIGHT),
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


def compare_ways(sets: Mapping[str, LabelledSet], db: Path, encoder: FullEncoder, tell: Tell) -> Figures:
    """Way of merging -> set -> the means of `MEASURES`."""
    table: Figures = {way: {} for way in ways()}
    for name, one in sets.items():
        index = build_index(one.documents, one.digest, db, encoder, progress=below(name, tell))
        found = searched(one.task, index, encoder, below(name, tell))
        graded = any(grade > 1 for grades in one.task.judgements.values() for grade in grades.values())
        for done, (way, merge) in enumerate(ways().items()):
            tell(f"{name}: merging", done, len(table))
            merged = rankings(found, merge)
            table[way][name] = figures(one.task, merged)
            if graded:
                table[way][f"{name}{BINARY}"] = figures(one.task, merged, binary=True)
    return table


def below(name: str, tell: Tell) -> Tell:
    """Tells what is done as a part of `name`."""
    return lambda what, done, total: tell(f"{name}: {what}", done, total)
