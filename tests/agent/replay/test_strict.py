from __future__ import annotations

import json
import socket
import time
from pathlib import Path
from typing import Any

import pytest
from tests.agent.replay.house import (
    QUESTION,
    SEARCH,
    answer,
    edited,
    record,
    turn,
)
from tests.agent.stub_tools import StubTools
from tests.agent.worlds import ARREARS, FEE, GOOD
from tests.agent.worlds import SEARCH as STUB_SEARCH

from pincite.agent.budget import Budgets
from pincite.agent.loop import Agent
from pincite.agent.messages import ModelRequest, ModelTurn
from pincite.agent.model import ModelError
from pincite.agent.replay.strict import replay
from pincite.agent.replay.tape_tools import current_schemas
from pincite.agent.resuming import resume_session
from pincite.agent.scripted import ScriptedModel
from pincite.agent.tooling import READERS
from pincite.corpus.index import Index
from pincite.errors import NothingUsableError
from pincite.prompts import load, replaced
from pincite.tools.schema import ToolSchema
from pincite.transcripts.events import AnswerEvent, ToolResultEvent
from pincite.transcripts.reader import parse, read
from pincite.transcripts.stamp import Stamp
from pincite.transcripts.writer import TranscriptWriter

BAD = answer("c2", text="The rent is 900 crowns.")


def test_a_session_comes_out_the_same_without_network_model_or_index(
    index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = record(
        index,
        SEARCH,
        BAD,
        answer("c3"),
        turn(("c4", "search", '{"query": "quiet"}')),
        answer("c5"),
        questions=(QUESTION, "And the rent again?"),
    )
    recorded = read(path)
    monkeypatch.setattr(socket, "socket", None)
    monkeypatch.setattr(Index, "open", None)
    report = replay(recorded)
    assert (report.diverged, report.exit_code, report.path) == (False, 0, None)
    assert report.events == len(recorded.events)
    answers = [event.answer for event in recorded.events if isinstance(event, AnswerEvent)]
    assert [{**one, "transcript": None} for one in answers] == list(report.answers)


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        ("tool_call", "rent", "rant"),
        ("check", '"pass"', '"reject"'),
        ("answer", "The rent is 840 crowns.", "The rent is 841 crowns."),
        ("session_end", '"searches":1', '"searches":2'),
        ("model_request", "only passages that your tools", "all passages that your tools"),
        ("retrieval_decision", '"P1"', '"P9"'),
        ("retrieval_attempt", '"ok"', '"empty"'),
    ],
)
def test_what_is_changed_in_one_event_is_found_in_that_event(
    index: Index, kind: str, old: str, new: str
) -> None:
    lines = record(index).read_bytes().splitlines()
    at = next(number for number, line in enumerate(lines) if json.loads(line)["kind"] == kind)
    assert old.encode() in lines[at]
    lines[at] = lines[at].replace(old.encode(), new.encode())
    report = replay(parse(b"\n".join(lines) + b"\n"))
    assert (report.diverged, report.at, report.kind) == (True, at, kind)


def test_the_difference_is_named_with_its_path_and_both_values(index: Index) -> None:
    path = record(index)
    report = replay(edited(path, '"text":"The rent is 840 crowns."', '"text":"The rent is 8 crowns."'))
    assert report.exit_code == 5
    # The draft in the check is the first event that holds it.
    assert (report.kind, report.path) == ("check", "$['pincite.draft'].statements[0].text")
    assert (report.recorded, report.replayed) == ("The rent is 8 crowns.", "The rent is 840 crowns.")
    assert report.cause == "code"


def test_a_changed_prompt_is_the_cause(index: Index) -> None:
    path = record(index)
    text = load("system").text
    with replaced({"system": text.replace("documents", "papers")}):
        report = replay(read(path))
    assert (report.diverged, report.cause, report.kind) == (True, "prompt", "model_request")
    assert report.path == "$['pincite.messages'][0].content"
    assert report.recorded == text
    assert "papers" in report.replayed
    assert [(change.what, change.name) for change in report.changes][:1] == [("prompt", "system")]


def test_a_prompt_that_this_session_never_met_changes_nothing(index: Index) -> None:
    path = record(index)
    with replaced({"repair_last": load("repair_last", problems="$problems").text + " Now."}):
        report = replay(read(path))
    assert not report.diverged
    assert "repair_last" in {change.name for change in report.changes}


def test_a_changed_prompt_behind_the_first_turn_is_the_cause(index: Index) -> None:
    path = record(index, SEARCH, BAD, answer("c3"))
    with replaced({"repair": load("repair", problems="$problems").text + " Again."}):
        report = replay(read(path))
    assert (report.cause, report.kind) == ("prompt", "tool_result")
    assert "repair" in report.detail


def test_a_changed_tool_schema_is_the_cause(index: Index) -> None:
    path = record(index)
    schemas: dict[str, Any] = dict(current_schemas())
    old = schemas["search"]
    schemas["search"] = ToolSchema(name="search", description="Finds things.", parameters=old.parameters)
    report = replay(read(path), schemas=schemas)
    assert (report.cause, report.at) == ("tool schema", 6)
    assert report.path == "$['pincite.tools'][0].description"
    assert report.replayed == "Finds things."


def test_another_time_is_the_cause(index: Index) -> None:
    recording = edited(record(index), '"pincite.timeout_s":', '"pincite.timeout_s":1', times=1)
    report = replay(recording)
    assert (report.cause, report.path) == ("clock", "$['pincite.timeout_s']")


def test_times_come_from_the_tape(index: Index) -> None:
    """A line about the seconds that are left is the same, although a replay takes none."""

    def slow(_: ModelRequest) -> ModelTurn:
        time.sleep(0.35)
        return SEARCH

    path = record(index, slow, answer("c2"), budgets=Budgets(seconds=25))
    recorded = read(path)
    notes = [message.get("note", "") for _, messages in recorded.requests() for message in messages]
    assert any("seconds" in note for note in notes)
    report = replay(recorded)
    assert not report.diverged, report
    assert report.answers[0]["usage"]["seconds"] > 0.3


def test_a_tape_that_goes_on_is_a_divergence(index: Index) -> None:
    path = record(index)
    lines = path.read_bytes().splitlines(keepends=True)
    extra = json.loads(lines[6])
    extra |= {"seq": len(lines), "id": extra["id"].rpartition("-")[0] + f"-{len(lines)}"}
    report = replay(parse(b"".join(lines) + json.dumps(extra).encode() + b"\n"))
    assert (report.diverged, report.at, report.replayed) == (True, len(lines), None)
    assert "goes on" in report.detail


@pytest.mark.parametrize("kept", [1, 6, 7, 8, 9, 12, 14, 16, 18])
def test_a_tape_that_ends_early_never_falls_through(index: Index, kept: int) -> None:
    path = record(index)
    lines = path.read_bytes().splitlines(keepends=True)
    report = replay(parse(b"".join(lines[:kept])))
    whole = kept <= 5
    assert report.diverged != whole
    if not whole:
        assert (report.cause, report.at) == ("tape", kept)
        assert report.recorded is None


def test_a_damaged_line_in_the_middle_is_where_it_ends(index: Index) -> None:
    lines = record(index).read_bytes().splitlines(keepends=True)
    lines[9] = lines[9][:40] + b"\n"
    report = replay(parse(b"".join(lines)))
    assert (report.diverged, report.at, report.cause) == (True, 9, "tape")
    assert any("line 10" in warning for warning in report.warnings)


def test_model_errors_and_notices_are_played_back(index: Index) -> None:
    path = record(index, SEARCH, ModelError("the server is gone", code="connection", hint="start it"))
    report = replay(read(path))
    assert not report.diverged, report
    assert report.answers[0]["stop_reason"] == "model_error"


def test_a_stopped_question_is_stopped_again(index: Index) -> None:
    def stopped(_: ModelRequest) -> ModelTurn:
        raise KeyboardInterrupt

    path = record(index, SEARCH, stopped, SEARCH, answer("c3"), questions=(QUESTION, QUESTION))
    recorded = read(path)
    report = replay(recorded)
    assert not report.diverged, report
    assert report.answers[0]["stop_reason"] == "cancelled"


def test_parallel_and_equal_calls_get_their_own_results(index: Index) -> None:
    both = turn(
        ("a", "search", '{"query": "quiet hours"}'),
        ("b", "search", '{"query": "rent"}'),
        ("d", "search", '{"query": "quiet hours"}'),
        ("a", "search", '{"query": "bicycles"}'),
    )
    path = record(
        index, both, answer("c2", passage="P2"), both, answer("c3", passage="P2"), questions=(QUESTION,) * 2
    )
    recorded = read(path)
    report = replay(recorded)
    assert not report.diverged, report
    results = [
        event for event in recorded.events if isinstance(event, ToolResultEvent) and event.name == "search"
    ]
    assert len(results) == 8


def test_a_secret_that_was_taken_out_does_not_break_a_replay(index: Index) -> None:
    path = record(index, questions=("How much is the rent with the key sk-abcdefghijklmnop1234?",))
    recorded = read(path)
    assert any(event.redacted for event in recorded.events)
    assert "sk-abcdef" not in path.read_text(encoding="utf-8")
    report = replay(recorded)
    assert not report.diverged, report


def test_hundred_steps_take_less_than_a_second(index: Index) -> None:
    steps = [turn((f"c{n}", "search", json.dumps({"query": f"rent {n}"}))) for n in range(99)]
    budgets = Budgets(model_calls=None, tool_calls=None, searches=None, stalled_turns=200, seconds=None)
    path = record(index, *steps, answer("last"), budgets=budgets)
    recorded = read(path)
    replay(recorded)
    started = time.perf_counter()
    report = replay(recorded)
    took = time.perf_counter() - started
    assert not report.diverged, report
    assert report.answers[0]["usage"]["model_calls"] == 100
    # A second on an idle machine; a busy one may take longer.
    assert took < 3


def test_other_tools_than_ours_can_be_replayed(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    tools = StubTools({"*": [FEE, ARREARS]}, {}, ["bylaws"])
    agent = Agent(
        ScriptedModel([STUB_SEARCH, GOOD]), tools, transcript=TranscriptWriter(path, Stamp("s")), session="s"
    )
    agent.ask("When is the annual fee due and how much is it?")
    agent.close()
    schemas = {schema.name: schema for schema in tools.schemas(READERS)}
    assert not replay(read(path), schemas=schemas).diverged
    assert replay(read(path)).cause == "tool schema"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"handle":"P1"', '"handle":7'),
        ('"pincite.turn":{', '"pincite.turn":{"tool_calls":7,"x":'),
        ('"budgets":{"model_calls":12', '"budgets":{"model_calls":-1'),
    ],
)
def test_a_recording_that_cannot_be_run_is_unreadable(index: Index, old: str, new: str) -> None:
    text = record(index).read_text(encoding="utf-8")
    assert old in text
    changed = text.replace(old, new)
    if "turn" in old:
        changed = changed.replace('"content":""', '"content":{}')
        changed = text.replace('"pincite.turn":{"content":""', '"pincite.turn":{"content":7')
    with pytest.raises(NothingUsableError):
        replay(parse(changed.encode()))


def test_a_recording_without_its_start_is_unreadable(index: Index) -> None:
    lines = record(index).read_bytes().splitlines(keepends=True)
    with pytest.raises(NothingUsableError, match="begin"):
        replay(parse(b"".join(lines[1:])))


@pytest.mark.parametrize("pattern", [r"\d{3}", r"\d{4,}|[0-9a-f]{8}", "840|s1"])
def test_patterns_of_the_settings_leave_a_session_that_is_replayed_and_gone_on_with(
    index: Index, pattern: str
) -> None:
    path = record(index, redact=(pattern,))
    report = replay(read(path))
    assert not report.diverged, report
    agent = resume_session(path, index, ScriptedModel([SEARCH, answer("c9")]), redact=(pattern,))
    assert agent.ask("And how much is it now?").status == "answered"
    agent.close()
    recording = read(path)
    assert recording.warnings == []
    assert path.stem == recording.events[-1].id.rpartition("-")[0]
    assert not replay(recording).diverged
