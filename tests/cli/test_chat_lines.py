"""What is typed or pasted into a chat is a line of text, whatever codes are in it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("prompt_toolkit")

from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from pincite.cli.chat_lines import _editor


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("What is the \x1b[31mzebra\x1b[0m fee?", "What is the zebra fee?"),
        ("What is the \x1b[1;31;40mzebra fee?", "What is the zebra fee?"),
        ("What is the \x1b[<64;85;12Mzebra fee?", "What is the zebra fee?"),
        ("What is the \x1b[MabczebrA fee?", "What is the zebrA fee?"),
        ("What is the \x1b[38;5;1mzebra fee?\x1b[;;;m", "What is the zebra fee?"),
    ],
)
def test_a_code_in_a_pasted_line_is_no_mouse(
    typed: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    faults: list[dict[str, Any]] = []

    async def read() -> str:
        asyncio.get_running_loop().set_exception_handler(lambda _loop, what: faults.append(what))
        with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
            keys.send_text(f"{typed}\r")
            found = await asyncio.wait_for(_editor().prompt_async("> ", set_exception_handler=False), 20)
            return str(found)

    assert asyncio.run(read()) == line
    assert faults == []
