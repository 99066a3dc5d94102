"""`pincite show`: a recorded session as text in the terminal, or as one page."""

from __future__ import annotations

from pathlib import Path

import click

from pincite.cli.options import Setup, command
from pincite.cli.sessions import find_transcript
from pincite.cli.terminal import Page, print_json
from pincite.cli.written import write_output
from pincite.errors import NothingUsableError, UsageError
from pincite.transcripts.evidence import Evidence
from pincite.transcripts.follow import follow as follow_events
from pincite.transcripts.page import session_page
from pincite.transcripts.reader import Recording, read
from pincite.transcripts.show import Line, detail, event_lines, lines
from pincite.transcripts.steps import told_legs

_STYLES = {"head": "bold", "bad": "bold red", "cited": "green", "dim": "dim"}


@command("show")
@click.argument("recording", metavar="FILE|SESSION")
@click.option("--full", is_flag=True, help="Print passages and arguments whole.")
@click.option("--step", type=int, metavar="N", help="Print event N with all that it holds.")
@click.option("--follow", is_flag=True, help="Go on printing while the session is being written.")
@click.option(
    "--html",
    "page",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write one self-contained page instead (- for stdout).",
)
def show(
    setup: Setup, *, recording: str, full: bool, step: int | None, follow: bool, page: Path | None
) -> None:
    """Show what happened in a session: its questions, calls, results and checks."""
    path = find_transcript(setup, recording)
    if sum((step is not None, follow, page is not None, setup.as_json)) > 1:
        raise UsageError("--step, --follow, --html and --json are four ways to show it, choose one")
    if follow:
        _follow(path, full)
        return
    found = read(path)
    if page is not None:
        write_output(page, session_page(found))
    elif setup.as_json:
        events = [event.model_dump(mode="json", by_alias=True, exclude_none=True) for event in found.events]
        print_json({"events": events, "warnings": [*found.warnings, *found.open_end]})
    else:
        printed = Page()
        for line in _chosen(found, step, full):
            print_line(printed, line)


def print_line(page: Page, line: Line) -> None:
    """Print one line of a transcript."""
    page.line(line.text, indent=line.indent, style=_STYLES.get(line.style, ""))


def _chosen(found: Recording, step: int | None, full: bool) -> list[Line]:
    if step is None:
        return list(lines(found, full=full))
    chosen = detail(found, step)
    if chosen is None:
        last = found.events[-1].seq
        raise NothingUsableError(
            f"the transcript has no event {step}", code="no_such_event", hint=f"its last one is {last}"
        )
    return chosen


def _follow(path: Path, full: bool) -> None:
    page = Page()
    told: set[str] = set()
    for event in follow_events(path):
        if isinstance(event, str):
            print_line(page, Line(f"   !  {event}", style="bad"))
        else:
            told |= told_legs([event])
            for line in event_lines(event, Evidence.of([event]), full=full, told=told):
                print_line(page, line)
