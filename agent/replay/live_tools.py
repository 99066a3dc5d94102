"""The recorded model turns over live tools and index: what retrieval would give today."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import Any

from pincite.agent.clock import ManualClock
from pincite.agent.facts import SessionFacts
from pincite.agent.loop import Agent
from pincite.agent.replay.causes import changes
from pincite.agent.replay.divergence import Change, ReplayReport
from pincite.agent.replay.failing import FailingRetriever, Failure
from pincite.agent.replay.masking import Mask
from pincite.agent.replay.pinned import PinnedLedger
from pincite.agent.replay.ran_with import RanWith
from pincite.agent.replay.strict import require_readable
from pincite.agent.replay.tape_model import TapeModel
from pincite.agent.replay.tape_tools import all_schemas, as_result, current_schemas, key_by
from pincite.agent.resume import begun_with, restore
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.errors import NothingUsableError
from pincite.tools.passage import Passage
from pincite.tools.result import ToolResult
from pincite.tools.retrieve import Retriever
from pincite.tools.schema import ToolSchema
from pincite.tools.sources import QueryEncoder, Reranker
from pincite.tools.toolbox import Toolbox
from pincite.transcripts.diff import Difference, first_difference
from pincite.transcripts.drift import drift, plain
from pincite.transcripts.envelope import Json, written_as
from pincite.transcripts.events import AnswerEvent, SessionResume, ToolResultEvent
from pincite.transcripts.reader import Recording
from pincite.transcripts.tape import Tape, TapedCall
from pincite.transcripts.views import citations
from pincite.transcripts.writer import MemoryTranscript

_RESULT = f"$['{written_as('result')}']"
_FORCED = "made to fail"


def replay_live_tools(
    recording: Recording,
    index: Index,
    *,
    encoder: Callable[[], QueryEncoder] | None = None,
    reranker: Reranker | None = None,
    failures: tuple[Failure, ...] = (),
    redact: Iterable[str] = (),
) -> ReplayReport:
    """Make the recorded calls again on `index`, in the recorded scope, and compare what they give.

    Secrets that were taken out of the recording, or match `redact`, are taken out of what they give.
    `failures` force legs to fail. The model's turns are those of the recording whatever the tools say; a
    question that would need more of them ends there. Raises NothingUsableError for a recording that cannot
    be run.
    """
    tape = Tape(recording, key_by(current_schemas()))
    require_readable(tape)
    mask = Mask(tape, redact)
    live = _Live(tape, index, FailingRetriever(index, encoder, reranker, failures), mask)
    return _report(tape, live.run(), index, mask)


class _Live:
    """The recorded session over live tools, part by part, as it was gone on with."""

    def __init__(self, tape: Tape, index: Index, retriever: Retriever, mask: Mask) -> None:
        self._tape = tape
        self._index = index
        self._ledger = PinnedLedger(recorded_passages(tape), mask.passage)
        scope = RanWith.of(tape.start).in_scope()
        self._tools = _Scoped(index, retriever, self._ledger, tape.start.seed, scope)
        self._model = TapeModel(tape)
        self._transcript = MemoryTranscript(tape.start.session)

    def run(self) -> MemoryTranscript:
        """Ask every recorded question; what came of it."""
        part: SessionResume | None = None
        agent = self._begin(None)
        for number, (question, now) in enumerate(
            zip(self._tape.questions, self._tape.parts, strict=True), start=1
        ):
            if now is not part:
                agent.close()
                part, agent = now, self._begin(now)
            self._model.begin(number)
            agent.ask(question.text)
        agent.close()
        return self._transcript

    def _begin(self, resumed: SessionResume | None) -> Agent:
        start = self._tape.start
        ran = RanWith.of(start, resumed)
        restored = begun_with(start)
        if resumed is not None:
            earlier = [event for event in self._tape.events if event.seq < resumed.seq]
            restored = restore(Recording(None, events=earlier), frozenset(resumed.withdrawn))
            # The model is told nothing of before: what it is shown again is sent again.
            self._ledger.compact(list(self._ledger.standing))
            self._ledger.withdraw(one for one in resumed.withdrawn if one in self._ledger.passages)
        self._tools.scope_to(ran.in_scope())
        return Agent(
            self._model,
            self._tools,
            budgets=ran.budgets,
            session_limits=ran.session_limits,
            prices=ran.prices,
            clock=ManualClock(),
            transcript=self._transcript,
            session=start.session,
            facts=SessionFacts(index=self._index.fingerprint(), scope=start.scope, seed=start.seed),
            restored=restored,
            chat=ran.chat,
            beginning=ran.beginning,
        )


class _Scoped:
    """The tools over one ledger, each question's in its own scope."""

    def __init__(
        self, index: Index, retriever: Retriever, ledger: PinnedLedger, seed: str, scope: Scope
    ) -> None:
        self.ledger = ledger
        self._make: Callable[[Scope], Toolbox] = lambda seen: Toolbox(
            index, retriever, seen, ledger, seed=seed
        )
        self._scope = scope
        self._tools = self._make(scope)

    def scope_to(self, scope: Scope) -> None:
        """From now on see what `scope` may."""
        if scope != self._scope:
            self._scope, self._tools = scope, self._make(scope)

    def schemas(self, names: Sequence[str]) -> Sequence[ToolSchema]:
        """As the toolbox."""
        return self._tools.schemas(names)

    def limit_time(self, seconds: float | None) -> None:
        """As the toolbox."""
        self._tools.limit_time(seconds)

    def call(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        """As the toolbox."""
        return self._tools.call(name, arguments)


def recorded_passages(tape: Tape) -> list[Passage]:
    """Every passage of the recording, in the order of handles."""
    found = {
        passage.handle: passage
        for call in tape.lookups()
        if call.result is not None
        for passage in as_result(call.result).passages
    }
    try:
        return sorted(found.values(), key=lambda passage: int(passage.handle[1:]))
    except ValueError as error:
        raise NothingUsableError(
            "the transcript holds a passage without a proper handle", code="damaged_transcript"
        ) from error


def _report(tape: Tape, transcript: MemoryTranscript, index: Index, mask: Mask) -> ReplayReport:
    live = {
        event.call_id: mask.value(event.result)
        for event in transcript.events
        if isinstance(event, ToolResultEvent)
    }
    cited: dict[str, list[str]] = {}
    for event in tape.answers:
        for citation in citations(event.answer):
            cited.setdefault(citation.handle, []).append(citation.quote)
    entries = []
    first: tuple[TapedCall, Json] | None = None
    for call in tape.lookups():
        recorded = call.result.result if call.result else {}
        result = live.get(call.call.call_id, {})
        found = drift(recorded, result, cited)
        if found is not None and call.result is not None:
            first = first or (call, result)
            entries.append(
                {
                    "at": call.result.seq,
                    "question": call.question,
                    "tool": call.call.name,
                    "arguments": call.call.arguments,
                    **found,
                }
            )
    answers = tuple(mask.value(event.answer) for event in transcript.events if isinstance(event, AnswerEvent))
    changed = [*_index_change(tape, index), *changes(tape, all_schemas(tape))]
    report = ReplayReport(
        diverged=bool(entries),
        drift=tuple(entries),
        mode="live-tools",
        session=tape.start.session,
        events=len(transcript.events),
        answers=answers,
        cited_evidence_touched=_touched(tape, list(live.values()), set(cited)),
        changes=tuple(changed),
        warnings=tuple(tape.warnings),
    )
    return report if first is None else _with_first(report, tape, *first)


def _with_first(report: ReplayReport, tape: Tape, call: TapedCall, live: Json) -> ReplayReport:
    """The report with where the first result differs and why."""
    recorded = call.result.result if call.result else {}
    difference = first_difference(_essence(recorded), _essence(live), _RESULT) or Difference(
        _RESULT, None, None
    )
    why, words = _cause(report, tape)
    if call.call.redacted:
        why, words = (
            "redaction",
            "a secret was taken out of what was asked for, so it was asked for otherwise",
        )
    return report.model_copy(
        update={
            "at": call.result.seq if call.result else None,
            "kind": "tool_result",
            "path": difference.path,
            "recorded": difference.recorded,
            "replayed": difference.replayed,
            "cause": why,
            "detail": words,
        }
    )


def _essence(result: Json) -> Json:
    """What of a result must not change: not its times, scores, versions and offsets."""
    return {
        "passages": [
            {name: passage.get(name) for name in ("document", "section", "path", "text")}
            for passage in result.get("passages") or []
        ],
        "already_shown": result.get("already_shown"),
        "used": result.get("used"),
        "error": result.get("error"),
        "attempts": [
            {"leg": one.get("leg"), "outcome": one.get("outcome")} for one in result.get("attempts") or []
        ],
        "text": plain(str(result.get("text"))),
    }


def _cause(report: ReplayReport, tape: Tape) -> tuple[str, str]:
    legs = [one for one in report.drift[0].get("attempts", ()) if one["live"] not in {None, "ok"}]
    said = "; ".join(f"{one['leg']} {one['live']} ({one['reason']})" for one in legs)
    if any(one["reason"] == _FORCED for one in legs):
        return "leg", said
    names = {change.what for change in report.changes}
    if "index" in names:
        return "index", "the index holds something else than at the time of the recording"
    if legs:
        return "leg", said
    today = tape.chance("today")
    if today is not None and today != date.today().isoformat() and not tape.start.scope.get("as_of"):
        return "clock", f"the recording's day was {today}: other documents are in force today"
    if "code" in names or "prompt" in names:
        changed = ", ".join(change.name for change in report.changes)
        return "code", f"the index is the same, the program is not: {changed}"
    return "code", "the index is the same and no recorded hash differs"


def _index_change(tape: Tape, index: Index) -> list[Change]:
    now, was = index.fingerprint(), tape.start.index
    if was is None or was == now:
        return []
    return [Change(what="index", name="fingerprint", recorded=was[:16], now=now[:16])]


def _touched(tape: Tape, live: list[Json], cited: set[str]) -> bool:
    """Whether words that an answer cited were not shown any more by any of the live results."""

    def words(passage: Any) -> tuple[str, str, str]:
        return (str(passage.get("document")), str(passage.get("section")), str(passage.get("text")))

    there = {words(passage) for result in live for passage in result.get("passages") or []}
    return any(words(passage) not in there for passage in tape.passages() if passage.get("handle") in cited)
