"""Where a failed question was lost: the first stage behind which its expected place is gone.

What the model's own searches missed is looked for with the question itself.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from pincite.agent.answer import Answer
from pincite.agent.model import ChatModel
from pincite.agent.outcome import StopReason
from pincite.corpus.rows import ChunkHit
from pincite.evals.answer_figures import Asked, repeated_in, shown_in
from pincite.evals.answering import QUERY_CHARACTERS, Bench, require_working
from pincite.evals.oracle import OracleTools
from pincite.evals.places import Located
from pincite.evals.questions import Question
from pincite.evals.ways import Way
from pincite.tools.chain import Chain


class Stage(StrEnum):
    """In the order of the pipeline; `found` is no loss."""

    not_in_corpus = "not in the corpus"
    not_in_candidates = "not among the candidates"
    lost_in_fusion = "lost in fusion or reranking"
    lost_in_narrowing = "lost in one-per-section or the token budget"
    lost_in_deduplication = "lost in deduplication: shown as another document's words, not used"
    not_searched = "found by the question's own words, not by the model's searches"
    rejected = "rejected by the check"
    not_used = "in the context, not used"
    found = "found"
    answered_anyway = "answered although nothing should be there"
    not_abstained = "nothing should be there, and it did not end with not_found"
    failed = "the model or a service failed"


ORDER = tuple(Stage)


class Lost(BaseModel):
    """One question: its stage, the expected place that was lost there, and why: what there is to say of it.

    `rank` is where the place stood in the merged ranking for the question's own words. `oracle` says whether
    the model cited the place when it was shown the expected places alone; None when there is none to show or
    the model failed.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    question: str
    stage: Stage
    place: str = ""
    why: str = ""
    rank: int | None = None
    oracle: bool | None = None


class LocateReport(BaseModel):
    """`pincite eval locate --json`: how many questions each stage lost, and which."""

    model_config = ConfigDict(frozen=True)

    questions: int
    stages: dict[str, int]
    lost: tuple[Lost, ...]
    seconds: float


def locate(
    bench: Bench,
    chain: Chain,
    model: ChatModel,
    questions: Sequence[Question],
    *,
    limit: int = 6,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> LocateReport:
    """The stage of every question. `limit` is how many passages a search gives.

    Raises ServiceError when the model fails from the first question on.
    """
    started = time.perf_counter()
    rows: list[Lost] = []
    answers: list[Answer] = []
    for question in questions:
        asked = bench.ask(model, question)
        answers.append(asked.answer)
        require_working(model, answers, len(questions))
        rows.append(_question(bench, chain, model, asked, limit))
        tell(len(rows), len(questions))
    counts = Counter(row.stage for row in rows)
    return LocateReport(
        questions=len(rows),
        stages={str(stage): counts[stage] for stage in ORDER if counts[stage]},
        lost=tuple(row for row in rows if row.stage is not Stage.found),
        seconds=round(time.perf_counter() - started, 2),
    )


def _question(bench: Bench, chain: Chain, model: ChatModel, asked: Asked, limit: int) -> Lost:
    question, answer = asked.question, asked.answer
    row = Lost(id=question.id, question=question.question, stage=Stage.found)
    missing = [number for number in range(len(asked.located)) if not asked.cites(number)]
    if asked.right if not question.expected else not missing:
        return row
    if answer.stop_reason is StopReason.model_error:
        return row.model_copy(update={"stage": Stage.failed, "why": answer.text})
    if not question.expected:
        if answer.statements:
            return row.model_copy(update={"stage": Stage.answered_anyway})
        why = f"{answer.status}, {answer.stop_reason}"
        return row.model_copy(update={"stage": Stage.not_abstained, "why": why})
    found = [_place(bench, chain, asked, number, limit) for number in missing]
    stage, number, rank = min(found, key=lambda one: ORDER.index(one[0]))
    place = asked.located[number]
    oracle = _oracle(bench, model, question, number) if place.spots else None
    withheld = "; ".join(f"{one.code}: {one.detail}" for one in answer.withheld)
    why = withheld if stage is Stage.rejected else place.why
    words = " > ".join(
        part for part in (place.place.document, place.place.section, place.place.quote) if part
    )
    return row.model_copy(update={"stage": stage, "place": words, "why": why, "rank": rank, "oracle": oracle})


def _place(
    bench: Bench, chain: Chain, asked: Asked, number: int, limit: int
) -> tuple[Stage, int, int | None]:
    """The stage that lost one expected place which no citation names."""
    place = asked.located[number]
    if not place.spots:
        return Stage.not_in_corpus, number, None
    ranking = chain.run(asked.question.question, bench.scope(asked.question), None, math.inf)
    rank = _rank(place, ranking.hits)
    if asked.shows(number):
        if shown_in(place, asked.rejected) or repeated_in(place, asked.rejected):
            return Stage.rejected, number, rank
        used = Stage.not_used if shown_in(place, asked.shown) else Stage.lost_in_deduplication
        return used, number, rank
    if not any(_rank(place, run.hits) for run in ranking.runs):
        return Stage.not_in_candidates, number, None
    found = bench.tools(asked.question).call(
        "search", {"query": asked.question.question[:QUERY_CHARACTERS], "limit": limit}
    )
    if shown_in(place, found.passages) or repeated_in(place, found.passages):
        # The model looked for something else, or not at all.
        return Stage.not_searched, number, rank
    early = _section_rank(place, ranking.hits)
    narrowed = early is not None and early <= limit
    return (Stage.lost_in_narrowing if narrowed else Stage.lost_in_fusion), number, rank


def _oracle(bench: Bench, model: ChatModel, question: Question, number: int) -> bool | None:
    """Whether the place is cited when the expected places are all that the model is shown."""
    located = bench.locator.locate(question)
    tools = OracleTools(bench.tools(question), [spot for place in located for spot in place.spots])
    asked = bench.ask(model, question, Way.whole, tools)
    return None if asked.answer.stop_reason is StopReason.model_error else asked.cites(number)


def _rank(place: Located, hits: Iterable[ChunkHit]) -> int | None:
    for rank, hit in enumerate(hits, 1):
        if any(spot.shown_by(hit.document, hit.section, hit.start, hit.end) for spot in place.spots):
            return rank
    return None


def _section_rank(place: Located, hits: Iterable[ChunkHit]) -> int | None:
    """The rank of the place's section when each section counts once, as what is shown does."""
    sections = dict.fromkeys((hit.document, hit.section) for hit in hits)
    wanted = {(spot.document, spot.section) for spot in place.spots}
    return next((rank for rank, section in enumerate(sections, 1) if section in wanted), None)
