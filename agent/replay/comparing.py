"""Compares the events of a replay with the recorded ones; what cannot be the same twice is left out."""

from __future__ import annotations

from typing import Any

from pincite.agent.replay.divergence import Divergence
from pincite.transcripts.diff import first_difference
from pincite.transcripts.envelope import written_as
from pincite.transcripts.events import (
    Event,
    ModelRequestEvent,
    SessionResume,
    SessionStart,
    ToolResultEvent,
)
from pincite.transcripts.redact import MARK
from pincite.transcripts.requests import Bodies
from pincite.transcripts.views import items, passages, text

# Times and places of this run, names that come from the tape itself, hashes of what is compared in full.
_NEVER = {"v", "seq", "id", "parent", "time", "mono_us", "redacted"}
_NEVER |= {written_as(name) for name in ("ms", "model", "text_ref", "session", "bodies", "tool_bodies")}
_IN_REQUESTS = {written_as(name) for name in ("same", "of", "messages", "tools")}
_MESSAGES, _TOOLS = written_as("messages"), written_as("tools")
_TIMED = {written_as("timeout_s")}
_COUNTED = {written_as(name) for name in ("tokens", "tokens_before", "tokens_after")}
_LEFT, _TOTALS, _ANSWER = written_as("left"), written_as("totals"), written_as("answer")
_TOKENS = ("input_tokens", "output_tokens", "cost")
# Where quoted words stand is counted from the whole text of their passage.
_PLACES = frozenset({"span", "page", "page_end", "line", "page_label", "page_end_label", "anchor"})


class Comparer:
    """Takes pairs of events in order.

    `timed` says that times are the same in a replay, `counted` that numbers of tokens are. `marked`: secrets
    were taken out, and what stands behind their marks in a passage stands elsewhere.
    """

    def __init__(self, *, timed: bool, counted: bool, marked: bool = False) -> None:
        self._marked = marked
        self._left_out = _NEVER | (set() if timed else _TIMED) | (set() if counted else _COUNTED)
        self._inside = frozenset((() if timed else ("seconds",)) + (() if counted else _TOKENS))
        self._recorded, self._replayed = Bodies(), Bodies()
        self._shortened: set[str] = set()

    def difference(self, recorded: Event, replayed: Event) -> Divergence | None:
        """How the replayed event differs from the recorded one."""
        self._recorded.take(recorded)
        self._replayed.take(replayed)
        if isinstance(recorded, ToolResultEvent):
            # A secret was taken out of these: what stands behind it stood elsewhere.
            shown = passages(recorded.result)
            self._shortened |= {passage.handle for passage in shown if MARK in passage.text}
        if isinstance(recorded, SessionStart | SessionResume) and recorded.kind == replayed.kind:
            return None
        one, other = self._json(recorded), self._json(replayed)
        if isinstance(recorded, ModelRequestEvent) and isinstance(replayed, ModelRequestEvent):
            one, other = self._requests(recorded, one, replayed, other)
        found = first_difference(one, other)
        if found is None:
            return None
        return Divergence(recorded.seq, recorded.kind, found.path, found.recorded, found.replayed)

    def _json(self, event: Event) -> dict[str, Any]:
        data = event.model_dump(
            mode="json", by_alias=True, exclude_none=True, exclude={"bodies", "tool_bodies"}
        )
        kept = {name: value for name, value in data.items() if name not in self._left_out}
        for name in (_LEFT, _TOTALS):
            if isinstance(kept.get(name), dict):
                kept[name] = self._without(kept[name])
        answer = kept.get(_ANSWER)
        if isinstance(answer, dict):
            kept[_ANSWER] = {key: value for key, value in answer.items() if key != "transcript"}
            if self._marked:
                kept[_ANSWER]["statements"] = _without_places(answer.get("statements"))
            if isinstance(answer.get("usage"), dict):
                kept[_ANSWER]["usage"] = self._without(answer["usage"])
            if self._shortened:
                kept[_ANSWER]["statements"] = [self._unplaced(one) for one in items(answer, "statements")]
        return kept

    def _unplaced(self, statement: dict[str, Any]) -> dict[str, Any]:
        """A statement without the places that its citations have in passages that are not whole."""
        citations = [
            {key: value for key, value in one.items() if key not in _PLACES}
            if text(one, "handle") in self._shortened
            else one
            for one in items(statement, "citations")
        ]
        return {**statement, "citations": citations}

    def _without(self, values: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in values.items() if name not in self._inside}

    def _requests(
        self,
        recorded: ModelRequestEvent,
        one: dict[str, Any],
        replayed: ModelRequestEvent,
        other: dict[str, Any],
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Messages and tools in full, unless they are the same."""
        one = {name: value for name, value in one.items() if name not in _IN_REQUESTS}
        other = {name: value for name, value in other.items() if name not in _IN_REQUESTS}
        schemas = self._recorded.tools(recorded), self._replayed.tools(replayed)
        if recorded.tools != replayed.tools or schemas[0] != schemas[1]:
            one = {_TOOLS: schemas[0], **one}
            other = {_TOOLS: schemas[1], **other}
        same = self._recorded.names(recorded) == self._replayed.names(replayed)
        # The hash of a body that somebody edited says nothing any more.
        if not same or self._recorded.new(recorded) != self._replayed.new(replayed):
            one = {_MESSAGES: self._recorded.messages(recorded), **one}
            other = {_MESSAGES: self._replayed.messages(replayed), **other}
        return one, other


def _without_places(value: Any) -> Any:
    """Statements without where in its section a quote stands."""
    if isinstance(value, dict):
        return {key: _without_places(item) for key, item in value.items() if key not in {"span", "line"}}
    return [_without_places(item) for item in value] if isinstance(value, list) else value
