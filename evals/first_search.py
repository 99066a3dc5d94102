"""What a search finds when a model words queries for it: asked as the loop asks before its first turn."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

from pincite.agent.asking import aside_request, usage_of
from pincite.agent.context import message_tokens
from pincite.agent.messages import Message, Usage
from pincite.agent.model import ChatModel, ModelError
from pincite.agent.queries import read_queries, wording
from pincite.errors import ServiceError
from pincite.evals.measures import Comparison, compare
from pincite.evals.report import RetrievalReport, Spread
from pincite.evals.retrieval import Task

Worded = Literal["rewrite", "decompose", "hypothetical"]
COMPARED = ("nDCG@10", "recall@10", "recall@100", "MRR", "complete@10")
# A model that fails on so many questions from the first on is not asked any more.
_GIVE_UP = 3
Tell = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Wordings:
    """What a model worded for the queries of a task: by query, none where it gave nothing usable.

    `failures` counts the calls that gave no turn, `usages` and `seconds` are those of each call that did.
    """

    way: Worded
    model: str
    queries: Mapping[str, tuple[str, ...]]
    asked: int
    failures: int
    usages: tuple[Usage, ...]
    seconds: tuple[float, ...]


class FirstSearchReport(BaseModel):
    """A first search with the queries that a model words, beside the one with the question alone.

    `worded`: questions for which it gave a query of its own, the others were searched for as they are;
    `queries`: how many it gave for one of `asked`. Tokens and seconds are those of the model, of one
    question. `comparison` goes from the question alone to this. `wordings` has every query.
    """

    model_config = ConfigDict(frozen=True)

    way: Worded
    model: str
    asked: int
    worded: int
    failures: int
    queries: float
    input_tokens: Spread
    output_tokens: Spread
    model_seconds: Spread
    report: RetrievalReport
    comparison: tuple[Comparison, ...]
    wordings: dict[str, tuple[str, ...]]


def word(
    model: ChatModel,
    way: Worded,
    task: Task,
    seconds: float | None,
    tell: Tell = lambda done, total: None,
) -> Wordings:
    """Have the model word queries; `seconds` is what the loop would have for a whole question.

    Raises ServiceError when the model fails from the first on; later failures are counted.
    """
    queries: dict[str, tuple[str, ...]] = {}
    usages: list[Usage] = []
    took: list[float] = []
    failures = 0
    for done, query in enumerate(task.asked, 1):
        text = task.queries[query]
        messages = wording(way, task.earlier.get(query, ()), Message("user", text))
        started = time.perf_counter()
        try:
            turn = model.respond(aside_request(messages, seconds))
        except ModelError as error:
            failures += 1
            if failures == done == min(_GIVE_UP, len(task.asked)):
                raise ServiceError(
                    f"{model.name} failed on the first {done} questions: {error.message}",
                    code=error.code,
                    hint=error.hint,
                ) from error
        else:
            took.append(time.perf_counter() - started)
            usages.append(usage_of(turn, sum(map(message_tokens, messages))))
            if found := read_queries(way, turn.content, text):
                queries[query] = tuple(found)
        tell(done, len(task.asked))
    return Wordings(way, model.name, queries, len(task.asked), failures, tuple(usages), tuple(took))


def first_search_report(
    wordings: Wordings, plain: RetrievalReport, report: RetrievalReport
) -> FirstSearchReport:
    """What `report`, made with these wordings, gained and cost."""
    return FirstSearchReport(
        way=wordings.way,
        model=wordings.model,
        asked=wordings.asked,
        worded=len(wordings.queries),
        failures=wordings.failures,
        queries=round(sum(map(len, wordings.queries.values())) / max(1, wordings.asked), 2),
        input_tokens=Spread.of([one.input_tokens for one in wordings.usages]),
        output_tokens=Spread.of([one.output_tokens for one in wordings.usages]),
        model_seconds=Spread.of(wordings.seconds),
        report=report,
        comparison=compared(plain, report),
        wordings=dict(wordings.queries),
    )


def compared(first: RetrievalReport, second: RetrievalReport) -> tuple[Comparison, ...]:
    """The main measures of two runs over the same queries."""
    return tuple(
        compare(name, first.values(name), second.values(name)) for name in COMPARED if name in second.metrics
    )
