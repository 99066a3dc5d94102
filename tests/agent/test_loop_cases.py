from __future__ import annotations

from typing import Any

import pytest
from tests.agent.loop_cases import Case, budgets_for, check_outcome, check_request, load_cases, tools_for

from pincite.agent.clock import ManualClock
from pincite.agent.loop import Agent
from pincite.agent.messages import ModelRequest, ModelTurn, ToolCall, Usage
from pincite.agent.model import ModelError
from pincite.agent.scripted import ScriptedModel, Step
from pincite.transcripts.writer import MemoryTranscript


def step(record: dict[str, Any]) -> Step:
    if "x_raise" in record:
        return ModelError("the connection failed", code="connection")
    if "x_raw" in record:
        return ModelError("a body without choices", code="bad_response")
    usage = record.get("usage")
    return ModelTurn(
        content=record.get("content") or "",
        tool_calls=tuple(
            ToolCall(call.get("id") or "", call["function"]["name"], call["function"]["arguments"])
            for call in record.get("tool_calls") or ()
        ),
        finish_reason=record.get("finish_reason"),
        refusal=record.get("refusal"),
        usage=Usage(usage["prompt_tokens"], usage["completion_tokens"]) if usage else None,
    )


class CancelAfter(ScriptedModel):
    """Asks for the question to end once it has made so many turns."""

    agent: Agent | None = None
    after: int | None = None

    def respond(self, request: ModelRequest) -> ModelTurn:
        turn = super().respond(request)
        if self.after == len(self.requests) and self.agent is not None:
            self.agent.cancel()
        return turn


@pytest.mark.parametrize("case", load_cases())
def test_the_loop_ends_well(case: Case) -> None:
    clock = ManualClock()
    model = CancelAfter(
        [step(record) for record in case["script"]],
        clock=clock,
        delays=[record.get("x_delay_s", 0) for record in case["script"]],
    )
    tools = tools_for(case)
    transcript = MemoryTranscript()
    agent = Agent(model, tools, budgets=budgets_for(case), clock=clock, transcript=transcript)
    model.agent, model.after = agent, case.get("cancel_after_model_calls")
    answer = agent.ask(case["question"])
    check_outcome(case, answer, transcript.events, tools)
    for request in model.requests:
        check_request(request.messages, case["expect"].get("must_not_show", ()))
