"""A session as a person reads it: words, and nothing unchecked that looks like an answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.transcripts.events import (
    AnswerEvent,
    CheckEvent,
    CompactionEvent,
    Event,
    LimitEvent,
    ModelResponseEvent,
    SessionEnd,
    SessionStart,
    ToolCallEvent,
    ToolResultEvent,
)
from pincite.transcripts.reader import read
from pincite.transcripts.show import render
from pincite.transcripts.stamp import Stamp
from pincite.transcripts.writer import TranscriptWriter

CLAIM = "The deposit is nine thousand."
DRAFT = '{"statements": [{"text": "The deposit is nine thousand.", "passage": "P1"}], "status": "answered"}'


def shown(tmp_path: Path, *events: Event, full: bool = False) -> str:
    writer = TranscriptWriter(tmp_path / "s.jsonl", Stamp("s"))
    for event in events:
        writer.append(event)
    writer.close()
    return "\n".join(render(read(tmp_path / "s.jsonl"), full=full))


def test_everything_is_said_in_words(tmp_path: Path) -> None:
    text = shown(
        tmp_path,
        SessionStart(session="s", model="m", scope={"groups": ["a", "b"], "documents": None, "as_of": None}),
        ToolCallEvent(
            call_id="1", name="search", arguments='{"query": "rent", "limit": 3, "document": null}'
        ),
        ToolCallEvent(call_id="2", name="search", arguments="[rent"),
        ToolResultEvent(
            call_id="1",
            name="search",
            result={
                "passages": [{"handle": "P1", "document": "d", "path": ["H"], "text": "Rent."}],
                "attempts": [
                    {"leg": "keyword", "outcome": "ok", "reason": "", "ms": 2.0},
                    {"leg": "vector", "outcome": "skipped", "reason": "no vectors", "ms": 0.0},
                ],
            },
            text_ref="x",
            fresh=True,
            ms=1.0,
        ),
        CompactionEvent(calls=("1",), handles=(), tokens_before=9, tokens_after=1),
        LimitEvent(what="searches", action="withdrawn", left={"tool_calls": 2, "seconds": 1.5}),
        SessionEnd(totals={"questions": 1, "model_calls": 2}),
    )
    assert "{'" not in text and '{"' not in text and "None" not in text and "null" not in text
    for words in (
        'sees what groups "a"; "b" may see, in force today',
        'query "rent", limit 3',
        "with what is no JSON object: [rent",
        "gives 1 passage in 1 ms",
        "leg keyword: ok in 2 ms",
        "leg vector: skipped (no vectors)",
        "shortened 1 result:",
        "left: tool calls 2, seconds 1.5",
        "questions 1, model calls 2",
    ):
        assert words in text


@pytest.mark.parametrize("status", ["unverified", "partial", "incomplete"])
def test_what_was_not_checked_is_no_answer(tmp_path: Path, status: str) -> None:
    good = [{"text": "The rent is nine.", "citations": []}] if status == "partial" else []
    events: list[Event] = [
        ToolCallEvent(call_id="1", name="answer", arguments=DRAFT),
        CheckEvent(
            call_id="1",
            draft={"statements": [{"text": CLAIM}]},
            verdict="reject",
            problems=({"statement": 0, "code": "quote_not_found", "passage": "P1"},),
        ),
        AnswerEvent(
            question=1,
            answer={
                "status": status,
                "stop_reason": "stalled",
                "text": "Nothing that was found stands up to the check.",
                "statements": good,
                "withheld": [{"text": CLAIM, "code": "quote_not_found", "detail": ""}],
                "unanswered": ["the deposit"],
            },
        ),
    ]
    text = shown(tmp_path, *events)
    assert CLAIM not in text
    assert "drafts an answer: 1 statement, status answered" in text
    assert 'statement 1: quote not found (passage "P1")' in text
    assert "withheld, the check did not pass (quote not found)" in text
    assert "not answered: the deposit" in text
    assert ("Nothing that was found" in text) == (status != "partial")
    whole = [line for line in shown(tmp_path / "full", *events, full=True).splitlines() if CLAIM in line]
    assert whole and all("unchecked" in line or "withheld" in line for line in whole)


def test_what_a_model_writes_beside_its_calls_is_marked(tmp_path: Path) -> None:
    turn = ModelResponseEvent(model="m", call=1, status="complete", turn={"content": CLAIM}, ms=1.0)
    assert f"writes, unchecked: {CLAIM}" in shown(tmp_path, turn)
