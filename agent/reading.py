"""Turns what a model sent into calls the loop can run and a history any server accepts."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from pincite.agent.messages import Message, ModelTurn, ToolCall
from pincite.agent.parse import BadArgumentsError, clean_text, read_arguments
from pincite.agent.textcalls import find_calls, normal_name

MAX_HISTORY_TEXT = 2_000
MAX_CALLS = 64
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_CUT = frozenset({"length", "max_tokens"})
_FILTERED = frozenset({"content_filter", "safety"})


class Kind(Enum):
    """What a turn is."""

    calls = "calls"
    text = "text"
    cut = "cut"
    refusal = "refusal"


@dataclass(frozen=True, slots=True)
class Call:
    """One call, read. `id` is unique in the session; `tool` is None when no tool has that name.

    `arguments` is None when they could not be read, and `problem` says why; `repeats` is an id that an
    earlier call of the same turn had.
    """

    id: str
    name: str
    tool: str | None
    raw: str
    arguments: dict[str, Any] | None
    problem: str = ""
    cut: bool = False
    repeats: str | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn, read: its calls, or why it has none."""

    kind: Kind
    calls: tuple[Call, ...] = ()
    text: str = ""


@dataclass(slots=True)
class Reader:
    """Reads the turns of one session; keeps call ids unique in it."""

    used: set[str] = field(default_factory=set)
    _next: int = 1

    def read(self, turn: ModelTurn, tools: Mapping[str, frozenset[str]]) -> Turn:
        """The turn's calls. `tools` maps every tool there is, offered or not, to its fields."""
        content = clean_text(turn.content)
        sent = [(call.id, call.name, call.arguments) for call in turn.tool_calls]
        cut = (turn.finish_reason or "") in _CUT
        if not sent:
            sent = [("", call.name, call.arguments) for call in find_calls(content, tools)]
        if sent:
            seen: set[str] = set()
            last = len(sent) - 1
            calls = [self._call(call, cut and at == last, seen, tools) for at, call in enumerate(sent)]
            return Turn(Kind.calls, tuple(calls[:MAX_CALLS]), content)
        if turn.refusal or (turn.finish_reason or "") in _FILTERED:
            return Turn(Kind.refusal, text=content)
        return Turn(Kind.cut if cut else Kind.text, text=content)

    def _call(
        self, sent: tuple[str, str, str], cut: bool, seen: set[str], tools: Mapping[str, frozenset[str]]
    ) -> Call:
        given, name, raw = sent
        repeats = given if given and given in seen else None
        seen.add(given)
        name, raw = clean_text(name), clean_text(raw)
        tool = normal_name(name, tools)
        try:
            arguments = read_arguments(raw, cut=cut)
        except BadArgumentsError as error:
            return Call(self._id(given), name, tool, raw, None, str(error), error.cut, repeats)
        return Call(self._id(given), name, tool, raw, arguments, repeats=repeats)

    def new_id(self) -> str:
        """An id for a call that the loop makes itself."""
        return self._id("")

    def _id(self, given: str) -> str:
        """The model's own id where it is usable and new, else a made one."""
        found = given if _ID.fullmatch(given) and given not in self.used else ""
        while not found or found in self.used:
            found = f"call_{self._next}"
            self._next += 1
        self.used.add(found)
        return found


def as_message(turn: Turn) -> Message:
    """The turn as history: names and arguments in a form that no server chokes on, long texts cut."""
    calls = tuple(ToolCall(call.id, _name(call), _arguments(call)) for call in turn.calls)
    return Message("assistant", _short(turn.text, 2 * MAX_HISTORY_TEXT), tool_calls=calls)


def _name(call: Call) -> str:
    return call.tool or re.sub(r"[^A-Za-z0-9_-]", "_", call.name)[:64] or "unknown"


def _arguments(call: Call) -> str:
    """Valid JSON always: servers fail on anything else in the history."""
    return json.dumps(_shortened(call.arguments or {}), ensure_ascii=False)


def _shortened(value: Any) -> Any:
    if isinstance(value, str):
        return _short(value, MAX_HISTORY_TEXT)
    if isinstance(value, list):
        return [_shortened(item) for item in value[:50]]
    if isinstance(value, dict):
        return {_short(key, 100): _shortened(item) for key, item in list(value.items())[:50]}
    return value


def _short(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]} …"
