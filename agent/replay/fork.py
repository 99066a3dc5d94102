"""A fork: a recorded session up to one event, and from there on live, as a session of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from pincite.agent.answer import Answer
from pincite.agent.budget import Budgets
from pincite.agent.clock import EventClock
from pincite.agent.events import Done
from pincite.agent.facts import SessionFacts, chances
from pincite.agent.loop import Agent
from pincite.agent.model import ChatModel
from pincite.agent.replay.failing import FailingRetriever, Failure
from pincite.agent.replay.fork_course import ForkLedger, ForkModel, ForkTools, ForkTranscript
from pincite.agent.replay.live_model import require_nothing_redacted
from pincite.agent.replay.live_tools import recorded_passages
from pincite.agent.replay.ran_with import RanWith
from pincite.agent.replay.strict import require_readable
from pincite.agent.replay.tape_tools import current_schemas, key_by
from pincite.agent.replay.tape_transcript import CrashedError
from pincite.agent.resume import Restored, begun_with, restore
from pincite.agent.session import new_session, open_transcript
from pincite.corpus.index import Index
from pincite.errors import UsageError
from pincite.prompts import PromptError, replaced
from pincite.tools.retrieve import Retriever
from pincite.tools.sources import QueryEncoder, Reranker
from pincite.tools.toolbox import Toolbox
from pincite.transcripts.events import Nondeterminism, SessionEnd, SessionResume, UserMessage
from pincite.transcripts.otel.live import Tracing
from pincite.transcripts.reader import Recording
from pincite.transcripts.redact import Redactor
from pincite.transcripts.stamp import Stamp
from pincite.transcripts.tape import Tape


@dataclass(frozen=True, slots=True)
class Changes:
    """What a fork does otherwise: `prompts` from its start, `budgets` (by field) from the fork on."""

    prompts: Mapping[str, str] = field(default_factory=dict)
    budgets: Mapping[str, Any] = field(default_factory=dict)
    failures: tuple[Failure, ...] = ()


@dataclass(frozen=True, slots=True)
class Fork:
    """A finished fork: its session, where its transcript is, and its answers."""

    session: str
    transcript: str | None
    answers: tuple[Answer, ...]


def fork(
    recording: Recording,
    at: int,
    model: ChatModel,
    index: Index,
    *,
    changed: Changes | None = None,
    encoder: Callable[[], QueryEncoder] | None = None,
    reranker: Reranker | None = None,
    redact: Sequence[str] = (),
    tracing: Tracing | None = None,
) -> Fork:
    """Run the recorded session up to event `at` from the recording, and from there on live.

    `model` answers from there, `index` is searched in the scope that the session had there. Where the session
    had been gone on with before, so is the child; what follows is asked in one go. The child is recorded
    beside `index`; its first event names the recorded event that it forks from. Raises UsageError for an
    `at` that the recording does not have or a change that cannot be made.
    """
    changed = changed or Changes()
    tape = Tape(recording, key_by(current_schemas()))
    require_readable(tape)
    require_nothing_redacted(tape)
    if not 0 < at < len(tape.events):
        raise UsageError(
            f"the recording has no event {at} to fork at", hint=f"a number from 1 to {len(tape.events) - 1}"
        )
    resumed = [event for event in tape.events[:at] if isinstance(event, SessionResume)]
    budgets = _budgets(RanWith.of(tape.start, resumed[-1] if resumed else None), changed.budgets)
    session = new_session()
    stamp = Stamp(session)
    redactor = Redactor(getattr(model, "secrets", ()), redact)
    retriever = FailingRetriever(index, encoder, reranker, changed.failures)
    try:
        with replaced(changed.prompts):
            transcript = ForkTranscript(open_transcript(index, stamp, redactor, tracing), tape, at)
            try:
                answers = _Child(tape, transcript, stamp, model, index, retriever, changed, budgets).run()
            finally:
                transcript.finish()
    except PromptError as error:
        raise UsageError(str(error), hint="--set prompt.NAME=@FILE takes a prompt of prompts/") from error
    path = transcript.path
    return Fork(session, str(path) if path else None, tuple(answers))


class _Child:
    """The child session: its parts one after the other, as its recording had them."""

    def __init__(  # noqa: PLR0917 - made in one place
        self,
        tape: Tape,
        transcript: ForkTranscript,
        stamp: Stamp,
        model: ChatModel,
        index: Index,
        retriever: Retriever,
        changed: Changes,
        budgets: Budgets,
    ) -> None:
        self._tape = tape
        self._transcript = transcript
        self._stamp = stamp
        self._live = model
        self._model = ForkModel(tape, model, transcript)
        self._index = index
        self._retriever = retriever
        self._changed = changed
        self._budgets = budgets
        self._seed = f"{tape.start.seed}/{stamp.session}"
        self._agent = self._begin(None)
        transcript.on_live = lambda: self._agent.set_budgets(budgets)

    def run(self) -> list[Answer]:
        """Ask the recorded questions."""
        answers: list[Answer] = []
        try:
            for event in self._tape.events:
                match event:
                    case UserMessage():
                        answers += self._ask(event.text)
                    case SessionResume() if not self._transcript.live:
                        self._agent = self._begin(event)
                    case SessionEnd() if not self._transcript.live:
                        self._agent.close()
                    case _:
                        pass
        finally:
            self._agent.close()
        return answers

    def _ask(self, question: str) -> list[Answer]:
        """The answer; none to a question in which the recorded process ended."""
        events = self._agent.events(question)
        try:
            for event in events:
                if isinstance(event, Done):
                    return [event.answer]
                if self._transcript.cancelled_next:
                    # Whoever listened to the recorded question stopped it here.
                    events.close()
                    return []
        except CrashedError:
            pass
        return []

    def _begin(self, resumed: SessionResume | None) -> Agent:
        """A part of the session, with the tools of its scope; until the fork they answer from the tape."""
        start, session = self._tape.start, self._stamp.session
        ran = RanWith.of(start, resumed)
        ledger = ForkLedger(recorded_passages(self._tape), self._transcript)
        seed, restored, facts = self._seed, begun_with(start), self._facts(ran)
        if resumed is not None:
            restored = self._restored(resumed)
            seed = restored.seed
            ledger.load(restored.ledger.to_json())
            self._stamp.restart()
        tools = Toolbox(self._index, self._retriever, ran.in_scope(), ledger, seed=seed)
        agent = Agent(
            self._model,
            ForkTools(self._tape, tools, ledger, self._transcript),
            budgets=ran.budgets.model_copy(update={"repairs": self._budgets.repairs}),
            session_limits=ran.session_limits,
            prices=ran.prices if self._live.name == ran.model else {},
            clock=EventClock(self._stamp),
            transcript=self._transcript,
            session=session,
            facts=facts,
            restored=restored,
            chat=ran.chat,
            beginning=ran.beginning,
        )
        for event in chances(session, seed):
            # As many as the recording has here: older ones lack some.
            if self._transcript.live or isinstance(self._transcript.expected, Nondeterminism):
                self._transcript.append(event)
        if self._transcript.live:
            agent.set_budgets(self._budgets)
        return agent

    def _restored(self, resumed: SessionResume) -> Restored:
        there = Recording(None, events=list(self._transcript.events))
        known = restore(there).ledger.passages
        return restore(there, frozenset(resumed.withdrawn) & set(known))

    def _facts(self, ran: RanWith) -> SessionFacts:
        start, at = self._tape.start, self._transcript.at
        sets: dict[str, Any] = {
            "prompts": dict(self._changed.prompts),
            "budgets": self._budgets.model_dump(),
            "fail": [f"{one.leg}@{one.nth or 'all'}" for one in self._changed.failures],
        }
        config: dict[str, Any] = {"fork": {"at": at, "model_before": start.model, **sets}}
        if "earlier" in start.config:
            config["earlier"] = start.config["earlier"]
        return SessionFacts(
            index=self._index.fingerprint(),
            scope=dict(ran.scope),
            seed=self._seed,
            fork_of=self._tape.events[at].id,
            config=config,
        )


def _budgets(ran: RanWith, changed: Mapping[str, Any]) -> Budgets:
    """The recorded budgets with what is to be changed; UsageError for what is no budget."""
    try:
        return Budgets.model_validate({**ran.budgets.model_dump(), **changed})
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        name = ".".join(str(part) for part in problem["loc"])
        raise UsageError(
            f"budget.{name}: {problem['msg']}", hint="a number, or none", near=tuple(Budgets.model_fields)
        ) from error
