"""How far a long measurement is, on stderr: a moving bar on a terminal, a line for each part elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

Tell = Callable[[str, int, int], None]
"""Takes what is being done, how much of it is done, and how much there is of it (0: not known)."""


def quiet(what: str, done: int, total: int) -> None:
    """Tells nobody."""


@contextmanager
def told_on_stderr() -> Iterator[Tell]:
    """A way to tell how far things are; the bar is gone afterwards."""
    if not sys.stderr.isatty():
        yield _lines()
        return
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=30),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        yield _bars(bars)


def _lines() -> Tell:
    told: set[str] = set()

    def tell(what: str, done: int, total: int) -> None:
        if what not in told:
            told.add(what)
            sys.stderr.write(f"{what} ({total})\n" if total else f"{what}\n")
            sys.stderr.flush()

    return tell


def _bars(bars: Progress) -> Tell:
    tasks: dict[str, TaskID] = {}

    def tell(what: str, done: int, total: int) -> None:
        if what not in tasks:
            for earlier in tasks.values():
                bars.update(earlier, visible=False)
            tasks[what] = bars.add_task(what, total=total or None)
        bars.update(tasks[what], completed=done, total=total or None)

    return tell
