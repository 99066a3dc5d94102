"""The events of a session, one typed class a kind, versioned by `v`.

Field names are written as OpenTelemetry's GenAI conventions have them where those have one; all others are
ours. Bodies are written once: a text or message that comes again is referred to by the first 16 hex digits
of its SHA-256.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

VERSION = 1
Json = dict[str, Any]

_WRITTEN_AS = {
    "model": "gen_ai.request.model",
    "max_output_tokens": "gen_ai.request.max_tokens",
    "finish_reason": "gen_ai.response.finish_reason",
    "input_tokens": "gen_ai.usage.input_tokens",
    "output_tokens": "gen_ai.usage.output_tokens",
    "call_id": "gen_ai.tool.call.id",
    "name": "gen_ai.tool.name",
    "code": "error.type",
}


def _written_as(name: str) -> str:
    return _WRITTEN_AS.get(name, name)


class EventBase(BaseModel):
    """What every event has.

    `seq` counts from 0 without gaps; `id` is "session-seq"; `parent` the id of the event that caused this
    one; `time` is UTC in ISO 8601; `mono_us` microseconds on the writer's monotonic clock. `redacted`
    counts the secrets that were taken out on writing.
    """

    model_config = ConfigDict(frozen=True, extra="allow", alias_generator=_written_as, populate_by_name=True)

    v: int = VERSION
    seq: int = -1
    id: str = ""
    parent: str | None = None
    time: str = ""
    mono_us: int = 0
    redacted: int = 0


class SessionStart(EventBase):
    """What the session ran with. `fork_of` is the event of another session that it continues."""

    kind: Literal["session_start"] = "session_start"
    session: str
    model: str
    versions: dict[str, str] = Field(default_factory=dict)
    config: Json = Field(default_factory=dict)
    config_hash: str = ""
    tools_hash: str = ""
    prompts: dict[str, str] = Field(default_factory=dict)
    index: str | None = None
    scope: Json = Field(default_factory=dict)
    seed: str = ""
    git: Json | None = None
    fork_of: str | None = None


class SessionResume(EventBase):
    """The session goes on in another process. `withdrawn` are handles that are no longer permitted."""

    kind: Literal["session_resume"] = "session_resume"
    versions: dict[str, str] = Field(default_factory=dict)
    index: str | None = None
    withdrawn: tuple[str, ...] = ()
    repaired_bytes: int = 0


class UserMessage(EventBase):
    """A question; `question` counts them from 1."""

    kind: Literal["user_message"] = "user_message"
    question: int
    text: str


class ModelRequestEvent(EventBase):
    """What a model is about to be asked.

    The messages are the first `same` of the request event `of`, then those of `messages` by hash;
    `bodies` holds the ones that were not written before. A body's `content_ref` is the hash of a text
    written earlier. `tools` is the hash of the offered schemas, whose bodies stand in `tool_bodies` once.
    """

    kind: Literal["model_request"] = "model_request"
    model: str
    call: int
    same: int = 0
    of: str | None = None
    messages: tuple[str, ...] = ()
    bodies: dict[str, Json] = Field(default_factory=dict)
    tools: tuple[str, ...] = ()
    tool_bodies: dict[str, Json] = Field(default_factory=dict)
    tool_choice: str = "auto"
    max_output_tokens: int | None = None
    timeout_s: float | None = None
    tokens: int = 0


class ModelResponseEvent(EventBase):
    """What came back: `turn` as the loop takes it, `raw` as the server sent it."""

    kind: Literal["model_response"] = "model_response"
    model: str
    call: int
    status: Literal["complete", "aborted", "error"] = "complete"
    turn: Json | None = None
    finish_reason: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    raw: Json | None = None
    ms: float = 0.0


class ToolCallEvent(EventBase):
    """A call is about to be run or refused. `arguments` is the model's raw text."""

    kind: Literal["tool_call"] = "tool_call"
    call_id: str
    name: str
    arguments: str


class ToolResultEvent(EventBase):
    """Its structured result; `text_ref` is the hash under which later requests name `result.text`."""

    kind: Literal["tool_result"] = "tool_result"
    call_id: str
    name: str
    result: Json
    text_ref: str = ""
    fresh: bool = False
    ms: float = 0.0


class CheckEvent(EventBase):
    """An answer was judged. `draft` is what the model wrote, `problems` what the check found."""

    kind: Literal["check"] = "check"
    call_id: str
    draft: Json
    verdict: Literal["pass", "reject"]
    problems: tuple[Json, ...] = ()


class AnswerEvent(EventBase):
    """What the user got for a question."""

    kind: Literal["answer"] = "answer"
    question: int
    answer: Json


class LimitEvent(EventBase):
    """A budget changed what is offered, or ended the question. `left` is what remained of each."""

    kind: Literal["limit"] = "limit"
    what: str
    action: str
    left: Json = Field(default_factory=dict)


class ErrorEvent(EventBase):
    """Something failed: where, a stable code, one line."""

    kind: Literal["error"] = "error"
    where: str
    code: str
    message: str
    hint: str = ""


class RetryEvent(EventBase):
    """A model call failed and is tried again after `wait_s` seconds."""

    kind: Literal["retry"] = "retry"
    code: str
    message: str
    attempt: int
    wait_s: float


class NoticeEvent(EventBase):
    """Something the user was told that is neither an error nor an answer."""

    kind: Literal["notice"] = "notice"
    code: str
    message: str


class CompactionEvent(EventBase):
    """Tool results became receipts. `calls` are their call ids, tokens are those of the whole request."""

    kind: Literal["compaction"] = "compaction"
    calls: tuple[str, ...]
    handles: tuple[str, ...]
    tokens_before: int
    tokens_after: int


class SessionEnd(EventBase):
    """The session was closed in order; `totals` over all its questions."""

    kind: Literal["session_end"] = "session_end"
    totals: Json = Field(default_factory=dict)


Event = Annotated[
    SessionStart
    | SessionResume
    | UserMessage
    | ModelRequestEvent
    | ModelResponseEvent
    | ToolCallEvent
    | ToolResultEvent
    | CheckEvent
    | AnswerEvent
    | LimitEvent
    | ErrorEvent
    | RetryEvent
    | NoticeEvent
    | CompactionEvent
    | SessionEnd,
    Field(discriminator="kind"),
]
EVENT: TypeAdapter[Event] = TypeAdapter(Event)
