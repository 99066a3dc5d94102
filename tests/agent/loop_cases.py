"""The shared loop cases, and what must hold after each of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.agent.stub_tools import StubTools

from pincite.agent.answer import Answer, Statement
from pincite.agent.budget import Budgets
from pincite.agent.check.quotes import Match, find_quote
from pincite.agent.messages import Message
from pincite.agent.tooling import Tools
from pincite.transcripts.events import CheckEvent, Event, ToolResultEvent

Case = dict[str, Any]
CASES = Path(__file__).parents[3] / "shared" / "cases" / "loops.jsonl"
_GIVING_UP = {"stalled", "abstained"}


def load_cases() -> list[Any]:
    """One parameter a case; a single skipped one where the cases are not at hand."""
    if not CASES.is_file():
        return [pytest.param({}, marks=pytest.mark.skip(reason="../shared/cases/loops.jsonl is not there"))]
    records = map(json.loads, CASES.read_text(encoding="utf-8").splitlines())
    return [pytest.param(record, id=f"{record['id']}-{record['kind']}") for record in records]


def tools_for(case: Case) -> StubTools:
    return StubTools(case["search_results"], case["sections"], case["scope"], case.get("withdrawn", ()))


def budgets_for(case: Case) -> Budgets:
    limits = case["budget"]
    return Budgets(
        model_calls=limits["max_model_calls"],
        tool_calls=limits["max_tool_calls"],
        searches=limits["max_searches"],
        stalled_turns=limits["max_stalled_turns"],
        tokens=limits["max_tokens"],
        seconds=limits["max_seconds"],
    )


def check_outcome(case: Case, answer: Answer, events: Sequence[Event], tools: StubTools) -> None:
    """The outcome is one that the case names, and nothing unsupported is in the answer."""
    expect = case["expect"]
    results = [event.result for event in events if isinstance(event, ToolResultEvent)]
    errors = [result["error"]["code"] for result in results if result["error"]]
    problems = [
        sorted({problem["code"] for problem in event.problems})
        for event in events
        if isinstance(event, CheckEvent) and event.verdict == "reject"
    ]
    allowed = {expect["stop_reason"], *expect["accept"]} | (_GIVING_UP if len(problems) >= 2 else set())
    assert answer.stop_reason in allowed
    tolerated = expect.get("accept_tool_errors", [])
    assert tolerated == "any" or errors in [expect["tool_errors"], *tolerated]
    if answer.stop_reason == expect["stop_reason"]:
        assert answer.usage.model_calls == expect.get("model_calls", answer.usage.model_calls)
        if errors == expect["tool_errors"] and "answer_problems" in expect:
            assert problems == [sorted(set(codes)) for codes in expect["answer_problems"]]
    check_support(answer, tools)


def check_support(answer: Answer, tools: Tools) -> None:
    """No citation outside the ledger, none whose quote does not stand in its passage."""
    check_statements(answer.statements, tools)
    for statement in answer.statements:
        assert statement.text in answer.text
    if not answer.statements:
        assert answer.status in {"not_found", "unverified", "incomplete", "conversation"}
    for withheld in answer.withheld:
        assert withheld.text not in answer.text or not withheld.text


def check_statements(statements: Sequence[Statement], tools: Tools) -> None:
    """Each statement is cited, and its quotes stand in passages that were shown and may be used."""
    for statement in statements:
        assert statement.citations
        for citation in statement.citations:
            passage = tools.ledger.passages[citation.handle]
            assert citation.handle not in tools.ledger.withdrawn
            assert find_quote(citation.quote, passage.text).match is not Match.not_found
            assert passage.start <= citation.span[0] < citation.span[1] <= passage.end


def check_request(messages: Sequence[Message], must_not_show: Sequence[str]) -> None:
    """A history that servers accept: unique ids, one result for each call, JSON objects as arguments."""
    waiting: list[str] = []
    seen: set[str] = set()
    for message in messages:
        assert not any(secret in message.text for secret in must_not_show)
        if message.role == "tool":
            assert message.tool_call_id == waiting.pop(0)
            continue
        assert waiting == []
        for call in message.tool_calls:
            assert call.id not in seen
            assert isinstance(json.loads(call.arguments), dict)
            call.arguments.encode()
            seen.add(call.id)
            waiting.append(call.id)
    assert waiting == []
    assert messages[0].role == "system"
