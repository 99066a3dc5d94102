"""Each query of an evaluation by itself, and the means by kind of question."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence

from pincite.evals.measures import Judgements, Unit, gain, measure, results
from pincite.evals.report import QueryReport

# So many results of a query are kept with their scores.
_SCORES = 30


def labels(grades: Mapping[str, int]) -> str:
    """What tells a query's labels from any others."""
    return hashlib.sha256(json.dumps(sorted(grades.items())).encode()).hexdigest()[:16]


def query_reports(
    texts: Mapping[str, str],
    judgements: Judgements,
    rankings: Mapping[str, Mapping[Unit, float]],
    cutoffs: Sequence[int],
) -> tuple[QueryReport, ...]:
    """A report of every judged query, from its results with their scores."""
    values = measure(judgements, {query: list(ranking) for query, ranking in rankings.items()}, cutoffs)
    return tuple(
        _report(
            query,
            texts[query],
            grades,
            rankings.get(query, {}),
            {name: round(one[query], 4) for name, one in values.items()},
        )
        for query, grades in judgements.items()
    )


def _report(
    query: str,
    text: str,
    grades: Mapping[str, int],
    ranking: Mapping[Unit, float],
    metrics: dict[str, float],
) -> QueryReport:
    shown = results(ranking)
    return QueryReport(
        id=query,
        text=text,
        relevant=sum(grade > 0 for grade in grades.values()),
        metrics=metrics,
        ranks=tuple(
            rank for rank, units in enumerate(shown.values(), 1) for unit in units if gain(grades, unit) > 0
        ),
        scores=tuple(
            (round(ranking[result], 4), gain(grades, units) > 0)
            for result, units in [*shown.items()][:_SCORES]
        ),
        labels=labels(grades),
    )


def means_by_kind(kinds: Mapping[str, str], queries: Sequence[QueryReport]) -> dict[str, dict[str, float]]:
    """The means of each kind of question; "queries" counts them. `kinds` is by the query's id."""
    found: dict[str, dict[str, float]] = {}
    for kind in sorted(set(kinds.values())):
        mine = [query for query in queries if kinds.get(query.id) == kind]
        found[kind] = {"queries": len(mine)} | {
            name: round(sum(query.metrics[name] for query in mine) / len(mine), 4) for name in mine[0].metrics
        }
    return found
