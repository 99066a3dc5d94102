"""A live model over recorded tools: what the model would do today with what the tools gave then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pincite.agent.clock import SystemClock
from pincite.agent.facts import SessionFacts
from pincite.agent.loop import Agent
from pincite.agent.model import ChatModel, ModelError
from pincite.agent.outcome import StopReason
from pincite.agent.replay.causes import cause, changes
from pincite.agent.replay.divergence import DivergedError, Divergence, ReplayReport
from pincite.agent.replay.live_difference import live_difference
from pincite.agent.replay.ran_with import RanWith
from pincite.agent.replay.strict import require_readable
from pincite.agent.replay.tape_tools import TapeLedger, TapeTools, all_schemas, current_schemas, key_by
from pincite.agent.resume import begun_with
from pincite.errors import NothingUsableError
from pincite.tools.result import ToolResult
from pincite.transcripts.events import AnswerEvent, ErrorEvent, Event
from pincite.transcripts.reader import Recording
from pincite.transcripts.tape import Tape
from pincite.transcripts.writer import MemoryTranscript


def replay_live_model(recording: Recording, model: ChatModel) -> ReplayReport:
    """Ask the recorded questions of `model`, answering its calls from the recording.

    A call that the recording has no result for ends the replay: nothing is ever looked up live. Raises
    NothingUsableError for a recording that cannot be run, or from which secrets were taken out that the
    model would have to be told, and ModelError when the model cannot be asked.
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
        for question, part, resumed in zip(tape.questions, parts, tape.parts, strict=True):
            # What was not to be seen any more from there on is not told to the live model either.
            tools.ledger.withdraw(resumed.withdrawn if resumed is not None else ())
            agent.set_budgets(part.budgets)
            agent.set_beginning(part.beginning)
            agent.ask(question.text)
        agent.close()
    except DivergedError:
        pass
    found = live_difference(tape.events, transcript.events, key)
    _require_turns(transcript.events, None if found is None else found.live)
    changed = changes(tape, all_schemas(tape))
    answers = [event.answer for event in transcript.events if isinstance(event, AnswerEvent)]
    report = ReplayReport(
        diverged=found is not None or bool(unanswered),
        mode="live-model",
        session=start.session,
        events=len(transcript.events),
        # The question that could not go on was only stopped.
        answers=tuple(answers[:-1] if unanswered else answers),
        changes=tuple(changed),
        warnings=(*tape.warnings, *unanswered),
    )
    if found is None:
        return report
    why, words = "model", f"{model.name} did something else than {start.model} did"
    if found.asked:
        why, words = cause(found.divergence, tape, changed)
    return report.differing(found.divergence, why, "; ".join([words, *unanswered]))


def _require_turns(events: Sequence[Event], difference: Event | None) -> None:
    """ModelError where the live model gave no turn before anything differed: then there is nothing to say."""
    for event in events:
        if isinstance(event, AnswerEvent) and event.answer.get("stop_reason") == StopReason.model_error:
            errors = [one for one in events if isinstance(one, ErrorEvent) and one.seq < event.seq]
            if errors and (difference is None or difference.seq >= errors[-1].seq):
                error = errors[-1]
                raise ModelError(error.message, code=error.code, hint=error.hint)
            return


def require_nothing_redacted(tape: Tape) -> None:
    """NothingUsableError when a live model would be told "[redacted]" for what was said or found."""
    kinds = {"user_message", "model_response", "tool_result", "tool_call"}
    if any(event.redacted for event in tape.events if event.kind in kinds):
        raise NothingUsableError(
            "secrets were taken out of this transcript, and a model must not be told the rest in their place",
            code="redacted",
            hint="a strict replay, --live-tools and show work",
        )
