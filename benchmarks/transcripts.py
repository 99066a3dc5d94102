"""Sizes and times of transcripts: `python benchmarks/transcripts.py`.

A session of 500 questions with 10 new passages each is written, read and shown; one of 100 steps is replayed
strictly. No model, no index.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pincite.agent.budget import Budgets
from pincite.agent.clock import EventClock
from pincite.agent.facts import SessionFacts, chances
from pincite.agent.loop import Agent
from pincite.agent.messages import ToolSchemaLike
from pincite.agent.replay.strict import replay
from pincite.agent.replay.tape_tools import current_schemas
from pincite.agent.scripted import ScriptedModel, Step, calls
from pincite.tools.ledger import Ledger
from pincite.tools.passage import Passage
from pincite.tools.render import Nonces, render_block
from pincite.tools.result import Attempt, Outcome, ToolResult
from pincite.transcripts.events import Event, NoticeEvent
from pincite.transcripts.page import session_page
from pincite.transcripts.reader import read
from pincite.transcripts.stamp import Stamp
from pincite.transcripts.writer import TranscriptWriter

QUESTIONS, PASSAGES, STEPS = 500, 10, 100
# 400 estimated tokens, the most that a passage has.
TEXT = "Rule {n} says that the member pays a fee of {n} crowns by the last day of March in each year. " * 16
T = TypeVar("T")


class InstantTools:
    """Every search shows new passages, in the form that the real tools give."""

    def __init__(self, passages: int) -> None:
        self.ledger = Ledger()
        self._nonces = Nonces("benchmark")
        self._passages = passages
        self._schemas: dict[str, ToolSchemaLike] = dict(current_schemas())

    def schemas(self, names: Sequence[str]) -> list[ToolSchemaLike]:
        return [self._schemas[name] for name in names]

    def call(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        shown = tuple(self._show() for _ in range(self._passages))
        text = render_block(shown, self._nonces.next([passage.text for passage in shown]))
        tried = tuple(Attempt(leg=leg, outcome=Outcome.ok, ms=1.0) for leg in ("keyword", "vector", "fused"))
        return ToolResult(tool=name, text=text, passages=shown, used="fused", attempts=tried)

    def _show(self) -> Passage:
        number = len(self.ledger.passages) + 1
        text = TEXT.format(n=number)
        names: Any = {"document": "rules/rules.md", "document_title": "Rules", "version": "v" * 16}
        names |= {"section": f"s{number}", "page": 1, "page_end": 1, "line": number}
        candidate = Passage(handle="", start=0, end=len(text), text=text, path=(f"Rule {number}",), **names)
        shown = self.ledger.show(candidate)
        assert shown is not None
        return shown.passage


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        long = Path(folder) / "long.jsonl"
        session(long, QUESTIONS, 1, PASSAGES)
        recording = read(long)
        size = f"{long.stat().st_size / 1e6:.1f} MB, {len(recording.events)} events"
        print(f"{QUESTIONS} questions, {PASSAGES} passages each: {size}")
        print(f"read: {best(lambda: read(long))}")
        print(f"page: {best(lambda: session_page(recording), 1)}")
        hundred = Path(folder) / "hundred.jsonl"
        session(hundred, 1, STEPS - 1, 1)
        taped = read(hundred)
        report = replay(taped)
        assert not report.diverged, report
        print(f"strict replay of {STEPS} steps: {best(lambda: replay(taped))}")
        for fsync in ("never", "announced", "always"):
            took, busy = writing(Path(folder) / f"{fsync}.jsonl", recording.events, fsync)
            print(f"write an event, fsync {fsync}: {took:.3f} ms, processor {busy:.3f} ms")


def session(path: Path, questions: int, searches: int, passages: int) -> None:
    """Record a session over instant tools."""
    steps: list[Step] = []
    shown = 0
    for question in range(questions):
        for number in range(searches):
            steps.append(calls(("search", {"query": f"fee {question} {number}"})))
            shown += passages
        quote = f"Rule {shown} says that the member pays a fee"
        cited = {"citations": [{"passage": f"P{shown}", "quote": quote}], "text": "The member pays a fee."}
        steps.append(calls(("answer", {"statements": [cited], "status": "answered"})))
    stamp = Stamp(path.stem)
    agent = Agent(
        ScriptedModel(steps),
        InstantTools(passages),
        budgets=Budgets(model_calls=None, tool_calls=None, searches=None, seconds=None, stalled_turns=1000),
        clock=EventClock(stamp),
        transcript=TranscriptWriter(path, stamp, fsync="never"),
        session=path.stem,
        facts=SessionFacts(seed="benchmark"),
    )
    for event in chances(path.stem, "benchmark"):
        agent._transcript.append(event)
    for question in range(questions):
        answer = agent.ask(f"Which fee does the member pay, number {question}?")
        assert answer.status == "answered", answer
    agent.close()


def writing(path: Path, events: Sequence[Event], fsync: Any) -> tuple[float, float]:
    """Milliseconds for an event as sessions have them, over 2,000 of them; and those of the processor."""
    writer = TranscriptWriter(path, Stamp("s"), fsync=fsync)
    some = list(events[:2000])
    writer.append(NoticeEvent(code="warm", message="up"))
    started, spent = time.perf_counter(), time.process_time()
    for event in some:
        writer.append(event)
    took, busy = time.perf_counter() - started, time.process_time() - spent
    writer.close()
    assert writer.problem is None
    return 1000 * took / len(some), 1000 * busy / len(some)


def best(work: Callable[[], T], times: int = 5) -> str:
    """The median of some runs: seconds on the clock, and of them those of the processor."""
    took, busy = [], []
    for _ in range(times):
        started, spent = time.perf_counter(), time.process_time()
        work()
        took.append(time.perf_counter() - started)
        busy.append(time.process_time() - spent)
    return f"{statistics.median(took):.2f} s, processor {statistics.median(busy):.2f} s"


if __name__ == "__main__":
    main()
