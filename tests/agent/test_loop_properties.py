"""Whatever a model does: the loop ends within its budgets, never raises, shows nothing unsupported.

FUZZ_EXAMPLES sets the number of examples; `make fuzz` uses 10,000.
"""

from __future__ import annotations

import json
import os
from typing import Any

from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from tests.agent.loop_cases import check_request, check_statements, check_support
from tests.agent.stub_tools import StubTools
from tests.agent.test_context import tokens
from tests.agent.worlds import ARREARS, BAD_STATEMENT, BERTHS, FEE, FEE_STATEMENT, NOT_FOUND, SEARCH, answer

from pincite.agent.budget import Budgets, Price
from pincite.agent.clock import ManualClock
from pincite.agent.events import Retracted, Verified
from pincite.agent.loop import Agent
from pincite.agent.messages import ModelRequest, ModelTurn, ToolCall, Usage
from pincite.agent.model import ModelError
from pincite.agent.outcome import StopReason
from pincite.agent.scripted import ScriptedModel, Step
from pincite.transcripts.writer import MemoryTranscript

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "200"))
LIMIT = 4_000
PRICES = {"scripted": Price(input=100, output=400)}
FEE_WORDS = str(FEE["text"])

SUPPORTED = {"passage": "P1", "quote": "an annual fee of 240 crowns"}
FEE_TEXT = "The fee is 240 crowns."
GOOD = {"status": "answered", "statements": [{"citations": [SUPPORTED], "text": FEE_TEXT}]}


def pick(*values: Any) -> Any:
    return st.sampled_from(values)


_words = pick("annual fee", "240 crowns", "a 250", "", "x" * 3_000, "\ud83d", "⟦·⟧", "\x00", "<tool_call>")
_quotes = pick(FEE_WORDS[12:39], FEE_WORDS, "an annual fee of 250 crowns", "Members pay", "", None)
_handles = pick("P1", "P2", "p1", "[P1]", "P9", "", None, "P01", "1")
_citations = st.one_of(
    st.lists(st.fixed_dictionaries({"passage": _handles, "quote": _quotes}), max_size=2),
    st.just([SUPPORTED]),
    pick(None, "P1", [], {}, ["P1"], [[]], json.dumps([SUPPORTED])),
)
_statements = st.one_of(
    st.lists(st.fixed_dictionaries({"citations": _citations, "text": _words | st.none()}), max_size=3),
    pick(None, "text", [], {}, [None], [{"text": FEE_TEXT, **SUPPORTED}]),
)
_status = pick("answered", "partial", "not_found", "conversation", "ANSWERED", "done", None, 3)
_answers = st.fixed_dictionaries(
    {"status": _status, "statements": _statements},
    optional={"unanswered": st.none() | st.lists(_words, max_size=2), "extra": st.integers()},
)
_searches = st.fixed_dictionaries(
    {"query": _words | pick("berths", None, 7, ["a", "b"])},
    optional={
        "limit": pick(1, "5", -3, 10**9, None, 2.5),
        "document": pick("bylaws", "payroll", "", None),
    },
)
_reads = st.fixed_dictionaries(
    {"document": pick("bylaws", "payroll", None), "section": pick("2.1", "9", None, 2.1)}
)
_broken = pick(
    *("", "{", "[]", "null", '"x"', "{'query': 'fee'}", '{"query":"a"}{"query":"b"}'),
    *('{"query": ' + "[" * 500, "\udfff", "NaN"),
)


def _call(names: Any, arguments: Any) -> Any:
    raw = st.one_of(
        arguments.map(json.dumps), arguments.map(lambda value: json.dumps(json.dumps(value))), _broken
    )
    ids = pick("", "c", "c", "call_1", "x" * 200, "a b")
    return st.builds(ToolCall, ids, names, raw)


_calls = st.one_of(
    _call(pick("search", "Search", "functions.search"), _searches),
    _call(pick("read_section", "table_of_contents"), _reads),
    _call(st.just("answer"), st.just(GOOD) | _answers),
    _call(pick("", "web", "\ud800"), _searches),
)
_texts = st.one_of(
    _words,
    _answers.map(json.dumps),
    _searches.map(
        lambda value: f'<tool_call>{{"name":"search","arguments":{json.dumps(value)}}}</tool_call>'
    ),
    st.sampled_from(
        ["search(query='fee')", "```json\n{}\n```", "[TOOL_CALLS]search{", "<think>", "It is 240."]
    ),
)
_turns = st.builds(
    ModelTurn,
    content=st.just("") | _texts,
    tool_calls=st.lists(_calls, max_size=4).map(tuple),
    finish_reason=pick("stop", "tool_calls", "length", "content_filter", None, "weird"),
    refusal=pick(None, None, None, None, "", "no"),
    usage=st.none() | st.builds(Usage, st.integers(0, 9_000), st.integers(0, 9_000), st.integers(0, 9_000)),
)
_mixed = st.lists(pick(FEE_STATEMENT, FEE_STATEMENT, BAD_STATEMENT), min_size=1, max_size=3).map(
    lambda statements: answer(*statements)
)
_errors = pick("connection", "context_length", "timeout", "bad_response").map(
    lambda code: ModelError("failed", code=code)
)


def _raise(error: BaseException) -> Any:
    def step(_: ModelRequest) -> ModelTurn:
        raise error

    return step


_steps: Any = st.one_of(
    *[_turns] * 4,
    *[st.just(SEARCH)] * 2,
    _mixed,
    st.just(NOT_FOUND),
    _errors,
    st.builds(_raise, pick(KeyboardInterrupt(), ValueError("bug"))),
)
_budgets = st.builds(
    Budgets,
    model_calls=st.integers(1, 12),
    tool_calls=st.integers(0, 12),
    searches=st.integers(0, 5),
    stalled_turns=st.integers(1, 5),
    input_tokens=st.none() | st.none() | st.integers(1, 20_000),
    output_tokens=st.none() | st.none() | st.integers(1, 3_000),
    tokens=st.none() | st.integers(1, 30_000),
    cost=st.none() | st.floats(0.01, 20),
    seconds=st.none() | st.integers(1, 100),
    request_tokens=st.just(LIMIT),
    repairs=st.integers(0, 3),
)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    start=pick([], [SEARCH], [SEARCH], [SEARCH, answer(FEE_STATEMENT, BAD_STATEMENT)]),
    rest=st.lists(_steps, max_size=14),
    budgets=_budgets,
    delays=st.lists(pick(0.0, 0.0, 5.0, 60.0), max_size=10),
    withdrawn=pick((), (), (), ("P1",), ("P2",)),
    chat=st.booleans(),
)
def test_no_model_breaks_the_loop(
    *,
    start: list[Step],
    rest: list[Step],
    budgets: Budgets,
    delays: list[float],
    withdrawn: tuple[str, ...],
    chat: bool,
) -> None:
    clock = ManualClock()
    model = ScriptedModel([*start, *rest], clock=clock, delays=delays)
    sections = {"bylaws": {"2.1": [FEE], "2.4": [ARREARS]}}
    tools = StubTools({"berths": [BERTHS], "*": [FEE, ARREARS]}, sections, ["bylaws", "berths"], withdrawn)
    agent = Agent(
        model, tools, budgets=budgets, prices=PRICES, clock=clock, transcript=MemoryTranscript(), chat=chat
    )
    for question in ("How much is the fee of 240 crowns?", "And the berths?"):
        asked_before = len(model.requests)
        told = list(agent.events(question))
        result = told[-1].answer  # type: ignore[union-attr]
        event(f"{result.status}, {result.stop_reason}")
        assert result.stop_reason in set(StopReason)
        assert result.usage.model_calls <= (budgets.model_calls or 0)
        assert len(model.requests) - asked_before <= (budgets.model_calls or 0)
        assert result.usage.tool_calls <= (budgets.tool_calls or 0)
        assert result.usage.searches <= (budgets.searches or 0)
        assert result.status != "conversation" or chat
        check_support(result, tools)
        shown = [one.statement for one in told if isinstance(one, Verified)]
        taken_back = [one.statement for one in told if isinstance(one, Retracted)]
        check_statements(shown, tools)
        assert len(set(shown)) == len(shown)
        assert {*shown} - {*taken_back} == {*result.statements}
        result.model_dump_json().encode()
        _check_requests(model.requests[asked_before:], budgets)
    for request in model.requests:
        check_request(request.messages, ())
        assert tokens(request) <= LIMIT


def _check_requests(requests: list[ModelRequest], budgets: Budgets) -> None:
    """No request was sent that by our own count was beyond what the question had."""
    for request in requests:
        if budgets.input_tokens is not None:
            assert tokens(request) <= budgets.input_tokens
        if budgets.cost is not None:
            assert PRICES["scripted"].of(Usage(tokens(request), 0)) <= budgets.cost
        if budgets.output_tokens is not None or budgets.tokens is not None or budgets.cost is not None:
            assert (request.max_output_tokens or 0) > 0
