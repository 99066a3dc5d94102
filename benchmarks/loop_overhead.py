"""The loop's own time per step, without model and retrieval: `python benchmarks/loop_overhead.py`.

Beside the time on the clock stands that of the processor, which a busy machine does not change.

A scripted model and instant tools run one session of 200 turns with 50 passages in the ledger from the start.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pincite.agent.budget import Budgets
from pincite.agent.loop import Agent
from pincite.agent.messages import ModelRequest, ModelTurn
from pincite.agent.scripted import ScriptedModel, calls
from pincite.tools.ledger import Ledger
from pincite.tools.passage import Passage
from pincite.tools.render import Nonces, render_block
from pincite.tools.result import ToolResult
from pincite.tools.schema import ToolSchema
from pincite.transcripts.stamp import Stamp
from pincite.transcripts.writer import TranscriptWriter

QUESTIONS, TURNS, AT_START = 50, 4, 50
TEXT = "Rule {n} says that the member pays a fee of {n} crowns by the last day of March in each year. " * 12


class InstantTools:
    """Every search shows one new passage and names one shown before."""

    def __init__(self) -> None:
        self.ledger = Ledger()
        self._nonces = Nonces("benchmark")
        self.seconds = self.cpu = 0.0
        for _ in range(AT_START):
            self._show()

    def schemas(self, names: Sequence[str]) -> list[ToolSchema]:
        parameters: dict[str, Any] = {"type": "object", "properties": {"query": {"type": "string"}}}
        return [ToolSchema(name=name, description=name, parameters=parameters) for name in names]

    def call(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        started, cpu = time.perf_counter(), time.process_time()
        passage = self._show()
        text = render_block([passage], self._nonces.next([passage.text]))
        result = ToolResult(tool=name, text=text, passages=(passage,), already_shown=("P1",), used="keyword")
        self.seconds += time.perf_counter() - started
        self.cpu += time.process_time() - cpu
        return result

    def _show(self) -> Passage:
        number = len(self.ledger.passages) + 1
        text = TEXT.format(n=number)
        names: Any = {"document": "rules", "document_title": "Rules", "version": "v", "section": str(number)}
        candidate = Passage(handle="", start=0, end=len(text), text=text, path=(f"Rule {number}",), **names)
        shown = self.ledger.show(candidate)
        assert shown is not None
        return shown.passage


def main() -> None:
    tools = InstantTools()
    waits: list[float] = []
    worked: list[float] = []
    last = time.perf_counter()
    last_cpu = time.process_time()

    def step(turn: ModelTurn) -> Any:
        def respond(_: ModelRequest) -> ModelTurn:
            nonlocal last, last_cpu
            now, cpu = time.perf_counter(), time.process_time()
            waits.append(now - last - tools.seconds)
            worked.append(cpu - last_cpu - tools.cpu)
            tools.seconds = tools.cpu = 0.0
            last, last_cpu = now, cpu
            return turn

        return respond

    script = []
    for question in range(QUESTIONS):
        handle = f"P{AT_START + question * (TURNS - 1) + 1}"
        number = handle[1:]
        quote = f"the member pays a fee of {number} crowns"
        cited = [{"citations": [{"passage": handle, "quote": quote}], "text": f"The fee is {number} crowns."}]
        script += [step(calls(("search", {"query": f"fee {question} {at}"}))) for at in range(TURNS - 1)]
        script.append(step(calls(("answer", {"statements": cited, "status": "answered"}))))
    with tempfile.TemporaryDirectory() as folder:
        writer = TranscriptWriter(Path(folder) / "s.jsonl", Stamp("s"), fsync="never")
        agent = Agent(ScriptedModel(script), tools, budgets=Budgets(), transcript=writer, session="s")
        for question in range(QUESTIONS):
            answer = agent.ask(f"What does rule {question} say about the fee?")
            assert answer.status == "answered", answer
        agent.close()
        size = (Path(folder) / "s.jsonl").stat().st_size
    steps = list(zip(waits, worked, strict=True))[1:]
    half = len(steps) // 2
    for name, part in (("all", steps), ("first half", steps[:half]), ("second half", steps[half:])):
        wall, cpu = ([1000 * one for one in times] for times in zip(*part, strict=True))
        print(
            f"{name:12} {len(part):4} steps  median {statistics.median(wall):6.2f} ms"
            f"  (processor {statistics.median(cpu):5.2f} ms)  worst {max(wall):6.2f} ms"
        )
    print(f"transcript {size / 1e6:.1f} MB for {len(waits)} turns")


if __name__ == "__main__":
    main()
