"""`pincite chat` as a person has it: Ctrl-C, history, progress, a session that goes on."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("pty", reason="needs a pseudo terminal")

from tests.agent.scripted_server import Reply, ScriptedServer, call, completion
from tests.cli.pty_program import PROMPT, on_a_terminal

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(400),
    pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo terminal"),
]
QUESTION = "What is the working pressure of the boiler?"
QUOTE = "The working pressure of the boiler is 1.5 bar."
SEARCH = Reply(body=completion({"tool_calls": [call("search", {"query": "boiler pressure"})]}, "tool_calls"))
STATEMENT = {"citations": [{"passage": "P1", "quote": QUOTE}], "text": "It is 1.5 bar."}
ANSWER = Reply(
    body=completion({"tool_calls": [call("answer", {"statements": [STATEMENT], "status": "answered"}, "c2")]})
)


def test_ctrl_c_at_the_prompt_drops_the_line_and_history_is_kept(db: Path, tmp_path: Path) -> None:
    with on_a_terminal(tmp_path, ["chat", "--db", db]) as terminal:
        terminal.expect("/help lists")
        terminal.expect(PROMPT)
        terminal.send("half a question")
        terminal.expect("question")
        terminal.send("\x03")
        terminal.expect(PROMPT)
        terminal.send("/budget\r")
        terminal.expect("for each question")
        terminal.expect("so far here: 0 questions")
        terminal.expect(PROMPT)
        terminal.send("\x04")
        assert terminal.wait() == 0
    history = tmp_path / "state" / "pincite" / "chat_history"
    assert "/budget" in history.read_text(encoding="utf-8")
    assert history.stat().st_mode & 0o077 == 0


def test_ctrl_c_during_a_question_stops_the_question_and_not_the_session(db: Path, tmp_path: Path) -> None:
    stuck = Reply(body=completion({"content": "too late"}), sleep=600)
    model = ScriptedServer([SEARCH, stuck, SEARCH, ANSWER])
    with model.running() as server:
        options = ["--db", db, "--model", "m", "--base-url", server.url, "--calling", "native"]
        with on_a_terminal(tmp_path, ["chat", *options]) as terminal:
            terminal.expect("/help lists")
            terminal.expect(PROMPT)
            terminal.send(f"{QUESTION}\r")
            terminal.expect("new passages")
            terminal.expect("thinking (m)")
            terminal.send("\x03")
            terminal.expect("stopping; Ctrl-C again quits at once")
            terminal.expect("cancelled")
            terminal.expect(PROMPT)
            terminal.send(f"{QUESTION}\r")
            terminal.expect("It is 1.5 bar. [1]")
            terminal.expect(PROMPT)
            terminal.send("/open 1\r")
            terminal.expect(f"»{QUOTE}«")
            terminal.expect(PROMPT)
            terminal.send("/why\r")
            terminal.expect("ended by: answered")
            terminal.expect(PROMPT)
            terminal.send("\x04")
            assert terminal.wait() == 0
    assert len(list((db / "default" / "sessions").glob("*.jsonl"))) >= 1


def test_a_second_ctrl_c_goes_back_to_the_prompt_at_once(db: Path, tmp_path: Path) -> None:
    model = ScriptedServer([Reply(body=completion({"content": "too late"}), sleep=600)])
    with model.running() as server:
        options = ["--db", db, "--model", "m", "--base-url", server.url, "--calling", "native"]
        with on_a_terminal(tmp_path, ["chat", *options]) as terminal:
            terminal.expect("/help lists")
            terminal.expect(PROMPT)
            terminal.send(f"{QUESTION}\r")
            terminal.expect("thinking (m)")
            terminal.send("\x03\x03")
            terminal.expect(PROMPT)
            terminal.send("/sources\r")
            # The question may still be ending: then nothing is answered yet, else it cites nothing.
            terminal.expect("nothing")
            terminal.expect(PROMPT)
            terminal.send("/quit\r")
            assert terminal.wait() == 0
