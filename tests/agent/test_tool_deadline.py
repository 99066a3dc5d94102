"""What a tool does with its time never makes a question longer than its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.agent.fault_kinds import Bench, _encoder_hangs
from tests.agent.worlds import GOOD, QUESTION, SEARCH, World

from pincite.agent.budget import Budgets
from pincite.agent.events import Done, Searching
from pincite.agent.extractive.model import ExtractiveModel
from pincite.agent.loop import Agent
from pincite.agent.outcome import Status, StopReason
from pincite.agent.scripted import ScriptedModel, calls
from pincite.corpus.index import Index
from pincite.corpus.lookup import Name
from pincite.corpus.rows import ChunkHit
from pincite.corpus.scope import Scope
from pincite.tools.chain import RetrievalSettings
from pincite.tools.retrieve import Retriever
from pincite.tools.toolbox import Toolbox

# What waiting threads and a busy machine may add.
SLACK = 1.5


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    bench.write()
    bench.sync()
    yield bench
    bench.put_away()


def _agent(bench: Bench, model: Any, seconds: float, index: Index | None = None) -> Agent:
    # The legs' own deadline alone would outlast the question.
    patient = RetrievalSettings(leg_deadline=60.0, load_deadline=60.0)
    opened = index or Index.open(bench.db)
    tools = Toolbox(opened, Retriever(opened, bench.encoder, None, patient), Scope(), seed="s")
    tools.call("search", {"query": "warm up the engine"})
    return Agent(model, tools, budgets=Budgets(seconds=seconds))


def _timed(agent: Agent) -> tuple[Any, float]:
    started = time.monotonic()
    return agent.ask("How much is the annual fee of a member?"), time.monotonic() - started


def test_a_leg_that_hangs_leaves_the_time_for_its_fallback(bench: Bench) -> None:
    # Warmed without the encoder, which is not loaded before the question.
    bench.encoder, hanging = None, bench
    index = Index.open(bench.db)
    Toolbox(index, Retriever(index, None), Scope(), seed="w").call("search", {"query": "fee"})
    _encoder_hangs(hanging)
    settings = RetrievalSettings(leg_deadline=60.0, load_deadline=60.0)
    tools = Toolbox(index, Retriever(index, bench.encoder, None, settings), Scope(), seed="s")
    agent = Agent(ExtractiveModel(), tools, budgets=Budgets(seconds=6.0))
    answer, took = _timed(agent)
    assert took < 6.0 + SLACK
    assert answer.status is Status.answered
    assert {one.leg: one.outcome for one in answer.retrieval[0].attempts} == {
        "keyword": "ok",
        "vector": "timeout",
    }


class _Hanging(Index):
    released = threading.Event()

    def keyword(self, query: str, scope: Scope, k: int) -> list[ChunkHit]:
        if "warm" not in query:
            self.released.wait(30)
        return super().keyword(query, scope, k)

    def names(self, scope: Scope) -> list[Name]:
        self.released.wait(30)
        return super().names(scope)


@pytest.mark.parametrize(
    "turn",
    [SEARCH, ("table_of_contents", {})],
    ids=["search", "contents"],
)
def test_a_tool_that_hangs_ends_the_question_at_its_deadline(bench: Bench, turn: Any) -> None:
    bench.encoder = None
    step = turn if turn is SEARCH else calls(turn)
    agent = _agent(bench, ScriptedModel([step, step, step]), 1.5, _Hanging.open(bench.db))
    answer, took = _timed(agent)
    _Hanging.released.set()
    _Hanging.released = threading.Event()
    assert took < 1.5 + SLACK
    assert answer.status is Status.incomplete
    # A search gives up by itself, half of the time before its end; other tools are left behind.
    assert answer.stop_reason in {StopReason.budget_time, StopReason.stalled}
    assert "searching failed" in answer.text


def test_a_call_that_comes_back_too_late_shows_nothing_and_blocks_no_later_one() -> None:
    world = World(SEARCH, SEARCH, GOOD, budgets=Budgets(seconds=None))
    free = threading.Event()
    real = world.tools.call

    def slow(name: str, arguments: dict[str, Any]) -> Any:
        free.wait(10)
        return real(name, arguments)

    world.tools.call = slow  # type: ignore[method-assign]
    told = world.agent.events(QUESTION)
    for event in told:
        if isinstance(event, Searching):
            threading.Timer(0.2, world.agent.cancel).start()
        last = event
    assert isinstance(last, Done)
    assert last.answer.stop_reason is StopReason.cancelled
    hanging = world.agent._calls._pending
    assert hanging is not None
    assert not hanging.done
    world.agent._cancel.clear()
    refused = world.agent._calls.call("search", {"query": "x"}, 1.0)
    assert refused.error is not None
    assert refused.error.code == "search_unavailable"
    free.set()
    hanging.wait(5, lambda: False)
    assert world.ask().status is Status.answered


def test_a_toolbox_whose_time_is_over_shows_nothing(bench: Bench) -> None:
    index = Index.open(bench.db)
    tools = Toolbox(index, Retriever(index, None), Scope(), seed="s")
    tools.limit_time(0.0)
    result = tools.call("read_section", {"document": "bylaws.md", "section": "2.1 Annual fee"})
    assert result.error is not None
    assert tools.ledger.passages == {}
    tools.limit_time(None)
    again = tools.call("read_section", {"document": "bylaws.md", "section": "2.1 Annual fee"})
    assert again.handles == ("P1",)
