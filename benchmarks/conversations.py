"""Conversations that are held at the same time with a server in a process of its own, for `serve.py load`."""

from __future__ import annotations

import contextlib
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2


class Server:
    """`pincite serve` in a process of its own, on a port that stays the same."""

    def __init__(self, db: Path, folder: Path, work: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        limits = work / "limits.toml"
        limits.write_text(
            "questions_per_minute = 100000\nrequests_per_minute = 100000\nquestions_at_once = 64\n"
        )
        self._command = [
            sys.executable, "-m", "pincite", "serve", "--db", str(db), "--port", str(self.port),
            "--limits", str(limits), "--sync", str(folder),
        ]  # fmt: skip
        self.kills = 0
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.process = subprocess.Popen(self._command, stderr=subprocess.DEVNULL)
        for _ in range(600):
            try:
                if httpx2.get(f"http://127.0.0.1:{self.port}/healthz").status_code == 200:
                    return
            except httpx2.HTTPError:
                time.sleep(0.1)
        raise SystemExit("the server did not start")

    def kill(self) -> None:
        assert self.process is not None
        self.kills += 1
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def memory_mb(self) -> float:
        assert self.process is not None
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS"))


@dataclass(frozen=True, slots=True)
class Memory:
    """Resident memory of the server, in MB, when so many turns were done and it was killed so often."""

    mb: float
    turns: int
    kills: int


def eighths(samples: list[Memory]) -> list[int]:
    """The medians of eight equal parts of the samples."""
    parts = [samples[len(samples) * at // 8 : len(samples) * (at + 1) // 8] for at in range(8)]
    return [round(statistics.median(one.mb for one in part)) for part in parts if part]


def slope(samples: list[Memory]) -> float | None:
    """MB for every 1,000 turns, by least squares; None when there is nothing to draw a line through."""
    if len({one.turns for one in samples}) < 2:
        return None
    line = statistics.linear_regression([one.turns for one in samples], [one.mb for one in samples])
    return round(1000 * line.slope, 1)


class Conversations:
    """Conversations that are held at the same time."""

    def __init__(self, server: Server, asked: list[str], turns: int) -> None:
        self._server, self._asked, self._turns = server, asked, turns
        self.done = self.repeated = self.changes = 0
        self.times: list[float] = []
        self.memory: list[Memory] = []
        self.failures: list[str] = []
        self._lock = threading.Lock()

    def hold(self, number: int) -> None:
        session, mine = None, []
        with httpx2.Client(base_url=f"http://127.0.0.1:{self._server.port}", timeout=300) as client:
            for turn in range(self._turns):
                question = self._asked[(7 * number + turn) % len(self._asked)]
                body = {"question": question} | ({"session": session} if session else {})
                answer = self._ask(client, body)
                session = answer["session"]
                mine.append(question)
            said = client.get(f"/api/sessions/{session}").json()["turns"]
        answered = [one["question"] for one in said if one["answer"] is not None]
        if [question for question in answered if question not in mine] or not set(mine) <= set(answered):
            self._fail(f"session {session} holds the questions of another, or lacks its own")

    def _ask(self, client: httpx2.Client, body: dict[str, Any]) -> dict[str, Any]:
        for _ in range(3_000):
            kills = self._server.kills
            started = time.perf_counter()
            try:
                response = client.post("/api/ask", json=body)
            except httpx2.HTTPError:
                # Only the kill may end a connection.
                time.sleep(0.1)
                if kills == self._server.kills and kills == 0:
                    self._fail("a connection ended without the kill")
                with self._lock:
                    self.repeated += 1
                continue
            if response.status_code != 200:
                self._fail(f"{response.status_code} {response.text[:200]}")
                raise SystemExit(response.text)
            with self._lock:
                self.done += 1
                self.times.append(1000 * (time.perf_counter() - started))
            answer: dict[str, Any] = response.json()
            return answer
        raise SystemExit("the server never came back")

    def _fail(self, what: str) -> None:
        with self._lock:
            self.failures.append(what)

    def keep_changing(self, folder: Path, stop: threading.Event) -> None:
        """Write a file of the synced folder anew, again and again; it is removed in the end."""
        file = folder / "changing-while-served.md"
        while not stop.wait(3.0):
            self.changes += 1
            file.write_text(f"# Changing\n\nThis is change number {self.changes}.\n", encoding="utf-8")
        file.unlink(missing_ok=True)

    def keep_measuring(self, stop: threading.Event) -> None:
        """Note the server's memory every second while it runs."""
        while not stop.wait(1.0):
            kills = self._server.kills
            # Between the kill and the next start there is nothing to measure.
            with contextlib.suppress(OSError, StopIteration):
                self.memory.append(Memory(self._server.memory_mb(), self.done, kills))
