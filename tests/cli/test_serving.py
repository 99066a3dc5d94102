"""What `serve` and `mcp` say before they serve."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from tests.cli.conftest import Program

pytest.importorskip("fastapi", reason="the extra serve is not installed")
pytest.importorskip("mcp", reason="the extra mcp is not installed")


@pytest.mark.parametrize("command", [("serve",), ("mcp", "--http")])
def test_an_address_beyond_this_machine_is_refused_without_tokens(
    program: Program, db: Path, command: tuple[str, ...]
) -> None:
    done = program(*command, "--db", db, "--host", "0.0.0.0", "--port", "0")
    assert done.code == 2
    assert "no tokens are set" in done.complaint


@pytest.mark.parametrize("command", ["serve", "mcp"])
def test_without_an_index_there_is_nothing_to_serve(program: Program, command: str) -> None:
    done = program(command, "--db", "nowhere")
    assert done.code == 3
    assert done.complaint


def test_files_that_cannot_be_used_are_one_line(program: Program, db: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("[[token]]\nname = 'a'\n", encoding="utf-8")
    (tmp_path / "limits.toml").write_text("workers = 0\n", encoding="utf-8")
    for flag, name in (("--tokens", "bad.toml"), ("--tokens", "none.toml"), ("--limits", "limits.toml")):
        done = program("serve", "--db", db, flag, tmp_path / name)
        assert done.code == 2
        assert name in done.complaint


def test_a_new_token_is_shown_once_with_its_hash(program: Program) -> None:
    done = program("serve", "--new-token", "anna")
    token = next(line for line in done.out.splitlines() if line.startswith("token: ")).removeprefix("token: ")
    assert done.code == 0
    assert f'sha256 = "{hashlib.sha256(token.encode()).hexdigest()}"' in done.out
