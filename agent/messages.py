"""What goes to a model and what comes back, as values: nothing here knows a wire format."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from pincite.tools.result import ToolResult

Role = Literal["system", "user", "assistant", "tool"]
ToolChoice = Literal["auto", "required", "none"] | str


class ToolSchemaLike(Protocol):
    """A tool as a model is told about it: `parameters` is a JSON schema of an object."""

    @property
    def name(self) -> str:
        """What a call names."""
        ...

    @property
    def description(self) -> str:
        """When and how to use it."""
        ...

    @property
    def parameters(self) -> dict[str, Any]:
        """JSON schema of the arguments."""
        ...


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call as the model wrote it; `arguments` is its raw text, which may be anything."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the request.

    `note` is a line of the loop's own below the content, `reminder` marks a user message that is all the
    loop's own. `result` is a tool message's structured result, which no wire carries, and `about` what was
    asked for in a few words. `shortened` marks one whose text became a receipt.
    """

    role: Role
    content: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    name: str | None = None
    result: ToolResult | None = field(default=None, compare=False, repr=False)
    about: str = field(default="", compare=False)
    shortened: bool = False
    note: str = ""
    reminder: bool = False

    @property
    def text(self) -> str:
        """All that the model reads: the content and the note below it."""
        return f"{self.content}\n\n{self.note}".strip() if self.note else self.content


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one model call as its server counts; `cached` is the part of the input it had at hand."""

    input_tokens: int
    output_tokens: int
    cached: int = 0


class Watch(Protocol):
    """What a model at work may tell the one that waits for it, and what it should ask now and then."""

    @property
    def cancelled(self) -> bool:
        """True once nobody waits any more."""
        ...

    def notify(self, note: Note) -> None:
        """Say something worth showing while the turn is still being made."""
        ...

    def writing(self, so_far: Callable[[], ModelTurn | None]) -> None:
        """From now on `so_far` gives what was written of the turn, also to another thread."""
        ...


@dataclass(frozen=True, slots=True)
class Note:
    """Said by a model while it works.

    `wait_s` is the pause before a retry, `partial` what the failed attempt had written by then. A "statement"
    has been written whole while its answer has not; its JSON is the message.
    """

    kind: Literal["retry", "notice", "statement"]
    code: str
    message: str
    attempt: int = 0
    wait_s: float = 0.0
    attempts: int = 0
    partial: ModelTurn | None = None


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One call. `tool_choice` is "auto", "required", "none" or the name of the one tool to call.

    `timeout_s` is all the time the call may take, its retries included; None is no limit.
    """

    messages: tuple[Message, ...]
    tools: Sequence[ToolSchemaLike] = ()
    tool_choice: ToolChoice = "auto"
    max_output_tokens: int | None = None
    timeout_s: float | None = None
    watch: Watch | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ModelTurn:
    """One assistant turn, as it came.

    For the transcript: `raw` is the server's own JSON, `chunks` are those of a stream, in order:
    (milliseconds after the request, characters).
    """

    content: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: str | None = None
    refusal: str | None = None
    usage: Usage | None = None
    raw: dict[str, Any] | None = field(default=None, compare=False, repr=False)
    chunks: tuple[tuple[float, int], ...] = field(default=(), compare=False, repr=False)
