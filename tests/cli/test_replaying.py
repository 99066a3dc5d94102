"""replay, show, compare and golden as a person or a script runs them."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Program

QUESTION = "What is the working pressure of the boiler?"


@pytest.fixture
def session(program: Program, db: Path, tmp_path: Path) -> Path:
    done = program("ask", QUESTION, "--db", db, "--json")
    assert done.code == 0, done.err
    path = tmp_path / "session.jsonl"
    shutil.copy(done.json["transcript"], path)
    return path


def changed(session: Path, old: str, new: str) -> Path:
    text = session.read_text(encoding="utf-8")
    assert old in text
    other = session.with_name("other.jsonl")
    other.write_text(text.replace(old, new), encoding="utf-8")
    return other


def test_a_strict_replay_needs_no_index(program: Program, session: Path) -> None:
    done = program("replay", session, "--db", "nowhere")
    assert (done.code, done.err) == (0, "")
    assert "the same in all" in done.out


def test_a_session_is_named_like_everywhere(program: Program, db: Path, session: Path) -> None:
    name = json.loads(session.read_text(encoding="utf-8").splitlines()[0])["gen_ai.conversation.id"]
    assert program("replay", name, "--db", db).code == 0


def test_a_divergence_is_exit_5_with_where_what_and_why(program: Program, session: Path) -> None:
    other = changed(session, '"pincite.verdict":"pass"', '"pincite.verdict":"reject"')
    done = program("replay", other)
    assert done.code == 5
    assert "(check)" in done.out
    assert "$['pincite.verdict']" in done.out
    assert '"reject"' in done.out
    as_json = program("replay", other, "--json")
    assert as_json.code == 5
    report = as_json.json
    assert {"diverged", "at", "path", "recorded", "replayed", "cause", "drift"} <= set(report)
    assert (report["recorded"], report["replayed"], report["cause"]) == ("reject", "pass", "code")


def test_live_tools_say_what_drifted(program: Program, session: Path, db: Path) -> None:
    done = program("replay", session, "--live-tools", "--db", db)
    assert done.code == 0, done.out
    failed = program("replay", session, "--fail", "keyword", "--db", db, "--json")
    assert failed.code == 5
    assert failed.json["cause"] == "leg"
    assert failed.json["cited_evidence_touched"]
    words = program("replay", session, "--fail", "keyword@1", "--db", db)
    assert "leg keyword: ok -> error (made to fail)" in words.out
    assert "this touches the evidence" in words.out


def test_the_built_in_model_goes_on_by_itself(program: Program, session: Path, db: Path) -> None:
    assert program("replay", session, "--live-model").code == 0
    fork = program("replay", session, "--fork-at", 7, "--set", "budget.searches=2", "--db", db, "--json")
    assert fork.code == 0, fork.err
    child = fork.json["transcript"]
    assert program("replay", child).code == 0
    compared = program("compare", session, child)
    assert compared.code == 0
    assert "fork of: nothing -> " in compared.out


def test_a_transcript_does_not_choose_the_model(program: Program, session: Path, db: Path) -> None:
    other = changed(session, '"gen_ai.request.model":"extractive"', '"gen_ai.request.model":"gpt-somewhere"')
    for way in (("--live-model",), ("--fork-at", "7", "--db", str(db))):
        done = program("replay", other, *way)
        assert done.code == 2
        assert "name the model" in done.complaint


@pytest.mark.parametrize(
    "options",
    [
        ("--live-tools", "--live-model"),
        ("--set", "model=x"),
        ("--fork-at", "7", "--set", "moon=1"),
        ("--fork-at", "7", "--set", "model="),
        ("--fork-at", "7", "--set", "prompt.nothing=x"),
        ("--fork-at", "7", "--set", "budget.moon=1"),
        ("--fork-at", "0"),
        ("--fork-at", "999"),
        ("--fail", "moon"),
        ("--live-model", "--fail", "vector"),
        ("--fork-at", "x"),
    ],
)
def test_wrong_usage_is_exit_2(program: Program, session: Path, db: Path, options: tuple[str, ...]) -> None:
    done = program("replay", session, "--db", db, *options)
    assert done.code == 2
    assert done.complaint


@pytest.mark.parametrize("command", ["replay", "show"])
@pytest.mark.parametrize("data", [b"", b"nonsense\n", b"\xff\x00\n", b"{}\n" * 3, b"[" * 9999])
def test_what_is_no_transcript_is_exit_3(program: Program, tmp_path: Path, command: str, data: bytes) -> None:
    file = tmp_path / "x.jsonl"
    file.write_bytes(data)
    done = program(command, file)
    assert done.code == 3
    assert done.complaint
    assert program(command, tmp_path / "missing.jsonl").code == 3
    assert program("compare", file, file).code == 3


def test_one_step_is_shown_whole(program: Program, session: Path) -> None:
    done = program("show", session, "--step", 6)
    assert done.code == 0
    assert "system:" in done.out
    assert QUESTION in done.out
    assert program("show", session, "--step", 999).code == 3
    assert program("show", session, "--step", 1, "--json").code == 2


def test_a_finished_session_is_followed_to_its_end(program: Program, session: Path) -> None:
    done = program("show", session, "--follow")
    assert done.code == 0
    assert "session ends" in done.out


def test_pages_are_written_for_their_owner_only(program: Program, session: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert program("show", session, "--html", page).code == 0
    assert page.stat().st_mode & 0o777 == 0o600
    assert "<mark>" in page.read_text(encoding="utf-8")
    assert program("compare", session, session, "--html", "-").out.startswith("<!doctype html>")
    assert program("show", session, "--html", tmp_path / "no" / "page.html").code == 3
    assert program("compare", session, session, "--html", page).code == 0
    assert "Two runs" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("command", ["show", "compare"])
def test_a_page_replaces_only_a_page_of_ours(
    program: Program, session: Path, tmp_path: Path, command: str
) -> None:
    names = [session] * (1 if command == "show" else 2)
    link = tmp_path / "link.html"
    link.symlink_to(session)
    foreign = tmp_path / "mine.html"
    foreign.write_text("<!doctype html>\n<title>Mine</title>\n", encoding="utf-8")
    for target in (session, link, foreign):
        before = target.read_bytes()
        done = program(command, *names, "--html", target)
        assert (done.code, done.out) == (2, "")
        assert "is there already" in done.complaint
        assert target.read_bytes() == before
    empty = tmp_path / "empty.html"
    empty.touch()
    assert program(command, *names, "--html", empty).code == 0
    assert program(command, *names, "--html", "/dev/null").code == 0


@pytest.mark.parametrize("command", ["replay", "show", "compare", "golden check"])
def test_what_is_no_file_is_called_so_and_not_waited_for(
    program: Program, session: Path, tmp_path: Path, command: str
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    (tmp_path / "folder").mkdir()
    names = [session] if command == "compare" else []
    for target in (pipe, "/dev/zero", *([] if command == "golden check" else [tmp_path / "folder"])):
        done = program(*command.split(), *names, target)
        assert done.code == 3
        assert "is not a file" in done.complaint
    done = program("show", pipe, "--follow")
    assert (done.code, "is not a file" in done.complaint) == (3, True)


def test_a_session_that_was_not_ended_is_shown_as_such(program: Program, session: Path) -> None:
    kept = session.read_bytes().splitlines(keepends=True)
    session.write_bytes(b"".join(kept[:7]))
    done = program("show", session)
    assert "its outcome is unknown" in done.out
    assert "the session was not ended" in done.out
    assert "not ended" in program("show", session, "--json").json["warnings"][0]
    page = program("show", session, "--html", "-").out
    assert "its outcome is unknown" in page
    assert "the session was not ended" in page


def test_recordings_are_added_checked_and_made_again(program: Program, db: Path, tmp_path: Path) -> None:
    folder = tmp_path / "golden"
    file = folder / "pressure.jsonl"
    assert program("golden", "add", file, QUESTION, "--db", db).code == 0
    assert program("golden", "add", file, QUESTION, "--db", db).code == 2
    assert program("golden", "check", folder).code == 0
    first = file.read_bytes()
    assert program("golden", "refresh", folder, "--db", db).code == 0
    assert file.read_bytes() == first
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("1.5 bar", "2.5 bar"), encoding="utf-8")
    dry = program("golden", "refresh", folder, "--db", db, "--dry-run")
    assert "2.5 bar" in file.read_text(encoding="utf-8")
    assert "+ " in dry.out
    assert "1.5 bar" in dry.out
    again: Any = program("golden", "refresh", folder, "--db", db, "--json").json
    assert list(again["changed"]) == [str(file)]
    assert file.read_bytes() == first
    file.write_text(text.replace('"pass"', '"reject"'), encoding="utf-8")
    assert program("golden", "check", folder).code == 5
    assert program("golden", "check", tmp_path / "none").code == 3


def test_a_session_is_gone_on_with(program: Program, db: Path) -> None:
    first = program("ask", QUESTION, "--db", db, "--json").json
    second = program("ask", "When does the tenant pay?", "--db", db, "--resume", first["session"], "--json")
    assert second.code == 0, second.err
    assert second.json["session"] == first["session"]
    assert program("replay", first["session"], "--db", db).code == 0
    shown = program("show", first["session"], "--db", db).out
    assert "session continued" in shown
    assert program("ask", QUESTION, "--db", db, "--resume", "none").code == 3


def test_what_settings_call_a_secret_is_in_no_transcript(
    program: Program, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_REDACT", r"boiler\d+")
    done = program("ask", QUESTION + " boiler77", "--db", db, "--json")
    text = Path(done.json["transcript"]).read_text(encoding="utf-8")
    assert "boiler77" not in text
    assert "[redacted]" in text
    assert program("replay", done.json["transcript"]).code == 0
    monkeypatch.setenv("PINCITE_REDACT", "(")
    bad = program("ask", QUESTION, "--db", db)
    assert bad.code == 2
    assert "regular expression" in bad.complaint
