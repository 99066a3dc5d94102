"""The words for why a question ended without an answer say what happened."""

from __future__ import annotations

from tests.agent.worlds import BAD_STATEMENT, SEARCH, World, answer, search

from pincite.agent.budget import Budgets
from pincite.agent.messages import ModelTurn
from pincite.agent.model import ModelError
from pincite.agent.scripted import calls


def test_a_model_that_repeats_itself() -> None:
    result = World(SEARCH, SEARCH, SEARCH, SEARCH).ask()
    assert result.stop_reason == "stalled"
    assert "3 turns of the model in a row brought nothing new: it repeated calls" in result.text


def test_a_model_that_only_writes() -> None:
    text = ModelTurn(content="I believe it is 240 crowns.")
    result = World(text, text, text).ask()
    assert result.text.endswith("brought nothing new: it wrote plain text instead of calling a tool.")


def test_a_model_that_is_cut_off() -> None:
    cut = ModelTurn(content="I believe", finish_reason="length")
    assert "its output was cut off" in World(cut, cut, cut).ask().text


def test_a_model_that_calls_tools_that_are_not_there() -> None:
    call = calls(("open_browser", {"url": "x"}))
    assert "a tool that does not exist ('open_browser')" in World(call, call, call).ask().text


def test_a_pause_longer_than_the_time_left_is_told() -> None:
    error = ModelError("the server answered 429: slow down", code="rate_limited", retry_after=300.0)
    result = World(search("fee"), error, budgets=Budgets(seconds=60)).ask()
    assert result.stop_reason == "model_error"
    assert "429: slow down; it asks to wait 300 s, and 60 s are left (try again later)" in result.text


def test_how_often_the_check_rejected_an_answer() -> None:
    world = World(SEARCH, answer(BAD_STATEMENT), answer(BAD_STATEMENT))
    world.ask()
    assert world.agent._run is not None
    assert world.agent._run.problem == "the check rejected the model's answer twice"
