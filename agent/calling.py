"""Takes the calls of one turn: admits, runs or judges each in order, and gives each its one result."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping

from pincite.agent.answering import Answering
from pincite.agent.clock import Clock
from pincite.agent.dispatch import OUTAGES
from pincite.agent.events import Found, Progress, Reading, Searching
from pincite.agent.history import History
from pincite.agent.outcome import StopReason
from pincite.agent.reading import Call, Turn
from pincite.agent.record import Recorder
from pincite.agent.run import Run, about
from pincite.agent.tooling import ANSWER, SEARCH, Tools, refusal
from pincite.agent.waiting import CancelledError
from pincite.prompts import load
from pincite.tools.passage import Passage
from pincite.tools.result import ToolResult

_NOT_JUDGED = frozenset({"bad_arguments", "duplicate_call_id"})


class Caller:
    """Runs the calls of a session. `repairs` and `chat` are those of `Answering`."""

    def __init__(
        self,
        tools: Tools,
        history: History,
        recorder: Recorder,
        clock: Clock,
        cancelled: Callable[[], bool],
        *,
        repairs: int,
        chat: bool,
    ) -> None:
        self._tools = tools
        self._history = history
        self._recorder = recorder
        self._clock = clock
        self._cancelled = cancelled
        self._answering = Answering(tools, history, recorder, repairs, chat=chat)

    def take(self, run: Run, turn: Turn) -> Generator[Progress, None, bool]:
        """Run the calls of a turn in order; whether they brought anything new."""
        shown = dict(self._tools.ledger.passages)
        self._history.add_turn(turn)
        fresh = answered = refused = False
        codes: dict[str, str] = {}
        for call in turn.calls:
            if run.stop is not None or (run.late and call.tool != ANSWER):
                run.end(StopReason.budget_time)
                self._history.add_unrun(call)
                continue
            self._recorder.call(call)
            result, new = yield from self._one(run, call, shown, answered)
            code = result.error.code if result.error else ""
            answered = answered or (call.tool == ANSWER and code not in _NOT_JUDGED)
            fresh = fresh or new
            codes.setdefault(code, call.name)
            refused = refused or code == "budget_spent"
            self._recorder.withdrawn(self._tools.ledger.withdrawn)
            self._recorder.result(call, result, new)
        run.idle.append(_idle(codes))
        tools_spent = any(meter.left("tool_calls") == 0 for meter in run.meters)
        run.refused_turns += refused and tools_spent
        if run.refused_turns > 1:
            run.end(StopReason.budget_tool_calls)
        return fresh

    def _one(
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
            if self._cancelled():
                raise CancelledError
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


def _idle(codes: Mapping[str, str]) -> str:
    """What a turn with calls did that brought nothing; `codes` are their errors with the tool's name."""
    if "answer_rejected" in codes:
        return "its answer was rejected by the check"
    if "unknown_tool" in codes:
        return f"it called a tool that does not exist ({codes['unknown_tool'][:40]!r})"
    if "bad_arguments" in codes:
        return "its calls could not be understood"
    if OUTAGES & codes.keys():
        return "its look-ups failed"
    return "it repeated calls or found nothing new"
