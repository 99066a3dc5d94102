"""The events of a session, one typed class a kind, versioned by `v`.

On disk a field has the name that OpenTelemetry's GenAI conventions give it where those have one, else its
own under `pincite.`; the envelope (`v`, `kind`, `seq`, `id`, `parent`, `time`, `mono_us`, `redacted`) stands
bare. Bodies are written once: a text or message that comes again is referred to by the first 16 hex digits
of its SHA-256.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AliasChoices, Field, TypeAdapter

from pincite.transcripts.envelope import EventBase, Json


class SessionStart(EventBase):
    """What the session ran with.

    `config_hash`, `tools_hash` and `prompts` are hashes; `code` holds one for each room of the program, so
    that it can be said later what has changed. `index` is the index's fingerprint by content. `git` is the
    commit of the checkout that ran, and whether it was changed. `fork_of` is the event of another session
    that this one continues.
    """

    kind: Literal["session_start"] = "session_start"
    session: str
    model: str
    versions: dict[str, str] = Field(default_factory=dict)
    config: Json = Field(default_factory=dict)
    config_hash: str = ""
    tools_hash: str = ""
    prompts: dict[str, str] = Field(default_factory=dict)
    # Recordings of before have it under the name that a code of an error has.
    code: dict[str, str] = Field(
        default_factory=dict,
        validation_alias=AliasChoices("pincite.code", "error.type"),
        serialization_alias="pincite.code",
    )
    index: str | None = None
    scope: Json = Field(default_factory=dict)
    seed: str = ""
    git: Json | None = None
    fork_of: str | None = None


class Nondeterminism(EventBase):
    """Something that would be different next time, so that a replay can have it as it was.

    `source` says where it came from, `what` what it is: `random` "seed", `ids` "session", `clock` "today"
    (the day that scopes were judged by) and `clock` "loop" with the value "events": the loop sees as time
    that of the last event, so that every time it used stands in the transcript.
    """

    kind: Literal["nondeterminism"] = "nondeterminism"
    source: Literal["clock", "random", "ids"]
    what: str
    value: str


class SessionResume(EventBase):
    """The session goes on in another process, with its own `model`, `config` and `scope`.

    `withdrawn` are handles that are no longer permitted, `left_out` counts questions that
    are not told to a model any more because secrets were taken out of them or of their answers,
    `repaired_bytes` what an earlier crash had left of
    an unfinished line.
    """

    kind: Literal["session_resume"] = "session_resume"
    model: str | None = None
    versions: dict[str, str] = Field(default_factory=dict)
    config: Json | None = None
    index: str | None = None
    scope: Json | None = None
    withdrawn: tuple[str, ...] = ()
    left_out: int = 0
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
    """What came back, or had come when it was aborted or failed: `turn` as the loop takes it, `raw` as sent.

    `chunks` are those of a stream, in order: (milliseconds after the request, characters of its delta).
    """

    kind: Literal["model_response"] = "model_response"
    model: str
    call: int
    status: Literal["complete", "aborted", "error"] = "complete"
    turn: Json | None = None
    finish_reasons: tuple[str, ...] = ()
    input_tokens: int | None = None
    output_tokens: int | None = None
    raw: Json | None = None
    chunks: tuple[tuple[float, int], ...] = ()
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


class RetrievalAttempt(EventBase):
    """One leg was tried. `nth` counts the attempts of this leg in the session from 1."""

    kind: Literal["retrieval_attempt"] = "retrieval_attempt"
    call_id: str
    leg: str
    nth: int
    outcome: str
    reason: str = ""
    ms: float = 0.0


class RetrievalDecision(EventBase):
    """What came of the attempts: the leg that answered, the passages sent, and those only named."""

    kind: Literal["retrieval_decision"] = "retrieval_decision"
    call_id: str
    used: str | None = None
    passages: tuple[str, ...] = ()
    already_shown: tuple[str, ...] = ()
    failed: str | None = None


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
    """A model call failed after writing `turn` in `chunks`, and is tried again after `wait_s` seconds."""

    kind: Literal["retry"] = "retry"
    code: str
    message: str
    attempt: int
    wait_s: float
    turn: Json | None = None
    chunks: tuple[tuple[float, int], ...] = ()


class NoticeEvent(EventBase):
    """Something that is neither an error nor an answer, such as what the user was told.

    With the code "withdrawn", `handles` are passages that may not be shown any more from here on.
    """

    kind: Literal["notice"] = "notice"
    code: str
    message: str
    handles: tuple[str, ...] = ()


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
    | Nondeterminism
    | UserMessage
    | ModelRequestEvent
    | ModelResponseEvent
    | ToolCallEvent
    | ToolResultEvent
    | RetrievalAttempt
    | RetrievalDecision
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
