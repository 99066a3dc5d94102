"""Strict replay: everything from the tape. No network, no model, no index."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard

from pincite.agent.budget import Budgets
from pincite.agent.clock import EventClock
from pincite.agent.facts import SessionFacts
from pincite.agent.loop import Agent
from pincite.agent.messages import ToolSchemaLike
from pincite.agent.replay.causes import cause, changes
from pincite.agent.replay.comparing import Comparer
from pincite.agent.replay.divergence import DivergedError, Divergence, ReplayReport
from pincite.agent.replay.ran_with import RanWith, settings
from pincite.agent.replay.tape_model import TapeModel, as_turn
from pincite.agent.replay.tape_tools import (
    TapeLedger,
    TapeTools,
    all_schemas,
    as_result,
    current_schemas,
    key_by,
)
from pincite.agent.replay.tape_transcript import CrashedError, TapeTranscript, summary
from pincite.agent.resume import begun_with, restore
from pincite.corpus.tokens import using_estimate
from pincite.errors import UsageError
from pincite.prompts import PromptError, replaced
from pincite.tools.result import ToolResult
from pincite.transcripts.events import (
    AnswerEvent,
    Event,
    ModelResponseEvent,
    Nondeterminism,
    NoticeEvent,
    RetryEvent,
    SessionEnd,
    SessionResume,
    SessionStart,
    UserMessage,
)
from pincite.transcripts.reader import Recording
from pincite.transcripts.tape import Tape


def replay(recording: Recording, *, schemas: Mapping[str, ToolSchemaLike] | None = None) -> ReplayReport:
    """Run the recorded session again from the recording alone, up to the first difference.

    `schemas` are those of the tools as they are now, by default this program's. Raises NothingUsableError
    for a recording that cannot be run.
    """
    return Strict(recording, schemas or current_schemas()).run()


class Strict:
    """One strict replay."""

    def __init__(self, recording: Recording, schemas: Mapping[str, ToolSchemaLike]) -> None:
        self._recording = recording
        self._schemas = schemas
        self._tape = Tape(recording, key_by(schemas))
        require_readable(self._tape)
        start = self._tape.start
        counting = "estimate" if using_estimate() else "cl100k_base"
        marked = any(event.redacted for event in recording.events)
        comparer = Comparer(
            timed=self._tape.chance("loop") == "events",
            # A secret that was taken out has another number of tokens than its mark.
            counted=start.versions.get("tokens", counting) == counting and not marked,
            marked=marked,
        )
        at = self._fork().get("at")
        self._transcript = TapeTranscript(
            self._tape, comparer, {at - 1: self._switch} if is_count(at) else {}
        )
        self._model = TapeModel(self._tape)
        self._agent: Agent | None = None

    def run(self) -> ReplayReport:
        """Replay to the end or to the first difference."""
        divergence: Divergence | None = None
        try:
            with replaced(self._fork_prompts()):
                divergence = self._run()
        except PromptError:
            # A prompt of another version: the present one is used, and differs.
            divergence = self._run()
        return self._report(self._transcript.divergence or divergence)

    def _run(self) -> Divergence | None:
        divergence: Divergence | None = None
        try:
            while divergence is None and self._transcript.expected is not None:
                divergence = self._next()
        except DivergedError as error:
            return error.divergence
        return divergence

    def _next(self) -> Divergence | None:
        """Do what made the next recorded event; the divergence where nothing does."""
        event = self._transcript.expected
        if event is not None and event.seq != len(self._transcript.events):
            return self._gap(event)
        match event:
            case SessionStart() if self._agent is None:
                self._agent = self._begin(None)
            case SessionResume() if self._agent is not None:
                self._agent = self._begin(event)
            case Nondeterminism():
                self._transcript.append(event.model_copy())
            case UserMessage() if self._agent is not None:
                return self._question(self._agent, event)
            case NoticeEvent() if self._agent is not None and self._transcript.leaving:
                # The question behind it brings it about.
                asked = self._transcript.after_next
                if not isinstance(asked, UserMessage):
                    return self._unexpected(event)
                return self._question(self._agent, asked)
            case SessionEnd() if self._agent is not None:
                self._agent.close()
            case None:
                return None
            case _:
                return self._unexpected(event)
        return None

    def _unexpected(self, event: Event) -> Divergence:
        """Nothing that this program does makes such an event at this point."""
        return Divergence(event.seq, event.kind, "$", summary(event), None, missing="replay")

    def _question(self, agent: Agent, event: UserMessage) -> Divergence | None:
        try:
            self._ask(agent, event.text)
        except CrashedError:
            return None
        except UsageError as error:
            return Divergence(event.seq, event.kind, "$['pincite.text']", event.text, error.message)
        return None

    def _gap(self, event: Event) -> Divergence:
        """The recording lacks the event that belongs here, or has one a second time."""
        place = len(self._transcript.events)
        return Divergence(place, event.kind, "$.seq", event.seq, place, missing="tape")

    def _ask(self, agent: Agent, question: str) -> None:
        """Ask, and stop listening where whoever listened to the recorded question stopped."""
        events = agent.events(question)
        for _ in events:
            if self._transcript.cancelled_next:
                events.close()
                return

    def _fork(self) -> dict[str, Any]:
        fork = self._tape.start.config.get("fork")
        return fork if isinstance(fork, dict) else {}

    def _fork_prompts(self) -> dict[str, str]:
        """The prompts that a fork was made with in place of the program's."""
        texts = self._fork().get("prompts")
        known = texts if isinstance(texts, dict) else {}
        return {name: text for name, text in known.items() if isinstance(text, str)}

    def _switch(self) -> None:
        """Here the session went on live: with its own budgets."""
        if self._agent is not None:
            self._agent.set_budgets(settings(Budgets, self._fork().get("budgets")))

    def _begin(self, resumed: SessionResume | None) -> Agent:
        start = self._tape.start
        restored = begun_with(start)
        ledger = TapeLedger(leaving=self._leaving)
        ran = RanWith.of(start, resumed)
        self._model.name, self._model.uses_tokens = ran.model, ran.uses_tokens
        if resumed is not None:
            before = Recording(self._recording.path, events=self._tape.events[: len(self._transcript.events)])
            restored = restore(before, frozenset(resumed.withdrawn))
            ledger = TapeLedger(restored.ledger.passages, self._leaving)
            ledger.cite(restored.ledger.cited)
            ledger.withdraw(resumed.withdrawn)
            self._transcript.stamp.restart()
        tools = TapeTools(
            self._tape,
            ledger,
            schemas=self._schemas,
            call_id=lambda: self._transcript.call_id,
            missing=self._missing,
        )
        facts = SessionFacts(index=start.index, scope=start.scope, seed=start.seed, fork_of=start.fork_of)
        return Agent(
            self._model,
            tools,
            budgets=self._budgets(ran),
            session_limits=ran.session_limits,
            prices=ran.prices,
            clock=EventClock(self._transcript.stamp),
            transcript=self._transcript,
            session=start.session,
            facts=facts,
            restored=restored,
            chat=ran.chat,
            beginning=ran.beginning,
        )

    def _leaving(self) -> tuple[str, ...]:
        return self._transcript.leaving

    def _budgets(self, ran: RanWith) -> Budgets:
        """Those that held when this part began: from the fork on its own."""
        at = self._fork().get("at")
        if is_count(at) and len(self._transcript.events) + 1 >= at:
            return settings(Budgets, self._fork().get("budgets"))
        return ran.budgets

    def _missing(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        """The tape has no result: the recording stopped here, or was stopped."""
        if self._transcript.cancelled_next:
            raise KeyboardInterrupt
        if self._transcript.crash():
            raise CrashedError
        expected = self._transcript.expected
        if expected is not None and expected.seq != len(self._transcript.events):
            raise self._transcript.stop(self._gap(expected))
        unknown = self._tape.calls.get(self._transcript.call_id or "")
        at = len(self._transcript.events if unknown is None else self._tape.events)
        asked = {"tool": name, "arguments": arguments}
        raise self._transcript.stop(Divergence(at, "tool_result", "$", None, asked, missing="tape"))

    def _report(self, divergence: Divergence | None) -> ReplayReport:
        changed = changes(self._tape, all_schemas(self._tape, self._schemas))
        answers = [event.answer for event in self._transcript.events if isinstance(event, AnswerEvent)]
        report = ReplayReport(
            diverged=divergence is not None,
            session=self._tape.start.session,
            events=len(self._transcript.events),
            answers=tuple(answers),
            changes=tuple(changed),
            warnings=tuple(self._tape.warnings),
        )
        if divergence is None:
            return report
        why, words = cause(divergence, self._tape, changed)
        return report.differing(divergence, why, words)


def is_count(value: object) -> TypeGuard[int]:
    """Whether this is a number of events."""
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def require_readable(tape: Tape) -> None:
    """NothingUsableError when a turn or a result on the tape cannot be used."""
    for turn in tape.turns:
        for told in (turn.response, *turn.notes):
            if isinstance(told, ModelResponseEvent | RetryEvent) and told.turn is not None:
                as_turn(told.turn, told)
    for call in tape.calls.values():
        if call.result is not None:
            as_result(call.result)
