"""`pincite show`: a recorded session as text."""

from __future__ import annotations

import click

from pincite.cli.options import Setup, command
from pincite.cli.sessions import find_transcript
from pincite.cli.terminal import print_json
from pincite.transcripts.reader import read
from pincite.transcripts.show import render


@command("show")
@click.argument("recording", metavar="FILE|SESSION")
@click.option("--full", is_flag=True, help="Print passages and arguments whole.")
def show(setup: Setup, recording: str, full: bool) -> None:
    """Show what happened in a session: its questions, calls, results and checks."""
    found = read(find_transcript(setup, recording))
    if setup.as_json:
        events = [event.model_dump(mode="json", by_alias=True, exclude_none=True) for event in found.events]
        print_json({"events": events, "warnings": found.warnings})
        return
    for line in render(found, full=full):
        click.echo(line)
