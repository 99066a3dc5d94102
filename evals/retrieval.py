"""Measuring retrieval: every leg's ranking for every query, against judgements."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pincite.agent.messages import Message
from pincite.agent.queries import first_search
from pincite.corpus.index import Index
from pincite.corpus.rows import ChunkHit
from pincite.corpus.scope import Scope
from pincite.errors import NothingUsableError
from pincite.evals.beir import BeirSet
from pincite.evals.bench_index import document_name
from pincite.evals.measures import CUTOFFS, Unit, interval, means, measure
from pincite.evals.places import Located, Locator, narrowed, shows
from pincite.evals.query_reports import means_by_kind, query_reports
from pincite.evals.questions import Place, Question
from pincite.evals.remembering import Remembering
from pincite.evals.report import LegReport, NoAnswer, RetrievalReport, Spread
from pincite.tools.chain import LEGS, Chain, Ranking, RetrievalSettings
from pincite.tools.legs import LegRun, Standing
from pincite.tools.result import ToolResult
from pincite.tools.retrieve import Retriever
from pincite.tools.search import by_turns
from pincite.tools.sources import QueryEncoder, Reranker
from pincite.tools.spans import tokens_of
from pincite.tools.toolbox import Toolbox

# So many queries, taken evenly, also go through the search tool to count what it gives back.
TOOL_SAMPLE = 50
# Seconds a leg may take here: on a busy machine the ranking is measured, not the deadline.
PATIENCE = 60.0
Tell = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Task:
    """Queries with judgements over one index.

    `unit` names what a hit counts as for a query: a document of a data set, an expected place (or all of
    several that it shows), or the hit itself. `judgements` are by such names, `nowhere` counts what is
    relevant and not in the index.
    `no_answer` holds the queries that nothing in the index answers, `unjudged` counts those that nobody
    judged: neither enters a mean. `also` holds what is searched for beside a query, in turns with it, and
    `earlier` the conversation that it stands in.
    """

    name: str
    queries: Mapping[str, str]
    judgements: Mapping[str, Mapping[str, int]]
    unit: Callable[[str, ChunkHit], Unit]
    no_answer: frozenset[str] = frozenset()
    unjudged: int = 0
    scopes: Mapping[str, Scope] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)
    nowhere: int = 0
    also: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    earlier: Mapping[str, tuple[Message, ...]] = field(default_factory=dict)

    @property
    def asked(self) -> tuple[str, ...]:
        """The queries that are searched for: those with something relevant, then those without an answer."""
        return (*self.judged, *sorted(self.no_answer))

    @property
    def judged(self) -> tuple[str, ...]:
        """The queries with something relevant, in order."""
        return tuple(
            query for query in self.queries if any(g > 0 for g in self.judgements.get(query, {}).values())
        )


def document_unit(query: str, hit: ChunkHit) -> str:
    """A hit counts as its document, by the data set's own id."""
    return document_name(hit.document)


def beir_task(data: BeirSet) -> Task:
    """The queries of a data set that its judgements know; one with nothing relevant has no answer.

    Raises NothingUsableError when none has a relevant document in the corpus.
    """
    judged = {query: grades for query, grades in data.judgements.items() if query in data.queries}
    relevant = {
        query: [name for name, grade in grades.items() if grade > 0] for query, grades in judged.items()
    }
    if not any(relevant.values()):
        raise NothingUsableError(
            f"no query of {data.name} has a relevant document in qrels/{data.split}.tsv",
            code="nothing_judged",
            hint="judgements name queries by their _id; a grade above 0 is relevant",
        )
    nowhere = sum(name not in data.ids for names in relevant.values() for name in names)
    if nowhere == sum(map(len, relevant.values())):
        raise NothingUsableError(
            f"no relevant document of qrels/{data.split}.tsv is in corpus.jsonl",
            code="nothing_judged",
            hint="judgements name documents by their _id",
        )
    return Task(
        name=f"{data.name} ({data.split})",
        queries={query: data.queries[query] for query in judged},
        judgements={query: grades for query, grades in judged.items() if relevant[query]},
        unit=document_unit,
        no_answer=frozenset(query for query, names in relevant.items() if not names),
        unjudged=len(data.queries) - len(judged),
        nowhere=nowhere,
    )


def question_task(name: str, questions: Sequence[Question], index: Index, scope: Scope) -> Task:
    """A user's questions over their own index. A place that is not in the index can never be found.

    Raises NothingUsableError for a question about a document that is not there.
    """
    locator = Locator(index, scope)
    located = {question.id: locator.locate(question) for question in questions}
    scopes = {
        name: replace(scope, documents=frozenset({document}))
        for name, document in narrowed(questions, locator).items()
    }
    return Task(
        name=name,
        queries={question.id: question.question for question in questions},
        judgements={
            question.id: {_expected(place): 1 for place in question.expected}
            for question in questions
            if question.expected
        },
        unit=lambda query, hit: _unit(located[query], hit),
        no_answer=frozenset(question.id for question in questions if not question.expected),
        scopes=scopes,
        kinds={question.id: question.kind for question in questions if question.kind and question.expected},
        nowhere=sum(not place.spots for places in located.values() for place in places),
        earlier={
            question.id: tuple(Message(one.role, one.content) for one in question.earlier)
            for question in questions
            if question.earlier
        },
    )


def _expected(place: Place) -> str:
    return f"expected {place.model_dump_json()}"


def _unit(located: Sequence[Located], hit: ChunkHit) -> Unit:
    shown = shows(located, hit)
    return (
        tuple(_expected(located[number].place) for number in shown)
        if shown
        else f"{hit.document} {hit.section} {hit.start}-{hit.end}"
    )


def units(task: Task, query: str, hits: Iterable[ChunkHit]) -> dict[Unit, float]:
    """A ranking of hits as one of what they count as, each once where it first stands, with its score."""
    found: dict[Unit, float] = {}
    for hit in hits:
        found.setdefault(task.unit(query, hit), hit.score)
    return found


@dataclass(slots=True)
class _Seen:
    """What the legs gave for the queries so far."""

    rankings: dict[str, dict[str, dict[Unit, float]]] = field(default_factory=dict)
    ms: dict[str, list[float]] = field(default_factory=dict)
    whole_ms: list[float] = field(default_factory=list)
    empty: dict[str, int] = field(default_factory=dict)
    ran: set[str] = field(default_factory=lambda: {"overall"})

    def take(self, task: Task, query: str, rankings: Sequence[Ranking], ms: float) -> None:
        """What a query and what is searched for beside it gave, in turns."""
        self.whole_ms.append(ms)
        runs: dict[str, list[LegRun]] = {}
        for run in (run for ranking in rankings for run in ranking.runs):
            runs.setdefault(run.attempt.leg, []).append(run)
        for leg, several in runs.items():
            self._rank(task, query, leg, [run.hits for run in several])
            self.ms.setdefault(leg, []).append(sum(run.attempt.ms for run in several))
            if any(run.standing is Standing.answered for run in several):
                self.ran.add(leg)
        self._rank(task, query, "overall", [ranking.hits for ranking in rankings])

    def _rank(self, task: Task, query: str, leg: str, hits: Sequence[Sequence[ChunkHit]]) -> None:
        parts = [list(units(task, query, one).items()) for one in hits]
        self.rankings.setdefault(leg, {})[query] = dict(by_turns(parts, lambda unit: unit[0]))
        self.empty[leg] = self.empty.get(leg, 0) + (query in task.no_answer and not any(hits))


def evaluate(
    task: Task,
    index: Index,
    encoder: QueryEncoder | None,
    *,
    reranker: Reranker | None = None,
    settings: RetrievalSettings | None = None,
    cutoffs: Sequence[int] = CUTOFFS,
    scope: Scope | None = None,
    limit: int = 6,
    tell: Tell = lambda done, total: None,
) -> RetrievalReport:
    """Search for every query and measure; `limit` is how many passages a call of the search tool gives.

    For several queries it gives as many as the loop asks for. A leg is reported when it ran. "overall" is
    what a search would use, whichever leg that was.
    """
    started = time.perf_counter()
    scope = scope or Scope()
    remembering = Remembering(encoder) if encoder is not None else None
    load = (lambda: remembering) if remembering is not None else None
    settings = replace(settings or RetrievalSettings(), leg_deadline=PATIENCE)
    chain = Chain(index, settings, encoder=load, reranker=reranker, fail=(), clock=time.monotonic)
    chain.prepare()
    queries = task.asked
    seen = _Seen()
    for done, query in enumerate(queries):
        begun = time.perf_counter()
        texts = (task.queries[query], *task.also.get(query, ()))
        rankings = [chain.run(text, task.scopes.get(query, scope), None) for text in texts]
        seen.take(task, query, rankings, 1000 * (time.perf_counter() - begun))
        tell(done + 1, len(queries))
    retriever = Retriever(index, load, reranker, settings)
    tokens = [
        _tokens(
            Toolbox(index, retriever, task.scopes.get(query, scope), seed="evaluation"), task, query, limit
        )
        for query in _evenly(queries, TOOL_SAMPLE)
    ]
    by_leg = {leg: _leg(task, leg, seen, cutoffs) for leg in ("overall", *LEGS) if leg in seen.ran}
    overall = by_leg.pop("overall")
    counts = index.counts()
    judged = {query: task.judgements[query] for query in task.judged}
    per_query = query_reports(task.queries, judged, seen.rankings.get("overall", {}), cutoffs)
    return RetrievalReport(
        name=task.name,
        metrics=overall.metrics,
        intervals=overall.intervals,
        by_leg=by_leg,
        queries=len(task.judged),
        unjudged=task.unjudged,
        no_answer=NoAnswer(queries=len(task.no_answer), found_nothing=seen.empty.get("overall", 0)),
        tokens_returned=Spread.of(tokens),
        passages_limit=limit,
        # The first is that of warming up.
        encode_ms=Spread.of(remembering.ms[1:] if remembering else []),
        search_ms=Spread.of(seen.whole_ms),
        seconds=round(time.perf_counter() - started, 2),
        documents=counts.documents,
        chunks=counts.chunks,
        encoder=encoder.spec.name if encoder is not None else None,
        by_kind=means_by_kind(task.kinds, per_query),
        not_in_index=task.nowhere,
        per_query=per_query,
    )


def _leg(task: Task, leg: str, seen: _Seen, cutoffs: Sequence[int]) -> LegReport:
    judgements = {query: task.judgements[query] for query in task.judged}
    rankings = {query: list(ranking) for query, ranking in seen.rankings.get(leg, {}).items()}
    values = measure(judgements, rankings, cutoffs)
    return LegReport(
        metrics=means(values),
        intervals={name: interval(list(one.values())) for name, one in values.items() if one},
        ms=Spread.of(seen.ms.get(leg, [])),
        no_answer=NoAnswer(queries=len(task.no_answer), found_nothing=seen.empty.get(leg, 0)),
    )


def _tokens(toolbox: Toolbox, task: Task, query: str, limit: int) -> float:
    arguments = {"limit": limit, **first_search(task.queries[query], task.also.get(query, ()))}
    result: ToolResult = toolbox.call("search", arguments)
    return float(tokens_of(result.text))


def _evenly(queries: Sequence[str], number: int) -> list[str]:
    if len(queries) <= number:
        return list(queries)
    return [queries[at * len(queries) // number] for at in range(number)]
