"""Composes the answer from how a question ended and what of it is supported."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.agent.answer import Answer, AnswerUsage, Near, Statement
from pincite.agent.outcome import Status, StopReason
from pincite.agent.run import Run
from pincite.agent.tooling import LedgerLike
from pincite.tools.result import Outcome

_NEAREST = 5
_FAILED = frozenset({Outcome.error, Outcome.timeout})
_WITHOUT_OPEN_PARTS = frozenset({Status.unverified, Status.conversation})
_NOT_FOUND = "The documents do not answer this question."
_UNVERIFIED = "No answer: what the model wrote did not stand up to the check, so it is withheld."
_WHY = {
    StopReason.abstained: "the model declined to answer",
    StopReason.stalled: "several turns in a row brought nothing new",
    StopReason.budget_model_calls: "the budget of model calls is spent",
    StopReason.budget_tool_calls: "the budget of tool calls is spent",
    StopReason.budget_tokens: "the token budget is spent",
    StopReason.budget_time: "the time for the question is over",
    StopReason.budget_cost: "the money budget is spent",
    StopReason.model_error: "the model failed",
    StopReason.cancelled: "the question was cancelled",
}


@dataclass(frozen=True, slots=True)
class About:
    """What every answer of a session says about where it comes from."""

    model: str
    session: str
    transcript: str | None


def compose(run: Run, ledger: LedgerLike, about: About) -> Answer:
    """The answer of a run that has ended."""
    reason = run.stop or StopReason.model_error
    judged = run.accepted or run.best
    status = _status(run, reason)
    statements = judged.statements if judged and status in {Status.answered, Status.partial} else ()
    meter = run.meter
    return Answer(
        status=status,
        stop_reason=reason,
        text=_text(run, status, reason, statements),
        statements=statements,
        unanswered=judged.unanswered if judged and status not in _WITHOUT_OPEN_PARTS else (),
        withheld=judged.withheld if judged else (),
        nearest=_nearest(run, ledger) if status is Status.not_found else (),
        retrieval=tuple(run.retrieval),
        usage=AnswerUsage(
            model_calls=meter.model_calls,
            tool_calls=meter.tool_calls,
            searches=meter.searches,
            input_tokens=meter.input_tokens,
            output_tokens=meter.output_tokens,
            seconds=round(meter.seconds, 3),
            cost=meter.cost,
        ),
        model=about.model,
        session=about.session,
        transcript=about.transcript,
    )


def stalled_words(run: Run) -> str:
    """What the turns did that brought nothing new, each kind once."""
    did = ", ".join(dict.fromkeys(run.idle))
    return f"{len(run.idle)} turns of the model in a row brought nothing new: {did}"


def _status(run: Run, reason: StopReason) -> Status:
    accepted = run.accepted
    if accepted is not None and accepted.status == "conversation":
        return Status.conversation
    if accepted is not None and accepted.status == "not_found":
        return Status.not_found if run.dispatcher.worked else Status.incomplete
    if accepted is not None:
        open_parts = accepted.status == "partial" or accepted.unanswered or accepted.withheld
        return Status.partial if open_parts else Status.answered
    if run.best is not None and reason is not StopReason.abstained:
        return Status.partial if run.best.statements else Status.unverified
    return Status.incomplete


def _text(run: Run, status: Status, reason: StopReason, statements: tuple[Statement, ...]) -> str:
    if status is Status.conversation and run.accepted is not None:
        return run.accepted.remark
    if statements:
        return " ".join(statement.text for statement in statements)
    if status is Status.not_found:
        return _NOT_FOUND
    if status is Status.unverified:
        return _UNVERIFIED
    return f"No answer: {_why(run, reason)}."


def _why(run: Run, reason: StopReason) -> str:
    """Why there is nothing: how the question ended, and that nothing could be searched if so."""
    why = run.problem or _WHY.get(reason, reason.value)
    outage = _outage(run)
    if run.accepted is not None and (outage or reason is StopReason.abstained):
        return outage or "the model gave up before anything was searched or read"
    return "; ".join(part for part in (why.rstrip("."), outage) if part)


def _outage(run: Run) -> str:
    """What did not work while nothing else did; "" when something did."""
    if run.dispatcher.worked or not run.dispatcher.failed:
        return ""
    attempts = [one for retrieval in run.retrieval for one in retrieval.attempts]
    failures = [one for one in attempts if one.outcome in _FAILED]
    # Legs that were left out tell something only when none failed.
    told = failures or [one for one in attempts if one.outcome is Outcome.skipped]
    legs = ", ".join(dict.fromkeys(f"{one.leg} search: {one.outcome}" for one in told))
    return f"searching failed ({legs})" if legs else "searching failed"


def _nearest(run: Run, ledger: LedgerLike) -> tuple[Near, ...]:
    handles = [
        handle for handle in run.nearest if handle not in ledger.withdrawn and handle in ledger.passages
    ]
    passages = [ledger.passages[handle] for handle in handles[:_NEAREST]]
    return tuple(
        Near(
            handle=passage.handle,
            document=passage.document,
            document_title=passage.document_title,
            section=passage.section,
            number=passage.number,
            heading_path=passage.heading_path,
            page=passage.page,
            line=passage.line,
            page_label=passage.page_label,
        )
        for passage in passages
    )
