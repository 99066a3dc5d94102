"""A live model over recorded tools: what the model would do today with what the tools gave then."""

from __future__ import annotations

from typing import Any

from pincite.agent.clock import SystemClock
from pincite.agent.facts import SessionFacts
from pincite.agent.loop import Agent
from pincite.agent.model import ChatModel
from pincite.agent.replay.causes import cause, changes
from pincite.agent.replay.comparing import Comparer
from pincite.agent.replay.divergence import DivergedError, Divergence, ReplayReport
from pincite.agent.replay.ran_with import RanWith
from pincite.agent.replay.strict import require_readable
from pincite.agent.replay.tape_tools import TapeLedger, TapeTools, all_schemas, current_schemas, key_by
from pincite.agent.resume import begun_with
from pincite.agent.tooling import ANSWER
from pincite.errors import NothingUsableError
from pincite.tools.result import ToolResult
from pincite.transcripts.diff import first_difference
from pincite.transcripts.envelope import written_as
from pincite.transcripts.events import (
    AnswerEvent,
    Event,
    ModelRequestEvent,
    ToolCallEvent,
    UserMessage,
)
from pincite.transcripts.reader import Recording
from pincite.transcripts.tape import Tape
from pincite.transcripts.writer import MemoryTranscript

_ARGUMENTS = f"$['{written_as('arguments')}']"
_ANSWER = f"$['{written_as('answer')}']"


def replay_live_model(recording: Recording, model: ChatModel) -> ReplayReport:
    """Ask the recorded questions of `model`, answering its calls from the recording.

    A call that the recording has no result for ends the replay: nothing is ever looked up live. Raises
    NothingUsableError for a recording that cannot be run, or from which secrets were taken out that the
    model would have to be told.
    """
    schemas = current_schemas()
    key = key_by(schemas)
    tape = Tape(recording, key)
    require_readable(tape)
    require_nothing_redacted(tape)
    start = tape.start
    transcript = MemoryTranscript(start.session)
    unanswered: list[str] = []

    def missing(name: str, arguments: dict[str, Any]) -> ToolResult:
        unanswered.append(f"the recording has no result for {name} with these arguments")
        raise DivergedError(Divergence(0, "tool_call", "$", None, arguments, missing="tape"))

    tools = TapeTools(tape, TapeLedger(), schemas=schemas, call_id=lambda: None, missing=missing)
    parts = [RanWith.of(start, part) for part in tape.parts]
    ran = RanWith.of(start)
    agent = Agent(
        model,
        tools,
        budgets=ran.budgets,
        session_limits=ran.session_limits,
        prices=ran.prices if model.name == ran.model else {},
        clock=SystemClock(),
        transcript=transcript,
        session=start.session,
        facts=SessionFacts(index=start.index, scope=start.scope, seed=start.seed),
        restored=begun_with(start),
        chat=ran.chat,
    )
    try:
        for question, part in zip(tape.questions, parts, strict=True):
            agent.set_budgets(part.budgets)
            agent.set_beginning(part.beginning)
            agent.ask(question.text)
        agent.close()
    except DivergedError:
        pass
    divergence = _divergence(tape, transcript.events, key)
    changed = changes(tape, all_schemas(tape))
    answers = [event.answer for event in transcript.events if isinstance(event, AnswerEvent)]
    report = ReplayReport(
        diverged=divergence is not None or bool(unanswered),
        mode="live-model",
        session=start.session,
        events=len(transcript.events),
        # The question that could not go on was only stopped.
        answers=tuple(answers[:-1] if unanswered else answers),
        changes=tuple(changed),
        warnings=(*tape.damage, *unanswered),
    )
    if divergence is None:
        return report
    why, words = "model", f"{model.name} did something else than {start.model} did"
    if divergence.kind == "model_request":
        why, words = cause(divergence, tape, changed)
    return report.differing(divergence, why, "; ".join([words, *unanswered]))


def require_nothing_redacted(tape: Tape) -> None:
    """NothingUsableError when a live model would be told "[redacted]" for what was said or found."""
    kinds = {"user_message", "model_response", "tool_result", "tool_call"}
    if any(event.redacted for event in tape.events if event.kind in kinds):
        raise NothingUsableError(
            "secrets were taken out of this transcript, and a model must not be told the rest in their place",
            code="redacted",
            hint="a strict replay, --live-tools and show work",
        )


def _divergence(tape: Tape, replayed: list[Event], key: Any) -> Divergence | None:
    """The first request, call or answer that differs; ids, words between and numbers of tokens may."""
    comparer = Comparer(timed=False, counted=False)
    asked = False
    pairs = (
        [
            event
            for event in events
            if isinstance(event, UserMessage | ModelRequestEvent | ToolCallEvent | AnswerEvent)
        ]
        for events in (tape.events, replayed)
    )
    one, other = pairs
    for at, recorded in enumerate(one):
        now = other[at] if at < len(other) else None
        if now is None or now.kind != recorded.kind:
            kind = None if now is None else now.kind
            return Divergence(recorded.seq, recorded.kind, "$.kind", recorded.kind, kind)
        found: Divergence | None = None
        match recorded, now:
            case ModelRequestEvent(), _ if not asked:
                # The later ones hold what the model said.
                asked = True
                found = comparer.difference(recorded, now)
            case ToolCallEvent(), ToolCallEvent():
                found = _call(recorded, now, key)
            case AnswerEvent(), AnswerEvent():
                found = _answer(recorded, now)
            case _:
                pass
        if found is not None:
            return found
    return None


def _call(recorded: ToolCallEvent, now: ToolCallEvent, key: Any) -> Divergence | None:
    if recorded.name != now.name:
        path = f"$['{written_as('name')}']"
        return Divergence(recorded.seq, recorded.kind, path, recorded.name, now.name)
    if recorded.name == ANSWER:
        # What became of it is compared as the answer.
        return None
    was, is_now = key(recorded.name, recorded.arguments), key(now.name, now.arguments)
    same = was == is_now if was and is_now else recorded.arguments == now.arguments
    if same:
        return None
    return Divergence(recorded.seq, recorded.kind, _ARGUMENTS, recorded.arguments, now.arguments)


def _answer(recorded: AnswerEvent, now: AnswerEvent) -> Divergence | None:
    names = ("status", "stop_reason", "statements", "unanswered", "withheld")
    one, other = ({name: answer.get(name) for name in names} for answer in (recorded.answer, now.answer))
    found = first_difference(one, other, _ANSWER)
    if found is None:
        return None
    return Divergence(recorded.seq, recorded.kind, found.path, found.recorded, found.replayed)
