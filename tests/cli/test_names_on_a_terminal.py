"""Names with line breaks and escape sequences have one printable spelling in everything that is printed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Program = Callable[..., Any]

NAME = "a\nb\x1b[2J\u202e  c.md"
SHOWN = r"docs/a\nb\x1b[2J\u202e  c.md"
STEERING = {"\x1b", "\x07", "\u202e", "\x9b"}


@pytest.fixture
def odd(program: Program, tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / NAME).write_text("# Kiwis \x1b]0;owned\x07\n\nA kiwi \x1b[31mweighs\x9b 80 \u202egrams.\n")
    (docs / "bad\n\x1b[1m.docx").write_bytes(b"no archive")
    outcome = program("sync", docs, "--db", tmp_path / "kb", "--no-vectors")
    assert r"docs/bad\n\x1b[1m.docx: " in outcome.out
    assert not STEERING & set(outcome.out + outcome.err)
    return tmp_path / "kb"


@pytest.mark.parametrize(
    "command",
    [
        ["list"],
        ["toc"],
        ["toc", f"docs/{NAME}"],
        ["search", "kiwi", "--leg", "keyword"],
        ["ask", "What does a kiwi weigh?"],
        ["read", "docs/a\nb c.md", "1"],
        ["forget", "docs/a\nb c.md"],
        ["forget", f"docs/{NAME}"],
    ],
)
def test_every_command_spells_a_name_alike(program: Program, odd: Path, command: list[str]) -> None:
    outcome = program(*command, "--db", odd)
    assert SHOWN in outcome.out + outcome.err
    assert not STEERING & set(outcome.out + outcome.err)
    assert "\n\n" not in outcome.err and all(line.strip() for line in outcome.err.splitlines())


def test_json_keeps_the_name(program: Program, odd: Path) -> None:
    outcome = program("list", "--db", odd, "--json")
    assert outcome.json["documents"][0]["id"] == f"docs/{NAME}"
    assert not STEERING & set(outcome.out)


def test_numbers_and_words_agree(program: Program, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("# A\n\nKiwis.\n")
    said = [program("sync", docs, "--db", tmp_path / "kb", "--no-vectors")]
    said += [program(name, "--db", tmp_path / "kb") for name in ("list", "doctor")]
    text = " ".join(one.out + one.err for one in said)
    for thing in ("file", "step", "document", "section", "chunk"):
        assert f"1 {thing}s" not in text
    assert "reading 1 file\n" in said[0].err and "1 document in 1 chunk" in said[0].out
