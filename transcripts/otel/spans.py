"""A session as OpenTelemetry spans, by the GenAI conventions (semantic-conventions-genai 0.1.0).

Each question is a trace: `invoke_agent` with the model calls (`chat`) and the tool calls (`execute_tool`),
and below these the legs that were tried (`retrieval`) and the check of an answer. `gen_ai.conversation.id`
and `session.id` hold the questions of a session together. Ids follow from those of the events, so that the
same session makes the same spans whenever they are made.
"""

from __future__ import annotations

from collections.abc import Iterable

from pincite.transcripts.events import (
    AnswerEvent,
    Event,
    SessionEnd,
    SessionResume,
    SessionStart,
    UserMessage,
)
from pincite.transcripts.otel.question import Question
from pincite.transcripts.otel.span import Ids, Span
from pincite.transcripts.requests import Bodies


class SpanMaker:
    """Takes the events of a session in order and gives the spans of each question when it has ended.

    With `content` they hold what was asked, found and answered too.
    """

    def __init__(self, *, content: bool = False) -> None:
        self._bodies = Bodies() if content else None
        self._ids = Ids()
        self._start: SessionStart | None = None
        self._open: Question | None = None

    def take(self, event: Event) -> list[Span]:
        """The spans that are complete with this event."""
        if self._bodies is not None:
            self._bodies.take(event)
        if isinstance(event, SessionStart | SessionResume | SessionEnd | UserMessage):
            done = self.rest()
            if isinstance(event, SessionStart):
                self._start = event
            elif isinstance(event, UserMessage):
                self._open = Question(event, self._start, self._ids, self._bodies)
            return done
        if self._open is None:
            return []
        self._open.take(event)
        return self.rest() if isinstance(event, AnswerEvent) else []

    def rest(self) -> list[Span]:
        """The spans of a question that has not ended: what became of it is unknown."""
        ended, self._open = self._open, None
        return [] if ended is None else ended.spans()


def spans_of(events: Iterable[Event], *, content: bool = False) -> list[Span]:
    """The spans of a session, those of each question together, each behind its parent."""
    maker = SpanMaker(content=content)
    found = [span for event in events for span in maker.take(event)]
    return found + maker.rest()
