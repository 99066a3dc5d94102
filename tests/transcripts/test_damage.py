"""A transcript that is not as it was written says so, and where."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.transcripts.recorded import lines, session

from pincite.transcripts.events import ModelRequestEvent
from pincite.transcripts.reader import Recording, parse, read
from pincite.transcripts.show import lines as shown
from pincite.transcripts.verify import unknown_outcomes

GOLDEN = Path(__file__).parents[2] / "transcripts" / "golden" / "one-fact.jsonl"
Events = list[dict[str, Any]]


def changed(change: Callable[[Events], Events | None]) -> Recording:
    """The recording with something done to its lines."""
    events = [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]
    made = change(events)
    return parse(b"".join(json.dumps(event).encode() + b"\n" for event in (events if made is None else made)))


def at(events: Events, kind: str) -> dict[str, Any]:
    return next(event for event in events if event["kind"] == kind)


def test_what_was_written_is_whole() -> None:
    for file in GOLDEN.parent.glob("*.jsonl"):
        found = read(file)
        assert (found.damage, found.warnings, found.open_end) == ([], [], [])


def edit_body(events: Events) -> None:
    bodies = at(events, "model_request")["pincite.bodies"]
    next(iter(bodies.values()))["content"] += " More."


def edit_schema(events: Events) -> None:
    bodies = at(events, "model_request")["pincite.tool_bodies"]
    next(iter(bodies.values()))["description"] += " More."


def edit_text(events: Events) -> None:
    at(events, "tool_result")["gen_ai.tool.call.result"]["text"] += " More."


def edit_budgets(events: Events) -> None:
    at(events, "session_start")["pincite.config"]["budgets"]["searches"] = 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (edit_body, "event 6: a message (system) is not the one that was sent: its hash differs"),
        (edit_schema, "event 6: the schema of search is not the one that was offered: its hash differs"),
        (edit_text, "event 13: the result's text is not the one that was read: its hash differs"),
        (edit_budgets, "event 0: the settings are not those that the session had: their hash differs"),
        (
            lambda events: at(events, "model_request").update({"pincite.bodies": {}}),
            "event 6: the text of 2 of its messages and tools is missing",
        ),
        (
            lambda events: at(events, "retrieval_attempt").update({"gen_ai.tool.call.id": "another"}),
            "event 9: it belongs to another call than the one that caused it",
        ),
        (
            lambda events: at(events, "check").update({"parent": "nowhere"}),
            "event 17: what caused it is not there",
        ),
    ],
)
def test_an_edited_event_is_told(change: Callable[[Events], Events | None], words: str) -> None:
    assert words in changed(change).warnings


def swap(events: Events) -> None:
    events[9], events[10] = events[10], events[9]


def test_two_lines_that_are_swapped_are_out_of_order_and_not_missing() -> None:
    found = changed(swap)
    assert found.warnings == ["events stand twice or out of order"]
    assert found.gaps == []
    assert found.damage[0].at == 9


def test_a_file_that_stands_in_itself_twice_is_out_of_order_where_it_begins_again() -> None:
    found = changed(lambda events: events + events)
    assert (found.gaps, found.unordered) == ([], 21)


def test_one_missing_event_is_one() -> None:
    assert "event 5 is missing" in changed(lambda events: events[:5] + events[6:]).warnings


def test_lines_of_another_session_are_told_once() -> None:
    def rename(events: Events) -> None:
        for event in events[8:]:
            event["id"] = event["id"].replace("one-fact", "other")
            event["parent"] = str(event.get("parent")).replace("one-fact-8", "other-8")

    told = [one for one in changed(rename).warnings if "of another session" in one]
    assert told == ["event 8: it is named as one of another session or place"]


def test_damage_without_end_is_told_in_some_lines() -> None:
    def all_of_it(events: Events) -> Events:
        request = at(events, "model_request")
        request["pincite.bodies"] = {f"{n:016x}": {"role": "user", "content": "x"} for n in range(500)}
        return events

    assert 20 < len(changed(all_of_it).warnings) < 30


def test_what_secrets_were_taken_out_of_is_not_called_damaged() -> None:
    def redact(events: Events) -> None:
        result = at(events, "tool_result")
        result["gen_ai.tool.call.result"]["text"] += " [redacted]"
        result["redacted"] = 1

    # The request names the text by its hash, and does not say itself that something was taken out.
    assert changed(redact).warnings == []


@pytest.mark.parametrize("kept", range(1, 21))
def test_a_session_that_was_not_ended_says_so(kept: int) -> None:
    found = changed(lambda events: events[:kept])
    assert found.warnings == []
    (words,) = found.open_end
    assert words.startswith("the session was not ended")
    last = found.events[-1]
    if last.kind in {"model_request", "tool_call"}:
        assert f"what became of event {kept - 1} ({last.kind}) is unknown" in words
        assert unknown_outcomes(found.events) == {last.id}
        told = [line.text for line in shown(found)]
        assert "its outcome is unknown: nothing says what became of it" in told
        assert any(words in line for line in told)


def test_numbers_that_no_writer_gives_are_damage() -> None:
    recording = session()
    data = lines(recording).replace(b'"mono_us": 1000000', b'"mono_us": 1' + b"0" * 39, 1)
    found = parse(data)
    assert len(found.events) == len(recording.events) - 1
    assert "line 1 is not an event: " in found.warnings[0]
    huge = lines(recording).replace(b'"seq": 5', b'"seq": 1' + b"0" * 30, 1)
    assert parse(huge).gaps == [(5, 5)]


def test_a_request_of_an_earlier_version_is_not_judged() -> None:
    def old(events: Events) -> None:
        edit_body(events)
        for event in events:
            event["v"] = 1

    found = changed(old)
    assert isinstance(found.events[6], ModelRequestEvent)
    assert found.warnings == []
