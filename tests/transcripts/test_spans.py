"""A session as spans: what they are called, how they hang together, and what they do not tell."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.transcripts.recorded import answered, passage, result, session

from pincite.transcripts.events import (
    AnswerEvent,
    CheckEvent,
    CompactionEvent,
    ErrorEvent,
    Event,
    LimitEvent,
    ModelRequestEvent,
    ModelResponseEvent,
    NoticeEvent,
    RetrievalAttempt,
    RetryEvent,
    SessionStart,
    ToolCallEvent,
    ToolResultEvent,
    UserMessage,
)
from pincite.transcripts.otel.span import Span
from pincite.transcripts.otel.spans import SpanMaker, spans_of
from pincite.transcripts.reader import parse, read
from pincite.transcripts.stamp import Stamp

GOLDEN = Path(__file__).parents[2] / "transcripts" / "golden"


def placed(*events: Event, session: str = "s1", step_us: int = 1000) -> list[Event]:
    clock = iter(range(10_000))
    stamp = Stamp(session, wall=lambda: 1_000_000.0, monotonic=lambda: next(clock) * step_us / 1e6)
    return [stamp.put(event) for event in events]


def asked(*events: Event) -> list[Event]:
    return placed(
        SessionStart(session="s1", model="m"), UserMessage(question=1, text="How much is the rent?"), *events
    )


def named(spans: Sequence[Span], name: str) -> Span:
    (span,) = [span for span in spans if span.name == name]
    return span


def search(*attempts: RetrievalAttempt, used: str = "fused") -> list[Event]:
    gives = result(passage("P1", "The rent is 840 crowns a month."), used=used)
    return [
        ToolCallEvent(call_id="c1", name="search", arguments='{"query": "rent"}'),
        *attempts,
        ToolResultEvent(call_id="c1", name="search", result=gives, text_ref="t"),
    ]


def leg(name: str, ms: float, outcome: str = "ok", nth: int = 1) -> RetrievalAttempt:
    return RetrievalAttempt(call_id="c1", leg=name, nth=nth, outcome=outcome, reason="of rent", ms=ms)


def test_a_recorded_session_has_the_spans_of_the_conventions() -> None:
    spans = spans_of(read(GOLDEN / "two-documents.jsonl").events)
    by_id = {span.id: span for span in spans}
    tree = [(span.name, by_id[span.parent].name if span.parent else None) for span in spans]
    legs = [(f"retrieval {one}", "execute_tool search") for one in ("keyword", "vector", "fused")]
    ask = ("chat extractive", "invoke_agent pincite")
    look = ("execute_tool search", "invoke_agent pincite")
    tool = ("execute_tool answer", "invoke_agent pincite")
    assert tree == [
        ("invoke_agent pincite", None),
        *(ask, look, *legs) * 2,
        *(ask, tool, ("check", "execute_tool answer")),
    ]
    assert len({span.trace for span in spans}) == 1
    assert len(by_id) == len(spans)
    assert {span.kind for span in spans} == {"internal"}
    for span in spans:
        parent = by_id[span.parent] if span.parent else span
        assert parent.start_ns <= span.start_ns <= span.end_ns <= parent.end_ns
        assert span.attributes["gen_ai.conversation.id"] == span.attributes["session.id"] == "two-documents"
    operations = {span.attributes.get("gen_ai.operation.name") for span in spans}
    assert operations == {"invoke_agent", "chat", "execute_tool", "retrieval", None}
    root = spans[0].attributes
    assert (root["pincite.status"], root["pincite.citations"]) == ("answered", 3)
    assert root["gen_ai.agent.name"] == "pincite"


def test_each_question_of_a_session_is_a_trace() -> None:
    spans = spans_of(read(GOLDEN / "code-then-follow-up.jsonl").events)
    roots = [span for span in spans if span.parent is None]
    assert [root.attributes["pincite.question"] for root in roots] == [1, 2]
    assert len({root.trace for root in roots}) == 2
    assert len({root.attributes["gen_ai.conversation.id"] for root in roots}) == 1


def test_the_same_session_makes_the_same_spans() -> None:
    events = read(GOLDEN / "one-fact.jsonl").events
    assert spans_of(events) == spans_of(read(GOLDEN / "one-fact.jsonl").events)
    maker = SpanMaker()
    assert [span for event in events for span in maker.take(event)] == spans_of(events)
    assert maker.rest() == []


def test_a_remote_model_call_tells_its_model_usage_and_stream() -> None:
    spans = spans_of(
        asked(
            ModelRequestEvent(model="gpt-x", call=1, max_output_tokens=500, same=2, messages=("h",)),
            RetryEvent(code="rate_limited", message="rent", attempt=1, wait_s=0.5),
            ModelResponseEvent(
                model="gpt-x",
                call=1,
                turn={"content": "", "usage": {"input_tokens": 90, "output_tokens": 7, "cached": 64}},
                finish_reasons=("tool_calls",),
                input_tokens=90,
                output_tokens=7,
                raw={"id": "resp-1", "model": "gpt-x-2026"},
                chunks=((120.0, 3), (180.0, 4)),
            ),
        )
    )
    chat = named(spans, "chat gpt-x")
    assert chat.kind == "client"
    assert chat.error is None
    expected = {
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "gpt-x",
        "gen_ai.request.max_tokens": 500,
        "gen_ai.request.stream": True,
        "gen_ai.response.id": "resp-1",
        "gen_ai.response.model": "gpt-x-2026",
        "gen_ai.response.finish_reasons": ("tool_calls",),
        "gen_ai.response.time_to_first_chunk": 0.12,
        "gen_ai.usage.input_tokens": 90,
        "gen_ai.usage.output_tokens": 7,
        "gen_ai.usage.cache_read.input_tokens": 64,
        "pincite.request.messages": 3,
    }
    assert expected.items() <= chat.attributes.items()
    (retry,) = chat.moments
    assert (retry.name, dict(retry.attributes)) == (
        "retry",
        {"error.type": "rate_limited", "pincite.attempt": 1},
    )
    assert chat.start_ns < retry.at_ns < chat.end_ns


def test_what_failed_says_how() -> None:
    spans = spans_of(
        asked(
            ModelRequestEvent(model="m", call=1),
            ErrorEvent(where="model", code="timeout", message="rent"),
            ModelResponseEvent(model="m", call=1, status="error"),
            *search(leg("keyword", 2), leg("vector", 3, "error"), used="keyword"),
            ToolCallEvent(call_id="c2", name="answer", arguments="{}"),
            CheckEvent(
                call_id="c2", draft={"text": "rent"}, verdict="reject", problems=({"code": "quote_missing"},)
            ),
            ToolResultEvent(call_id="c2", name="answer", result={"error": {"code": "answer_rejected"}}),
            LimitEvent(what="budget_time", action="ends the question"),
            AnswerEvent(question=1, answer={"status": "incomplete", "stop_reason": "budget_time"}),
        )
    )
    assert {span.name: span.error for span in spans if span.error} == {
        "invoke_agent pincite": "budget_time",
        "chat m": "timeout",
        "retrieval vector": "error",
        "execute_tool answer": "answer_rejected",
    }
    assert all(span.attributes["error.type"] == span.error for span in spans if span.error)
    check = named(spans, "check")
    assert check.attributes["gen_ai.evaluation.score.label"] == "fail"
    assert check.attributes["pincite.problems"] == ("quote_missing",)
    assert [moment.name for moment in spans[0].moments] == ["limit"]


def test_a_question_that_was_stopped_is_no_error() -> None:
    stopped = {"status": "incomplete", "stop_reason": "cancelled"}
    (root,) = spans_of(asked(AnswerEvent(question=1, answer=stopped)))
    assert (root.error, root.attributes["pincite.stop_reason"]) == (None, "cancelled")


def test_nothing_found_is_no_error() -> None:
    nothing = {"error": {"code": "no_match", "message": "Nothing."}}
    call = ToolCallEvent(call_id="c1", name="search", arguments="{}")
    spans = spans_of(asked(call, ToolResultEvent(call_id="c1", name="search", result=nothing)))
    assert named(spans, "execute_tool search").error is None


def test_what_was_cut_off_is_of_unknown_outcome() -> None:
    spans = spans_of(asked(*search()[:1], ModelRequestEvent(model="m", call=2)))
    assert {span.name: span.error for span in spans} == dict.fromkeys(
        ("invoke_agent pincite", "execute_tool search", "chat m"), "unknown_outcome"
    )


def test_legs_have_their_times_within_the_call() -> None:
    rounds = [leg("keyword", 2), leg("vector", 5), leg("fused", 1)] * 2
    spans = spans_of(placed(UserMessage(question=1, text="?"), *search(*rounds), step_us=10_000))
    tool = named(spans, "execute_tool search")
    times = [
        (
            span.name.split()[1],
            (span.start_ns - tool.end_ns) // 1_000_000,
            (span.end_ns - span.start_ns) / 1e6,
        )
        for span in spans
        if span.name.startswith("retrieval")
    ]
    assert times == [
        *(("keyword", -12, 2), ("vector", -12, 5), ("fused", -7, 1)),
        *(("keyword", -6, 2), ("vector", -6, 5), ("fused", -1, 1)),
    ]


def test_legs_that_took_longer_than_the_call_are_cut_to_it() -> None:
    spans = spans_of(
        placed(UserMessage(question=1, text="?"), *search(leg("keyword", 1e12), leg("fused", 5e8)))
    )
    tool = named(spans, "execute_tool search")
    for span in spans:
        if span.name.startswith("retrieval"):
            assert tool.start_ns <= span.start_ns <= span.end_ns <= tool.end_ns


def test_without_content_no_words_of_anybody_are_told() -> None:
    events = [
        ModelRequestEvent(model="m", call=1, bodies={"h": {"role": "user", "content": "rent"}}),
        NoticeEvent(code="prompt_cut", message="rent"),
        ModelResponseEvent(model="m", call=1, turn={"content": "The rent."}, raw={"choices": "rent"}),
        *search(leg("keyword", 1)),
        ToolCallEvent(call_id="c9", name="the rent is 840", arguments="{}"),
        ToolResultEvent(call_id="c9", name="x", result={"error": {"code": "the rent!", "message": "rent"}}),
        CompactionEvent(calls=("c1",), handles=("P1",), tokens_before=9, tokens_after=3),
        AnswerEvent(question=1, answer=answered("840 crowns.", ("P1", "rent is 840"))),
    ]
    told = repr(spans_of(asked(*events)))
    assert not re.findall(r"\b(?:rent|840|crowns|lease|Lease|Do)\b", told)
    assert "execute_tool other" in told


def test_with_content_they_hold_messages_calls_and_passages() -> None:
    spans = spans_of(session(results=(result(passage("P1", "The rent is 840.")),)).events, content=True)
    root, chat = spans[0].attributes, named(spans, "chat m").attributes
    assert json.loads(str(root["gen_ai.input.messages"])) == [
        {"role": "user", "parts": [{"type": "text", "content": "How much is the rent?"}]}
    ]
    (out,) = json.loads(str(root["gen_ai.output.messages"]))
    assert out == {"role": "assistant", "parts": [{"type": "text", "content": "840 crowns."}]}
    (system,) = json.loads(str(chat["gen_ai.input.messages"]))
    assert system == {"role": "system", "parts": [{"type": "text", "content": "Do."}]}
    tool = named(spans, "execute_tool search").attributes
    assert json.loads(str(tool["gen_ai.tool.call.arguments"])) == {"query": "rent"}
    assert json.loads(str(tool["gen_ai.tool.call.result"])) == {"text": "The rent is 840."}


def test_with_content_the_leg_that_answered_holds_what_was_found() -> None:
    found = spans_of(
        asked(*search(leg("keyword", 1), leg("vector", 1, "empty"), used="keyword")), content=True
    )
    keyword, vector = named(found, "retrieval keyword"), named(found, "retrieval vector")
    assert keyword.attributes["gen_ai.retrieval.query.text"] == "rent"
    (document,) = json.loads(str(keyword.attributes["gen_ai.retrieval.documents"]))
    assert (document["id"], document["content"]) == ("lease.md#s1", "The rent is 840 crowns a month.")
    assert "gen_ai.retrieval.documents" not in vector.attributes


def test_calls_and_results_have_the_form_of_the_conventions() -> None:
    call = {"id": "c1", "name": "search", "arguments": '{"query": "rent"}'}
    bodies: dict[str, Any] = {
        "a": {"role": "assistant", "content": "", "tool_calls": [call]},
        "t": {"role": "tool", "content": "840", "tool_call_id": "c1", "name": "search"},
    }
    request = ModelRequestEvent(
        model="m",
        call=1,
        messages=("a", "t"),
        bodies=bodies,
        tools=("search:1",),
        tool_bodies={"search:1": {"name": "search", "description": "d", "parameters": {}}},
    )
    chat = named(spans_of(asked(request), content=True), "chat m").attributes
    assert json.loads(str(chat["gen_ai.input.messages"])) == [
        {
            "role": "assistant",
            "parts": [{"type": "tool_call", "id": "c1", "name": "search", "arguments": {"query": "rent"}}],
        },
        {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": "840"}]},
    ]
    assert json.loads(str(chat["gen_ai.tool.definitions"])) == [
        {"type": "function", "name": "search", "description": "d", "parameters": {}}
    ]


def test_a_clock_that_was_set_back_makes_no_span_end_before_it_began() -> None:
    events = [event.model_copy(update={"mono_us": -(10**15)}) for event in asked(*search())]
    events = [event.model_copy(update={"mono_us": 10**30}) if event.seq == 3 else event for event in events]
    for span in spans_of(events):
        assert 0 <= span.start_ns <= span.end_ns < 1 << 63


@pytest.mark.parametrize("content", [False, True])
def test_a_torn_or_shuffled_transcript_still_makes_spans(content: bool) -> None:
    data = (GOLDEN / "two-documents.jsonl").read_bytes()
    whole = spans_of(parse(data).events)
    lines = data.splitlines(keepends=True)
    for cut in range(0, len(lines), 3):
        part = b"".join(lines[:cut]) + lines[cut][: len(lines[cut]) // 2]
        spans = spans_of(parse(part).events, content=content)
        # What stands in the part has the ids that it has in the whole.
        assert {span.id for span in spans} <= {span.id for span in whole}
    for shuffled in (lines[::-1], lines[::2], lines + lines):
        spans = spans_of(parse(b"".join(shuffled)).events, content=content)
        assert len({(span.trace, span.id) for span in spans}) == len(spans)
        parents = {span.id for span in spans}
        assert all(span.parent is None or span.parent in parents for span in spans)


def test_whatever_a_transcript_holds_can_be_told() -> None:
    deep: list[object] = []
    for _ in range(50_000):
        deep = [deep]
    events = asked(
        ModelRequestEvent(model="\ud800" * 500, call=10**40, bodies={"x": {"role": 7}}, messages=("x", "y")),
        ModelResponseEvent(
            model="m",
            call=1,
            turn={"content": 3, "tool_calls": [7, {"arguments": "[" * 99_999}], "usage": []},
            input_tokens=-(10**40),
            raw={"id": "\udfff", "model": 3},
            chunks=((float("inf"), 1),),
        ),
        ToolCallEvent(call_id="\ud83d", name="", arguments="{"),
        ToolResultEvent(call_id="\ud83d", name="", result={"passages": [3], "error": deep, "text": "\udc00"}),
        AnswerEvent(question=10**30, answer={"status": [], "statements": 3, "usage": {"cost": "9"}}),
    )
    for span in spans_of(events, content=True):
        for value in (span.name, *span.attributes.values()):
            if isinstance(value, str):
                value.encode("utf-8")
            elif isinstance(value, int):
                assert -(1 << 63) <= value < 1 << 63
