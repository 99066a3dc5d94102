from __future__ import annotations

import json
import os
import re
import resource
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.transcripts.recorded import session

from pincite.errors import UsageError
from pincite.transcripts.events import (
    AnswerEvent,
    Event,
    NoticeEvent,
    SessionEnd,
    ToolCallEvent,
    ToolResultEvent,
    UserMessage,
)
from pincite.transcripts.pack import unpack_result
from pincite.transcripts.reader import parse, read
from pincite.transcripts.redact import Redactor
from pincite.transcripts.stamp import Stamp
from pincite.transcripts.writer import MemoryTranscript, TranscriptLockedError, TranscriptWriter


def notice(text: str) -> Event:
    return NoticeEvent(code="test", message=text)


def write(path: Path, *texts: str) -> None:
    writer = TranscriptWriter(path, Stamp("s"))
    for text in texts:
        writer.append(notice(text))
    writer.close()


def messages(data: bytes) -> list[str]:
    return [event.message for event in parse(data).events if isinstance(event, NoticeEvent)]


@pytest.mark.parametrize("pattern", [r"\d{4,}", "[0-9a-f]{8,}", "session|answer|text|P1", "[A-Za-z]+", "."])
def test_a_pattern_that_hits_everything_leaves_a_transcript_that_can_be_read(
    tmp_path: Path, pattern: str
) -> None:
    path = tmp_path / "20261130-115740-fe0f24.jsonl"
    plain = session("20261130-115740-fe0f24", query="card 12345678").events
    writer = TranscriptWriter(path, Stamp("20261130-115740-fe0f24"), Redactor(patterns=[pattern]))
    for event in plain:
        writer.append(event)
    writer.close()
    found = read(path)
    assert found.warnings == []
    assert [event.kind for event in found.events] == [event.kind for event in plain]
    assert all(event.id == f"20261130-115740-fe0f24-{event.seq}" for event in found.events)
    assert all(event.time.startswith("2") and event.time.endswith("Z") for event in found.events)
    (request,) = found.requests()
    assert request[1][0]["role"] == "system"
    (call,) = [event for event in found.events if event.kind == "tool_call"]
    (result,) = [event for event in found.events if event.kind == "tool_result"]
    assert result.call_id == call.call_id == "c0"
    assert result.result["passages"][0]["handle"] == "P1"
    if re.search(pattern, "12345678"):
        assert "12345678" not in path.read_text(encoding="utf-8")


def test_what_looks_like_a_secret_is_taken_out_of_names_too(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    key = "sk-abcdefghijklmnop1234"
    writer = TranscriptWriter(path, Stamp("s"), Redactor(["hunter2-hunter2"], ["zzz"]))
    writer.append(ToolCallEvent(call_id=key, name="hunter2-hunter2", arguments="{}"))
    writer.append(NoticeEvent(code="x", message="zzz"))
    writer.close()
    text = path.read_text(encoding="utf-8")
    assert not [one for one in (key, "hunter2", "zzz") if one in text]


def test_events_come_back_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    writer = TranscriptWriter(path, Stamp("s", wall=lambda: 0.0, monotonic=lambda: 1.5))
    written = [
        writer.append(UserMessage(question=1, text="Wie hoch? \u2028 \x1b[31m")),
        writer.append(notice("b")),
    ]
    writer.close()
    recording = read(path)
    assert recording.events == written
    assert [event.seq for event in recording.events] == [0, 1]
    assert [event.id for event in recording.events] == ["s-0", "s-1"]
    assert (written[0].time, written[0].mono_us) == ("1970-01-01T00:00:00.000000Z", 1_500_000)
    assert recording.warnings == []


def test_the_file_is_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    write(path, "a")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_line_is_with_the_system_when_append_returns(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    writer = TranscriptWriter(path, Stamp("s"))
    writer.append(notice("before the side effect"))
    assert messages(path.read_bytes()) == ["before the side effect"]
    writer.close()


def test_a_second_writer_is_refused_and_the_first_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    writer = TranscriptWriter(path, Stamp("s"))
    with pytest.raises(TranscriptLockedError):
        TranscriptWriter(path, Stamp("s"))
    writer.append(notice("a"))
    writer.close()
    write(path, "b")
    assert messages(path.read_bytes()) == ["a", "b"]


def test_cut_at_every_byte_all_that_was_committed_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    write(path, "first", "zweite ü", "third")
    data = path.read_bytes()
    ends = [at for at in range(len(data)) if data[at : at + 1] == b"\n"]
    for cut in range(1, len(data) + 1):
        recording = parse(data[:cut])
        # A line that lacks nothing but its line break counts as committed.
        assert len(recording.events) == sum(end <= cut for end in ends)
        assert recording.bad == []
        torn = not any(cut in {end, end + 1} for end in ends)
        assert (recording.torn > 0) == torn
        assert bool(recording.warnings) == torn


def test_opening_repairs_a_torn_tail_and_continues_the_count(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    write(path, "first", "second")
    whole = path.read_bytes()
    for cut in range(whole.index(b"\n") + 1, len(whole)):
        path.write_bytes(whole[:cut])
        writer = TranscriptWriter(path, Stamp("s"))
        writer.append(notice("after"))
        writer.close()
        recording = read(path)
        complete = cut == len(whole) - 1
        kept = ["first", "second"] if complete else ["first"]
        assert [event.message for event in recording.events if isinstance(event, NoticeEvent)] == [
            *kept,
            "after",
        ]
        assert recording.warnings == []
        assert writer.repaired_bytes == (0 if complete else cut - whole.index(b"\n") - 1)


def test_opening_behind_a_damaged_line_continues_the_count(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    write(path, "a", "b")
    with path.open("ab") as file:
        file.write(b"damage\n")
    write(path, "c")
    recording = read(path)
    assert [event.seq for event in recording.events] == [0, 1, 2]
    assert [bad.line for bad in recording.bad] == [3]


def test_a_bad_line_in_the_middle_is_counted_and_the_rest_is_read(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    write(path, "a", "b", "c")
    lines = path.read_bytes().split(b"\n")
    lines[1] = b'{"kind":"notice","seq":1'
    lines.insert(1, b'{"kind":"no such kind","seq":9}')
    recording = parse(b"\n".join(lines))
    assert [bad.line for bad in recording.bad] == [2, 3]
    assert [event.seq for event in recording.events] == [0, 2]
    assert recording.gaps == [(1, 1)]
    assert len(recording.warnings) == 3


def test_a_line_nested_without_end_is_a_bad_line() -> None:
    recording = parse(b"[" * 200_000 + b"\n")
    assert [bad.line for bad in recording.bad] == [1]


def test_a_full_disk_leaves_a_whole_file_and_says_so_once(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    writer = TranscriptWriter(path, Stamp("s"))
    writer.append(notice("kept"))
    size = path.stat().st_size
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 50, limits[1]))
        writer.append(notice("x" * 500))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert writer.problem is not None
    assert "could not be written" in writer.problem
    writer.append(notice("never written, so that no gap appears"))
    writer.close()
    assert messages(path.read_bytes()) == ["kept"]
    assert read(path).warnings == []


def test_killed_at_random_moments_only_the_last_line_can_be_torn(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    script = (
        "import sys; from pathlib import Path\n"
        "from pincite.transcripts.stamp import Stamp\n"
        "from pincite.transcripts.writer import TranscriptWriter\n"
        "from pincite.transcripts.events import NoticeEvent\n"
        "writer = TranscriptWriter(Path(sys.argv[1]), Stamp('s'))\n"
        "print('ready', flush=True)\n"
        "while True: writer.append(NoticeEvent(code='test', message='m' * 5000))\n"
    )
    for pause in (0.0, 0.003, 0.01):
        process = subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(pause)
        process.kill()
        process.wait()
        process.stdout.close()
    write(path, "last")
    recording = read(path)
    assert recording.bad == []
    assert recording.gaps == []
    assert [event.seq for event in recording.events] == list(range(len(recording.events)))
    assert messages(path.read_bytes())[-1] == "last"


def test_secrets_are_taken_out_on_writing_only(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    writer = TranscriptWriter(path, Stamp("s"), Redactor(secrets=["hunter2-hunter2"], patterns=[r"ACC-\d+"]))
    text = "key sk-abcdefghijklmnop1234, Authorization: Bearer abcdef.ghijkl-mnopqr, hunter2-hunter2, ACC-77"
    event = writer.append(notice(text))
    writer.close()
    assert isinstance(event, NoticeEvent)
    assert event.message == text
    stored = json.loads(path.read_bytes())
    assert stored["pincite.message"] == ("key [redacted], Authorization: [redacted], [redacted], [redacted]")
    assert stored["redacted"] == 4


def test_what_json_cannot_hold_is_written_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    deep: object = "end"
    for _ in range(200):
        deep = {"a": [deep]}
    writer = TranscriptWriter(path, Stamp("s"))
    writer.append(AnswerEvent(question=1, answer={"nan": float("nan"), "inf": float("inf")}))
    writer.append(SessionEnd(totals={"deep": deep}))
    writer.close()
    recording = read(path)
    assert recording.warnings == []
    answer = recording.events[0]
    assert isinstance(answer, AnswerEvent)
    assert answer.answer == {"nan": None, "inf": None}
    assert "nested too deeply" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "secret",
    [
        "sk-abcdefghijklmnop1234",
        "Bearer abcdefghijklmnop.qrst",
        "BEARER ABCDEFGHIJKLMNOP",
        "ghp_abcdefghijklmnopqrst",
        "glpat-abcdefghijklmnopqrst",
        "xoxb-abcdefghijklmnopqrst",
        "hf_abcdefghijklmnopqrst",
        "AKIAABCDEFGHIJKLMNOP",
        "AIza" + "a" * 35,
        "eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.SflKxwRJSMeKKF2QT4",
        "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----",
    ],
)
def test_every_well_known_form_of_secret_is_found(secret: str) -> None:
    text, count = Redactor().text(f"before {secret} behind")
    assert (text, count) == ("before [redacted] behind", 1)


@pytest.mark.parametrize("pattern", ["(", "a*", ""])
def test_a_pattern_that_cannot_be_used_is_wrong_usage(pattern: str) -> None:
    with pytest.raises(UsageError):
        Redactor(patterns=[pattern])


def test_the_words_of_a_passage_stand_once_and_come_back(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    words = "Words that are shown, ⟦ escaped here."
    given = {
        "text": "⟦n P1⟧\nfirst words\n⟦n P2⟧\nfirst words\nmore",
        "passages": [
            {"handle": "P1", "text": "first words"},
            {"handle": "P2", "text": "first words\nmore"},
            {"handle": "P3", "text": words},
            {"handle": "P4", "text": ""},
        ],
    }
    writer = TranscriptWriter(path, Stamp("s"))
    writer.append(ToolResultEvent(call_id="c", name="search", result=given))
    writer.close()
    assert path.read_text(encoding="utf-8").count("first words") == 2
    (event,) = read(path).events
    assert isinstance(event, ToolResultEvent)
    assert event.result == given


@pytest.mark.parametrize("at", [[0, 99], [-1, 2], [5, 2], ["0", 2], [True], None, {}])
def test_a_passage_that_points_elsewhere_is_left_as_it_is(at: object) -> None:
    result = {"text": "some words", "passages": [{"handle": "P1", "text_at": at}, 7]}
    assert unpack_result(result) == result


def test_a_lone_surrogate_does_not_stop_the_writer(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    write(path, "a \ud83d b", "c")
    assert messages(path.read_bytes()) == ["a \ud83d b", "c"]


def test_memory_and_file_number_alike() -> None:
    memory = MemoryTranscript("m")
    assert [memory.append(notice(str(n))).seq for n in range(3)] == [0, 1, 2]
    assert os.fspath(memory.events[2].id) == "m-2"
