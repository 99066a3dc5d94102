from __future__ import annotations

import json
from typing import Any

import pytest
from tests.agent.loop_cases import Case, budgets_for, check_outcome, load_cases, tools_for
from tests.agent.scripted_server import Json, Reply, ScriptedServer, completion

from pincite.agent.clock import ManualClock
from pincite.agent.loop import Agent
from pincite.agent.openai_model import OpenAIModel
from pincite.transcripts.writer import MemoryTranscript


def reply(record: dict[str, Any], clock: ManualClock) -> Reply:
    if "x_raise" in record:
        return Reply(drop=True)
    if "x_raw" in record:
        return Reply(body=record["x_raw"])
    message: Json = {key: record[key] for key in ("content", "tool_calls", "refusal") if key in record}
    delay = record.get("x_delay_s", 0)
    body = completion(message, record.get("finish_reason"), record.get("usage"))
    return Reply(body=body, action=lambda _: clock.advance(delay))


def check_wire(request: Json, must_not_show: list[str]) -> None:
    """One result for each call, right behind it, under unique ids."""
    waiting: list[str] = []
    seen: set[str] = set()
    for message in request["messages"]:
        assert not any(secret in json.dumps(message, ensure_ascii=False) for secret in must_not_show)
        if message["role"] == "tool":
            assert message["tool_call_id"] == waiting.pop(0)
            continue
        assert waiting == []
        waiting = [call["id"] for call in message.get("tool_calls", ())]
        assert len(set(waiting)) == len(waiting)
        assert seen.isdisjoint(waiting)
        seen.update(waiting)
    assert waiting == []


@pytest.mark.parametrize("case", load_cases())
def test_the_loop_ends_well_over_http(case: Case) -> None:
    clock = ManualClock()
    replies = [*(reply(record, clock) for record in case["script"]), Reply(drop=True)]
    tools = tools_for(case)
    transcript = MemoryTranscript()
    with ScriptedServer(replies).running() as server:
        model = OpenAIModel("m", base_url=server.url, clock=clock)
        agent = Agent(model, tools, budgets=budgets_for(case), clock=clock, transcript=transcript)
        after = case.get("cancel_after_model_calls")
        if after is not None:
            replies[after - 1].action = lambda _: agent.cancel()
        answer = agent.ask(case["question"])
        model.close()
    check_outcome(case, answer, transcript.events, tools)
    for request in server.requests:
        check_wire(request, case["expect"].get("must_not_show", []))
