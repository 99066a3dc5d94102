"""What a person sees while a question is answered: each step on a terminal, elsewhere only what matters."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from pincite.agent.answer import Statement
from pincite.agent.events import (
    Checking,
    Done,
    Found,
    Notice,
    Progress,
    Reading,
    Rejected,
    Retracted,
    Retrying,
    Searching,
    Thinking,
    Verified,
)
from pincite.agent.models import EXTRACTIVE
from pincite.agent.outcome import Status
from pincite.cli.asking_words import found, reading, rejected, retrying, searching
from pincite.cli.terminal import counted, note, one_line, safe, stderr_is_terminal

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

_STEPS_SHOWN = 6


class QuestionWatcher(Protocol):
    """What follows a question."""

    def tell(self, event: Progress) -> None:
        """This has happened."""

    def say(self, message: str) -> None:
        """A line that stays."""


@contextmanager
def watch_question() -> Iterator[QuestionWatcher]:
    """Follow one question. The display of a terminal is gone afterwards: the answer says it all."""
    if not stderr_is_terminal():
        yield Lines()
        return
    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True, markup=False, highlight=False, emoji=False)
    with Live(console=console, transient=True, auto_refresh=True, redirect_stdout=False) as live:
        yield Display(live)


class Lines:
    """Tells what a person must know: notices and retries. What ends the question is said as its failure."""

    def __init__(self) -> None:
        self._held: list[str] = []

    def tell(self, event: Progress) -> None:
        """Say it if it matters."""
        for message in self._held:
            if message not in _failure(event):
                self.say(f"note: {message}")
        self._held.clear()
        if isinstance(event, Notice):
            self._held.append(event.message)
        elif isinstance(event, Retrying):
            self.say(retrying(event))

    def say(self, message: str) -> None:
        """A line on stderr."""
        note(message)


class Display(Lines):
    """The steps, the statements that have passed the check, and what is going on right now."""

    def __init__(self, live: Live) -> None:
        super().__init__()
        self._live = live
        self._steps: deque[str] = deque(maxlen=_STEPS_SHOWN)
        self._statements: list[Statement] = []
        self._now = ""
        self._draw()

    def tell(self, event: Progress) -> None:
        """Show it."""
        super().tell(event)
        match event:
            case Thinking():
                self._now = "thinking" if event.model == EXTRACTIVE else f"thinking ({event.model})"
            case Searching():
                self._now = searching(event.query)
            case Reading():
                self._now = reading(event)
            case Found():
                brought = found(event)
                self._steps.append(f"{self._now}: {brought}" if brought else self._now)
            case Checking():
                self._now = f"checking {counted(event.statements, 'statement')}"
            case Rejected():
                self._steps.append(rejected(event))
            case Retrying():
                self._now = retrying(event)
            case Verified():
                self._statements.append(event.statement)
            case Retracted():
                self._statements.remove(event.statement)
            case _:
                pass
        self._draw()

    def say(self, message: str) -> None:
        """A line above the display."""
        self._live.console.print(one_line(message))

    def _draw(self) -> None:
        self._live.update(self._picture(), refresh=True)

    def _picture(self) -> RenderableType:
        from rich.console import Group
        from rich.spinner import Spinner
        from rich.text import Text

        steps = [Text(one_line(step), style="dim") for step in self._steps]
        passed = [Text(f"✓ {safe(statement.text)}", style="bold") for statement in self._statements]
        return Group(*steps, *passed, Spinner("dots", text=Text(one_line(self._now))))


def _failure(event: Progress) -> str:
    """What the question ends with when it has no answer; it is said once, as that."""
    if not isinstance(event, Done):
        return ""
    answer = event.answer
    return answer.text if answer.status is Status.incomplete and not answer.withheld else ""
