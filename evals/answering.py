"""Measuring answers: a user's questions through the loop, against where and what the answers are."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import BaseModel, ConfigDict

from pincite.agent.answer import Answer, Citation
from pincite.agent.budget import Budgets
from pincite.agent.loop import Agent
from pincite.agent.model import ChatModel
from pincite.agent.outcome import Status
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.evals.answer_metrics import letters, places_of, token_f1
from pincite.evals.places import Located, Locator
from pincite.evals.questions import Question
from pincite.tools.retrieve import Retriever
from pincite.tools.toolbox import Toolbox

ANSWERED = frozenset({Status.answered, Status.partial})


@dataclass(frozen=True, slots=True)
class Asked:
    """One question with its answer, where the answer should stand, and how long it took in seconds."""

    question: Question
    located: tuple[Located, ...]
    answer: Answer
    seconds: float

    @property
    def citations(self) -> tuple[Citation, ...]:
        """All citations of the answer."""
        return tuple(one for statement in self.answer.statements for one in statement.citations)

    def cites(self, number: int) -> bool:
        """Whether some citation stands at this expected place."""
        return any(at_place(self.located[number], one) for one in self.citations)


class AnswerFigures(BaseModel):
    """One model's figures; rates are from 0 to 1, and None where there is nothing to divide by.

    `abstention_precision`: of the questions answered with not_found, those without an answer;
    `abstention_recall`: of those without an answer, the ones answered with not_found. `null_rate`: of those
    with an answer, the ones that got no statement. `quote_validity`: citations whose words stand in the
    section they name. `citation_precision`: citations at an expected place, of those given to questions
    that have one; `citation_recall`: expected places that are cited. `answer_*` compare with the short
    answers, where the file gives them.
    """

    model_config = ConfigDict(frozen=True)

    model: str
    questions: int
    no_answer: int
    statuses: dict[str, int]
    abstention_precision: float | None
    abstention_recall: float | None
    null_rate: float | None
    quote_validity: float | None
    citation_precision: float | None
    citation_recall: float | None
    answer_exact: float | None
    answer_contains: float | None
    answer_f1: float | None
    withheld: int
    tool_calls: float
    tokens: float
    cost: float | None
    seconds: float


class Bench:
    """Asks questions over one index, each in a session of its own that is not recorded."""

    def __init__(self, index: Index, retriever: Retriever, scope: Scope, budgets: Budgets | None) -> None:
        self.index = index
        self.retriever = retriever
        self.locator = Locator(index, scope)
        self._scope = scope
        self._budgets = budgets

    def scope(self, question: Question) -> Scope:
        """What this question may look at."""
        if question.document is None:
            return self._scope
        document = self.locator.document(question.document)
        return replace(self._scope, documents=frozenset({document or question.document}))

    def ask(self, model: ChatModel, question: Question, scope: Scope | None = None) -> Asked:
        """The answer of a model; `scope` replaces the question's own."""
        tools = Toolbox(self.index, self.retriever, scope or self.scope(question), seed="evaluation")
        agent = Agent(model, tools, budgets=self._budgets)
        started = time.perf_counter()
        try:
            answer = agent.ask(question.question)
        finally:
            agent.close()
        return Asked(question, self.locator.locate(question), answer, time.perf_counter() - started)

    def valid(self, citation: Citation) -> bool:
        """Whether the quoted words stand in the section that the citation names."""
        rows = self.index.sections(citation.document, [citation.section], self._scope)
        return any(places_of(citation.quote, letters(row.text or "")) for row in rows)


def at_place(located: Located, citation: Citation) -> bool:
    """Whether a citation's words overlap the expected place."""
    start, end = citation.span
    return any(
        (citation.document, citation.section) == (spot.document, spot.section)
        and start < spot.end
        and spot.start < end
        for spot in located.spots
    )


def evaluate_answers(
    bench: Bench,
    model: ChatModel,
    questions: Sequence[Question],
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[AnswerFigures, list[Asked]]:
    """Ask every question and sum up."""
    asked = []
    for done, question in enumerate(questions, 1):
        asked.append(bench.ask(model, question))
        tell(done, len(questions))
    return figures(asked, bench.valid), asked


def figures(asked: Sequence[Asked], valid: Callable[[Citation], bool]) -> AnswerFigures:
    """The figures of one model over these questions."""
    present = [one for one in asked if one.question.expected]
    absent = [one for one in asked if not one.question.expected]
    not_found = [one for one in asked if one.answer.status is Status.not_found]
    cited = [(one, citation) for one in asked for citation in one.citations]
    expected = [(one, number) for one in present for number in range(len(one.located))]
    hits = [
        any(at_place(place, citation) for place in one.located) for one, citation in cited if one in present
    ]
    short = [one for one in present if one.question.answers]
    costs = [one.answer.usage.cost for one in asked]
    return AnswerFigures(
        model=asked[0].answer.model if asked else "",
        questions=len(asked),
        no_answer=len(absent),
        statuses=dict(sorted(Counter(str(one.answer.status) for one in asked).items())),
        abstention_precision=_rate([not one.question.expected for one in not_found]),
        abstention_recall=_rate([one.answer.status is Status.not_found for one in absent]),
        null_rate=_rate([not one.answer.statements for one in present]),
        quote_validity=_rate([valid(citation) for _, citation in cited]),
        citation_precision=_rate(hits),
        citation_recall=_rate([one.cites(number) for one, number in expected]),
        answer_exact=_rate([_best(one, _exact) == 1 for one in short]),
        answer_contains=_rate([_best(one, _contains) == 1 for one in short]),
        answer_f1=_mean([_best(one, token_f1) for one in short]),
        withheld=sum(len(one.answer.withheld) for one in asked),
        tool_calls=_mean([one.answer.usage.tool_calls for one in asked]) or 0.0,
        tokens=_mean([one.answer.usage.input_tokens + one.answer.usage.output_tokens for one in asked])
        or 0.0,
        cost=None if None in costs else round(sum(cost or 0.0 for cost in costs), 6),
        seconds=_mean([one.seconds for one in asked]) or 0.0,
    )


def row(one: Asked) -> Mapping[str, object]:
    """One question as a JSON object."""
    return {
        "id": one.question.id,
        "question": one.question.question,
        "status": str(one.answer.status),
        "expected": len(one.located),
        "cited": [one.cites(number) for number in range(len(one.located))],
        "text": one.answer.text,
        "seconds": round(one.seconds, 3),
    }


def _best(one: Asked, compare: Callable[[str, str], float]) -> float:
    """The best agreement of a statement, or of all of them, with one of the short answers."""
    given = [statement.text for statement in one.answer.statements]
    texts = [*given, " ".join(given)] if given else []
    return max((compare(text, answer) for text in texts for answer in one.question.answers), default=0.0)


def _exact(text: str, answer: str) -> float:
    return float(letters(text).text == letters(answer).text)


def _contains(text: str, answer: str) -> float:
    return float(bool(places_of(answer, letters(text))))


def _rate(values: Sequence[bool]) -> float | None:
    return _mean([float(value) for value in values])


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 4) if values else None
