"""What a person sees of a question: on a terminal while it runs, and what happens at Ctrl-C."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))

from tests.agent.scripted_server import Reply, ScriptedServer, call, completion  # noqa: E402

pytestmark = pytest.mark.slow
QUESTION = "What is the working pressure of the boiler?"
QUOTE = "The working pressure of the boiler is 1.5 bar."
GOOD = {"citations": [{"passage": "P1", "quote": QUOTE}], "text": "The working pressure is 1.5 bar."}
BAD = {
    "citations": [{"passage": "P1", "quote": "is 9.5 bar at all times"}],
    "text": "Nine point five secrets.",
}
SEARCH = Reply(body=completion({"tool_calls": [call("search", {"query": "boiler pressure"})]}, "tool_calls"))
LIMITED = Reply(status=429, headers={"retry-after": "0.6"}, body={"error": {"message": "too many"}})


def answer(*statements: dict[str, Any], sleep: float = 0.0) -> Reply:
    arguments = {"statements": list(statements), "status": "answered"}
    return Reply(body=completion({"tool_calls": [call("answer", arguments, "c2")]}), sleep=sleep)


@dataclass
class Screen:
    """A terminal: what was written to it so far."""

    master: int
    text: str = ""

    def read(self, seconds: float) -> None:
        """Take what comes within that time."""
        ready, _, _ = select.select([self.master], [], [], seconds)
        if ready:
            try:
                self.text += os.read(self.master, 65536).decode("utf-8", "replace")
            except OSError:
                time.sleep(min(seconds, 0.05))

    @property
    def plain(self) -> str:
        """Without the codes that move the cursor and colour the text."""
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.text)

    def wait_for(self, words: str, process: subprocess.Popen[bytes], seconds: float = 40) -> None:
        end = time.monotonic() + seconds
        while words not in self.plain:
            assert time.monotonic() < end, self.plain
            assert process.poll() is None or words in self.plain, self.plain
            self.read(0.1)


def _command(db: Path, url: str, *more: str) -> list[str]:
    base = [sys.executable, "-m", "pincite", "ask", QUESTION, "--db", str(db)]
    return [*base, "--model", "m", "--base-url", url, *more]


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PINCITE_", "OPENAI_"))}
    return {**kept, "TERM": "xterm-256color", "COLUMNS": "100", "HF_HUB_OFFLINE": "1"}


@contextmanager
def on_a_terminal(command: list[str], folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], Screen]]:
    master, slave = pty.openpty()
    process = subprocess.Popen(
        command, stdin=slave, stdout=subprocess.PIPE, stderr=slave, cwd=folder, env=_environment()
    )
    os.close(slave)
    try:
        yield process, Screen(master)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
        os.close(master)


def test_each_step_is_seen_while_it_happens(db: Path, tmp_path: Path) -> None:
    replies = [LIMITED, SEARCH, answer(GOOD, BAD, sleep=0.5), answer(GOOD, BAD, sleep=0.8)]
    with (
        ScriptedServer(replies).running() as server,
        on_a_terminal(_command(db, server.url), tmp_path) as (process, screen),
    ):
        for words in (
            "thinking (m)",
            "rate limited, waiting 0.6 s (2 of 4)",
            "searching “boiler pressure”",
            "rejected, to be repaired: its quote does not stand in the passage it names",
            "✓ The working pressure is 1.5 bar.",
        ):
            screen.wait_for(words, process)
        assert process.poll() is None, "the statement was seen before the question ended"
        out = process.communicate(timeout=30)[0].decode()
        screen.read(0.2)
    assert process.returncode == 0
    assert "Nine point five" not in out + screen.plain
    assert out.startswith("The working pressure is 1.5 bar. [1]")
    assert "1 statement: its quote does not stand in the passage it names (quote_not_found)" in out
    assert "\x1b[?25h" in screen.text, "the cursor is shown again"


def test_without_a_terminal_it_is_quiet(db: Path, tmp_path: Path) -> None:
    with ScriptedServer([SEARCH, answer(GOOD)]).running() as server:
        command = _command(db, server.url)
        done = subprocess.run(
            command, check=False, capture_output=True, cwd=tmp_path, env=_environment(), timeout=60
        )
    assert done.returncode == 0
    assert done.stderr == b""


@pytest.mark.parametrize("terminal", [True, False])
def test_the_first_ctrl_c_ends_the_question_in_order(db: Path, tmp_path: Path, terminal: bool) -> None:
    before = set((db / "default" / "sessions").glob("*"))
    with (
        ScriptedServer([SEARCH, Reply(body={}, sleep=60)]).running() as server,
        on_a_terminal(_command(db, server.url, "--json"), tmp_path) as (process, screen),
    ):
        if not terminal:
            _wait(lambda: len(server.requests) == 2)
        else:
            screen.wait_for("searching “boiler pressure”", process)
            _wait(lambda: len(server.requests) == 2)
        started = time.monotonic()
        process.send_signal(signal.SIGINT)
        out = process.communicate(timeout=10)[0]
        took = time.monotonic() - started
    assert took < 5
    assert process.returncode == 130
    result = json.loads(out)
    assert (result["status"], result["stop_reason"]) == ("incomplete", "cancelled")
    (transcript,) = set((db / "default" / "sessions").glob("*")) - before
    events = [json.loads(line) for line in transcript.read_text(encoding="utf-8").splitlines()]
    assert [event["kind"] for event in events][-2:] == ["answer", "session_end"]


def test_the_second_ctrl_c_quits(db: Path, tmp_path: Path) -> None:
    with (
        ScriptedServer([Reply(body={}, sleep=60)]).running() as server,
        on_a_terminal(_command(db, server.url), tmp_path) as (process, _),
    ):
        _wait(lambda: len(server.requests) == 1)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        started = time.monotonic()
        process.communicate(timeout=10)
        assert time.monotonic() - started < 5
    assert process.returncode == 130


def _wait(ready: Any, seconds: float = 40) -> None:
    end = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < end
        time.sleep(0.05)
