"""The loop: a model turn, its calls, their results, until an answer passes the check or a budget ends it."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator, Mapping

from pincite.agent.answer import Answer
from pincite.agent.answering import Answering
from pincite.agent.asking import Asker
from pincite.agent.budget import Budgets, Limits, Meter, Price, price_for
from pincite.agent.clock import Clock, SystemClock
from pincite.agent.dispatch import Dispatcher
from pincite.agent.events import Done, Found, Notice, Progress, Reading, Searching, Verified
from pincite.agent.finish import About, compose
from pincite.agent.history import History
from pincite.agent.model import ChatModel
from pincite.agent.offer import budget_left, make_offer
from pincite.agent.outcome import StopReason
from pincite.agent.reading import Call, Kind, Turn
from pincite.agent.record import Recorder
from pincite.agent.run import Run, about
from pincite.agent.tooling import ANSWER, SEARCH, Tools, refusal
from pincite.agent.waiting import CancelledError
from pincite.prompts import load
from pincite.tools.passage import Passage
from pincite.tools.result import ToolResult
from pincite.transcripts.writer import MemoryTranscript, Transcript

_NOT_JUDGED = frozenset({"bad_arguments", "duplicate_call_id"})


class Agent:
    """Answers the questions of one session over one set of tools.

    `budgets` hold for each question, `session_limits` for all of them together. Nothing that a model or a
    service does raises out of here; a question that cannot be asked is a `UsageError`.
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
    ) -> None:
        self.budgets = budgets or Budgets()
        self._clock = clock or SystemClock()
        limits = session_limits or Limits()
        self._price = price_for(model.name, prices or {}, self.budgets, limits)
        self._session_meter = Meter(limits, self._clock, self._price)
        self._tools = tools
        self._transcript = transcript or MemoryTranscript(session)
        self._recorder = Recorder(self._transcript, model.name)
        self._history = History(tools, self.budgets.request_tokens)
        self._answering = Answering(tools, self._history, self._recorder, self.budgets.repairs)
        self._asker = Asker(model, self._history, self._recorder, self._clock, self._cancelled)
        path = self._transcript.path
        self._about = About(model.name, session, str(path) if path else None)
        self._cancel = threading.Event()
        self._told_problem = False

    def ask(self, question: str) -> Answer:
        """Answer one question."""
        for event in self.events(question):
            if isinstance(event, Done):
                return event.answer
        raise AssertionError("a question ends with Done")

    def events(self, question: str) -> Iterator[Progress]:
        """The same, telling what happens; the last event is `Done`. Closing the iterator cancels."""
        run = self._begin(question)
        try:
            try:
                while run.stop is None:
                    yield from self._step(run)
            except (KeyboardInterrupt, CancelledError):
                run.end(StopReason.cancelled)
        finally:
            # Also when the iterator is closed early: the transcript says how the question ended.
            run.end(StopReason.cancelled)
            answer = self._end(run)
        for statement in answer.statements:
            yield Verified(statement)
        if self._transcript.problem and not self._told_problem:
            self._told_problem = True
            yield Notice("transcript_unsaved", self._transcript.problem)
        yield Done(answer)

    def cancel(self) -> None:
        """End the current question soon; may be called from another thread."""
        self._cancel.set()

    def close(self) -> None:
        """End the session; its transcript is complete then."""
        meter = self._session_meter
        totals = {"questions": self._history.questions, "model_calls": meter.model_calls}
        totals |= {"input_tokens": meter.input_tokens, "output_tokens": meter.output_tokens}
        self._recorder.end(totals)
        self._transcript.close()

    def _begin(self, text: str) -> Run:
        self._cancel.clear()
        question = self._history.ask(text)
        meters = (Meter(self.budgets, self._clock, self._price), self._session_meter)
        dispatcher = Dispatcher(self._tools, self._history.schemas, meters)
        self._recorder.question(self._history.questions, question.content)
        return Run(self._history.questions, question.content, question, dispatcher, meters)

    def _step(self, run: Run) -> Iterator[Progress]:
        """One model turn and all that follows from it."""
        reason = run.spent()
        if reason is not None:
            self._recorder.limit(reason.value, "ends the question", budget_left(run))
            run.end(reason)
            return
        stalled_turns = self.budgets.stalled_turns
        offer = make_offer(run, self._history.schemas, stalled_turns, bool(self._tools.ledger.passages))
        turn = yield from self._asker.turn(run, offer)
        if turn is None:
            return
        fresh = False
        if turn.kind is Kind.calls:
            fresh = yield from self._calls(run, turn)
        elif turn.kind is Kind.refusal:
            run.end(StopReason.abstained)
        else:
            self._history.remind(turn, [schema.name for schema in offer.tools])
        run.nudged = turn.kind is not Kind.calls
        run.stalled = 0 if fresh else run.stalled + 1
        if run.stalled >= stalled_turns:
            run.end(StopReason.stalled)

    def _calls(self, run: Run, turn: Turn) -> Generator[Progress, None, bool]:
        """Run the calls of a turn in order; whether they brought anything new."""
        shown = dict(self._tools.ledger.passages)
        self._history.add_turn(turn)
        fresh = answered = refused = False
        for call in turn.calls:
            if run.stop is not None or (run.late and call.tool != ANSWER):
                run.end(StopReason.budget_time)
                self._history.add_unrun(call)
                continue
            self._recorder.call(call)
            started = self._clock.monotonic()
            result, new = yield from self._one_call(run, call, shown, answered)
            code = result.error.code if result.error else ""
            answered = answered or (call.tool == ANSWER and code not in _NOT_JUDGED)
            fresh = fresh or new
            refused = refused or code == "budget_spent"
            self._recorder.result(call, result, new, self._clock.monotonic() - started)
        tools_spent = any(meter.left("tool_calls") == 0 for meter in run.meters)
        run.refused_turns += refused and tools_spent
        if run.refused_turns > 1:
            run.end(StopReason.budget_tool_calls)
        return fresh

    def _one_call(
        self, run: Run, call: Call, shown: Mapping[str, Passage], answered: bool
    ) -> Generator[Progress, None, tuple[ToolResult, bool]]:
        """Admit and run one call; its result stands in the history afterwards."""
        admitted = run.dispatcher.admit(call)
        new = False
        asked = ""
        if isinstance(admitted, ToolResult):
            result = admitted
        elif admitted.tool == ANSWER and answered:
            result = refusal(ANSWER, "duplicate_answer", load("duplicate_answer").text)
        elif admitted.tool == ANSWER:
            result = yield from self._answering.take(run, call, admitted, shown)
        else:
            self._check_cancelled()
            asked = about(admitted)
            if admitted.tool == SEARCH:
                yield Searching(asked)
            else:
                arguments = admitted.arguments
                yield Reading(str(arguments.get("document") or ""), arguments.get("section"))
            result, new = run.dispatcher.run(call, admitted)
            run.looked_up(admitted, result)
            error = result.error.code if result.error else None
            yield Found(admitted.tool, len(result.passages), result.used, error)
        self._history.add_result(call, result, asked)
        return result, new

    def _end(self, run: Run) -> Answer:
        """Compose and record the answer."""
        answer = compose(run, self._tools.ledger, self._about)
        self._history.finish(answer)
        self._recorder.answer(run.number, answer)
        if self._transcript.problem:
            answer = answer.model_copy(update={"transcript": None})
        return answer

    def _cancelled(self) -> bool:
        return self._cancel.is_set()

    def _check_cancelled(self) -> None:
        if self._cancelled():
            raise CancelledError
