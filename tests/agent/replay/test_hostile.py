"""A transcript from anybody: it is replayed, differs, or is refused in one line; it never takes us down."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.agent.replay.house import DOCUMENTS, QUESTION, SEARCH, answer, index_of, record, turn, write

from pincite.agent.replay.fork import fork
from pincite.agent.replay.live_model import replay_live_model
from pincite.agent.replay.live_tools import replay_live_tools
from pincite.agent.replay.strict import replay
from pincite.agent.resuming import resume_session
from pincite.agent.scripted import ScriptedModel
from pincite.corpus.index import Index
from pincite.errors import PinciteError
from pincite.transcripts.reader import Recording, parse

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["P1", "P0", "../../etc/passwd", "\x1b[2J", "search", "answer", "session_resume"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> tuple[Index, list[Any]]:
    folder = tmp_path_factory.mktemp("world")
    write(folder / "house", DOCUMENTS)
    index = index_of(folder / "house", folder / "kb")
    steps = (SEARCH, answer("c2", text="The rent is 9 crowns."), answer("c3"))
    path = record(
        index, *steps, turn(("c4", "search", '{"query": "quiet"}')), answer("c5"), questions=(QUESTION,) * 2
    )
    agent = resume_session(path, index, ScriptedModel([answer("c6")]))
    agent.ask(QUESTION)
    agent.close()
    return index, [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def mutated(data: st.DataObject, events: list[Any]) -> Recording:
    """The recording with some values replaced, and some lines dropped, doubled or moved."""
    events = json.loads(json.dumps(events))
    for _ in range(data.draw(st.integers(1, 3))):
        at: Any = events
        for _ in range(data.draw(st.integers(1, 7))):
            keys = list(at) if isinstance(at, dict) else list(range(len(at))) if isinstance(at, list) else []
            if not keys:
                break
            key = keys[data.draw(st.integers(0, len(keys) - 1))]
            if at is not events and (
                not isinstance(at[key], dict | list) or data.draw(st.integers(0, 3)) == 0
            ):
                at[key] = data.draw(JSON)
                break
            at = at[key]
    if data.draw(st.integers(0, 4)) == 0:
        events.pop(data.draw(st.integers(0, len(events) - 1)))
    if data.draw(st.integers(0, 4)) == 0:
        events.insert(data.draw(st.integers(0, len(events))), data.draw(st.sampled_from(events)))
    return parse(b"".join(json.dumps(event).encode() + b"\n" for event in events))


@settings(max_examples=250, deadline=None)
@given(st.data())
def test_a_strict_replay_of_anything(world: tuple[Index, list[Any]], data: st.DataObject) -> None:
    recording = mutated(data, world[1])
    try:
        report = replay(recording)
    except PinciteError as error:
        assert error.exit_code == 3
        return
    report.model_dump_json()
    if report.diverged:
        assert report.path
        assert report.cause


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_the_live_ways_with_anything(world: tuple[Index, list[Any]], data: st.DataObject) -> None:
    index, events = world
    recording = mutated(data, events)
    way = data.draw(st.integers(0, 2))
    try:
        if way == 0:
            replay_live_tools(recording, index).model_dump_json()
        elif way == 1:
            model = ScriptedModel([SEARCH, answer("n2"), *[answer("n3")] * 9])
            replay_live_model(recording, model).model_dump_json()
        else:
            at = data.draw(st.integers(1, 30))
            fork(recording, at, ScriptedModel([SEARCH, *[answer("n3")] * 9]), index)
    except PinciteError as error:
        # A model whose script has ended cannot be asked any more.
        assert error.exit_code in {2, 3} or error.code == "script_exhausted"


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_going_on_with_anything(
    world: tuple[Index, list[Any]], tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    index, events = world
    recording = mutated(data, events)
    path: Path = tmp_path_factory.mktemp("hostile") / "s.jsonl"
    dumped = [event.model_dump(mode="json", by_alias=True, exclude_none=True) for event in recording.events]
    path.write_bytes(b"".join(json.dumps(one).encode() + b"\n" for one in dumped))
    try:
        agent = resume_session(path, index, ScriptedModel([SEARCH, answer("n2"), answer("n3")]))
    except PinciteError as error:
        assert error.exit_code == 3
        return
    agent.ask(QUESTION)
    agent.close()
