"""How far long work is, on stderr: a moving bar with the time left on a terminal, lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from pincite.cli.terminal import counted, note, one_line, spelled, stderr_is_terminal
from pincite.corpus.sync import SyncProgress


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


# Where no bar moves, a line says how far it is every so many seconds.
_EVERY = 10.0


def tell(what: str, done: int, total: int) -> None:
    """How far a part of the command that runs is; `total` is 0 where it is not known. A bar ends with it."""
    context = click.get_current_context()
    telling = context.meta.get(_TELLING)
    if telling is None:
        telling = context.meta[_TELLING] = _Telling()
        context.call_on_close(telling.stop)
    telling(what, done, total)


_TELLING = f"{__name__}.telling"


class _Telling:
    """A bar for the part that runs on a terminal; elsewhere a line at its beginning, end and in between."""

    def __init__(self) -> None:
        self._bars: Progress | None = None
        self._task: TaskID | None = None
        self._what = ""
        self._said = 0.0

    def __call__(self, what: str, done: int, total: int) -> None:
        if what != self._what:
            self.stop()
        if stderr_is_terminal():
            self._move(what, done, total)
        elif what != self._what or done == total or time.monotonic() - self._said >= _EVERY:
            self._said = time.monotonic()
            note(f"{what}: {done} of {total}" if total else f"{what}: {done}")
        self._what = what
        if done == total:
            self.stop()

    def stop(self) -> None:
        """Take the bar away."""
        if self._bars is not None:
            self._bars.stop()
        self._bars, self._what = None, ""

    def _move(self, what: str, done: int, total: int) -> None:
        if self._bars is None:
            columns = (
                TextColumn("{task.description}", markup=False),
                BarColumn(bar_width=30),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
            )
            self._bars = Progress(*columns, console=Console(stderr=True), transient=True)
            self._task = self._bars.add_task(spelled(what), total=total or None)
            self._bars.start()
        if self._task is not None:
            self._bars.update(self._task, completed=done, total=total or None)
