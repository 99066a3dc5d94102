"""Shapes of the same answer as models really send them: natively, over HTTP and as text."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.agent.scripted_server import Reply, ScriptedServer, call, completion
from tests.agent.stub_tools import StubTools
from tests.agent.worlds import ARREARS, FEE, FEE_STATEMENT, GOOD, QUESTION, SEARCH, World

from pincite.agent.answer import Answer
from pincite.agent.clock import ManualClock
from pincite.agent.loop import Agent
from pincite.agent.messages import ModelTurn, ToolCall
from pincite.agent.openai_model import OpenAIModel
from pincite.agent.outcome import Status, StopReason

ANSWER: dict[str, Any] = {"statements": [FEE_STATEMENT], "status": "answered"}
(CITATION,) = FEE_STATEMENT["citations"]
TEXT = FEE_STATEMENT["text"]


def stated(citations: Any) -> dict[str, Any]:
    return {**ANSWER, "statements": [{"text": TEXT, "citations": citations}]}


SHAPES: dict[str, Any] = {
    "an object": ANSWER,
    "encoded twice": json.dumps(json.dumps(ANSWER)),
    "encoded three times": json.dumps(json.dumps(json.dumps(ANSWER))),
    "a trailing comma": json.dumps(ANSWER)[:-1] + ",}",
    "Python's notation": repr({**ANSWER, "unanswered": None}),
    "statements as text": {**ANSWER, "statements": json.dumps(ANSWER["statements"])},
    "each statement as text": {**ANSWER, "statements": [json.dumps(FEE_STATEMENT)]},
    "one statement": {**ANSWER, "statements": FEE_STATEMENT},
    "citations as text": stated(json.dumps([CITATION])),
    "each citation as text": stated([json.dumps(CITATION)]),
    "one citation": stated(CITATION),
    "a flat statement": {**ANSWER, "statements": [{"text": TEXT, **CITATION}]},
    "in arguments": {"arguments": ANSWER},
    "in arguments as text": {"arguments": json.dumps(ANSWER)},
    "in parameters": {"parameters": ANSWER},
    "in the tool's name": {"answer": ANSWER},
    "as a call in a call": {"name": "answer", "arguments": ANSWER},
    "status left out": {"statements": [FEE_STATEMENT]},
    "status with a full stop": {**ANSWER, "status": " Answered. "},
    "nothing unanswered": {**ANSWER, "unanswered": ""},
    "null unanswered": {**ANSWER, "unanswered": [None]},
    "none unanswered": {**ANSWER, "unanswered": "None"},
    "fields that do not exist": {**ANSWER, "confidence": 0.9, "reasoning": "so it says"},
    "decorated handle and quote": stated({"passage": "[p1]", "quote": f"“{CITATION['quote']}”"}),
}


def over_http(*replies: Reply) -> Answer:
    tools = StubTools({"*": [FEE, ARREARS]}, {}, ["bylaws"])
    with ScriptedServer(replies).running() as server:
        model = OpenAIModel("m", base_url=server.url, clock=ManualClock(), mode="tools")
        answer = Agent(model, tools, clock=ManualClock()).ask(QUESTION)
        model.close()
    return answer


FOUND = Reply(body=completion({"tool_calls": [call("search", {"query": "fee"}, "c1")]}, "tool_calls"))


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_an_answer_is_understood_natively(shape: Any) -> None:
    raw = shape if isinstance(shape, str) else json.dumps(shape)
    result = World(SEARCH, ModelTurn(tool_calls=(ToolCall("c2", "answer", raw),))).ask()
    assert (result.status, result.text) == ("answered", TEXT)


@pytest.mark.parametrize("as_text", [True, False])
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_an_answer_is_understood_over_http(shape: Any, as_text: bool) -> None:
    arguments = json.dumps(shape) if as_text and not isinstance(shape, str) else shape
    function = {"name": "answer", "arguments": arguments}
    message = {"content": None, "tool_calls": [{"id": "c2", "type": "function", "function": function}]}
    assert over_http(FOUND, Reply(body=completion(message, "tool_calls"))).text == TEXT


@pytest.mark.parametrize(
    "body",
    [
        completion({"content": None, "tool_calls": None}, "tool_calls"),
        completion({"content": "<think>Hm.</think>"}, "stop"),
        completion({"tool_calls": [call("search", '{"query": NaN}')]}),
        completion({"tool_calls": [call("search", {"query": "x" * 1_000_000})]}),
        completion({"tool_calls": [call("", {"query": "fee"})]}),
        completion({"tool_calls": [call("answer", {"statements": [], "status": "perhaps"})]}),
        completion({"tool_calls": [call("answer", {"statements": "The fee is 240."})]}),
        completion({"tool_calls": [call("search", '["annual fee"]')]}),
        {"choices": []},
        {"error": "boom"},
        {"error": {"message": "boom", "code": 500}},
        [1],
    ],
)
def test_after_a_turn_that_holds_nothing_usable_the_next_one_is_taken(body: Any) -> None:
    good = Reply(body=completion({"tool_calls": [call("answer", ANSWER, "c9")]}, "tool_calls"))
    again = Reply(body=completion({"tool_calls": [call("search", {"query": "fee"}, "c8")]}, "tool_calls"))
    result = over_http(Reply(body=body), again, good)
    assert (result.status, result.text) == ("answered", TEXT)


@pytest.mark.parametrize(
    "usage",
    [
        None,
        {},
        {"prompt_tokens": "7", "completion_tokens": None},
        {"prompt_tokens": -7, "completion_tokens": 3},
        {"prompt_tokens": 10**30, "completion_tokens": 3},
        {"prompt_tokens": 7, "completion_tokens": 3, "prompt_tokens_details": None},
        "many",
    ],
)
def test_any_usage_is_counted_or_estimated(usage: Any) -> None:
    arguments = {"tool_calls": [call("search", {"query": "fee"}, "c1")]}
    answered = Reply(body=completion({"tool_calls": [call("answer", ANSWER, "c2")]}, "tool_calls"))
    result = over_http(Reply(body={**completion(arguments, "tool_calls"), "usage": usage}), answered)
    assert result.status is Status.answered
    assert result.usage.input_tokens > 0


def test_a_wrapper_that_holds_no_arguments_is_left_alone() -> None:
    odd = ModelTurn(tool_calls=(ToolCall("c1", "search", '{"arguments": "annual fee"}'),))
    world = World(odd, SEARCH, GOOD)
    assert world.ask().stop_reason is StopReason.answered
