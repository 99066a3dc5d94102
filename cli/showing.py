"""`pincite show`: a recorded session as text."""

from __future__ import annotations

import re
from pathlib import Path

import click

from pincite.cli.options import Setup, command
from pincite.cli.terminal import print_json
from pincite.errors import NothingUsableError
from pincite.transcripts.reader import read
from pincite.transcripts.show import render

_SESSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,127}\Z")


@command("show")
@click.argument("recording", metavar="FILE|SESSION")
@click.option("--full", is_flag=True, help="Print passages and arguments whole.")
def show(setup: Setup, recording: str, full: bool) -> None:
    """Show what happened in a session: its questions, calls, results and checks."""
    found = read(_find(setup, recording))
    if setup.as_json:
        events = [event.model_dump(mode="json", by_alias=True, exclude_none=True) for event in found.events]
        print_json({"events": events, "warnings": found.warnings})
        return
    for line in render(found, full=full):
        click.echo(line)


def _find(setup: Setup, recording: str) -> Path:
    """The file that a path or a session's name means; a name never leaves the sessions' folder."""
    file = Path(recording)
    if file.is_file():
        return file
    folder = setup.settings.db / setup.settings.tenant / "sessions"
    name = recording.removesuffix(".jsonl")
    if _SESSION.match(name) and (folder / f"{name}.jsonl").is_file():
        return folder / f"{name}.jsonl"
    recent = sorted(folder.glob("*.jsonl"), key=lambda entry: entry.stat().st_mtime, reverse=True)[:5]
    raise NothingUsableError(
        f'there is no transcript "{recording}"',
        code="no_such_session",
        hint=f"sessions of this index are in {folder}",
        near=tuple(entry.stem for entry in recent),
    )
