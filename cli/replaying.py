"""`pincite replay`: a recorded session run again, and where it goes another way."""

from __future__ import annotations

import click

from pincite.agent.replay.strict import replay as replay_strictly
from pincite.cli.options import Setup, command
from pincite.cli.replays import print_report
from pincite.cli.sessions import find_transcript
from pincite.cli.terminal import Page, print_json
from pincite.transcripts.reader import read


@command("replay")
@click.argument("recording", metavar="FILE|SESSION")
def replay(setup: Setup, recording: str) -> int:
    """Run a recorded session again and say where it differs."""
    report = replay_strictly(read(find_transcript(setup, recording)))
    if setup.as_json:
        print_json(report.model_dump(mode="json"))
    else:
        print_report(Page(), report)
    return report.exit_code
