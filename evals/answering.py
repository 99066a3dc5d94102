"""Measuring answers: a user's questions through the loop, or in simpler ways, over one index."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from pincite.agent.answer import Answer, Citation
from pincite.agent.beginning import Beginning
from pincite.agent.budget import Budgets, Price
from pincite.agent.check.answer import normalise_handle
from pincite.agent.events import Done, Notice
from pincite.agent.loop import Agent
from pincite.agent.model import ChatModel
from pincite.agent.outcome import StopReason
from pincite.agent.question import read_question
from pincite.agent.tooling import Tools
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.errors import ServiceError, UsageError
from pincite.evals.answer_figures import AnswerFigures, Asked, figures
from pincite.evals.answer_metrics import letters, places_of
from pincite.evals.places import Locator, narrowed, nowhere
from pincite.evals.questions import Question
from pincite.evals.ways import Way, arranged
from pincite.tools.passage import Passage
from pincite.tools.retrieve import Retriever
from pincite.tools.toolbox import Toolbox
from pincite.transcripts.events import CheckEvent, Event
from pincite.transcripts.writer import MemoryTranscript

# What a search takes as a query.
QUERY_CHARACTERS = 2_000
# A model that fails on so many questions from the first on is not asked any more.
_GIVE_UP = 3
# What the loop says of a beginning that it could not make.
_LEFT_OUT = frozenset({"whole_corpus", "first_search"})


class Bench:
    """Asks questions over one index, each in a session of its own that is not recorded.

    `beginning` is that of the loop, `prices` are by the model's name.
    """

    def __init__(
        self,
        index: Index,
        retriever: Retriever,
        scope: Scope,
        budgets: Budgets | None,
        *,
        beginning: Beginning | None = None,
        prices: Mapping[str, Price] | None = None,
    ) -> None:
        self.index = index
        self.retriever = retriever
        self.locator = Locator(index, scope)
        self._scope = scope
        self._budgets = budgets or Budgets()
        self._beginning = beginning or Beginning()
        self._prices = prices

    def require_askable(self, questions: Sequence[Question]) -> int:
        """Look at all questions before the first is asked; how many expected places are not in the index.

        Raises UsageError for one that cannot be asked, NothingUsableError for one about an unknown document.
        """
        for question in questions:
            try:
                read_question(question.question, self._budgets.request_tokens)
            except UsageError as error:
                message = f"question {question.id}: {error.message}"
                raise UsageError(message, code=error.code, hint=error.hint) from error
        narrowed(questions, self.locator)
        return nowhere(questions, self.locator)

    def scope(self, question: Question) -> Scope:
        """What this question may look at."""
        if question.document is None:
            return self._scope
        document = self.locator.document(question.document)
        return replace(self._scope, documents=frozenset({document or question.document}))

    def prepare(self, question: Question) -> None:
        """Load the encoder and what a first search loads, so that no question is charged for it."""
        self.retriever.prepare()
        self.tools(question).call("search", {"query": question.question[:QUERY_CHARACTERS]})

    def ask(
        self, model: ChatModel, question: Question, way: Way = Way.loop, tools: Tools | None = None
    ) -> Asked:
        """The answer of a model; `tools` stand in for those over the whole index."""
        tools = tools or self.tools(question)
        beginning, budgets = arranged(way, self._budgets, self._beginning)
        record = MemoryTranscript("evaluation")
        agent = Agent(
            model, tools, budgets=budgets, prices=self._prices, transcript=record, beginning=beginning
        )
        started = time.perf_counter()
        try:
            events = list(agent.events(question.question))
        finally:
            agent.close()
        seconds = time.perf_counter() - started
        answer = next(event.answer for event in events if isinstance(event, Done))
        if answer.stop_reason is StopReason.cancelled:
            # Ctrl-C ends a question in order; here it is meant for all of them.
            raise KeyboardInterrupt
        left_out = [one.message for one in events if isinstance(one, Notice) and one.code in _LEFT_OUT]
        return Asked(
            question,
            self.locator.locate(question),
            answer,
            seconds,
            tuple(tools.ledger.passages.values()),
            tuple(_rejected(record.events, tools.ledger.passages)),
            "; ".join(left_out),
        )

    def tools(self, question: Question) -> Toolbox:
        """Fresh tools over what this question may look at."""
        return Toolbox(self.index, self.retriever, self.scope(question), seed="evaluation")

    def valid(self, citation: Citation) -> bool:
        """Whether the quoted words stand in the section that the citation names."""
        rows = self.index.sections(citation.document, [citation.section], self._scope)
        return any(places_of(citation.quote, letters(row.text or "")) for row in rows)


def _rejected(events: Iterable[Event], shown: Mapping[str, Passage]) -> Iterator[Passage]:
    """The passages that rejected answers cited."""
    for event in events:
        if isinstance(event, CheckEvent) and event.verdict == "reject":
            for statement in event.draft.get("statements", ()):
                handles = [normalise_handle(one.get("passage") or "") for one in statement["citations"]]
                yield from (shown[handle] for handle in handles if handle in shown)


def evaluate_answers(
    bench: Bench,
    model: ChatModel,
    questions: Sequence[Question],
    tell: Callable[[int, int], None] = lambda done, total: None,
    way: Way = Way.loop,
) -> tuple[AnswerFigures, list[Asked]]:
    """Ask every question and sum up. Raises ServiceError when the model fails from the first on."""
    asked: list[Asked] = []
    for question in questions[:1]:
        bench.prepare(question)
    for done, question in enumerate(questions, 1):
        asked.append(bench.ask(model, question, way))
        require_working(model, [one.answer for one in asked], len(questions))
        tell(done, len(questions))
    return figures(asked, bench.valid, way.name), asked


def require_working(model: ChatModel, answers: Sequence[Answer], total: int) -> None:
    """Raises ServiceError when a model has failed on the first few of `total` questions, each of them."""
    if len(answers) == min(_GIVE_UP, total) and all(
        one.stop_reason is StopReason.model_error for one in answers
    ):
        first = "question" if len(answers) == 1 else f"{len(answers)} questions"
        raise ServiceError(f"{model.name} failed on the first {first}: {answers[-1].text}")


def row(one: Asked) -> dict[str, object]:
    """One question as a JSON object."""
    numbers = range(len(one.located))
    return {
        "id": one.question.id,
        "question": one.question.question,
        "status": str(one.answer.status),
        "right": one.right,
        "expected": len(one.located),
        "shown": [one.shows(number) for number in numbers],
        "cited": [one.cites(number) for number in numbers],
        "text": one.answer.text,
        "statements": [
            {"text": statement.text, "quotes": [citation.quote for citation in statement.citations]}
            for statement in one.answer.statements
        ],
        "withheld": [held.code for held in one.answer.withheld],
        "left_out": one.left_out,
        "seconds": round(one.seconds, 3),
    }
