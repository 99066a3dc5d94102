"""The state of one question while it is being answered."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pincite.agent.answer import LegAttempt, Retrieval, Statement
from pincite.agent.budget import Meter, Phase
from pincite.agent.dispatch import Accepted, Dispatcher
from pincite.agent.judge import Judged
from pincite.agent.messages import Message, Usage
from pincite.agent.outcome import StopReason
from pincite.agent.tooling import CONTENTS, SEARCH
from pincite.tools.result import ToolResult


@dataclass(slots=True)
class Run:
    """One question. `meters` are the question's and the session's.

    `question` is its message as it stands in the request. `stop` is set once it has ended; `accepted` is
    the answer that passed, `best` the rejected one of which most may be shown, `problem` what went wrong
    in words for the user. `idle` says of each turn in a row that brought nothing new what it did.
    """

    number: int
    text: str
    question: Message
    dispatcher: Dispatcher
    meters: tuple[Meter, ...]
    stop: StopReason | None = None
    accepted: Judged | None = None
    best: Judged | None = None
    problem: str = ""
    stalled: int = 0
    idle: list[str] = field(default_factory=list)
    rejections: int = 0
    refused_turns: int = 0
    nudged: bool = False
    shrunk: bool = False
    told: str = ""
    phase_told: Phase = Phase.open
    retrieval: list[Retrieval] = field(default_factory=list)
    nearest: dict[str, None] = field(default_factory=dict)
    drafted: set[str] = field(default_factory=set)
    told_statements: list[Statement] = field(default_factory=list)

    @property
    def meter(self) -> Meter:
        """What this question has spent."""
        return self.meters[0]

    @property
    def late(self) -> bool:
        """Whether a deadline has passed."""
        return any(meter.late for meter in self.meters)

    def end(self, reason: StopReason, problem: str = "") -> None:
        """End the question; the first reason stays."""
        if self.stop is None:
            self.stop = reason
            self.problem = problem

    def accept(self, judged: Judged) -> None:
        """End the question with an answer that passed; a search that failed finds nothing out."""
        self.accepted = judged
        if judged.status != "not_found":
            self.end(StopReason.answered)
        elif self.dispatcher.worked:
            self.end(StopReason.abstained)
        elif self.dispatcher.failed:
            self.end(StopReason.model_error)
        else:
            # With the last call there was no room for a search.
            self.end(self.spent() or StopReason.abstained)

    def tell(self, statement: Statement) -> bool:
        """Whether this verified statement was not told before; it counts as told then."""
        new = statement not in self.told_statements
        if new:
            self.told_statements.append(statement)
        return new

    def spent(self) -> StopReason | None:
        """The budget that forbids another model call, if one does."""
        return next((reason for meter in self.meters if (reason := meter.spent()) is not None), None)

    def phase(self, stalled_turns: int) -> Phase:
        """How near the end the question is."""
        last_chance = self.stalled > 0 and self.stalled == stalled_turns - 1 and self.dispatcher.worked
        if last_chance or self.refused_turns:
            return Phase.last
        return max((meter.phase() for meter in self.meters), key=lambda phase: phase.value)

    def spend_call(self, usage: Usage | None) -> None:
        """Count one model call; None for one that gave no turn."""
        for meter in self.meters:
            meter.spend_call(usage)

    def allows(self, request_tokens: int) -> tuple[StopReason | None, int | None]:
        """(the budget that a request of so many tokens would overrun, how many tokens it may write)."""
        found = [meter.allows(request_tokens) for meter in self.meters]
        reason = next((reason for reason, _ in found if reason is not None), None)
        return reason, min((room for _, room in found if room is not None), default=None)

    def deadline_in(self) -> float | None:
        """Seconds until the first deadline; None without one."""
        left = [meter.seconds_left for meter in self.meters if meter.seconds_left is not None]
        return min(left, default=None)

    def rejected(self, judged: Judged) -> None:
        """Remember a rejected answer if more of it may be shown than of an earlier one."""
        self.rejections += 1
        if self.best is None or len(judged.statements) >= len(self.best.statements):
            self.best = judged

    def looked_up(self, accepted: Accepted, result: ToolResult) -> None:
        """Remember what was searched and read, for the answer."""
        attempts = tuple(
            LegAttempt(leg=one.leg, outcome=one.outcome, reason=one.reason, ms=one.ms)
            for one in result.attempts
        )
        self.retrieval.append(
            Retrieval(tool=accepted.tool, query=about(accepted), used=result.used, attempts=attempts)
        )
        if accepted.tool == SEARCH:
            self.nearest.update(dict.fromkeys(result.handles))


def about(accepted: Accepted) -> str:
    """What a call asked for, in a few words on one line."""
    arguments = accepted.arguments
    if accepted.tool == SEARCH:
        found = arguments.get("queries") or [arguments.get("query") or ""]
        words = found if isinstance(found, list) else [found]
    else:
        names = ("document",) if accepted.tool == CONTENTS else ("document", "section")
        words = [arguments.get(name) or "" for name in names]
    return _one_line(words)


def _one_line(words: Iterable[object]) -> str:
    text = "; ".join(" ".join(str(word).split()) for word in words if word)
    return text if len(text) <= 200 else f"{text[:200]} …"
