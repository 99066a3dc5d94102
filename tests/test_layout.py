"""The repo's shape: rooms at the root, linked into one import package that claims no other top-level name."""

from __future__ import annotations

import importlib
import subprocess
import sys
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("agent", "cli", "corpus", "evals", "prompts", "server", "tools", "transcripts")


@pytest.mark.parametrize("room", ROOMS)
def test_each_room_is_reached_through_a_relative_link(room: str) -> None:
    link = ROOT / "src" / "pincite" / room
    assert link.is_symlink(), "a Windows checkout needs git config core.symlinks true"
    assert link.readlink() == Path("..", "..", room)
    assert (ROOT / room / "__init__.py").is_file()
    module = importlib.import_module(f"pincite.{room}")
    assert module.__doc__


def test_only_pincite_is_a_top_level_name(tmp_path: Path) -> None:
    code = f"""
import importlib.util
print([room for room in {ROOMS!r} if importlib.util.find_spec(room)])
"""
    run = subprocess.run(
        [sys.executable, "-P", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert run.stdout == "[]\n"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["tool"]["setuptools"]["packages"]["find"] == {"where": ["src"]}


def test_types_are_declared() -> None:
    assert files("pincite").joinpath("py.typed").is_file()


def test_no_code_file_is_too_long() -> None:
    modules = [file for room in (*ROOMS, "src/pincite") for file in (ROOT / room).rglob("*.py")]
    long = {str(file.relative_to(ROOT)): lines for file in modules if (lines := _lines(file)) > 300}
    assert not long, "split by meaning"
    assert _lines(ROOT / "agent" / "loop.py") <= 200


def _lines(file: Path) -> int:
    return len(file.read_text(encoding="utf-8").splitlines())


def test_the_lock_is_exact_and_names_no_file() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert "torch==2.13.0" in pins
    assert all(line.count("==") == 1 and not {"/", "@", "+", " "} & set(line) for line in pins)
    assert not [line for line in pins if line.startswith(("nvidia", "cuda", "triton"))]


def test_the_lock_holds_what_the_project_file_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [
        *project["dependencies"],
        *(name for extra in project["optional-dependencies"].values() for name in extra),
    ]
    pins = {
        line.split("==")[0].lower().replace("_", "-")
        for line in (ROOT / "constraints.txt").read_text().split()
    }
    names = [
        wish.replace("<", ">").replace("=", ">").split(">")[0].lower().replace("_", "-") for wish in wanted
    ]
    assert not [name for name in names if name not in pins]
