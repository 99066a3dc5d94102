"""Answers model calls from a tape."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, ValidationError

from pincite.agent.messages import ModelRequest, ModelTurn, Note, ToolCall, Usage
from pincite.agent.model import ModelError
from pincite.errors import NothingUsableError
from pincite.transcripts.envelope import Json
from pincite.transcripts.events import ModelResponseEvent, NoticeEvent, RetryEvent
from pincite.transcripts.tape import Tape, TapedTurn


class _Lenient(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)


class _Call(_Lenient):
    id: str
    name: str
    arguments: str


class _Usage(_Lenient):
    input_tokens: int
    output_tokens: int
    cached: int = 0


class _Turn(_Lenient):
    content: str = ""
    tool_calls: list[_Call] = []
    finish_reason: str | None = None
    refusal: str | None = None
    usage: _Usage | None = None


class TapeModel:
    """Gives the recorded turns in order, with their notes and errors.

    `name` and `uses_tokens` are those of the recorded model, and may be set where another went on.
    After `begin` only those of that question: one that needs more turns than the tape has ends.
    """

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self._turns = tape.turns
        self._next = 0
        self.name = tape.start.model
        self.uses_tokens = tape.start.config.get("uses_tokens", True) is not False

    def begin(self, question: int) -> None:
        """From here on give the turns of this question, counted from 1."""
        self._turns = [turn for turn in self._tape.turns if turn.question == question]
        self._next = 0

    def respond(self, request: ModelRequest) -> ModelTurn:
        """The next recorded turn. Raises what was recorded, `ModelError` `tape_ended` beyond the tape."""
        if self._next >= len(self._turns):
            raise ModelError("the tape holds no further model turn", code="tape_ended")
        self._next += 1
        return play(self._turns[self._next - 1], request)


def play(taped: TapedTurn, request: ModelRequest) -> ModelTurn:
    """Tell the turn's notes, then give it, or raise what was raised instead of one."""
    response = taped.response
    if request.watch is not None:
        for note in taped.notes:
            request.watch.notify(as_note(note))
    if taped.error is not None:
        error = ModelError(taped.error.message, code=taped.error.code, hint=taped.error.hint)
        if response is not None and response.turn is not None:
            error.partial = as_turn(response.turn, response)
        raise error
    if response is None:
        raise ModelError("the tape does not say what became of this model call", code="tape_ended")
    turn = None if response.turn is None else as_turn(response.turn, response)
    if turn is None or response.status == "aborted":
        # It was waited for no longer: somebody stopped the question.
        if request.watch is not None:
            request.watch.writing(lambda: turn)
        raise KeyboardInterrupt
    return turn


def as_turn(data: Json, response: ModelResponseEvent | RetryEvent) -> ModelTurn:
    """A recorded turn as the loop takes it. NothingUsableError when it is none."""
    try:
        turn = _Turn.model_validate(data)
    except ValidationError as error:
        raise NothingUsableError(
            "the transcript holds a model turn that cannot be read", code="damaged_transcript"
        ) from error
    usage = turn.usage
    return ModelTurn(
        content=turn.content,
        tool_calls=tuple(ToolCall(call.id, call.name, call.arguments) for call in turn.tool_calls),
        finish_reason=turn.finish_reason,
        refusal=turn.refusal,
        usage=None if usage is None else Usage(usage.input_tokens, usage.output_tokens, usage.cached),
        raw=response.raw if isinstance(response, ModelResponseEvent) else None,
        chunks=response.chunks,
    )


def as_note(event: RetryEvent | NoticeEvent) -> Note:
    """A recorded note as the model told it."""
    if isinstance(event, RetryEvent):
        partial = None if event.turn is None else as_turn(event.turn, event)
        return Note(
            "retry", event.code, event.message, attempt=event.attempt, wait_s=event.wait_s, partial=partial
        )
    return Note("notice", event.code, event.message)
