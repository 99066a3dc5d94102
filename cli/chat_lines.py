"""The lines a person types, with editing and history on a terminal; from a pipe as they come."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_PROMPT = "> "


class Lines:
    """Iterates over what is asked, without empty lines, until the input ends."""

    def __init__(self) -> None:
        self.interactive = sys.stdin.isatty() and sys.stdout.isatty()
        self._editor = _editor() if self.interactive else None

    def __iter__(self) -> Iterator[str]:
        while True:
            try:
                line = _edited(self._editor) if self._editor is not None else sys.stdin.readline()
            except KeyboardInterrupt:
                # At the prompt Ctrl-C only drops the line.
                continue
            except EOFError:
                return
            if self._editor is None and not line:
                return
            if line.strip():
                yield line.strip()


def _edited(editor: Any) -> str:
    from prompt_toolkit.patch_stdout import patch_stdout

    # What a thread still says of an earlier question stands above the line that is being typed.
    with patch_stdout():
        return str(editor.prompt(_PROMPT))


def _editor() -> Any:
    """Emacs keys, Ctrl-R, history over sessions in a file that only its owner can read."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.history import FileHistory, InMemoryHistory
    from prompt_toolkit.key_binding import KeyBindings
    from prompt_toolkit.keys import Keys

    keys = KeyBindings()

    @keys.add(Keys.Vt100MouseEvent, eager=True)
    def _pasted(_event: Any) -> None:
        """No mouse is asked for: this is a colour in pasted text, over which the mouse's own code falls."""

    history = _history_file()
    return PromptSession(
        key_bindings=keys,
        history=FileHistory(str(history)) if history is not None else InMemoryHistory(),
        enable_history_search=True,
    )


def _history_file() -> Path | None:
    state = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    file = Path(state).expanduser() / "pincite" / "chat_history"
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file.touch(mode=0o600, exist_ok=True)
    except OSError:
        return None
    return file
