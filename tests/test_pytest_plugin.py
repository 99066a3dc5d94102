"""What another project's tests see of the fixture."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parents[1] / "transcripts" / "golden"
TWO_LINES = "def test_answers(pincite_replay):\n    pincite_replay('recorded/*.jsonl')\n"


def run(folder: Path, test: str = TWO_LINES) -> tuple[int, str]:
    (folder / "test_mine.py").write_text(test, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "pincite.pytest_plugin",
        "-p",
        "no:cacheprovider",
        ".",
    ]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "recorded").mkdir()
    shutil.copy(GOLDEN / "one-fact.jsonl", tmp_path / "recorded")
    return tmp_path


def test_two_lines_replay_a_projects_recordings(project: Path) -> None:
    code, out = run(project)
    assert (code, "1 passed" in out) == (0, True), out


def test_a_recording_that_went_another_way_fails_with_where_and_why(project: Path) -> None:
    file = project / "recorded" / "one-fact.jsonl"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('"pincite.verdict":"pass"', '"pincite.verdict":"reject"'), encoding="utf-8")
    code, out = run(project)
    assert code == 1
    assert "went another way at event 17 (check), cause: code" in out
    assert "$['pincite.verdict']" in out


def test_no_recording_is_a_failure(project: Path) -> None:
    (project / "recorded" / "one-fact.jsonl").unlink()
    code, out = run(project)
    assert code == 1
    assert "no recording is called recorded/*.jsonl" in out


def test_a_file_that_is_no_recording_is_a_failure_that_says_so(project: Path) -> None:
    (project / "recorded" / "other.jsonl").write_text("{}\n", encoding="utf-8")
    code, out = run(project)
    assert code == 1
    assert "other.jsonl cannot be replayed: " in out
    assert "NothingUsableError" not in out


def test_the_way_to_the_answer_can_be_asserted(project: Path) -> None:
    test = (
        "def test_answers(pincite_replay):\n"
        "    (one,) = pincite_replay('recorded/one-fact.jsonl')\n"
        "    assert [lookup.used for lookup in one.lookups] == ['fused']\n"
        "    assert one.report.answers[0]['status'] == 'answered'\n"
    )
    code, out = run(project, test)
    assert code == 0, out


def test_nothing_is_loaded_before_it_is_used(tmp_path: Path) -> None:
    code = "import sys, pincite.pytest_plugin; print('pydantic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
