"""Every failure is one line on stderr that says what to do, and an exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.cli import app
from pincite.errors import PinciteError

Program = Callable[..., Any]


@pytest.mark.parametrize(
    "arguments",
    [
        ["search", "rent"],
        ["ask", "When is the rent due?"],
        ["toc"],
        ["read", "lease.txt", "1"],
        ["list"],
        ["forget", "lease.txt"],
        ["reindex"],
    ],
)
def test_without_an_index_every_command_says_how_to_make_one(program: Program, arguments: list[str]) -> None:
    outcome = program(*arguments, "--db", "nowhere")
    assert (outcome.code, outcome.out) == (3, "")
    assert "no index at nowhere" in outcome.complaint
    assert "pincite sync" in outcome.complaint


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--nonsense"], "No such option"),
        (["frobnicate"], "No such command"),
        (["ask"], "Missing argument"),
        (["search", "x", "--leg", "psychic"], "psychic"),
        (["search", "x", "--limit", "0"], "0 is not in the range"),
        (["search", "x", "--as-of", "tomorrow"], "tomorrow"),
        (["toc", "--tenant", "../other"], "tenant"),
        (["ask", ""], "question"),
        (["ask", " \n "], "question"),
        (["ask", "why? " * 20_000], "question"),
        (["search", ""], "query"),
        (["search", "why? " * 20_000], "query"),
        (["toc", "--config", "none.toml"], "none.toml"),
    ],
)
def test_wrong_usage_is_one_line_and_code_2(
    program: Program, db: Path, arguments: list[str], said: str
) -> None:
    where = ["--db", str(db)] if arguments[0] in {"ask", "search", "toc"} else []
    outcome = program(*arguments, *where)
    assert (outcome.code, outcome.out) == (2, "")
    assert said in outcome.complaint
    assert len(outcome.complaint) < 500


def test_an_unknown_document_is_code_3_and_near_names_are_given(program: Program, db: Path) -> None:
    for arguments in (
        ["toc", "boilr.md"],
        ["read", "boilr.md", "Pressure"],
        ["search", "x", "--document", "boilr.md"],
        ["ask", "How?", "--document", "boilr.md"],
        ["forget", "boilr.md"],
    ):
        outcome = program(*arguments, "--db", db)
        assert (outcome.code, outcome.out) == (3, "")
        assert "house/manuals/boiler.md" in outcome.complaint
        assert "pincite list" in outcome.complaint
    assert program("ask", "How?", "--document", "nothing", "--db", db).code == 3


def test_an_unknown_section_is_code_3(program: Program, db: Path) -> None:
    outcome = program("read", "Boiler manual", "Warranty", "--db", db)
    assert outcome.code == 3
    assert "pincite toc" in outcome.complaint


def test_an_error_is_an_object_too_with_json(program: Program, db: Path) -> None:
    outcome = program("search", "x", "--db", "nowhere", "--json")
    error = outcome.json["error"]
    assert set(error) == {"code", "message", "hint", "near"}
    assert error["code"] == "no_index"
    assert error["message"] in outcome.complaint
    assert program("search", "--json").json["error"]["code"] == "bad_arguments"
    found = program("toc", "boilr.md", "--db", db, "--json")
    assert (found.code, found.json["error"]["code"]) == (3, "no_such_document")


def test_missing_and_empty_folders_are_errors(program: Program, tmp_path: Path) -> None:
    assert program("sync", "nowhere", "--no-vectors").code == 3
    (tmp_path / "house").mkdir()
    (tmp_path / "house" / "a.md").write_text("# A\n\nText.\n")
    assert program("sync", "house", "--no-vectors").code == 0
    (tmp_path / "house" / "a.md").unlink()
    outcome = program("sync", "house", "--no-vectors")
    assert outcome.code == 3
    assert "--allow-empty" in outcome.complaint
    assert program("sync", "house", "--no-vectors", "--allow-empty").code == 0
    empty = program("search", "text")
    assert empty.code == 3
    assert "pincite sync" in empty.complaint


def test_a_damaged_index_is_code_3(program: Program, tmp_path: Path) -> None:
    (tmp_path / "kb" / "default").mkdir(parents=True)
    (tmp_path / "kb" / "default" / "current.json").write_text("{")
    assert program("list", "--db", "kb").code == 3
    (tmp_path / "file").write_text("")
    assert program("list", "--db", "file").code == 3


def test_a_dead_endpoint_is_one_line_and_code_4(program: Program, db: Path) -> None:
    model = ["--model", "some-model", "--base-url", "http://127.0.0.1:9/v1"]
    outcome = program("ask", "When is the rent due?", *model, "--db", db)
    assert outcome.code == 4
    assert outcome.out.startswith("incomplete (model_error), model some-model, 0 searches")
    assert "127.0.0.1:9" in outcome.complaint


def test_a_hosted_model_without_a_key_is_one_line_and_code_2(program: Program, db: Path) -> None:
    outcome = program("ask", "When is the rent due?", "--model", "some-model", "--db", db)
    assert outcome.code == 2
    assert "OPENAI_API_KEY" in outcome.complaint


def test_an_unexpected_failure_is_one_line_and_debug_shows_where(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("first line\nsecond \x1b[31mline")

    monkeypatch.setattr(app.program, "invoke", fail)
    outcome = program("doctor")
    assert outcome.code == PinciteError.exit_code
    assert "RuntimeError: first line second \\x1b[31mline" in outcome.complaint
    debugged = program("doctor", "--debug")
    assert "Traceback" in debugged.err
    assert "test_errors.py" in debugged.err


def test_control_c_is_code_130(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(app.program, "invoke", interrupt)
    outcome = program("list")
    assert (outcome.code, outcome.err) == (130, "pincite: stopped\n")


def test_a_closed_pipe_is_no_traceback(db: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "pincite", "list", "--db", str(db)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ.copy(),
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


@pytest.mark.parametrize(
    "command",
    [
        ["list"],
        ["list", "--json"],
        ["search", "rent", "--leg", "keyword"],
        ["doctor"],
        ["--help"],
        ["--version"],
    ],
)
def test_a_full_disk_behind_the_output_is_one_line_and_code_3(db: Path, command: list[str]) -> None:
    where = [] if command[0].startswith("--") else ["--db", str(db)]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "pincite", *command, *where],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 3
    assert (
        done.stderr
        == "pincite: the output cannot be written: No space left on device (check where it goes)\n"
    )


@pytest.mark.parametrize("closed", ["1>&-", "2>&-", ">/dev/full 2>/dev/full"])
def test_streams_that_take_nothing_end_in_no_traceback(db: Path, closed: str) -> None:
    for command, code in ((f"list --db {db}", 0), ("list --db nowhere --json", 3)):
        done = subprocess.run(
            f"{sys.executable} -m pincite {command} {closed}",
            shell=True,
            capture_output=True,
            text=True,
            check=False,
        )
        assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr
        assert done.returncode == (3 if closed.startswith(">") else code)


def test_settings_errors_name_the_key(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_MODLE", "x")
    outcome = program("list", "--json")
    assert outcome.code == 2
    assert "PINCITE_MODLE" in outcome.complaint
    assert json.loads(outcome.out)["error"]["code"] == "unknown_setting"
