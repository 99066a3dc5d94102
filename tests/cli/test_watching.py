"""`pincite sync --watch` as a person follows it: each state is told once, and what cannot be read by name."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
_SECONDS = 60.0


class Watching:
    """What was printed so far, both streams in their order."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.lines: list[str] = []
        self._process = process
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.lines.append(line.rstrip("\n"))

    def until(self, said: Callable[[list[str]], bool]) -> None:
        end = time.monotonic() + _SECONDS
        while not said(self.lines):
            assert time.monotonic() < end and self._process.poll() is None, self.lines
            time.sleep(0.05)


@contextmanager
def watching(folder: Path, db: Path) -> Iterator[Watching]:
    command = [sys.executable, "-m", "pincite", "sync", folder, "--db", db, "--no-vectors", "--watch"]
    env = os.environ | {"PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env
    ) as process:
        seen = Watching(process)
        try:
            yield seen
        finally:
            process.terminate()
            seen.reader.join(_SECONDS)


def test_what_cannot_be_read_is_named_once_and_makes_nothing_searchable(tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "a.md").write_text("# A\n\nThe first text.\n", encoding="utf-8")
    with watching(folder, tmp_path / "kb") as seen:
        seen.until(lambda lines: any("1 added" in line for line in lines))
        assert any(line.endswith("0 unreadable; 1 document") for line in seen.lines)
        (folder / "bad.pdf").write_bytes(b"no pdf \x00\xff")
        seen.until(lambda lines: any("texts/bad.pdf" in line for line in lines))
        (folder / "b.md").write_text("# B\n\nThe second text.\n", encoding="utf-8")
        seen.until(lambda lines: any("2 documents; searchable" in line for line in lines))
        named = [line for line in seen.lines if "bad.pdf" in line]
        assert len(named) == 1 and named[0].endswith("(damaged)"), named
        counted = next(line for line in seen.lines if "1 unreadable" in line)
        assert "searchable" not in counted


def test_a_failure_that_lasts_is_told_once_and_its_end_too(tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "a.md").write_text("# A\n\nThe first text.\n", encoding="utf-8")
    with watching(folder, tmp_path / "kb") as seen:
        seen.until(lambda lines: any("1 added" in line for line in lines))
        (folder / "a.md").rename(tmp_path / "a.md")
        seen.until(lambda lines: any("nothing readable is left" in line for line in lines))
        before = len(seen.lines)
        time.sleep(6)
        assert len(seen.lines) == before
        (tmp_path / "a.md").rename(folder / "a.md")
        seen.until(lambda lines: "unreadable; 1 document" in lines[-1])
        assert sum("nothing readable is left" in line for line in seen.lines) == 1
