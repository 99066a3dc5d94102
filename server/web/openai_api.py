"""`/v1/chat/completions` and `/v1/models`, as the official clients and chat front ends call them."""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from typing import Any

from fastapi import APIRouter
from fastapi.responses import JSONResponse, StreamingResponse

from pincite.agent.answer import Answer
from pincite.agent.events import Done, Progress
from pincite.agent.outcome import Status, StopReason
from pincite.errors import NothingUsableError, PinciteError, ServiceError, UsageError
from pincite.server.access import Caller
from pincite.server.tenants import SessionBusyError
from pincite.server.web.callers import TheCaller, TheSite
from pincite.server.web.errors import PublicError, openai_error
from pincite.server.web.openai_shapes import (
    MODEL,
    CompletionIn,
    MessageIn,
    OpenAIErrorOut,
    content_of,
    own_part,
    usage_of,
)
from pincite.server.web.running import Asked, Site, answer_events, begun
from pincite.server.web.sse import MEDIA_TYPE, comment, data, words

_FAILURES: dict[int | str, dict[str, Any]] = {
    code: {"model": OpenAIErrorOut} for code in (400, 401, 403, 404, 408, 409, 413, 429, 502, 503)
}
# With a description of every other failure none of 422, which is not given here, is added.
_FAILURES["default"] = {"model": OpenAIErrorOut, "description": "Any other failure"}
router = APIRouter(prefix="/v1", responses=_FAILURES)
_MOST_EARLIER = 20


@router.get("/models")
def models(_caller: TheCaller) -> dict[str, Any]:
    """The one model there is."""
    entry = {"id": MODEL, "object": "model", "created": 0, "owned_by": "pincite"}
    return {"object": "list", "data": [entry]}


@router.get("/models/{name}")
def one_model(name: str, caller: TheCaller) -> dict[str, Any]:
    """It, by name."""
    _require_model(name)
    entry: dict[str, Any] = models(caller)["data"][0]
    return entry


@router.post("/chat/completions", response_model=None)
async def completions(
    body: CompletionIn, site: TheSite, caller: TheCaller
) -> JSONResponse | StreamingResponse:
    """Answer the last user message. Citations are markers in the text and annotations of the message."""
    talk = _Talk(site, caller, body)
    if body.stream:
        return StreamingResponse(talk.stream(await begun(talk.events())), media_type=MEDIA_TYPE)
    return JSONResponse(await talk.whole())


def _require_model(name: str) -> None:
    if name != MODEL:
        raise PublicError(f"there is no model {name[:200]!r}", "model_not_found", 404, (MODEL,))


class _Talk:
    """One request."""

    def __init__(self, site: Site, caller: Caller, body: CompletionIn) -> None:
        _require_model(body.model)
        if said := body.unsupported():
            raise UsageError(said, code="unsupported")
        if body.messages[-1].role != "user":
            raise UsageError("messages: the last one must be the user's question")
        self._site, self._caller, self._body = site, caller, body
        self._said = [(m.role, m.text) for m in body.messages if m.role in {"user", "assistant"}]
        self._options = body.pincite.model_dump_json(exclude={"session"})
        self._id = f"chatcmpl-{secrets.token_hex(12)}"
        self._created = int(time.time())

    async def events(self) -> AsyncGenerator[Progress]:
        """The events; a conversation whose session is busy or gone goes on in a new one."""
        own, known = self._body.pincite, None
        earlier = _turns(self._body.messages[:-1])
        continued = self._site.continued
        if own.session is None and earlier:
            known = continued.find(self._caller, self._options, self._said[:-1])
        question = self._said[-1][1]
        asked = Asked(question, own.session or known, tuple(own.documents), own.narrowing, earlier)
        try:
            async for event in answer_events(self._site, self._caller, asked):
                yield event
        except (SessionBusyError, NothingUsableError) as error:
            if known is None or error.code not in {"session_busy", "no_such_session", "session_locked"}:
                raise
            asked = Asked(question, None, asked.documents, asked.narrowing, earlier)
            async for event in answer_events(self._site, self._caller, asked):
                yield event

    def _keep(self, answer: Answer, text: str) -> None:
        if answer.session:
            said = [*self._said, ("assistant", text)]
            self._site.continued.remember(self._caller, self._options, said, answer.session)

    async def whole(self) -> dict[str, Any]:
        """The completion. Raises PinciteError."""
        answer: Answer | None = None
        async for event in self.events():
            if isinstance(event, Done):
                answer = event.answer
        if answer is None:
            raise PinciteError("the question did not end", code="internal")
        _raise_failed(answer)
        pieces, annotations = content_of(answer)
        text = "".join(pieces)
        self._keep(answer, text)
        message = {"role": "assistant", "content": text, "refusal": None, "annotations": annotations}
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
        return self._frame("chat.completion") | {
            "choices": [choice],
            "usage": usage_of(answer, self._said[-1][1], text),
            "pincite": own_part(answer),
        }

    async def stream(self, events: AsyncGenerator[Progress]) -> AsyncIterator[str]:
        """The completion in chunks: progress as comments, text once the whole answer has passed its check.

        A statement that has passed may still be taken back when a later one is refused and the model writes
        its answer anew. A comment can tell of both; text that a client has shown cannot be called back.
        """
        try:
            async for event in events:
                if isinstance(event, Done):
                    for chunk in self._chunks(event.answer):
                        yield chunk
                elif said := words(event):
                    yield comment(said)
        except PinciteError as error:
            yield data(openai_error(error))
        yield "data: [DONE]\n\n"

    def _chunks(self, answer: Answer) -> list[str]:
        _raise_failed(answer)
        pieces, annotations = content_of(answer)
        text = "".join(pieces)
        self._keep(answer, text)
        chunks = [self._chunk({"role": "assistant", "content": ""})]
        chunks += [self._chunk({"content": piece}) for piece in pieces]
        chunks.append(self._chunk({"annotations": annotations}, "stop", pincite=own_part(answer)))
        options = self._body.stream_options
        if options is not None and options.include_usage:
            usage = usage_of(answer, self._said[-1][1], text)
            chunks.append(data(self._frame("chat.completion.chunk") | {"choices": [], "usage": usage}))
        return chunks

    def _chunk(self, delta: dict[str, Any], finish: str | None = None, **more: Any) -> str:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return data(self._frame("chat.completion.chunk") | {"choices": [choice]} | more)

    def _frame(self, kind: str) -> dict[str, Any]:
        return {"id": self._id, "object": kind, "created": self._created, "model": MODEL}


def _raise_failed(answer: Answer) -> None:
    """A failed model is an error of this API; every other end is an answer that says what it is."""
    if answer.status is Status.incomplete and answer.stop_reason is StopReason.model_error:
        raise ServiceError("the model failed", code="model_error")


def _turns(messages: Sequence[MessageIn]) -> list[tuple[str, str]]:
    """Earlier questions with their answers, the newest twenty."""
    turns: list[tuple[str, str]] = []
    for message in messages:
        if message.role == "user" and message.text.strip():
            turns.append((message.text, ""))
        elif message.role == "assistant" and turns:
            turns[-1] = (turns[-1][0], f"{turns[-1][1]} {message.text}".strip())
    return turns[-_MOST_EARLIER:]
