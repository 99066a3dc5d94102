"""Asks a question under each fault and writes down what came of it.

The offline mode answers, over a real index with vectors of the tests' own encoder.
`python -m tests.agent.faults` writes docs/faults.md.
"""

from __future__ import annotations

import logging
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.agent.fault_kinds import FAULTS, Bench, Fault

from pincite.agent.answer import Answer
from pincite.agent.events import Done, Found, Notice
from pincite.agent.extractive.model import ExtractiveModel
from pincite.agent.loop import Agent
from pincite.agent.messages import ModelRequest, ModelTurn
from pincite.agent.session import open_session
from pincite.corpus.scope import Scope
from pincite.tools.retrieve import Retriever
from pincite.tools.toolbox import Toolbox
from pincite.transcripts.events import Event
from pincite.transcripts.reader import read
from pincite.transcripts.stamp import Stamp
from pincite.transcripts.writer import TranscriptWriter

QUESTION = "How much is the annual fee of a member?"
DOCUMENT = Path(__file__).parents[2] / "docs" / "faults.md"
_HEAD = """# Faults and what a question makes of them

Written by `python -m tests.agent.faults` from the runs that `tests/agent/test_fault_matrix.py` checks: one
question in the offline mode, over a real index, while one thing fails. "The model is told" is the first line
of each tool result. The answer itself (`--json`, and the last lines of `pincite ask`) also carries each
attempt as it stands in the last column. What the engine says in its own words is left out here, not in the
transcript. A limit on the size of files stands in for the full disk; the hanging parts had 3 seconds.

| fault | the user sees | the model is told | the transcript records |
|---|---|---|---|
"""


class _Listening(ExtractiveModel):
    """Keeps the tool results that it was last sent."""

    told: tuple[str, ...] = ()

    def respond(self, request: ModelRequest) -> ModelTurn:
        self.told = tuple(message.content for message in request.messages if message.role == "tool")
        return super().respond(request)


@dataclass(frozen=True)
class Seen:
    """What came of one question. `events` is None where nothing was to be recorded in a file."""

    fault: Fault
    answer: Answer
    notices: tuple[Notice, ...]
    told: tuple[str, ...]
    events: tuple[Event, ...] | None
    warnings: tuple[str, ...]
    texts: str
    folder: str

    @property
    def legs(self) -> dict[str, str]:
        """How each leg of the first search ended."""
        searches = [one for one in self.answer.retrieval if one.tool == "search"]
        return {attempt.leg: attempt.outcome.value for attempt in searches[0].attempts}


def observe(fault: Fault) -> Seen:
    """Ask the question under a fault."""
    folder = Path(tempfile.mkdtemp(prefix="pincite-"))
    # The read-only index is read by another user.
    folder.chmod(0o755)
    bench = Bench(folder)
    try:
        bench.write()
        bench.sync()
        fault.arrange(bench)
        return _observe(fault, bench)
    finally:
        bench.put_away()
        shutil.rmtree(folder)


def _observe(fault: Fault, bench: Bench) -> Seen:
    texts = _texts(bench)
    bench.reach("closed")
    index = bench.index_class.open(bench.db)
    bench.reach("open")
    model = _Listening(bench.encoder)
    if bench.usual_session:
        agent = open_session(index, model, encoder=bench.encoder, budgets=bench.budgets)
    else:
        retriever = Retriever(index, bench.encoder, bench.reranker, bench.settings)
        tools = Toolbox(index, retriever, Scope(), seed="faults")
        transcript = TranscriptWriter(bench.transcript, Stamp("faults"))
        agent = Agent(model, tools, budgets=bench.budgets, transcript=transcript, session="faults")
    bench.reach("asking")
    notices: list[Notice] = []
    for event in agent.events(QUESTION):
        if isinstance(event, Notice):
            notices.append(event)
        if isinstance(event, Found):
            bench.reach("found")
    agent.close()
    assert isinstance(event, Done)
    recording = read(bench.transcript) if bench.transcript.exists() else None
    return Seen(
        fault=fault,
        answer=event.answer,
        notices=tuple(notices),
        told=model.told,
        events=tuple(recording.events) if recording else None,
        warnings=tuple(recording.warnings) if recording else (),
        texts=texts + _texts(bench),
        folder=str(bench.folder),
    )


def _texts(bench: Bench) -> str:
    return "".join(file.read_text(encoding="utf-8") for file in sorted((bench.folder / "docs").iterdir()))


def row(seen: Seen) -> str:
    """A row of the table."""
    cells = (seen.fault.name, _user(seen), _model(seen), _record(seen))
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def document(rows: list[str]) -> str:
    """docs/faults.md."""
    return _HEAD + "\n".join(rows) + "\n"


def _user(seen: Seen) -> str:
    answer = seen.answer
    status = " / ".join(dict.fromkeys((str(answer.status), str(answer.stop_reason))))
    notes = [f"note: {notice.message}" for notice in seen.notices]
    return _short(seen, "; ".join([f"{status}: {answer.text}", *notes]))


def _model(seen: Seen) -> str:
    lines = [text.splitlines()[0] for text in seen.told if text]
    return _short(seen, " / ".join(dict.fromkeys(lines)))


def _record(seen: Seen) -> str:
    if seen.events is None:
        return "nothing in a file"
    parts = []
    for event in seen.events:
        if event.kind == "tool_result" and event.result["attempts"]:
            parts.append(", ".join(_attempt(attempt) for attempt in event.result["attempts"]))
        elif event.kind == "tool_result" and event.result["error"]:
            parts.append(f"{event.result['tool']} {event.result['error']['code']}")
        elif event.kind in {"notice", "error"}:
            parts.append(f"{event.kind} {event.code}")
        elif event.kind == "answer":
            parts.append(f"answer {event.answer['status']}")
    last = seen.events[-1].kind
    if last != "session_end":
        parts.append(f"whole lines up to the {last}, nothing after it")
    return _short(seen, "; ".join(dict.fromkeys(parts)))


def _attempt(attempt: dict[str, str]) -> str:
    words = re.sub(r"is damaged: .*", "is damaged", attempt["reason"])
    reason = f" ({words})" if words else ""
    return f"{attempt['leg']} {attempt['outcome']}{reason}"


def _short(seen: Seen, text: str) -> str:
    return text.replace(seen.folder, "…")


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    DOCUMENT.write_text(document([row(observe(fault)) for fault in FAULTS]), encoding="utf-8")
