from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from tests.transcripts.recorded import RENT, passage, reread, result, session

from pincite.errors import NothingUsableError
from pincite.transcripts.diff import around, first_difference
from pincite.transcripts.events import (
    EVENT,
    AnswerEvent,
    Event,
    ModelRequestEvent,
    NoticeEvent,
    SessionEnd,
    ToolCallEvent,
)
from pincite.transcripts.reader import Recording
from pincite.transcripts.stamp import Stamp
from pincite.transcripts.tape import Tape, TapeStamp, call_key
from pincite.transcripts.writer import TranscriptWriter


def key(tool: str, raw: str) -> str | None:
    return call_key(tool, json.dumps(json.loads(raw), sort_keys=True)) if raw.startswith("{") else None


def three() -> Tape:
    return Tape(reread(session(results=tuple(result(passage("P1", f"{RENT} {n}")) for n in range(3)))), key)


def test_equal_calls_are_told_apart_by_id_then_by_ordinal() -> None:
    tape = three()
    wanted = call_key("search", '{"query": "rent"}')
    taken = [tape.take(wanted, call_id) for call_id in ("c1", "other", None, "c0")]
    assert [call.call.call_id if call else None for call in taken] == ["c1", "c0", "c2", None]


def test_a_call_that_is_not_there_is_not_there() -> None:
    assert three().take(call_key("search", '{"query": "fee"}'), "c1") is None


def test_a_refused_call_is_none_that_a_tool_answered() -> None:
    refused = result(error={"code": "already_called", "message": "m"})
    tape = Tape(
        reread(session(results=(result(passage("P1", RENT)), refused, result(passage("P2", "More."))))), key
    )
    wanted = call_key("search", '{"query": "rent"}')
    taken = [tape.take(wanted, None) for _ in range(3)]
    assert [call.call.call_id if call else None for call in taken] == ["c0", "c2", None]
    assert len(tape.lookups()) == 2


def test_a_tape_begins_with_its_session() -> None:
    with pytest.raises(NothingUsableError):
        Tape(Recording(None), key)


def test_the_tapes_clock_shows_the_recorded_times() -> None:
    events = session().events
    stamp = TapeStamp("s1", [event.model_copy(update={"mono_us": 100 * event.seq}) for event in events])
    assert [stamp.put(NoticeEvent(code="x", message="y")).mono_us for _ in range(3)] == [0, 100, 200]


@pytest.mark.parametrize("time", ["", "yesterday", "9999999-01-01", "0001-01-01T00:00:00Z"])
def test_a_time_that_is_none_is_no_failure(time: str) -> None:
    events = [event.model_copy(update={"time": time}) for event in session().events]
    assert TapeStamp("s1", events).put(NoticeEvent(code="x", message="y")).seq == 0


def test_the_first_difference_is_the_first_in_order() -> None:
    one = {"a": [1, {"b c": "x", "d": 2}], "e": None}
    found = first_difference(one, {"a": [1, {"b c": "y", "d": 3}], "e": None})
    assert found is not None
    assert (found.path, found.recorded, found.replayed) == ("$.a[1]['b c']", "x", "y")
    more = first_difference(one, {"a": [1, {"b c": "x", "d": 2}, 5], "e": None})
    assert more is not None
    assert (more.path, more.recorded, more.replayed) == ("$.a[2]", None, 5)
    assert first_difference(one, {**one}) is None
    assert first_difference({"a": True}, {"a": 1}) is not None


def test_long_texts_are_cut_to_where_they_differ() -> None:
    one, other = around("x" * 500 + "A" + "y" * 500, "x" * 500 + "B" + "y" * 500, 20)
    assert one == "…xxxxxxxxxxAyyyyyyyyy…"
    assert other == "…xxxxxxxxxxByyyyyyyyy…"


def test_what_announces_a_side_effect_is_on_disk_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(os.fstat(handle).st_size))
    writer = TranscriptWriter(tmp_path / "s.jsonl", Stamp("s"))
    sizes = []
    events: list[Event] = [
        NoticeEvent(code="x", message="y"),
        ModelRequestEvent(model="m", call=1),
        ToolCallEvent(call_id="c", name="search", arguments="{}"),
        AnswerEvent(question=1, answer={}),
        SessionEnd(),
    ]
    for event in events:
        writer.append(event)
        sizes.append((tmp_path / "s.jsonl").stat().st_size)
    writer.close()
    assert synced == sizes[1:]


def test_every_field_is_written_under_a_conventional_name_or_our_own() -> None:
    bare = {"v", "kind", "seq", "id", "parent", "time", "mono_us", "redacted"}
    for entry in EVENT.json_schema()["$defs"].values():
        names = set(entry["properties"]) - bare
        assert all(name.startswith(("gen_ai.", "pincite.")) or name == "error.type" for name in names)
