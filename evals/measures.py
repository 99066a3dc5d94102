"""Ranking measures per query and over all of them, with intervals and paired comparisons.

The measures are those of trec_eval through ir-measures; intervals and tests are SciPy's. Both come with the
`eval` extra.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from pincite.errors import NothingUsableError

Unit = str | tuple[str, ...]
"""What one result counts as: a name, or all of several, each of them judged by itself."""
Judgements = Mapping[str, Mapping[str, int]]
Rankings = Mapping[str, Sequence[Unit]]
PerQuery = dict[str, dict[str, float]]
"""Measure -> query -> value."""

CUTOFFS = (1, 3, 5, 10, 20, 100)
RESAMPLES = 2_000
CONFIDENCE = 0.95
SEED = 20_261_130


def library(name: str) -> ModuleType:
    """A package of the `eval` extra. Raises NothingUsableError that says how to get it."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise NothingUsableError(
            f"evaluation needs the package {name.partition('.')[0]}",
            code="extra_missing",
            hint="install it with: pip install 'pincite[eval]'",
        ) from error


def measure(judgements: Judgements, rankings: Rankings, cutoffs: Iterable[int] = CUTOFFS) -> PerQuery:
    """Every measure for every query that has something relevant; a query without a ranking gets 0.

    `precision@k` divides by k, also where fewer were returned; `precision_of_returned@k` by how many were
    returned, at most k (0 for none). `hit@k`: something relevant is among the first k, `complete@k`:
    everything relevant is. `MRR`, `MAP`: over the whole ranking. nDCG takes the grades as gains. For nDCG
    and MAP a result that counts as several stands there as that many, one behind the other; k results are
    k results for everything else.
    """
    ir = library("ir_measures")
    judged = {query: grades for query, grades in judgements.items() if any(g > 0 for g in grades.values())}
    ks = sorted(set(cutoffs))
    names = {ir.RR: "MRR", ir.AP: "MAP"}
    for k in ks:
        names |= {
            ir.nDCG @ k: f"nDCG@{k}",
            ir.P @ k: f"precision@{k}",
            ir.R @ k: f"recall@{k}",
            ir.Success @ k: f"hit@{k}",
        }
    found: PerQuery = {name: dict.fromkeys(judged, 0.0) for name in names.values()}
    # trec_eval orders by score: ranks become scores, so that the order given is the order measured.
    shown = {query: [*results(rankings.get(query, ())).values()] for query in judged}
    singles = {query: [unit for result in one for unit in result] for query, one in shown.items()}
    runs = {
        query: {unit: float(len(one) - rank) for rank, unit in enumerate(one)}
        for query, one in singles.items()
        if one
    }
    if runs:
        qrels = {query: dict(grades) for query, grades in judged.items()}
        for value in ir.iter_calc(list(names), qrels, runs):
            found[names[value.measure]][value.query_id] = float(value.value)
    for query, grades in judged.items():
        several = len(singles[query]) > len(shown[query])
        for k in ks:
            first = shown[query][:k]
            found.setdefault(f"precision_of_returned@{k}", {})[query] = precision_of_returned(grades, first)
            there = _relevant(grades) & {unit for result in first for unit in result}
            found.setdefault(f"complete@{k}", {})[query] = float(there == _relevant(grades))
            if several:
                found[f"precision@{k}"][query] = precision_of_returned(grades, first) * len(first) / k
                found[f"recall@{k}"][query] = len(there) / len(_relevant(grades))
                found[f"hit@{k}"][query] = float(bool(there))
    return found


def results(ranking: Iterable[Unit]) -> dict[Unit, tuple[str, ...]]:
    """Each result with what it is the first to count as; one that brings nothing new is left out."""
    seen: set[str] = set()
    found: dict[Unit, tuple[str, ...]] = {}
    for unit in ranking:
        new = tuple(one for one in ((unit,) if isinstance(unit, str) else unit) if one not in seen)
        if new:
            seen.update(new)
            found[unit] = new
    return found


def precision_of_returned(grades: Mapping[str, int], returned: Sequence[Unit]) -> float:
    """The share of what was returned that is relevant; 0 when nothing was returned."""
    return sum(gain(grades, unit) > 0 for unit in returned) / len(returned) if returned else 0.0


def gain(grades: Mapping[str, int], unit: Unit) -> int:
    """The highest grade of what a result counts as; 0 for what nobody judged."""
    return max((grades.get(one, 0) for one in ((unit,) if isinstance(unit, str) else unit)), default=0)


def _relevant(grades: Mapping[str, int]) -> set[str]:
    return {unit for unit, grade in grades.items() if grade > 0}


def means(values: PerQuery) -> dict[str, float]:
    """The mean of each measure over its queries, to four places; none where there is no query."""
    return {name: round(float(np.mean(list(one.values()))), 4) for name, one in values.items() if one}


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The 95 % percentile bootstrap interval of the mean over queries."""
    if len(values) < 2 or min(values) == max(values):
        mean = round(float(np.mean(values)), 4) if values else 0.0
        return (mean, mean)
    found = library("scipy.stats").bootstrap(
        (np.asarray(values, dtype=float),),
        np.mean,
        n_resamples=RESAMPLES,
        confidence_level=CONFIDENCE,
        method="percentile",
        rng=np.random.default_rng(SEED),
    )
    low, high = found.confidence_interval
    return (round(float(low), 4), round(float(high), 4))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs over the queries that both have: `difference` is the second's mean minus the first's.

    `p` is that of a paired permutation test (signs of the differences, two-sided), `low` and `high` the
    95 % bootstrap interval of the difference.
    """

    measure: str
    queries: int
    first: float
    second: float
    difference: float
    low: float
    high: float
    p: float
    better: int
    worse: int


def compare(measure_name: str, first: Mapping[str, float], second: Mapping[str, float]) -> Comparison:
    """The paired comparison of one measure. Raises NothingUsableError when no query is in both."""
    queries = sorted(set(first) & set(second))
    if not queries:
        raise NothingUsableError(
            "the two runs have no query in common", hint="compare runs over the same data"
        )
    one = np.asarray([first[query] for query in queries])
    two = np.asarray([second[query] for query in queries])
    difference = two - one
    p = 1.0
    if len(queries) > 1 and bool(difference.any()):
        test = library("scipy.stats").permutation_test(
            (one, two),
            lambda a, b, axis: np.mean(b - a, axis=axis),
            permutation_type="samples",
            vectorized=True,
            n_resamples=RESAMPLES,
            rng=np.random.default_rng(SEED),
        )
        p = float(test.pvalue)
    low, high = interval([float(value) for value in difference])
    return Comparison(
        measure=measure_name,
        queries=len(queries),
        first=round(float(one.mean()), 4),
        second=round(float(two.mean()), 4),
        difference=round(float(difference.mean()), 4),
        low=low,
        high=high,
        p=round(p, 4),
        better=int((difference > 0).sum()),
        worse=int((difference < 0).sum()),
    )
