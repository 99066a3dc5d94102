"""Ctrl-C while the encoder is loaded: the question ends, and the next one is answered."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

pytest.importorskip("pty", reason="needs a pseudo terminal")

from tests.cli.pty_program import PROMPT, on_a_terminal
from tests.corpus.word_encoder import WordEncoder

from pincite.corpus.sync import sync

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(400),
    pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo terminal"),
]
SLOWLY = Path(__file__).parent / "slow_encoder.py"
QUESTION = "What is the working pressure of the boiler?"
ANSWER = "The working pressure of the boiler is 1.5 bar."


@pytest.fixture
def embedded(tmp_path: Path) -> Path:
    folder = tmp_path / "manuals"
    folder.mkdir()
    (folder / "boiler.md").write_text(f"# Boiler\n\n## Pressure\n\n{ANSWER}\n", encoding="utf-8")
    sync([folder], tmp_path / "kb", encoder=WordEncoder())
    return tmp_path / "kb"


@pytest.mark.parametrize("presses", ["\x03", "\x03\x03"], ids=["once", "twice"])
def test_the_next_question_is_answered(embedded: Path, tmp_path: Path, presses: str) -> None:
    with on_a_terminal(tmp_path, ["chat", "--db", embedded], (SLOWLY, 6)) as terminal:
        terminal.expect("/help lists")
        terminal.expect(PROMPT)
        terminal.send(f"{QUESTION}\r")
        terminal.expect("searching")
        terminal.send(presses)
        terminal.expect(PROMPT)
        said = terminal.expect("loading the encoder words")
        assert re.search(r"\r\x1b\[[^a-zA-Z]*[A-Za-z][^\n]*loading|\n[^\n]*loading", said), repr(said)
        terminal.send(f"{QUESTION}\r")
        terminal.expect(f"{ANSWER} [1]")
        terminal.expect(PROMPT)
        terminal.send("/why\r")
        terminal.expect("vector: ok")
        terminal.expect(PROMPT)
        terminal.send("\x04")
        assert terminal.wait() == 0
