"""`pincite chat` with questions from a pipe."""

from __future__ import annotations

import io
import json
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.cli.conftest import Outcome, Program

F28 = "What does fault F28 of the boiler mean?"


@pytest.fixture
def piped(program: Program, db: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    """Runs a chat over the lines given."""

    def call(*lines: object, options: tuple[str, ...] = ()) -> Outcome:
        monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(str(line) for line in lines) + "\n"))
        return program("chat", "--db", db, *options)

    return call


def test_each_line_is_a_turn_of_one_session(piped: Program) -> None:
    done = piped("hello", F28, "", "thanks")
    assert done.code == 0
    assert done.out.count("(not from your documents)") == 2
    assert "The burner did not light" in done.out
    assert len({line.rpartition(" ")[2] for line in done.out.splitlines() if "; session " in line}) == 1


def test_citations_are_listed_and_opened_with_the_quoted_words_marked(piped: Program) -> None:
    done = piped(F28, "/sources", "/open 1", "/why")
    assert "> Faults > F28, line" in done.out
    assert "»The burner did not light after three attempts" in done.out
    assert "keyword: ok" in done.out


def test_commands_that_cannot_be_followed_say_what_to_do(piped: Program) -> None:
    done = piped(
        "/open 1", "/nonsense", "/open x", "/budget speed 3", "/budget seconds soon", "/resume nobody"
    )
    assert "Traceback" not in done.err
    said = [line for line in done.err.splitlines() if line.startswith("pincite: ")]
    assert len(said) == 6
    assert "/help lists them" in said[1]


def test_an_answer_without_citations_has_none_to_open(piped: Program) -> None:
    done = piped("hello", "/open 1")
    assert "the last answer has no citation to open" in done.err
    assert "from 1 to 0" not in done.err


def test_a_limit_is_shown_set_and_taken_away(piped: Program) -> None:
    named = (
        "/budget seconds",
        "/budget seconds 30",
        "/budget seconds",
        "/budget seconds none",
        "/budget seconds",
    )
    done = piped(*named, "/budget request_tokens none")
    shown = [line for line in done.out.splitlines() if line.startswith("seconds: ")]
    assert shown == ["seconds: 120.0", "seconds: 30.0", "seconds: no limit"]
    assert "request_tokens" in done.err


def test_sessions_are_listed_with_the_time_they_began(piped: Program) -> None:
    before = datetime.now(UTC)
    done = piped(F28, "/resume")
    line = next(line for line in done.out.splitlines() if line.endswith(f"  {F28}"))
    began = datetime.strptime(line.split("  ")[1], "%Y-%m-%d %H:%M UTC").replace(tzinfo=UTC)
    assert timedelta(minutes=-1) < began - before < timedelta(minutes=5)


def test_the_scope_can_be_narrowed_and_widened_again(piped: Program) -> None:
    done = piped("/scope lease", "/scope lease.txt", F28, "/scope all", F28)
    assert "The burner did not light" in done.out.partition("documents: all")[2]
    assert "The burner did not light" not in done.out.partition("documents: all")[0]


def test_a_session_is_saved_and_resumed(piped: Program, db: Path, tmp_path: Path) -> None:
    saved = tmp_path / "said.md"
    first = piped(F28, f"/save {saved}", options=("--json",))
    answer, _ = json.JSONDecoder().raw_decode(first.out)
    assert "[1]" in saved.read_text(encoding="utf-8")
    second = piped("what did I ask first?", "/resume", options=("--resume", answer["session"]))
    assert F28 in second.out
    again = piped(f"/resume {answer['session']}", "/sources")
    assert "Boiler manual" in again.out
    assert piped(f"/save {saved}").code == 2


def test_a_session_that_is_not_there_is_one_line(piped: Program) -> None:
    done = piped(F28, options=("--resume", "nobody"))
    assert done.code == 3
    assert "there is no session" in done.complaint
