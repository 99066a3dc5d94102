"""A person at a terminal sees how far a measurement is, and nothing of it among the figures."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

pytest.importorskip("pty", reason="needs a pseudo terminal")
pytest.importorskip("ir_measures")

from tests.cli.pty_program import on_a_terminal

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(400),
    pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo terminal"),
]


@pytest.mark.parametrize(
    ("command", "part"), [("retrieval", "queries searched"), ("locate", "questions asked")]
)
def test_a_bar_moves_and_is_gone(db: Path, tmp_path: Path, command: str, part: str) -> None:
    row = {"question": "What is the working pressure?", "expected": [{"document": "manuals/boiler.md"}]}
    questions = tmp_path / "mine.jsonl"
    questions.write_text("\n".join([json.dumps(row)] * 3), encoding="utf-8")
    with on_a_terminal(tmp_path, ["eval", command, questions, "--db", db]) as terminal:
        terminal.expect(part)
        terminal.expect("3/3")
        assert terminal.wait() == 0
        assert part not in terminal.text.rpartition("3/3")[2]
