"""Real commands on a small index made without an encoder."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pincite.cli.app import run

DOCUMENTS = {
    "manuals/boiler.md": """# Boiler manual

## Pressure

The working pressure of the boiler is 1.5 bar. Refill it when the pressure falls below 0.8 bar.

## Faults

### F28

The burner did not light after three attempts. Open the gas valve and press the reset key once.
""",
    "lease.txt": "The tenant pays the rent on the third working day of each month.\n\nNo pets.\n",
    "old/price-list.md": "---\neffective_to: 2020-12-31\n---\n# Price list\n\nA visit costs 80 euros.\n",
    "hostile.md": "# Notes \x1b[2J\n\nThe \x1b]0;owned\x07 password is \u202eterces.\n",
    "empty.md": "",
    "picture.png": "\x89PNG\r\n\x1a\n\x00\x00",
}


@dataclass(frozen=True)
class Outcome:
    """What one run of the program gave."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def complaint(self) -> str:
        """The one line on stderr that an error is; anything else fails the test."""
        assert "Traceback" not in self.out + self.err
        lines = [line for line in self.err.splitlines() if line.startswith("pincite: ")]
        assert len(lines) == 1, self.err
        return lines[0]


Program = Callable[..., Outcome]


@pytest.fixture
def program(capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    """Runs a command in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: object) -> Outcome:
        capfd.readouterr()
        code = run([str(argument) for argument in arguments])
        captured = capfd.readouterr()
        return Outcome(code, captured.out, captured.err)

    return call


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documents as files."""
    root = tmp_path_factory.mktemp("synced") / "house"
    for name, text in DOCUMENTS.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode("latin-1") if name.endswith(".png") else text.encode())
    return root


@pytest.fixture(scope="session")
def db(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Their index, without vectors."""
    db = tmp_path_factory.mktemp("index") / "kb"
    assert run(["sync", str(folder), "--db", str(db), "--no-vectors"]) == 0
    return db
