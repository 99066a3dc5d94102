"""What an evaluation of retrieval gives: the object of `--json`, and the file that a later run reads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from pincite.errors import NothingUsableError


class _Json(BaseModel):
    model_config = ConfigDict(frozen=True)


class Spread(_Json):
    """How numbers are spread: over how many, mean, median, 95th percentile; zeros for none."""

    count: int = 0
    mean: float = 0.0
    median: float = 0.0
    p95: float = 0.0

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """The spread of these numbers."""
        if not values:
            return cls()
        found = (np.mean(values), np.median(values), np.percentile(values, 95))
        mean, median, p95 = (round(float(value), 2) for value in found)
        return cls(count=len(values), mean=mean, median=median, p95=p95)


class NoAnswer(_Json):
    """Queries that the documents do not answer, and for how many of them nothing was found."""

    queries: int
    found_nothing: int


class LegReport(_Json):
    """One leg's figures; times are milliseconds a query."""

    metrics: dict[str, float]
    intervals: dict[str, tuple[float, float]]
    ms: Spread
    no_answer: NoAnswer


class QueryReport(_Json):
    """One query: `ranks` are those of what is relevant, `scores` the first 30 as (score, relevant).

    A rank comes twice where one result shows two expected places. `labels` tells what it was judged by.
    """

    id: str
    text: str
    relevant: int
    metrics: dict[str, float]
    ranks: tuple[int, ...]
    scores: tuple[tuple[float, bool], ...]
    labels: str


class RetrievalReport(_Json):
    """`pincite eval retrieval --json`; `metrics` are means over `queries`, of what a search uses.

    Without such queries there are none. `no_answer` counts those that are known to have nothing relevant,
    `unjudged` those that nobody judged. `not_in_index` counts expected places, or relevant documents, that
    nothing can find because they are not there.
    """

    name: str
    metrics: dict[str, float]
    intervals: dict[str, tuple[float, float]]
    by_leg: dict[str, LegReport]
    by_kind: dict[str, dict[str, float]] = {}
    not_in_index: int = 0
    queries: int
    unjudged: int
    no_answer: NoAnswer
    tokens_returned: Spread
    passages_limit: int
    encode_ms: Spread
    search_ms: Spread
    seconds: float
    documents: int
    chunks: int
    encoder: str | None
    per_query: tuple[QueryReport, ...] = ()

    def values(self, measure: str) -> dict[str, float]:
        """A measure by query."""
        return {query.id: query.metrics[measure] for query in self.per_query if measure in query.metrics}


def read_report(path: Path) -> RetrievalReport:
    """A report that `--save` wrote. Raises NothingUsableError."""
    try:
        return RetrievalReport.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no report saved by this version"
        raise NothingUsableError(
            f"{path.name} cannot be used: {reason}", code="report_unusable", hint="make one with --save FILE"
        ) from error
