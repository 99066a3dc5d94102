"""A recording that is not as it was written: the replay says that it is the tape, and where."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.agent.replay.house import record

from pincite.agent.replay.strict import replay
from pincite.corpus.index import Index
from pincite.transcripts.reader import Recording, parse

Events = list[dict[str, Any]]


@pytest.fixture
def events(index: Index) -> Events:
    return [json.loads(line) for line in record(index).read_text(encoding="utf-8").splitlines()]


def recording(events: Events) -> Recording:
    return parse(b"".join(json.dumps(event).encode() + b"\n" for event in events))


def first(events: Events, kind: str) -> dict[str, Any]:
    return next(event for event in events if event["kind"] == kind)


def edit_message(events: Events) -> Events:
    body = next(iter(first(events, "model_request")["pincite.bodies"].values()))
    body["content"] = body["content"].replace("the", "a", 1)
    return events


def edit_schema(events: Events) -> Events:
    body = next(iter(first(events, "model_request")["pincite.tool_bodies"].values()))
    body["description"] += " More."
    first(events, "session_start")["pincite.tools_hash"] = "0" * 16
    return events


def edit_budgets(events: Events) -> Events:
    first(events, "session_start")["pincite.config"]["budgets"]["model_calls"] = 1
    return events


def edit_call_id(events: Events) -> Events:
    first(events, "retrieval_attempt")["gen_ai.tool.call.id"] = "another"
    return events


def unknown_kind(events: Events) -> Events:
    first(events, "user_message")["kind"] = "user_says"
    return events


def empty_bodies(events: Events) -> Events:
    first(events, "model_request")["pincite.bodies"] = {}
    return events


def double_call(events: Events) -> Events:
    at = events.index(first(events, "tool_call"))
    return [*events[: at + 1], *events[at:]]


def swap(events: Events) -> Events:
    events[8], events[9] = events[9], events[8]
    return events


@pytest.mark.parametrize(
    ("change", "at", "words"),
    [
        (edit_message, 6, "a message (system) is not the one that was sent"),
        (edit_schema, 6, "the schema of search is not the one that was offered"),
        (edit_budgets, None, "event 0: the settings are not those that the session had"),
        (edit_call_id, 9, "it belongs to another call"),
        (unknown_kind, 5, "line 6 is not an event"),
        (empty_bodies, 6, "the text of 2 of its messages and tools is missing"),
        (double_call, 9, "events stand twice or out of order"),
        (swap, 8, "events stand twice or out of order"),
        (lambda events: events + events, 20, "events stand twice or out of order"),
        (lambda events: events[:5] + events[6:], 5, "event 5 is missing"),
    ],
)
def test_damage_is_the_cause_of_what_it_brings_about(
    events: Events, change: Callable[[Events], Events], at: int | None, words: str
) -> None:
    report = replay(recording(change(events)))
    assert (report.diverged, report.cause) == (True, "tape"), report
    assert words in report.detail
    assert any(words in warning for warning in report.warnings)
    assert at in {None, report.at}, report


def test_damage_behind_a_difference_is_not_its_cause(events: Events) -> None:
    first(events, "check")["pincite.verdict"] = "reject"
    edited = [*events[:-1], {**events[-1], "parent": "nowhere"}]
    report = replay(recording(edited))
    assert (report.kind, report.cause) == ("check", "code")
    assert any("what caused it is not there" in warning for warning in report.warnings)


def test_a_recording_that_stops_between_questions_says_that_it_was_not_ended(events: Events) -> None:
    report = replay(recording(events[:5]))
    assert not report.diverged
    assert any("the session was not ended" in warning for warning in report.warnings)
