from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from tests.agent.worlds import SEARCH, search

from pincite.agent.budget import Budgets, Limits, Price
from pincite.agent.events import Notice
from pincite.agent.messages import ModelTurn, Usage
from pincite.agent.models import Calling, resolve_model
from pincite.agent.openai_model import OpenAIModel
from pincite.agent.outcome import StopReason
from pincite.agent.scripted import ScriptedModel
from pincite.agent.session import open_session
from pincite.corpus.index import Index
from pincite.corpus.sync import sync
from pincite.errors import UsageError
from pincite.transcripts.reader import read

PRICES = {"scripted": Price(input=1000, output=1000)}


@pytest.fixture
def index(tmp_path: Path) -> Index:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "fee.md").write_text("# Fees\n\nThe annual fee is 240 crowns.\n", encoding="utf-8")
    sync([tmp_path / "docs"], tmp_path / "kb", vectors=False)
    return Index.open(tmp_path / "kb")


def test_money_is_limited_over_the_whole_session(index: Index) -> None:
    def dear(turn: ModelTurn) -> ModelTurn:
        return ModelTurn(tool_calls=turn.tool_calls, usage=Usage(400, 100))

    model = ScriptedModel([dear(SEARCH), dear(search("crowns")), dear(SEARCH)])
    agent = open_session(index, model, session_limits=Limits(cost=2.4), prices=PRICES)
    with closing(agent):
        first = agent.ask("How much is the fee?")
        second = agent.ask("And when is it due?")
    assert first.stop_reason is second.stop_reason is StopReason.budget_cost
    assert 0 < (first.usage.cost or 0) <= 2.4
    assert second.usage.model_calls == 0


def test_a_limit_on_money_without_a_price_is_refused_before_the_first_call(index: Index) -> None:
    for limits in ({"budgets": Budgets(cost=1.0)}, {"session_limits": Limits(cost=1.0)}):
        model = ScriptedModel([])
        with pytest.raises(UsageError) as caught:
            open_session(index, model, prices={"other": Price(input=1, output=1)}, **limits)
        assert caught.value.code == "no_price"
        assert model.requests == []


def test_a_session_is_recorded_beside_the_index(index: Index) -> None:
    with closing(open_session(index, ScriptedModel([SEARCH]), budgets=Budgets(model_calls=1))) as agent:
        answer = agent.ask("How much is the fee?")
    assert answer.transcript is not None
    path = Path(answer.transcript)
    assert path.parent == index.info.folder / "sessions"
    assert path.stat().st_mode & 0o777 == 0o600
    assert read(path).warnings == []


def test_a_session_that_cannot_be_recorded_says_so_once(index: Index) -> None:
    (index.info.folder / "sessions").write_text("in the way")
    with closing(
        open_session(index, ScriptedModel([SEARCH, SEARCH]), budgets=Budgets(model_calls=1))
    ) as agent:
        told = [list(agent.events("How much is the fee?")) for _ in range(2)]
    notices = [[event.code for event in events if isinstance(event, Notice)] for events in told]
    assert notices == [["transcript_unsaved"], []]


def test_the_way_a_model_calls_tools_can_be_set_by_hand() -> None:
    callings: tuple[tuple[Calling, str], ...] = (("native", "tools"), ("json", "json"))
    for calling, mode in callings:
        model = resolve_model("m", base_url="http://127.0.0.1:1/v1", calling=calling)
        assert isinstance(model, OpenAIModel)
        with closing(model):
            assert model.mode == mode
