"""Finds the transcript that a path or a session's name means."""

from __future__ import annotations

import re
from pathlib import Path

from pincite.cli.options import Setup
from pincite.errors import NothingUsableError

_SESSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,127}\Z")


def find_transcript(setup: Setup, recording: str) -> Path:
    """The file that a path or a session's name means; a name never leaves the sessions' folder."""
    file = Path(recording)
    if file.is_file():
        return file
    folder = setup.settings.db / setup.settings.tenant / "sessions"
    name = recording.removesuffix(".jsonl")
    if _SESSION.match(name) and (folder / f"{name}.jsonl").is_file():
        return folder / f"{name}.jsonl"
    if file.exists():
        # A folder or a pipe: where it is read it is refused as what it is.
        return file
    recent = sorted(folder.glob("*.jsonl"), key=lambda entry: entry.stat().st_mtime, reverse=True)[:5]
    raise NothingUsableError(
        f'there is no transcript "{recording}"',
        code="no_such_session",
        hint=f"sessions of this index are in {folder}",
        near=tuple(entry.stem for entry in recent),
    )
