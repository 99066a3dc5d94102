"""The program on a pseudo terminal, read by a thread of its own: what it writes is never missed."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

# Long enough for the busiest machine; waiting ends as soon as there is what is waited for.
SECONDS = 120.0
# What prompt_toolkit writes when it begins to read a line.
PROMPT = "\x1b[?2004h"
_START = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""


class Terminal:
    """What was written so far. Each `expect` looks only behind what the last one found."""

    def __init__(self, leader: int, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.text = ""
        self._leader = leader
        self._seen = 0
        self._ended = False
        self._more = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def send(self, text: str) -> None:
        """Type it."""
        os.write(self._leader, text.encode())

    def expect(self, words: str) -> str:
        """Wait until it is written; gives all that was written up to it since the last time."""
        end = time.monotonic() + SECONDS
        with self._more:
            while (at := self.text.find(words, self._seen)) < 0:
                left = end - time.monotonic()
                assert left > 0 and not self._ended, f"{words!r} is not in {self.text[self._seen :]!r}"
                self._more.wait(left)
            found = self.text[self._seen : at + len(words)]
            self._seen = at + len(words)
            return found

    def wait(self) -> int:
        """The exit code."""
        return self.process.wait(SECONDS)

    def close(self) -> None:
        """End the program if it still runs."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._reader.join(SECONDS)
        os.close(self._leader)

    def _read(self) -> None:
        data = b""
        while True:
            try:
                piece = os.read(self._leader, 65536)
            except OSError:
                # The other end of a pseudo terminal is closed: this is how Linux says so.
                piece = b""
            with self._more:
                data += piece
                self.text = data.decode("utf-8", "replace")
                self._ended = not piece
                self._more.notify_all()
            if not piece:
                return


@contextmanager
def on_a_terminal(
    home: Path, arguments: Sequence[object], program: Sequence[object] = ("-m", "pincite")
) -> Iterator[Terminal]:
    """`pincite` with these arguments, in a home of its own."""
    leader, follower = pty.openpty()
    env = os.environ | {"HOME": str(home), "XDG_STATE_HOME": str(home / "state"), "TERM": "xterm"}
    # The program in the middle makes the terminal its own, so that Ctrl-C typed into it is a signal.
    process = subprocess.Popen(
        [sys.executable, "-c", _START, *map(str, (*program, *arguments))],
        stdin=follower, stdout=follower, stderr=follower, env=env, start_new_session=True,
    )  # fmt: skip
    os.close(follower)
    terminal = Terminal(leader, process)
    try:
        yield terminal
    finally:
        terminal.close()
