"""What a fork runs over: transcript, model, tools and ledger, by the recording up to the fork, then live."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from pincite.agent.messages import ModelRequest, ModelTurn, ToolSchemaLike
from pincite.agent.model import ChatModel
from pincite.agent.parse import canonical
from pincite.agent.replay.pinned import PinnedLedger
from pincite.agent.replay.tape_model import play
from pincite.agent.replay.tape_tools import as_result
from pincite.agent.replay.tape_transcript import Course, CrashedError
from pincite.errors import NothingUsableError
from pincite.tools.passage import Passage
from pincite.tools.result import ToolResult
from pincite.tools.toolbox import Toolbox
from pincite.transcripts.events import Event, ModelRequestEvent, ModelResponseEvent
from pincite.transcripts.tape import Tape, TapedTurn, call_key
from pincite.transcripts.writer import Transcript


class ForkTranscript(Course):
    """The child's transcript; knows when the recorded part is over, and calls `on_live` then."""

    def __init__(self, inner: Transcript, tape: Tape, at: int) -> None:
        super().__init__(tape)
        self._inner = inner
        self.at = at
        self.on_live: Callable[[], None] = _nothing
        self.live = False
        self.call_id: str | None = None

    @property
    def path(self) -> Any:
        """The file."""
        return self._inner.path

    @property
    def problem(self) -> str | None:
        """Why nothing is written any more."""
        return self._inner.problem

    def append(self, event: Event) -> Event:
        """Record one event."""
        if not self.live:
            if self.dropped(event):
                return event
            expected = self.expected
            if isinstance(event, ModelRequestEvent | ModelResponseEvent) and isinstance(
                expected, type(event)
            ):
                event = event.model_copy(update={"model": expected.model})
            self._require_same(event, expected)
        return self._add(event)

    def repeat_crash(self) -> bool:
        """Whether the recorded process ended in this, before the fork; then the rest of it is repeated."""
        rest = None if self.live else self.crashed_part()
        if rest is None or len(self.events) + len(rest) >= self.at:
            return False
        for event in rest:
            self._add(event.model_copy(update={"parent": self._own(event.parent)}))
        return True

    def close(self) -> None:
        """A part has ended; the file is released by `finish`."""

    def finish(self) -> None:
        """Release the file."""
        self._inner.close()

    def _add(self, event: Event) -> Event:
        placed = self._inner.append(event)
        self.events.append(placed)
        if placed.kind == "tool_call":
            self.call_id = placed.call_id
        if not self.live and placed.seq == self.at - 1:
            self.live = True
            self.on_live()
        return placed

    def _own(self, name: str | None) -> str | None:
        """A recorded event's name as this session has it."""
        seq = (name or "").rpartition("-")[2]
        return self.events[int(seq)].id if seq.isdecimal() and int(seq) < len(self.events) else None

    def _require_same(self, event: Event, recorded: Event | None) -> None:
        """Up to the fork the child must be what was recorded, or it is no fork of it."""
        if recorded is None or recorded.kind != event.kind:
            was = "nothing" if recorded is None else recorded.kind
            raise NothingUsableError(
                f"the recording cannot be repeated up to event {self.at}: event {len(self.events)} was "
                f"{was} and is {event.kind}",
                code="diverged",
                hint="a strict replay says why",
            )


class ForkLedger(PinnedLedger):
    """The passages under the handles that they had; what was withdrawn before the fork is so again."""

    def __init__(self, recorded: Iterable[Passage], transcript: ForkTranscript) -> None:
        super().__init__(recorded)
        self._transcript = transcript

    @property
    def withdrawn(self) -> AbstractSet[str]:
        """Handles that may not be used any more."""
        if not self._transcript.live:
            self.withdraw(handle for handle in self._transcript.leaving if handle in self.passages)
        return super().withdrawn


class ForkModel:
    """The recorded turns up to the fork, then the live model."""

    def __init__(self, tape: Tape, live: ChatModel, transcript: ForkTranscript) -> None:
        self._tape = tape
        self._live = live
        self._transcript = transcript
        self._calls = 0

    @property
    def name(self) -> str:
        """The live model's name."""
        return self._live.name

    @property
    def uses_tokens(self) -> bool:
        """Whether the live model's calls are counted in tokens."""
        return bool(getattr(self._live, "uses_tokens", True))

    def respond(self, request: ModelRequest) -> ModelTurn:
        """One turn."""
        taped = self._tape.turns[self._calls] if self._calls < len(self._tape.turns) else None
        self._calls += 1
        if taped is None or self._transcript.live or not self._before(taped):
            return self._live.respond(request)
        return play(taped, request)

    def _before(self, taped: TapedTurn) -> bool:
        """Whether what became of it is known, or is that the process ended, and stands before the fork."""
        if taped.response is not None:
            return taped.response.seq < self._transcript.at
        rest = self._transcript.crashed_part()
        return rest is not None and len(self._transcript.events) + len(rest) < self._transcript.at


class ForkTools:
    """The recorded results up to the fork, then the live tools."""

    def __init__(self, tape: Tape, live: Toolbox, ledger: PinnedLedger, transcript: ForkTranscript) -> None:
        self._tape = tape
        self._live = live
        self._transcript = transcript
        self.ledger = ledger

    def schemas(self, names: Sequence[str]) -> Sequence[ToolSchemaLike]:
        """The schemas of these tools, in this order."""
        return self._live.schemas(names)

    def limit_time(self, seconds: float | None) -> None:
        """The next live call has so many seconds."""
        self._live.limit_time(seconds)

    def call(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        """One result."""
        taped = None
        if not self._transcript.live:
            taped = self._tape.take(call_key(name, canonical(arguments)), self._transcript.call_id)
            if taped is None or taped.result is None:
                self._stop()
        if taped is None or taped.result is None or taped.result.seq >= self._transcript.at:
            return self._live.call(name, arguments)
        result = as_result(taped.result)
        for passage in result.passages:
            self.ledger.show(passage.model_copy(update={"handle": ""}))
        return result

    def _stop(self) -> None:
        """Where the recording has no result because it was stopped, or its process ended, so it is here."""
        if self._transcript.cancelled_next:
            raise KeyboardInterrupt
        if self._transcript.repeat_crash():
            raise CrashedError


def _nothing() -> None:
    """What is done when nothing waits for the fork."""
