"""Takes an `answer` call: reads it, has it checked, and says what that means for the question."""

from __future__ import annotations

from collections.abc import Generator, Mapping

from pincite.agent.answer_tool import read_answer
from pincite.agent.check.answer import normalise_handle
from pincite.agent.dispatch import Accepted
from pincite.agent.events import Checking, Progress, Rejected, Verified
from pincite.agent.history import History
from pincite.agent.judge import Judged, draft_json, judge, problem_json
from pincite.agent.outcome import StopReason
from pincite.agent.parse import BadArgumentsError
from pincite.agent.reading import Call
from pincite.agent.record import Recorder
from pincite.agent.run import Run
from pincite.agent.tooling import ANSWER, Tools, refusal
from pincite.prompts import load
from pincite.tools.passage import Passage
from pincite.tools.result import ToolResult


class Answering:
    """Judges the answers of a session.

    `repairs` is how often a rejected one goes back; with `chat` a reply may be about no document.
    """

    def __init__(
        self, tools: Tools, history: History, recorder: Recorder, repairs: int, *, chat: bool
    ) -> None:
        self._ledger = tools.ledger
        self._history = history
        self._recorder = recorder
        self._repairs = repairs
        self._chat = chat

    def take(
        self, run: Run, call: Call, accepted: Accepted, shown: Mapping[str, Passage]
    ) -> Generator[Progress, None, ToolResult]:
        """Judge one answer against the passages shown before its turn; the last word ends the run."""
        try:
            draft = read_answer(accepted.arguments)
        except BadArgumentsError as error:
            text = load("bad_arguments", tool=ANSWER, problem=str(error)).text
            return refusal(ANSWER, "bad_arguments", text)
        yield Checking(len(draft.statements))
        asked = self._history.recently_asked()
        said = self._history.said() if self._chat else None
        judging = judge(draft, asked, shown, self._ledger.withdrawn, said, question=run.text)
        while True:
            try:
                statement = next(judging)
            except StopIteration as stop:
                judged: Judged = stop.value
                break
            if run.tell(statement):
                yield Verified(statement)
        self._recorder.check(call, draft_json(draft), [problem_json(problem) for problem in judged.problems])
        if judged.passed:
            self._ledger.cite({one.handle for part in judged.statements for one in part.citations})
            run.accept(judged)
            return ToolResult(tool=ANSWER, text=load("accepted").text)
        run.rejected(judged)
        run.drafted = {
            normalise_handle(one.passage or "") for part in draft.statements for one in part.citations
        }
        again = run.rejections <= self._repairs
        yield Rejected(judged.codes, again)
        prompt = "repair" if again else "repair_last"
        if not again:
            run.end(StopReason.stalled, f"the check rejected the model's answer {_times(run.rejections)}")
        return refusal(ANSWER, "answer_rejected", load(prompt, problems=judged.explanation).text)


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
