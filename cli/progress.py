"""How far long work is, on stderr: a moving bar with the time left on a terminal, lines elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from pincite.cli.terminal import counted, note, one_line, spelled, stderr_is_terminal
from pincite.corpus.sync import SyncProgress
from pincite.evals.progress import Tell, told_on_stderr


class SyncWatcher(Protocol):
    """What follows a sync."""

    def moved(self, progress: SyncProgress) -> None:
        """The sync has got this far."""

    def say(self, message: str) -> None:
        """Something that takes a while begins."""


@contextmanager
def watch_sync() -> Iterator[SyncWatcher]:
    """Follow one sync; the bar is gone afterwards."""
    if not stderr_is_terminal():
        yield _Lines()
        return
    columns = (
        TextColumn("{task.description:<10}", markup=False),
        BarColumn(bar_width=30),
        MofNCompleteColumn(),
        TextColumn("{task.fields[unit]}", markup=False),
        TimeRemainingColumn(),
        TextColumn("{task.fields[current]}", markup=False),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        yield _Bar(bars)


class _Lines:
    def __init__(self) -> None:
        self._phase = ""

    def moved(self, progress: SyncProgress) -> None:
        if progress.phase != self._phase:
            self._phase = progress.phase
            note(f"{progress.phase} {counted(progress.total, progress.unit)}")

    def say(self, message: str) -> None:
        note(message)


class _Bar:
    def __init__(self, bars: Progress) -> None:
        self._bars = bars
        self._tasks: dict[str, TaskID] = {}

    def moved(self, progress: SyncProgress) -> None:
        current = one_line(spelled(progress.current or ""), 40)
        if progress.phase not in self._tasks:
            for earlier in self._tasks.values():
                self._bars.stop_task(earlier)
            self._tasks[progress.phase] = self._bars.add_task(
                progress.phase, total=progress.total, unit=progress.unit, current=current
            )
        self._bars.update(
            self._tasks[progress.phase], completed=progress.done, total=progress.total, current=current
        )

    def say(self, message: str) -> None:
        self._bars.console.print(spelled(message), markup=False, highlight=False)


_TELLING = f"{__name__}.telling"


def tell(what: str, done: int, total: int) -> None:
    """How far a part of the command that runs is; `total` is 0 where it is not known."""
    context = click.get_current_context()
    telling: Tell | None = context.meta.get(_TELLING)
    if telling is None:
        telling = context.meta[_TELLING] = context.with_resource(told_on_stderr())
    telling(spelled(what), done, total)
