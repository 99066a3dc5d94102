"""Recordings that secrets were taken out of: replayed as any other, and their secrets are never told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.agent.replay.house import QUESTION, SEARCH, answer, index_of, record, turn

from pincite.agent.replay.golden import Recipe
from pincite.agent.replay.golden import record as record_golden
from pincite.agent.replay.live_tools import replay_live_tools
from pincite.agent.replay.strict import replay
from pincite.agent.scripted import ScriptedModel, Step
from pincite.corpus.index import Index
from pincite.transcripts.reader import read

KEY = "k3y-0f-the-house-9d1"
CODE = "ACC-4711-88"
LEASE = (
    "# Lease\n\n## 1 Rent\n\n"
    "The account is ACC-4711-88 and the portal's api_key: k3y-0f-the-house-9d1 as given.\n"
    "The rent is 840 crowns a month and is due on the first working day.\n"
)
PATTERN = r"ACC-[\d-]+"


@pytest.fixture
def index(folder: Path, tmp_path: Path) -> Index:
    (folder / "lease.md").write_text(LEASE, encoding="utf-8")
    return index_of(folder, tmp_path / "kb")


READ = turn(("c3", "read_section", '{"document": "house/lease.md", "section": "1"}'))
CITING: dict[str, tuple[Step, ...]] = {
    "behind the secrets": (SEARCH, answer("c2")),
    "the secret itself": (SEARCH, answer("c2", f"The key is {KEY}.", quote=f"api_key: {KEY} as given")),
    "the secret without its name": (SEARCH, answer("c2", f"The key is {KEY}.", quote=f"{KEY} as given")),
    "a pattern's": (SEARCH, answer("c2", f"The account is {CODE}.", quote=f"The account is {CODE}")),
    "a search again": (SEARCH, READ, answer("c2")),
}  # fmt: skip


@pytest.mark.parametrize("citing", CITING)
def test_a_session_whose_cited_passage_held_secrets_replays_the_same(index: Index, citing: str) -> None:
    path = record(index, *CITING[citing], redact=[PATTERN])
    text = path.read_text(encoding="utf-8")
    assert not [one for one in (KEY, CODE) if one in text]
    recording = read(path)
    assert recording.warnings == []
    report = replay(recording)
    assert not report.diverged, report
    assert report.answers[0]["status"] == "answered"
    for redact in ([PATTERN], []):
        live = replay_live_tools(recording, index, redact=redact)
        assert not live.diverged, live
        assert live.answers[0]["status"] == "answered"
        assert not [one for one in (KEY, CODE) if one in live.model_dump_json()]


def test_such_a_session_is_kept_as_a_test(index: Index, tmp_path: Path) -> None:
    file = tmp_path / "kept.jsonl"
    recording = record_golden(
        file, Recipe((QUESTION,)), ScriptedModel([SEARCH, answer("c2")]), index, redact=[PATTERN]
    )
    assert KEY not in file.read_text(encoding="utf-8")
    assert not replay(recording).diverged


def test_a_place_elsewhere_in_a_whole_passage_still_differs(index: Index) -> None:
    path = record(index)
    events = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    kept = next(event for event in events if event["kind"] == "answer")
    citation: Any = kept["pincite.answer"]["statements"][0]["citations"][0]
    citation["quote"] = "another"
    path.write_text("".join(json.dumps(event) + "\n" for event in events), encoding="utf-8")
    assert replay(read(path)).path == "$['pincite.answer'].statements[0].citations[0].quote"


@pytest.mark.parametrize("redact", [[PATTERN], []])
def test_a_real_change_is_told_without_the_secrets(
    index: Index, folder: Path, tmp_path: Path, redact: list[str]
) -> None:
    recording = read(record(index, redact=[PATTERN]))
    (folder / "lease.md").write_text(LEASE.replace("840", "860"), encoding="utf-8")
    live = replay_live_tools(recording, index_of(folder, tmp_path / "kb"), redact=redact)
    assert (live.diverged, live.cause, live.cited_evidence_touched) == (True, "index", True)
    (entry,) = live.drift
    (changed,) = entry["changed"]
    assert changed["live"] == changed["recorded"].replace("840", "860")
    assert not changed["quotes_stand"]
    assert not [one for one in (KEY, CODE) if one in live.model_dump_json()]


def test_what_a_recording_holds_in_the_clear_is_no_drift(index: Index) -> None:
    recording = read(record(index))
    (result,) = [event for event in recording.events if event.kind == "tool_result" and event.fresh]
    assert CODE in str(result.result)
    assert not replay_live_tools(recording, index, redact=[PATTERN]).diverged


def test_a_search_for_a_secret_differs_because_it_was_taken_out(index: Index) -> None:
    asked = turn(("c1", "search", json.dumps({"query": CODE})))
    recording = read(record(index, asked, answer("c2"), redact=[PATTERN]))
    assert not replay(recording).diverged
    live = replay_live_tools(recording, index, redact=[PATTERN])
    assert (live.diverged, live.cause) == (True, "redaction")
