"""The spans of one question, built from its events in order.

Without content they hold names, numbers, codes and ids, and no text of a user, a document or a model.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from pincite.transcripts import views
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
    RetryEvent,
    SessionStart,
    ToolCallEvent,
    ToolResultEvent,
    UserMessage,
)
from pincite.transcripts.otel import content
from pincite.transcripts.otel.fields import AGENT, BUILT_IN, count, model_named, ran_with, short, whole, word
from pincite.transcripts.otel.span import Attribute, Draft, Ids, Span, Times
from pincite.transcripts.requests import Bodies

_LOOKUPS = frozenset({"search", "table_of_contents", "read_section", "define", "whole_corpus"})
# The searches that run at the same time; the others go by what these found.
_FIRST = frozenset({"keyword", "vector"})
_UNKNOWN = "unknown_outcome"


class Question:
    """Takes the events from a user's message on."""

    def __init__(
        self, asked: UserMessage, start: SessionStart | None, ids: Ids, bodies: Bodies | None
    ) -> None:
        self._ids = ids
        self._bodies = bodies
        self._times = Times(asked)
        # A session that goes on in another process tells its name in its events' ids alone.
        session = start.session if start else asked.id.rpartition("-")[0]
        self._common: dict[str, Attribute] = {
            "gen_ai.conversation.id": short(session),
            "session.id": short(session),
        }
        self._root = self._draft(f"invoke_agent {AGENT}", asked, None)
        self._trace = ids.trace(self._root.id)
        self._root.attributes |= {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": AGENT,
            **ran_with(start),
            "pincite.question": whole(asked.question),
        }
        if bodies is not None:
            self._root.attributes |= content.asked(asked.text)
        self._drafts = [self._root]
        self._chat: Draft | None = None
        self._tools: dict[str, Draft] = {}
        self._calls: dict[str, ToolCallEvent] = {}
        self._legs: dict[str, list[tuple[RetrievalAttempt, Draft]]] = {}
        self._compacted = False

    def take(self, event: Event) -> None:
        """One event of this question."""
        at = self._times.at(event)
        match event:
            case ModelRequestEvent():
                self._ask(event)
            case ModelResponseEvent():
                self._respond(event, at)
            case ToolCallEvent():
                self._call(event)
            case RetrievalAttempt() if event.call_id in self._tools:
                self._try(event)
            case CheckEvent() if event.call_id in self._tools:
                self._check(event, at)
            case ToolResultEvent() if event.call_id in self._tools:
                self._result(event, at)
            case AnswerEvent():
                self._answer(event, at)
            case _:
                self._happened(event, at)

    def spans(self) -> list[Span]:
        """All spans of the question; what has not ended is of unknown outcome."""
        for legs in self._legs.values():
            _lay_out(legs, self._times.last)
        for draft in self._drafts:
            if draft.end is None:
                draft.close(self._times.last, _UNKNOWN)
        return [draft.done(self._trace, self._common) for draft in self._drafts]

    def _draft(self, name: str, event: Event, parent: Draft | None) -> Draft:
        return Draft(
            name,
            self._ids.span(event.id),
            parent.id if parent else None,
            self._times.last,
            attributes={"pincite.seq": whole(event.seq)},
        )

    def _child(self, name: str, event: Event, parent: Draft) -> Draft:
        draft = self._draft(name, event, parent)
        self._drafts.append(draft)
        return draft

    def _ask(self, event: ModelRequestEvent) -> None:
        model = short(event.model)
        self._chat = self._child(f"chat {model}", event, self._root)
        self._chat.kind = "internal" if event.model == BUILT_IN else "client"
        named = model_named(event.model)
        self._root.attributes |= named
        self._chat.attributes |= {
            "gen_ai.operation.name": "chat",
            **named,
            **count("gen_ai.request.max_tokens", event.max_output_tokens),
            **count("pincite.model_call", event.call),
            **count("pincite.request.messages", event.same + len(event.messages)),
        }
        if self._compacted:
            self._chat.attributes["gen_ai.conversation.compacted"] = True
        if self._bodies is not None:
            self._chat.attributes |= content.requested(event, self._bodies)

    def _respond(self, event: ModelResponseEvent, at: int) -> None:
        chat, self._chat = self._chat, None
        if chat is None:
            return
        cached = views.number(event.turn.get("usage"), "cached") if event.turn else None
        chat.attributes |= {
            "pincite.outcome": event.status,
            **count("gen_ai.usage.input_tokens", event.input_tokens),
            **count("gen_ai.usage.output_tokens", event.output_tokens),
            **count("gen_ai.usage.cache_read.input_tokens", int(cached) if cached else None),
        }
        for name, value in (("id", views.text(event.raw, "id")), ("model", views.text(event.raw, "model"))):
            if value:
                chat.attributes[f"gen_ai.response.{name}"] = short(value)
        if event.finish_reasons:
            chat.attributes["gen_ai.response.finish_reasons"] = tuple(map(word, event.finish_reasons))
        if event.chunks:
            chat.attributes["gen_ai.request.stream"] = True
            if math.isfinite(event.chunks[0][0]):
                chat.attributes["gen_ai.response.time_to_first_chunk"] = event.chunks[0][0] / 1000
        if self._bodies is not None:
            chat.attributes |= content.responded(event)
        chat.close(at, "model_error" if event.status == "error" else None)

    def _call(self, event: ToolCallEvent) -> None:
        name = word(event.name)
        tool = self._child(f"execute_tool {name}", event, self._root)
        tool.attributes |= {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": name,
            "gen_ai.tool.type": "datastore" if name in _LOOKUPS else "function",
            "gen_ai.tool.call.id": short(event.call_id),
        }
        if self._bodies is not None:
            tool.attributes |= content.called(event)
        self._tools[event.call_id] = tool
        self._calls[event.call_id] = event

    def _try(self, event: RetrievalAttempt) -> None:
        leg = word(event.leg)
        tool = self._tools[event.call_id]
        draft = self._child(f"retrieval {leg}", event, tool)
        draft.start = tool.start
        draft.attributes |= {
            "gen_ai.operation.name": "retrieval",
            "pincite.leg": leg,
            "pincite.outcome": word(event.outcome),
            **count("pincite.leg.nth", event.nth),
        }
        if self._bodies is not None:
            draft.attributes |= content.sought(self._calls[event.call_id].arguments)
        if event.outcome in {"error", "timeout"}:
            draft.error = event.outcome
        self._legs.setdefault(event.call_id, []).append((event, draft))

    def _check(self, event: CheckEvent, at: int) -> None:
        tool = self._tools[event.call_id]
        draft = self._child("check", event, tool)
        draft.start = tool.start
        draft.attributes |= {
            "gen_ai.evaluation.name": "citations",
            "gen_ai.evaluation.score.label": "pass" if event.verdict == "pass" else "fail",
        }
        problems = tuple(sorted({word(views.text(one, "code")) for one in event.problems}))
        if problems:
            draft.attributes["pincite.problems"] = problems
        draft.close(at)

    def _result(self, event: ToolResultEvent, at: int) -> None:
        tool = self._tools.pop(event.call_id)
        shown = views.passages(event.result)
        used = views.text(event.result, "used")
        if event.name in _LOOKUPS:
            tool.attributes |= {
                "pincite.passages": len(shown),
                "pincite.passages.shown_before": len(views.texts(event.result, "already_shown")),
            }
        if used:
            tool.attributes["pincite.used"] = word(used)
        legs = self._legs.pop(event.call_id, [])
        _lay_out(legs, at)
        if self._bodies is not None:
            tool.attributes |= content.gave(event)
            for attempt, draft in legs:
                if attempt.leg == used and attempt.outcome == "ok":
                    draft.attributes |= content.found(event)
        error = views.error_code(event.result)
        # Nothing found is a result.
        tool.close(at, word(error) if error and error != "no_match" else None)

    def _answer(self, event: AnswerEvent, at: int) -> None:
        answer = event.answer
        status, reason = word(views.text(answer, "status")), word(views.text(answer, "stop_reason"))
        self._root.attributes |= {
            "pincite.status": status,
            "pincite.stop_reason": reason,
            "pincite.statements": len(views.items(answer, "statements")),
            "pincite.citations": sum(1 for _ in views.citations(answer)),
            "pincite.withheld": len(views.items(answer, "withheld")),
            "pincite.unanswered": len(views.texts(answer, "unanswered")),
        }
        # Not as gen_ai.usage: a backend would add them to those of the calls.
        for name in ("model_calls", "tool_calls", "searches", "input_tokens", "output_tokens", "cost"):
            spent = views.number(answer.get("usage"), name)
            if spent is not None:
                self._root.attributes[f"pincite.usage.{name}"] = spent
        if self._bodies is not None:
            self._root.attributes |= content.answered(event)
        error = {"incomplete": reason, "unverified": status}.get(status)
        self._root.close(at, None if error == "cancelled" else error)

    def _happened(self, event: Event, at: int) -> None:
        """What is no span of its own stands in the model call, or in the question, that it happened in."""
        holder = self._chat or self._root
        match event:
            case ErrorEvent():
                error = word(event.code)
                holder.happened("error", at, {"error.type": error, "pincite.where": word(event.where)})
                if self._chat is not None and event.where == "model":
                    self._chat.error = error
            case RetryEvent():
                spent: dict[str, Attribute] = {"error.type": word(event.code)}
                holder.happened("retry", at, spent | count("pincite.attempt", event.attempt))
            case NoticeEvent():
                holder.happened("notice", at, {"pincite.code": word(event.code)})
            case LimitEvent():
                holder.happened("limit", at, {"pincite.what": word(event.what)})
            case CompactionEvent():
                self._compacted = True
                size = count("pincite.tokens_before", event.tokens_before)
                holder.happened("compaction", at, size | count("pincite.tokens_after", event.tokens_after))
            case _:
                pass


def _lay_out(legs: Sequence[tuple[RetrievalAttempt, Draft]], end: int) -> None:
    """Give the legs of a call their times: how long each took is recorded, not when it began.

    The searches begin together, what goes by their results after them, and a further round after that; the
    last ends with the call, since what goes before them (an encoder is loaded) can take long.
    """
    start = begin = free = legs[0][1].start if legs else 0
    tried: set[str] = set()
    for attempt, draft in legs:
        if attempt.leg in tried:
            tried.clear()
            begin = free
        tried.add(attempt.leg)
        took = round(1000 * attempt.ms) if 0 <= attempt.ms < 1e9 else 0
        draft.start = begin if attempt.leg in _FIRST else free
        draft.close(draft.start + took)
        free = max(free, draft.start + took)
    for _, draft in legs:
        assert draft.end is not None
        draft.start, draft.end = (max(start, at + end - free) for at in (draft.start, draft.end))
