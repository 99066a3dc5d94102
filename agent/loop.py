"""The loop: a model turn, its calls, their results, until an answer passes the check or a budget ends it."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator, Mapping
from typing import Any

from pincite.agent.answer import Answer
from pincite.agent.asking import Asker
from pincite.agent.beginning import Beginning
from pincite.agent.budget import Budgets, Limits, Meter, Price, price_for, uses_tokens
from pincite.agent.calling import Caller
from pincite.agent.clock import Clock, SystemClock
from pincite.agent.dispatch import Dispatcher
from pincite.agent.events import Done, Notice, Progress, Retracted, Verified
from pincite.agent.facts import SessionFacts, first_event, resume_event
from pincite.agent.finish import About, compose, stalled_words
from pincite.agent.history import LEAST_TOKENS, History
from pincite.agent.model import ChatModel
from pincite.agent.offer import budget_left, make_offer
from pincite.agent.outcome import StopReason
from pincite.agent.patient import PatientCalls
from pincite.agent.preparing import Preparer
from pincite.agent.reading import Kind
from pincite.agent.record import Recorder
from pincite.agent.resume import Restored
from pincite.agent.run import Run
from pincite.agent.tooling import Tools
from pincite.agent.totals import totals
from pincite.agent.waiting import CancelledError
from pincite.transcripts.words import left_out_words
from pincite.transcripts.writer import MemoryTranscript, Transcript


class Agent:
    """Answers the questions of one session over one set of tools.

    `budgets` hold for each question, `session_limits` for all of them together. Nothing that a model or a
    service does raises out of here; a question that cannot be asked is a `UsageError`. `restored` is an
    earlier part of the session; `tools` then work on its ledger. With `chat` a question may also be about
    the conversation itself, and is then answered without the documents. `beginning` is what each question
    begins with.
    """

    def __init__(
        self,
        model: ChatModel,
        tools: Tools,
        *,
        budgets: Budgets | None = None,
        session_limits: Limits | None = None,
        prices: Mapping[str, Price] | None = None,
        clock: Clock | None = None,
        transcript: Transcript | None = None,
        session: str = "session",
        facts: SessionFacts | None = None,
        restored: Restored | None = None,
        chat: bool = False,
        beginning: Beginning | None = None,
    ) -> None:
        self.budgets = budgets or Budgets()
        self._clock = clock or SystemClock()
        limits = session_limits or Limits()
        self._price = price_for(model, prices or {}, self.budgets, limits)
        self._session_meter = Meter(limits, self._clock, self._price)
        self._tools = tools
        self._transcript = transcript or MemoryTranscript(session)
        self._recorder = Recorder(self._transcript, model.name)
        self._history = History(tools, self.budgets.request_tokens, restored, chat=chat)
        self._cancel = threading.Event()
        shared = (self._history, self._recorder, self._clock, self._cancel.is_set)
        self._asker = Asker(model, *shared, ledger=tools.ledger)
        self._calls = PatientCalls(tools, self._cancel.is_set)
        self._caller = Caller(tools, *shared, repairs=self.budgets.repairs, chat=chat)
        begins = beginning or Beginning()
        self._preparer = Preparer(begins, self._asker, self._caller, self._history, self._recorder)
        path = self._transcript.path
        self._about = About(model.name, session, str(path) if path else None)
        self._told_problem = False
        self._run: Run | None = None
        price = self._price.model_dump() if self._price else None
        config: dict[str, Any] = {
            "budgets": self.budgets.model_dump(),
            "session": limits.model_dump(),
            "price": price,
        }
        config |= {"chat": chat, "uses_tokens": uses_tokens(model), **begins.config()}
        schemas = tuple(self._history.schemas.values())
        told = facts or SessionFacts()
        self._transcript.append(
            first_event(session, model.name, told, config, schemas)
            if restored is None or restored.foreign
            else resume_event(model.name, told, config, tools.ledger.withdrawn, restored.left_out)
        )
        self._recorder.known_withdrawn = set(tools.ledger.withdrawn)

    def ask(self, question: str) -> Answer:
        """Answer one question."""
        for event in self.events(question):
            if isinstance(event, Done):
                return event.answer
        raise AssertionError("a question ends with Done")

    def events(self, question: str) -> Generator[Progress, None, None]:
        """The same, telling what happens; the last event is `Done`. Closing the iterator cancels."""
        run = self._begin(question)
        try:
            try:
                yield from self._preparer.prepare(run)
                while run.stop is None:
                    yield from self._step(run)
            except (KeyboardInterrupt, CancelledError):
                run.end(StopReason.cancelled)
        finally:
            # Also when the iterator is closed early: the transcript says how the question ended.
            run.end(StopReason.cancelled)
            answer = self._end(run)
        yield from (Verified(statement) for statement in answer.statements if run.tell(statement))
        yield from (Retracted(told) for told in run.told_statements if told not in answer.statements)
        if self._history.left_out:
            yield Notice("left_out", left_out_words(self._history.left_out))
            self._history.left_out = 0
        if self._transcript.problem and not self._told_problem:
            self._told_problem = True
            yield Notice("transcript_unsaved", self._transcript.problem)
        yield Done(answer)

    def set_budgets(self, budgets: Budgets) -> None:
        """From now on these budgets hold, also for the question that is being answered."""
        self.budgets = budgets
        self._history.limit = max(LEAST_TOKENS, budgets.request_tokens)
        if self._run is not None:
            self._run.meter.limits = budgets

    def set_beginning(self, beginning: Beginning) -> None:
        """From the next question on it begins like this."""
        self._preparer.beginning = beginning

    def cancel(self) -> None:
        """End the current question soon; may be called from another thread."""
        self._cancel.set()

    def close(self) -> None:
        """End the session; its transcript is complete then."""
        self._recorder.end(totals(self._history.questions, self._session_meter, self._history.spent))
        self._transcript.close()

    def _begin(self, text: str) -> Run:
        self._cancel.clear()
        question = self._history.ask(text)
        self._recorder.withdrawn(self._tools.ledger.withdrawn)
        # First: a clock that goes by events would count the time since the question before.
        self._recorder.question(self._history.questions, question.content)
        meters = (Meter(self.budgets, self._clock, self._price), self._session_meter)
        dispatcher = Dispatcher(self._calls, self._history.schemas, meters)
        self._run = Run(self._history.questions, question.content, question, dispatcher, meters)
        return self._run

    def _step(self, run: Run) -> Iterator[Progress]:
        """One model turn and all that follows from it."""
        self._recorder.withdrawn(self._tools.ledger.withdrawn)
        reason = run.spent()
        if reason is not None:
            self._recorder.limit(reason.value, "ends the question", budget_left(run))
            run.end(reason)
            return
        stalled_turns = self.budgets.stalled_turns
        at_once = self._history.chat or bool(self._tools.ledger.passages)
        offer = make_offer(run, self._history.schemas, stalled_turns, at_once)
        turn = yield from self._asker.turn(run, offer)
        if turn is None:
            return
        fresh = False
        if turn.kind is Kind.calls:
            fresh = yield from self._caller.take(run, turn)
        elif turn.kind is Kind.refusal:
            run.end(StopReason.abstained)
        else:
            self._history.remind(turn, [schema.name for schema in offer.tools])
            run.idle.append(
                "its output was cut off"
                if turn.kind is Kind.cut
                else "it wrote plain text instead of calling a tool"
            )
        run.nudged = turn.kind is not Kind.calls
        run.stalled = 0 if fresh else run.stalled + 1
        if fresh:
            run.idle.clear()
        if run.stalled >= stalled_turns:
            run.end(StopReason.stalled, stalled_words(run))

    def _end(self, run: Run) -> Answer:
        """Compose and record the answer."""
        answer = compose(run, self._tools.ledger, self._about)
        self._history.finish(answer)
        self._recorder.answer(run.number, answer)
        if self._transcript.problem:
            answer = answer.model_copy(update={"transcript": None})
        return answer
