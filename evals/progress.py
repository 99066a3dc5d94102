"""How far a long measurement is, on stderr: a moving bar on a terminal, lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

Tell = Callable[[str, int, int], None]
"""Takes what is being done, how much of it is done, and how much there is of it (0: not known)."""

# Where no bar moves, a line says how far it is every so many seconds.
_EVERY = 10.0


def quiet(what: str, done: int, total: int) -> None:
    """Tells nobody."""


@contextmanager
def told_on_stderr() -> Iterator[Tell]:
    """A way to tell how far things are. A bar is gone when what it shows is done, or afterwards."""
    telling = _Bars() if sys.stderr.isatty() else _Lines()
    try:
        yield telling
    finally:
        telling.stop()


class _Lines:
    """A line at the beginning of each part, and now and then."""

    def __init__(self) -> None:
        self._what = ""
        self._said = 0.0

    def __call__(self, what: str, done: int, total: int) -> None:
        now = time.monotonic()
        if what == self._what and now - self._said < _EVERY:
            return
        of = f"{done} of {total}" if total else str(done)
        sys.stderr.write(f"{what}: {of}\n")
        sys.stderr.flush()
        self._what, self._said = what, now

    def stop(self) -> None:
        """There is nothing to take away."""


class _Bars:
    """One bar at a time. What is printed goes where it would go without it."""

    def __init__(self) -> None:
        self._what = ""
        self._shown: Progress | None = None
        self._task = TaskID(0)

    def __call__(self, what: str, done: int, total: int) -> None:
        if what != self._what:
            self.stop()
        if self._shown is None:
            columns = (
                TextColumn("{task.description}", markup=False),
                BarColumn(bar_width=30),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
            )
            console = Console(stderr=True)
            self._shown = Progress(*columns, console=console, transient=True, redirect_stdout=False)
            self._task = self._shown.add_task(what, total=total or None)
            self._shown.start()
        self._shown.update(self._task, completed=done, total=total or None)
        self._what = what
        if done == total:
            self.stop()

    def stop(self) -> None:
        """Take the bar away."""
        if self._shown is not None:
            self._shown.stop()
        self._shown, self._what = None, ""
