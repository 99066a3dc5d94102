"""An evaluation as one HTML file: tables and plots, nothing loaded from elsewhere, no script.

Everything that comes from data is escaped by the template engine; plots are coordinates only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from pincite.evals.measures import Comparison, library
from pincite.evals.report import QueryReport, RetrievalReport

TEMPLATE = "retrieval_report.html.jinja"
DEPTHS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100)
RANK_BINS = ((1, 1), (2, 2), (3, 3), (4, 5), (6, 10), (11, 20), (21, 50), (51, 100))
# More columns of dots than this cannot be told apart.
SEPARATION_QUERIES = 60
WIDTH, HEIGHT, LEFT, BOTTOM = 640, 240, 44, 28


@dataclass(frozen=True, slots=True)
class Dot:
    """A point of a plot, in its coordinates."""

    x: float
    y: float
    kind: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a histogram with its label and number."""

    x: float
    y: float
    width: float
    height: float
    label: str
    number: int


def render_html(report: RetrievalReport, comparison: Sequence[Comparison] = ()) -> str:
    """The report as a page, with how it differs from an earlier run. NothingUsableError without the extra."""
    jinja = library("jinja2")
    environment = jinja.Environment(autoescape=True, undefined=jinja.StrictUndefined, trim_blocks=True)
    text = files("pincite.evals").joinpath(TEMPLATE).read_text(encoding="utf-8")
    rendered = environment.from_string(text).render(
        report=report,
        names=list(report.metrics),
        legs={"overall": (report.metrics, report.intervals)}
        | {leg: (one.metrics, one.intervals) for leg, one in report.by_leg.items()},
        separation=separation(report.per_query),
        histogram=histogram(report.per_query),
        recall=recall_curve(report.per_query),
        worst=_worst(report.per_query),
        comparison=comparison,
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        bottom=BOTTOM,
    )
    return str(rendered)


def _worst(queries: Sequence[QueryReport]) -> list[QueryReport]:
    """The twenty with the lowest nDCG@10, those at their best left out."""
    below = [query for query in queries if query.metrics.get("nDCG@10", 0.0) < 1]
    return sorted(below, key=lambda query: (query.metrics.get("nDCG@10", 0.0), query.id))[:20]


def separation(queries: tuple[QueryReport, ...]) -> list[Dot]:
    """One column a query: the scores of what was found, each scaled to the query's range, relevant or not."""
    step = max(1, -(-len(queries) // SEPARATION_QUERIES))
    chosen = [query for query in queries[::step] if query.scores]
    dots = []
    for column, query in enumerate(chosen):
        values = [score for score, _ in query.scores]
        low, spread = min(values), (max(values) - min(values)) or 1.0
        x = LEFT + (column + 0.5) * (WIDTH - LEFT) / len(chosen)
        for score, relevant in sorted(query.scores, key=lambda one: one[1]):
            y = (HEIGHT - BOTTOM) * (1 - (score - low) / spread)
            dots.append(Dot(round(x, 1), round(y + 4, 1), "relevant" if relevant else "other", query.text))
    return dots


def histogram(queries: tuple[QueryReport, ...]) -> list[Bar]:
    """How many queries have their first relevant result at which rank; the last bar is "none found"."""
    first = [query.ranks[0] if query.ranks else 0 for query in queries]
    bins = [
        (str(low) if low == high else f"{low}–{high}", sum(low <= rank <= high for rank in first))
        for low, high in RANK_BINS
    ]
    last = RANK_BINS[-1][1]
    bins.append(("none", sum(rank == 0 or rank > last for rank in first)))
    top = max(number for _, number in bins) or 1
    width = (WIDTH - LEFT) / len(bins)
    bars = []
    for at, (label, number) in enumerate(bins):
        height = (HEIGHT - BOTTOM - 16) * number / top
        bars.append(
            Bar(round(LEFT + at * width + 4, 1), round(HEIGHT - BOTTOM - height, 1), round(width - 8, 1),
                round(height, 1), label, number)
        )  # fmt: skip
    return bars


def recall_curve(queries: tuple[QueryReport, ...]) -> list[Dot]:
    """Mean recall among the first k, for growing k."""
    dots = []
    for at, depth in enumerate(DEPTHS):
        shares = [sum(rank <= depth for rank in query.ranks) / query.relevant for query in queries]
        recall = sum(shares) / len(shares) if shares else 0.0
        x = LEFT + (at + 0.5) * (WIDTH - LEFT) / len(DEPTHS)
        dots.append(
            Dot(round(x, 1), round((HEIGHT - BOTTOM) * (1 - recall) + 4, 1), str(depth), f"{recall:.3f}")
        )
    return dots
