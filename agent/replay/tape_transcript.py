"""The transcript of a replay: keeps its events, gives each the recorded time, and compares as it goes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pincite.agent.record import WITHDRAWN
from pincite.agent.replay.comparing import Comparer
from pincite.agent.replay.divergence import DivergedError, Divergence
from pincite.transcripts.events import (
    AnswerEvent,
    Event,
    ModelResponseEvent,
    NoticeEvent,
    SessionResume,
    ToolCallEvent,
    ToolResultEvent,
)
from pincite.transcripts.tape import Tape, TapeStamp

_CANCELLED = "cancelled"


class CrashedError(Exception):
    """The recording's process ended here, and the session was resumed in another."""


class Course:
    """How far a session has come along its recording: `events` are those that it has by now."""

    def __init__(self, tape: Tape) -> None:
        self.events: list[Event] = []
        self._tape = tape
        self._cancelling = self._crashed = False

    @property
    def expected(self) -> Event | None:
        """The recorded event that comes next."""
        return self._recorded(len(self.events))

    @property
    def after_next(self) -> Event | None:
        """The recorded event behind that."""
        return self._recorded(len(self.events) + 1)

    @property
    def cancelled_next(self) -> bool:
        """Whether somebody stopped the recorded question at this point."""
        expected = self.expected
        return isinstance(expected, AnswerEvent) and expected.answer.get("stop_reason") == _CANCELLED

    @property
    def leaving(self) -> tuple[str, ...]:
        """The passages that were withdrawn at this point of the recording."""
        expected = self.expected
        return expected.handles if isinstance(expected, NoticeEvent) and expected.code == WITHDRAWN else ()

    def dropped(self, event: Event) -> bool:
        """Whether the recording has no such event here because it was stopped or its process had ended.

        At the first one raises KeyboardInterrupt, or `CrashedError`.
        """
        if self._cancelling and not isinstance(event, AnswerEvent):
            return True
        if isinstance(self.expected, SessionResume) and not isinstance(event, SessionResume):
            if self._crashed:
                return True
            self._crashed = True
            raise CrashedError
        self._crashed = False
        if self.cancelled_next and not isinstance(event, AnswerEvent):
            self._cancelling = True
            raise KeyboardInterrupt
        self._cancelling = False
        return False

    def crashed_part(self) -> list[Event] | None:
        """What is recorded up to where the session goes on, if the process ended before an answer."""
        rest = self._tape.events[len(self.events) :]
        resumed = next((at for at, event in enumerate(rest) if isinstance(event, SessionResume)), None)
        if resumed is None or any(isinstance(event, AnswerEvent) for event in rest[:resumed]):
            return None
        return rest[:resumed]

    def _recorded(self, at: int) -> Event | None:
        return self._tape.events[at] if at < len(self._tape.events) else None


class TapeTranscript(Course):
    """Raises `DivergedError` at the first event that differs, KeyboardInterrupt where the recording had one.

    `after` holds what is to be done after the event of that number.
    """

    path = None
    problem = None

    def __init__(
        self, tape: Tape, comparer: Comparer, after: Mapping[int, Callable[[], None]] | None = None
    ) -> None:
        super().__init__(tape)
        self.call_id: str | None = None
        self.divergence: Divergence | None = None
        self.stamp = TapeStamp(tape.start.session, tape.events)
        self._comparer = comparer
        self._after = after or {}

    def append(self, event: Event) -> Event:
        """Keep one event."""
        expected = self.expected
        if self.divergence is not None or self.dropped(event):
            return event
        placed = _timed(self.stamp.put(event), expected)
        if isinstance(placed, ToolCallEvent):
            self.call_id = placed.call_id
        self.events.append(placed)
        self.divergence = self._compare(expected, placed)
        if self.divergence is not None:
            raise DivergedError(self.divergence)
        self._after.get(placed.seq, _nothing)()
        return placed

    def stop(self, divergence: Divergence) -> DivergedError:
        """The replay cannot go on here; what is appended from now on is dropped."""
        self.divergence = self.divergence or divergence
        return DivergedError(self.divergence)

    def crash(self) -> bool:
        """Whether the recording's process ended in this; then all up to its resume is kept."""
        rest = self.crashed_part()
        if rest is None:
            return False
        self.events += [self.stamp.put(event.model_copy()) for event in rest]
        return True

    def close(self) -> None:
        """Nothing to release."""

    def _compare(self, expected: Event | None, placed: Event) -> Divergence | None:
        if expected is None or expected.seq != placed.seq:
            return Divergence(placed.seq, placed.kind, "$", None, summary(placed), missing="tape")
        return self._comparer.difference(expected, placed)


def _nothing() -> None:
    """What is done after most events."""


def summary(event: Event) -> dict[str, object]:
    """An event that the other side does not have, short enough to be read."""
    data = event.model_dump(mode="json", by_alias=True, exclude_none=True)
    return {name: value for name, value in data.items() if not isinstance(value, dict | list)}


def _timed(event: Event, expected: Event | None) -> Event:
    """The event with the duration that was recorded: a replay's own says nothing."""
    if isinstance(event, ModelResponseEvent | ToolResultEvent) and isinstance(expected, type(event)):
        return event.model_copy(update={"ms": expected.ms})
    return event
