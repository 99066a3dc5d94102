"""Writes what happens in the loop into the transcript, each body once."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from pincite.agent.answer import Answer
from pincite.agent.bodies import message_json, schema_json, schema_name, turn_json
from pincite.agent.context import same_objects
from pincite.agent.messages import Message, ModelRequest, ModelTurn, Note
from pincite.agent.reading import Call
from pincite.errors import PinciteError
from pincite.tools.result import ToolResult
from pincite.transcripts.events import (
    AnswerEvent,
    CheckEvent,
    CompactionEvent,
    ErrorEvent,
    Event,
    LimitEvent,
    ModelRequestEvent,
    ModelResponseEvent,
    NoticeEvent,
    RetrievalAttempt,
    RetrievalDecision,
    RetryEvent,
    SessionEnd,
    ToolCallEvent,
    ToolResultEvent,
    UserMessage,
)
from pincite.transcripts.hashes import digest, digest_json
from pincite.transcripts.writer import Transcript

WITHDRAWN = "withdrawn"


class Recorder:
    """One method for each kind of event. Parents: question <- request <- response <- call <- result."""

    def __init__(self, transcript: Transcript, model: str) -> None:
        self._transcript = transcript
        self._model = model
        self._bodies: set[str] = set()
        self._texts: dict[str, str] = {}
        self._tools: set[str] = set()
        self._hashes: dict[Message, str] = {}
        self._last: tuple[str | None, Sequence[Message], list[str]] = (None, (), [])
        self._parents: dict[str, str] = {}
        self._question: str | None = None
        self._request: str | None = None
        self._legs: Counter[str] = Counter()
        self._began: dict[str, float] = {}
        self.known_withdrawn: set[str] = set()

    @property
    def problem(self) -> str | None:
        """Why nothing is written any more."""
        return self._transcript.problem

    def question(self, number: int, text: str) -> None:
        """A question begins."""
        self._question = self._add(UserMessage(question=number, text=text)).id
        self._request = None

    def request(self, call: int, request: ModelRequest, tokens: int) -> None:
        """A model is about to be asked."""
        before, messages, earlier = self._last
        kept = same_objects(messages, request.messages)
        hashes = earlier[:kept] + [self._message_hash(message) for message in request.messages[kept:]]
        same = kept
        while same < min(len(earlier), len(hashes)) and earlier[same] == hashes[same]:
            same += 1
        new = hashes[same:]
        bodies = {}
        for name, message in zip(new, request.messages[same:], strict=True):
            if name not in self._bodies:
                self._bodies.add(name)
                bodies[name] = self._body(message)
        schemas = {schema_name(schema): schema for schema in request.tools}
        fresh_tools = {name: schema_json(schemas[name]) for name in schemas if name not in self._tools}
        self._tools |= set(fresh_tools)
        event = self._add(
            ModelRequestEvent(
                model=self._model,
                call=call,
                same=same,
                of=before if same else None,
                messages=tuple(new),
                bodies=bodies,
                tools=tuple(schemas),
                tool_bodies=fresh_tools,
                tool_choice=request.tool_choice,
                max_output_tokens=request.max_output_tokens,
                timeout_s=request.timeout_s,
                tokens=tokens,
                parent=self._question,
            )
        )
        self._last = (event.id, request.messages, hashes)
        self._request = event.id
        self._began["model"] = time.perf_counter()

    def response(self, call: int, turn: ModelTurn | None, status: str) -> None:
        """A model answered, or did not: then `turn` is what it had written by then."""
        usage = turn.usage if turn else None
        event = ModelResponseEvent(
            model=self._model,
            call=call,
            status="complete" if status == "complete" else "aborted" if status == "aborted" else "error",
            turn=turn_json(turn) if turn else None,
            finish_reasons=(turn.finish_reason,) if turn and turn.finish_reason else (),
            input_tokens=usage.input_tokens if usage else None,
            output_tokens=usage.output_tokens if usage else None,
            raw=turn.raw if turn else None,
            chunks=turn.chunks if turn else (),
            ms=self._elapsed("model"),
            parent=self._request,
        )
        self._request = self._add(event).id

    def call(self, call: Call) -> None:
        """A call is about to be run or refused."""
        event = ToolCallEvent(
            call_id=call.id, name=call.tool or call.name, arguments=call.raw, parent=self._request
        )
        self._parents[call.id] = self._add(event).id
        self._began[call.id] = time.perf_counter()

    def result(self, call: Call, result: ToolResult, fresh: bool) -> None:
        """Its result, and before it how it was retrieved."""
        ms = self._elapsed(call.id)
        self._retrieval(call, result)
        ref = digest(result.text)
        self._texts[result.text] = ref
        self._add(
            ToolResultEvent(
                call_id=call.id,
                name=result.tool,
                result=result.model_dump(mode="json"),
                text_ref=ref,
                fresh=fresh,
                ms=ms,
                parent=self._parents.get(call.id),
            )
        )

    def check(self, call: Call, draft: dict[str, Any], problems: Sequence[dict[str, Any]]) -> None:
        """An answer was judged."""
        self._add(
            CheckEvent(
                call_id=call.id,
                draft=draft,
                verdict="reject" if problems else "pass",
                problems=tuple(problems),
                parent=self._parents.get(call.id),
            )
        )

    def limit(self, what: str, action: str, left: dict[str, Any]) -> None:
        """A budget changed what is offered, or ended the question."""
        self._add(LimitEvent(what=what, action=action, left=left, parent=self._question))

    def error(self, where: str, error: PinciteError) -> None:
        """Something failed."""
        event = ErrorEvent(
            where=where, code=error.code, message=error.message, hint=error.hint, parent=self._request
        )
        self._add(event)

    def note(self, note: Note) -> None:
        """What a model said while it worked."""
        if note.kind == "retry":
            event: Event = RetryEvent(
                code=note.code,
                message=note.message,
                attempt=note.attempt,
                wait_s=note.wait_s,
                turn=turn_json(note.partial) if note.partial else None,
                chunks=note.partial.chunks if note.partial else (),
                parent=self._request,
            )
        else:
            event = NoticeEvent(code=note.code, message=note.message, parent=self._request)
        self._add(event)

    def notice(self, code: str, message: str) -> None:
        """Something the user is told."""
        self._add(NoticeEvent(code=code, message=message, parent=self._question))

    def withdrawn(self, handles: AbstractSet[str]) -> None:
        """Passages that may not be shown any more; those that became so since the last time are recorded."""
        gone = handles - self.known_withdrawn
        if gone:
            self.known_withdrawn |= gone
            ordered = tuple(sorted(gone, key=lambda handle: (len(handle), handle)))
            words = f"withdrawn, the document is gone or may no longer be seen: {' '.join(ordered)}"
            self._add(NoticeEvent(code=WITHDRAWN, message=words, handles=ordered, parent=self._question))

    def compaction(self, calls: Sequence[str], handles: Sequence[str], before: int, after: int) -> None:
        """Tool results became receipts."""
        event = CompactionEvent(
            calls=tuple(calls),
            handles=tuple(handles),
            tokens_before=before,
            tokens_after=after,
            parent=self._question,
        )
        self._add(event)

    def answer(self, number: int, answer: Answer) -> None:
        """What the user got."""
        data = answer.model_dump(mode="json")
        self._add(AnswerEvent(question=number, answer=data, parent=self._question))

    def end(self, totals: dict[str, Any]) -> None:
        """The session is closed."""
        self._add(SessionEnd(totals=totals))

    def _add(self, event: Event) -> Event:
        return self._transcript.append(event)

    def _elapsed(self, what: str) -> float:
        """Milliseconds since this began."""
        now = time.perf_counter()
        return round(1000 * (now - self._began.pop(what, now)), 3)

    def _retrieval(self, call: Call, result: ToolResult) -> None:
        """Each leg that was tried, and what came of it."""
        parent = self._parents.get(call.id)
        for attempt in result.attempts:
            self._legs[attempt.leg] += 1
            event = RetrievalAttempt(
                call_id=call.id,
                leg=attempt.leg,
                nth=self._legs[attempt.leg],
                outcome=attempt.outcome.value,
                reason=attempt.reason,
                ms=attempt.ms,
                parent=parent,
            )
            self._add(event)
        if result.attempts:
            decision = RetrievalDecision(
                call_id=call.id,
                used=result.used,
                passages=tuple(passage.handle for passage in result.passages),
                already_shown=result.already_shown,
                failed=result.error.code if result.error else None,
                parent=parent,
            )
            self._add(decision)

    def _message_hash(self, message: Message) -> str:
        found = self._hashes.get(message)
        if found is None:
            found = digest_json(message_json(message))
            self._hashes[message] = found
        return found

    def _body(self, message: Message) -> dict[str, Any]:
        """The message; a tool's text, written with its result, is only referred to."""
        body = message_json(message)
        text = message.result.text if message.result is not None else ""
        ref = self._texts.get(text) if text else None
        if ref is None or message.content != text:
            return body
        del body["content"]
        return {**body, "content_ref": ref}
