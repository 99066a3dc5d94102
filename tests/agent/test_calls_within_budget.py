"""No call is made that would overrun a budget of tokens or money, as far as that can be known before."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.agent.stub_tools import StubTools
from tests.agent.test_context import tokens
from tests.agent.worlds import QUESTION, many, search

from pincite.agent.budget import LEAST_OUTPUT, Budgets, Price
from pincite.agent.clock import ManualClock
from pincite.agent.extractive.model import ExtractiveModel
from pincite.agent.loop import Agent
from pincite.agent.messages import ModelRequest, ModelTurn, Usage
from pincite.agent.outcome import StopReason
from pincite.agent.scripted import ScriptedModel
from pincite.transcripts.events import LimitEvent
from pincite.transcripts.writer import MemoryTranscript

PRICE = Price(input=1_000, output=4_000)


class Server:
    """Counts `factor` times our tokens, and each turn is as long as it may be, at most `wordy`."""

    def __init__(self, factor: float, wordy: int) -> None:
        self.factor = factor
        self.wordy = wordy
        self.largest = 0

    def turn(self, number: int) -> object:
        def respond(request: ModelRequest) -> ModelTurn:
            sent = round(self.factor * tokens(request))
            self.largest = max(self.largest, sent)
            most = request.max_output_tokens
            written = self.wordy if most is None else min(most, self.wordy)
            return ModelTurn(tool_calls=search(f"q{number}").tool_calls, usage=Usage(sent, written))

        return respond


def ask(server: Server, budgets: Budgets) -> tuple[object, MemoryTranscript, ScriptedModel]:
    model = ScriptedModel([server.turn(number) for number in range(10)])  # type: ignore[misc]
    tools = StubTools(many(12, 60), {"bylaws": {}}, ["bylaws"])
    transcript = MemoryTranscript()
    agent = Agent(
        model,
        tools,
        budgets=budgets,
        prices={"scripted": PRICE},
        clock=ManualClock(),
        transcript=transcript,
    )
    return agent.ask(QUESTION), transcript, model


@settings(max_examples=60, deadline=None)
@given(
    factor=st.floats(0.7, 1.4),
    wordy=st.integers(20, 3_000),
    kind=st.sampled_from(["input_tokens", "output_tokens", "tokens", "cost"]),
    size=st.integers(200, 12_000),
)
def test_a_budget_is_overrun_by_no_more_than_the_counts_differ(
    factor: float, wordy: int, kind: str, size: int
) -> None:
    limit = size / 1_000 if kind == "cost" else size
    server = Server(factor, wordy)
    answer, _, _ = ask(server, Budgets.model_validate({kind: limit, "model_calls": 9}))
    usage = answer.usage  # type: ignore[attr-defined]
    spent = {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "tokens": usage.input_tokens + usage.output_tokens,
        "cost": usage.cost,
    }[kind]
    # What the server counts beyond our own count of one request; no budget of output depends on it.
    unknown = 0.0 if kind == "output_tokens" else max(0.0, server.largest * (1 - 1 / factor)) + 1
    if kind == "cost":
        unknown = PRICE.of(Usage(round(unknown + 0.5), 0))
    assert spent <= limit + unknown


@pytest.mark.parametrize(
    ("budgets", "reason"),
    [
        (Budgets(input_tokens=100), StopReason.budget_tokens),
        (Budgets(tokens=100), StopReason.budget_tokens),
        (Budgets(output_tokens=LEAST_OUTPUT - 1), StopReason.budget_tokens),
        (Budgets(cost=0.05), StopReason.budget_cost),
    ],
)
def test_a_first_call_that_would_overrun_is_not_made(budgets: Budgets, reason: StopReason) -> None:
    answer, transcript, model = ask(Server(1.0, 100), budgets)
    assert answer.stop_reason is reason  # type: ignore[attr-defined]
    assert "not enough for the next call" in answer.text  # type: ignore[attr-defined]
    assert model.requests == []
    (event,) = [event for event in transcript.events if isinstance(event, LimitEvent)]
    assert event.action == "the next call would overrun it"


def test_what_a_turn_may_write_is_what_the_money_buys() -> None:
    _, _, model = ask(Server(1.0, 100), Budgets(cost=3.0))
    first = model.requests[0]
    left = 3.0 - PRICE.of(Usage(tokens(first), 0))
    assert first.max_output_tokens == pytest.approx(left * 1_000_000 / PRICE.output, abs=1)


def test_a_server_that_counts_more_than_we_do_is_believed_from_the_second_call_on() -> None:
    answer, _, model = ask(Server(1.8, 50), Budgets(input_tokens=2_600))
    counted = [1.8 * tokens(request) for request in model.requests]
    assert answer.usage.input_tokens <= 2_600  # type: ignore[attr-defined]
    assert len(counted) >= 1


def test_the_offline_mode_costs_nothing_and_needs_no_price() -> None:
    tools = StubTools(many(1, 10), {"bylaws": {}}, ["bylaws"])
    agent = Agent(ExtractiveModel(), tools, budgets=Budgets(cost=0.01, tokens=10))
    answer = agent.ask("What does rule 0 say?")
    assert answer.usage.cost == 0
    assert answer.stop_reason not in {StopReason.budget_cost, StopReason.budget_tokens}
