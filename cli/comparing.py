"""`pincite compare`: two recorded sessions side by side."""

from __future__ import annotations

from pathlib import Path

import click

from pincite.cli.options import Setup, command
from pincite.cli.sessions import find_transcript
from pincite.cli.showing import print_line
from pincite.cli.terminal import Page, print_json
from pincite.cli.written import write_output
from pincite.errors import UsageError
from pincite.transcripts.compare import compare as compare_recordings
from pincite.transcripts.comparing import comparison_lines, comparison_page
from pincite.transcripts.reader import read


@command("compare")
@click.argument("one", metavar="A")
@click.argument("other", metavar="B")
@click.option(
    "--html",
    "page",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write one self-contained page instead (- for stdout).",
)
def compare(setup: Setup, one: str, other: str, page: Path | None) -> None:
    """Compare two recorded sessions: settings, searches, passages, answers, citations, costs."""
    if page is not None and setup.as_json:
        raise UsageError("--html and --json are two ways to show it, choose one")
    found = compare_recordings(*(read(find_transcript(setup, name)) for name in (one, other)))
    if page is not None:
        write_output(page, comparison_page(found))
    elif setup.as_json:
        print_json(found.to_json())
    else:
        printed = Page()
        for line in comparison_lines(found):
            print_line(printed, line)
