"""Runs the calls of a question, or refuses one with a plain error; never raises for what a model sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pincite.agent.budget import Meter
from pincite.agent.messages import ToolSchemaLike
from pincite.agent.parse import canonical, fit, unwrapped
from pincite.agent.patient import PatientCalls
from pincite.agent.reading import Call
from pincite.agent.tooling import ANSWER, CONTENTS, READ, SEARCH, refusal
from pincite.prompts import load
from pincite.tools.result import ToolResult

# Results after which the same call would bring the same again.
_SETTLED = frozenset({"no_match"})
# Errors that say nothing about the documents.
OUTAGES = frozenset({"search_unavailable", "index_empty", "internal", "timeout"})


@dataclass(frozen=True, slots=True)
class Accepted:
    """A call that may be made: the tool and the arguments that its schema knows."""

    tool: str
    arguments: dict[str, Any]
    key: str


@dataclass(slots=True)
class Dispatcher:
    """The calls of one question: what is refused, what was called already, what was new.

    `schemas` are those of every tool by name. `meters` count what is spent; the first is the question's.
    `worked` says that a search or a reading did, `failed` that a tool broke down.
    """

    tools: PatientCalls
    schemas: Mapping[str, ToolSchemaLike]
    meters: tuple[Meter, ...]
    seen: set[str] = field(default_factory=set)
    looked: bool = False
    worked: bool = False
    failed: bool = False
    _called: dict[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    _contents: set[str] = field(default_factory=set)

    def admit(self, call: Call) -> Accepted | ToolResult:
        """The call as it will be made, or the error that the model gets instead."""
        tool = call.tool or call.name
        if call.tool != ANSWER and any(meter.left("tool_calls") == 0 for meter in self.meters):
            return refusal(tool, "budget_spent", load("budget_spent", what="tool calls").text)
        if call.tool != ANSWER:
            self._spend("tool_calls")
        if call.repeats is not None:
            return refusal(tool, "duplicate_call_id", load("duplicate_call_id", id=call.repeats).text)
        if call.tool is None:
            names = ", ".join(self.schemas)
            return refusal(tool, "unknown_tool", load("unknown_tool", name=call.name[:64], tools=names).text)
        if call.arguments is None:
            return self._unreadable(call.tool, call)
        schema = self.schemas[call.tool].parameters
        arguments = fit(unwrapped(call.tool, call.arguments, schema), schema)
        accepted = Accepted(call.tool, arguments, f"{call.tool} {canonical(arguments)}")
        if call.tool == ANSWER:
            return accepted
        if accepted.key in self._called:
            handles = self._called[accepted.key][1]
            named = f" ({', '.join(handles)})" if handles else ""
            return refusal(tool, "already_called", load("already_called", handles=named).text, handles)
        if call.tool == SEARCH and any(meter.left("searches") == 0 for meter in self.meters):
            return refusal(tool, "budget_spent", load("budget_spent", what="searches").text)
        return accepted

    def run(self, call: Call, accepted: Accepted) -> tuple[ToolResult, bool]:
        """Make the call; the result, and whether it brought a passage or contents not seen before."""
        result = self.tools.call(accepted.tool, accepted.arguments, self._seconds())
        ran = result.error is None or result.error.code != "bad_arguments"
        self.looked = self.looked or ran
        if ran and accepted.tool == SEARCH:
            self._spend("searches")
        settled = result.error is None or result.error.code in _SETTLED
        self.worked = self.worked or (settled and accepted.tool in {SEARCH, READ})
        self.failed = self.failed or (result.error is not None and result.error.code in OUTAGES)
        if settled:
            self._called[accepted.key] = (call.id, result.handles)
        new = set(result.handles) - self.seen
        self.seen |= new
        contents = accepted.tool == CONTENTS and result.error is None and accepted.key not in self._contents
        if contents:
            self._contents.add(accepted.key)
        return result, bool(new) or contents

    def give(self, call: Call, accepted: Accepted) -> tuple[ToolResult, bool]:
        """Make a call of the loop's own; one that fails is as if it had not been made."""
        result = self.tools.call(accepted.tool, accepted.arguments, self._seconds())
        if result.error is not None:
            return result, False
        self._spend("tool_calls")
        self.looked = self.worked = True
        self._called[accepted.key] = (call.id, result.handles)
        new = set(result.handles) - self.seen
        self.seen |= new
        return result, bool(new)

    def forget(self, call_ids: Iterable[str]) -> None:
        """The results of these calls no longer stand in the request: they may be asked for again."""
        gone = set(call_ids)
        self._called = {key: entry for key, entry in self._called.items() if entry[0] not in gone}

    def _seconds(self) -> float | None:
        left = [meter.seconds_left for meter in self.meters if meter.seconds_left is not None]
        return min(left, default=None)

    def _spend(self, name: str) -> None:
        for meter in self.meters:
            setattr(meter, name, getattr(meter, name) + 1)

    def _unreadable(self, tool: str, call: Call) -> ToolResult:
        if call.cut:
            return refusal(tool, "bad_arguments", load("cut_arguments", tool=tool).text)
        return refusal(tool, "bad_arguments", load("bad_arguments", tool=tool, problem=call.problem).text)
