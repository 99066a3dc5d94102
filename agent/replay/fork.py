"""A fork: a recorded session up to one event, and from there on live, as a session of its own."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from pydantic import ValidationError

from pincite.agent.answer import Answer
from pincite.agent.budget import Budgets, Limits
from pincite.agent.clock import EventClock
from pincite.agent.facts import SessionFacts, chances
from pincite.agent.loop import Agent
from pincite.agent.messages import ModelRequest, ModelTurn, ToolSchemaLike
from pincite.agent.model import ChatModel
from pincite.agent.parse import canonical
from pincite.agent.replay.failing import FailingRetriever, Failure
from pincite.agent.replay.live_model import require_nothing_redacted
from pincite.agent.replay.live_tools import recorded_passages, recorded_scope
from pincite.agent.replay.pinned import PinnedLedger
from pincite.agent.replay.strict import prices, require_readable, settings
from pincite.agent.replay.tape_model import play
from pincite.agent.replay.tape_tools import as_result, current_schemas, key_by
from pincite.agent.session import open_transcript
from pincite.corpus.index import Index
from pincite.errors import NothingUsableError, UsageError
from pincite.prompts import PromptError, replaced
from pincite.tools.ledger import Ledger
from pincite.tools.result import ToolResult
from pincite.tools.retrieve import Retriever
from pincite.tools.sources import QueryEncoder, Reranker
from pincite.tools.toolbox import Toolbox
from pincite.transcripts.events import Event, ModelRequestEvent, ModelResponseEvent, SessionResume
from pincite.transcripts.otel.live import Tracing
from pincite.transcripts.reader import Recording
from pincite.transcripts.redact import Redactor
from pincite.transcripts.stamp import Stamp
from pincite.transcripts.tape import Tape, call_key
from pincite.transcripts.writer import Transcript


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

    `model` answers from there, `index` is searched in the recorded scope. The child session is recorded
    beside `index`; its first event names the recorded event that it forks from. Raises UsageError for an `at`
    that the recording does not have or a change that cannot be made.
    """
    changed = changed or Changes()
    schemas = current_schemas()
    tape = Tape(recording, key_by(schemas))
    require_readable(tape)
    require_nothing_redacted(tape)
    if not 0 < at < len(tape.events):
        raise UsageError(
            f"the recording has no event {at} to fork at", hint=f"a number from 1 to {len(tape.events) - 1}"
        )
    resumed = next((event.seq for event in tape.events[:at] if isinstance(event, SessionResume)), None)
    if resumed is not None:
        raise UsageError(
            f"the session was gone on with at event {resumed}, so it cannot be forked behind that",
            hint=f"a number from 1 to {resumed}; ask --resume goes on with the session as it is",
        )
    budgets = _budgets(tape, changed.budgets)
    try:
        with replaced(changed.prompts):
            retriever = FailingRetriever(index, encoder, reranker, changed.failures)
            return _Child(tape, at, model, index, retriever, changed, budgets, redact, tracing).run()
    except PromptError as error:
        raise UsageError(str(error), hint="--set prompt.NAME=@FILE takes a prompt of prompts/") from error


class _Child:
    def __init__(  # noqa: PLR0917 - made in one place
        self,
        tape: Tape,
        at: int,
        model: ChatModel,
        index: Index,
        retriever: Retriever,
        changed: Changes,
        budgets: Budgets,
        redact: Sequence[str],
        tracing: Tracing | None,
    ) -> None:
        start = tape.start
        self._tape = tape
        session = f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"
        seed = f"{start.seed}/{session}"
        ledger = PinnedLedger(recorded_passages(tape))
        scope = recorded_scope(tape)
        live = Toolbox(index, retriever, scope, ledger, seed=seed)
        stamp = Stamp(session)
        redactor = Redactor(getattr(model, "secrets", ()), redact)
        self._transcript = _ForkTranscript(
            open_transcript(index, stamp, redactor, tracing), tape, at, self._switch
        )
        self._budgets = budgets
        self._agent: Agent | None = None
        sets: dict[str, Any] = {"prompts": dict(changed.prompts), "budgets": budgets.model_dump()}
        sets["fail"] = [f"{one.leg}@{one.nth or 'all'}" for one in changed.failures]
        facts = SessionFacts(
            index=index.fingerprint(),
            scope=start.scope,
            seed=seed,
            fork_of=tape.events[at].id,
            config={"fork": {"at": at, "model_before": start.model, **sets}},
        )
        agent = Agent(
            _ForkModel(tape, model, self._transcript),
            _ForkTools(tape, live, ledger, self._transcript),
            budgets=settings(Budgets, {**_recorded(tape), "repairs": budgets.repairs}),
            session_limits=settings(Limits, start.config.get("session")),
            prices=prices(start) if model.name == start.model else {},
            clock=EventClock(stamp),
            transcript=self._transcript,
            session=session,
            facts=facts,
            chat=start.config.get("chat") is True,
        )
        self._agent = agent
        if at == 1:
            agent.set_budgets(budgets)
        for event in chances(session, seed):
            if tape.chance(event.what) is not None:
                self._transcript.append(event)
        self._session = session

    def run(self) -> Fork:
        """Ask the recorded questions."""
        agent = self._agent
        assert agent is not None
        try:
            answers = [agent.ask(question.text) for question in self._tape.questions]
        finally:
            agent.close()
        path = self._transcript.path
        return Fork(self._session, str(path) if path else None, tuple(answers))

    def _switch(self) -> None:
        # The first event is written before there is an agent: it then begins with these.
        if self._agent is not None:
            self._agent.set_budgets(self._budgets)


class _ForkTranscript:
    """The child's transcript; knows when the recorded part is over."""

    def __init__(self, inner: Transcript, tape: Tape, at: int, switch: Callable[[], None]) -> None:
        self._inner = inner
        self._tape = tape
        self.at = at
        self._switch = switch
        self.live = False
        self.call_id: str | None = None

    @property
    def path(self) -> Any:
        """The file."""
        return self._inner.path

    @property
    def problem(self) -> str | None:
        """Why nothing is written any more."""
        return self._inner.problem

    def append(self, event: Event) -> Event:
        """Record one event."""
        if not self.live and isinstance(event, ModelRequestEvent | ModelResponseEvent):
            event = event.model_copy(update={"model": self._tape.start.model})
        placed = self._inner.append(event)
        if placed.kind == "tool_call":
            self.call_id = placed.call_id
        if not self.live:
            self._follow(placed)
        return placed

    def close(self) -> None:
        """Release the file."""
        self._inner.close()

    def _follow(self, placed: Event) -> None:
        """Up to the fork the child must be what was recorded, or it is no fork of it."""
        recorded = self._tape.events[placed.seq]
        if recorded.kind != placed.kind:
            raise NothingUsableError(
                f"the recording cannot be repeated up to event {self.at}: event {placed.seq} was "
                f"{recorded.kind} and is {placed.kind}",
                code="diverged",
                hint="a strict replay says why",
            )
        if placed.seq == self.at - 1:
            self.live = True
            self._switch()


class _ForkModel:
    """The recorded turns up to the fork, then the live model."""

    def __init__(self, tape: Tape, live: ChatModel, transcript: _ForkTranscript) -> None:
        self._tape = tape
        self._live = live
        self._transcript = transcript
        self._calls = 0

    @property
    def name(self) -> str:
        """The live model's name."""
        return self._live.name

    @property
    def uses_tokens(self) -> bool:
        """Whether the live model's calls are counted in tokens."""
        return bool(getattr(self._live, "uses_tokens", True))

    def respond(self, request: ModelRequest) -> ModelTurn:
        """One turn."""
        taped = self._tape.turns[self._calls] if self._calls < len(self._tape.turns) else None
        self._calls += 1
        before = taped is not None and taped.response is not None and taped.response.seq < self._transcript.at
        if taped is None or self._transcript.live or not before:
            return self._live.respond(request)
        return play(taped, request)


class _ForkTools:
    """The recorded results up to the fork, then the live tools."""

    def __init__(self, tape: Tape, live: Toolbox, ledger: Ledger, transcript: _ForkTranscript) -> None:
        self._tape = tape
        self._live = live
        self._transcript = transcript
        self.ledger = ledger

    def schemas(self, names: Sequence[str]) -> Sequence[ToolSchemaLike]:
        """The schemas of these tools, in this order."""
        return self._live.schemas(names)

    def limit_time(self, seconds: float | None) -> None:
        """The next live call has so many seconds."""
        self._live.limit_time(seconds)

    def call(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        """One result."""
        taped = None
        if not self._transcript.live:
            taped = self._tape.take(call_key(name, canonical(arguments)), self._transcript.call_id)
        if taped is None or taped.result is None or taped.result.seq >= self._transcript.at:
            return self._live.call(name, arguments)
        result = as_result(taped.result)
        for passage in result.passages:
            self.ledger.show(passage.model_copy(update={"handle": ""}))
        return result


def _recorded(tape: Tape) -> dict[str, Any]:
    budgets = tape.start.config.get("budgets")
    return budgets if isinstance(budgets, dict) else {}


def _budgets(tape: Tape, changed: Mapping[str, Any]) -> Budgets:
    """The recorded budgets with what is to be changed; UsageError for what is no budget."""
    recorded = settings(Budgets, _recorded(tape))
    try:
        return Budgets.model_validate({**recorded.model_dump(), **changed})
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        name = ".".join(str(part) for part in problem["loc"])
        raise UsageError(
            f"budget.{name}: {problem['msg']}", hint="a number, or none", near=tuple(Budgets.model_fields)
        ) from error
