from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.agent.replay.house import DOCUMENTS, QUESTION, SEARCH, answer, index_of, record, turn, write

from pincite.agent.replay.strict import replay
from pincite.agent.resuming import resume_session
from pincite.agent.scripted import ScriptedModel, Step
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.transcripts.events import AnswerEvent, SessionResume
from pincite.transcripts.reader import read
from pincite.transcripts.stamp import Stamp
from pincite.transcripts.writer import TranscriptLockedError, TranscriptWriter

AGAIN = "And when is it due?"
DUE = answer("d2", text="It is due on the first working day.", quote="is due on the first working day")


def resumed(
    path: Path, index: Index, *steps: Step, scope: Scope | None = None
) -> tuple[ScriptedModel, AnswerEvent]:
    model = ScriptedModel(steps)
    agent = resume_session(path, index, model, scope=scope)
    agent.ask(AGAIN)
    agent.close()
    answers = [event for event in read(path).events if isinstance(event, AnswerEvent)]
    return model, answers[-1]


def continuation(path: Path) -> SessionResume:
    return next(event for event in read(path).events if isinstance(event, SessionResume))


def test_a_session_goes_on_with_its_handles(index: Index) -> None:
    path = record(index)
    model, last = resumed(path, index, DUE)
    assert last.answer["status"] == "answered"
    assert last.answer["statements"][0]["citations"][0]["handle"] == "P1"
    roles = [(message.role, message.content) for message in model.requests[0].messages[1:]]
    assert roles == [("user", QUESTION), ("assistant", "The rent is 840 crowns."), ("user", AGAIN)]
    recording = read(path)
    assert recording.warnings == []
    assert not replay(recording).diverged


@pytest.mark.parametrize("kept", [6, 7, 8, 9, 10, 13, 15, 17, 19])
def test_a_session_goes_on_after_a_crash_anywhere(index: Index, kept: int) -> None:
    path = record(index)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:kept]) + lines[kept][:25])
    _, last = resumed(path, index, SEARCH, DUE)
    assert last.answer["status"] == "answered"
    assert continuation(path).repaired_bytes == 25
    recording = read(path)
    assert recording.warnings == []
    report = replay(recording)
    assert not report.diverged, report


def test_a_killed_process_can_be_gone_on_with(folder: Path, tmp_path: Path) -> None:
    index = index_of(folder, tmp_path / "kb")
    script = (
        "import sys, time; sys.path.insert(0, sys.argv[2])\n"
        "from pathlib import Path\n"
        "from tests.agent.replay.house import SEARCH, QUESTION\n"
        "from pincite.agent.scripted import ScriptedModel\n"
        "from pincite.agent.session import open_session\n"
        "from pincite.corpus.index import Index\n"
        "def hang(_): print('asked', flush=True); time.sleep(60)\n"
        "open_session(Index.open(Path(sys.argv[1])), ScriptedModel([SEARCH, hang])).ask(QUESTION)\n"
    )
    root = str(Path(__file__).parents[3])
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path / "kb"), root], stdout=subprocess.PIPE, env={**os.environ}
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"asked\n"
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    (path,) = (tmp_path / "kb" / "default" / "sessions").glob("*.jsonl")
    # The call was announced on disk; what became of it is unknown.
    assert read(path).events[-1].kind == "model_request"
    _, last = resumed(path, index, DUE)
    assert last.answer["statements"][0]["citations"][0]["handle"] == "P1"
    assert not replay(read(path)).diverged


def test_what_is_no_longer_permitted_is_withdrawn(folder: Path, tmp_path: Path) -> None:
    index = index_of(folder, tmp_path / "kb")
    path = record(index)
    scope = Scope(documents=frozenset({"house/rules.md", "house/garden.md"}))
    model, last = resumed(path, index, DUE, DUE, scope=scope)
    assert last.answer["status"] != "answered"
    assert "P1" in continuation(path).withdrawn
    sent = "\n".join(message.text for request in model.requests for message in request.messages)
    assert "840" not in sent
    assert "first working day." not in sent.replace("It is due on the first working day.", "")
    assert not replay(read(path)).diverged


def test_a_deleted_document_is_withdrawn(index: Index, folder: Path, tmp_path: Path) -> None:
    path = record(index)
    (folder / "lease.md").unlink()
    resumed(path, index_of(folder, tmp_path / "kb"), DUE, DUE)
    assert "P1" in continuation(path).withdrawn


def test_a_new_version_of_a_document_withdraws_nothing(index: Index, folder: Path, tmp_path: Path) -> None:
    path = record(index)
    write(folder, {"lease.md": DOCUMENTS["lease.md"] + "\nMore.\n"})
    _, last = resumed(path, index_of(folder, tmp_path / "kb"), DUE)
    assert continuation(path).withdrawn == ()
    assert last.answer["status"] == "answered"


def test_a_secret_that_was_taken_out_is_not_told_to_the_model_as_it_stands(
    folder: Path, tmp_path: Path
) -> None:
    secret = "sk-abcdefghijklmnop1234"
    write(folder, {"lease.md": f"# Lease\n\n## 1 Rent\n\nThe rent is 840 crowns a month, code {secret}.\n"})
    index = index_of(folder, tmp_path / "kb")
    asks = f"How much is the rent for {secret}?"
    path = record(index, questions=(asks,))
    assert secret not in path.read_text(encoding="utf-8")
    again = turn(("n1", "search", '{"query": "rent"}'))
    model, _ = resumed(path, index, again, answer("n2"))
    sent = "\n".join(message.text for request in model.requests for message in request.messages)
    assert "[redacted]" not in sent
    # The document itself may be shown: it is read again from the index.
    assert secret in sent
    assert secret not in path.read_text(encoding="utf-8")


def test_two_processes_cannot_go_on_at_once(index: Index) -> None:
    path = record(index)
    writer = TranscriptWriter(path, Stamp("other"))
    with pytest.raises(TranscriptLockedError):
        resume_session(path, index, ScriptedModel([]))
    writer.close()
    resume_session(path, index, ScriptedModel([])).close()


def test_a_session_can_be_gone_on_with_again_and_again(index: Index) -> None:
    path = record(index)
    started = time.perf_counter()
    for _ in range(3):
        resumed(path, index, DUE)
    assert time.perf_counter() - started < 60
    recording = read(path)
    assert sum(isinstance(event, SessionResume) for event in recording.events) == 3
    assert [event.seq for event in recording.events] == list(range(len(recording.events)))
    assert not replay(recording).diverged
