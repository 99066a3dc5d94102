"""Two runs side by side: the same question with the same labels is the same query, whatever its id."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from pincite.errors import NothingUsableError
from pincite.evals.measures import Judgements
from pincite.evals.query_reports import labels
from pincite.evals.report import QueryReport, RetrievalReport


@dataclass(frozen=True, slots=True)
class Paired:
    """An earlier run with the queries that this one has too, under the ids they have here.

    `left_out` says in words which queries of either run are not compared, "" when all are.
    """

    earlier: RetrievalReport
    left_out: str


def paired(earlier: RetrievalReport, texts: Mapping[str, str], judgements: Judgements) -> Paired:
    """What of an earlier run can be compared with a run of these queries, looked at before it.

    Raises NothingUsableError when no query has the same text and the same labels in both.
    """
    open_ones: dict[str, list[QueryReport]] = defaultdict(list)
    for query in earlier.per_query:
        open_ones[query.text].append(query)
    kept: list[QueryReport] = []
    other_labels = new = 0
    for name, grades in judgements.items():
        same_text = open_ones[texts[name]]
        same = [query for query in same_text if query.labels == labels(grades)]
        chosen = next((query for query in same if query.id == name), same[0] if same else None)
        if chosen is not None:
            same_text.remove(chosen)
            kept.append(chosen.model_copy(update={"id": name}))
        elif same_text:
            other_labels += 1
        else:
            new += 1
    gone = len(earlier.per_query) - len(kept) - other_labels
    if not kept:
        raise NothingUsableError(
            "the two runs have no query in common"
            + (f": {other_labels} have the same words and other labels" if other_labels else ""),
            code="nothing_to_compare",
            hint="compare runs over the same data",
        )
    parts = (
        (other_labels, "judged otherwise then"),
        (new, "not in the earlier run"),
        (max(0, gone), "only in the earlier run"),
    )
    left_out = ", ".join(f"{number} {what}" for number, what in parts if number)
    return Paired(earlier.model_copy(update={"per_query": tuple(kept)}), left_out)
