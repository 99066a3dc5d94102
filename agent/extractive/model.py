"""ExtractiveModel: the offline mode, behind the same interface as a language model."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from pincite.agent.extractive.conversation import NOTHING, View, call_key, view
from pincite.agent.extractive.planning import Reply, plan
from pincite.agent.extractive.similarity import SentenceEncoder, Similarities
from pincite.agent.messages import ModelRequest, ModelTurn, Note, ToolCall, Usage
from pincite.agent.tooling import ANSWER
from pincite.errors import PinciteError


class ExtractiveModel:
    """Searches, reads, and answers with sentences copied from the passages, or says that it found nothing.

    No language model, no network, no key. Each turn follows from the messages of the request alone.
    `encoder` gives the encoder when sentences are first compared; with None, or where it cannot be loaded,
    words alone decide.
    """

    def __init__(self, encoder: Callable[[], SentenceEncoder] | None = None) -> None:
        self._load = encoder
        self._similarity: Similarities | None = None

    @property
    def name(self) -> str:
        """What the output calls it."""
        return "extractive"

    def respond(self, request: ModelRequest) -> ModelTurn:
        """The next call: a look-up that is still needed and on offer, or the answer."""
        seen = view(request.messages)
        offered = {tool.name for tool in request.tools}
        if request.tool_choice not in ("auto", "required", "none"):
            offered &= {request.tool_choice}
        tool, arguments = self._next(seen, offered, self._prepared(request))
        call = ToolCall(f"x{seen.number}_{seen.calls + 1}", tool, json.dumps(arguments, ensure_ascii=False))
        return ModelTurn(tool_calls=(call,), finish_reason="tool_calls", usage=Usage(0, 0))

    def _next(
        self, seen: View, offered: set[str], similarity: Similarities | None
    ) -> tuple[str, dict[str, Any]]:
        """Run the plan over the calls that were made, up to the first that was not."""
        steps = plan(seen.question, seen.earlier, similarity)
        try:
            wanted = next(steps)
            while True:
                looked = seen.made.get(call_key(wanted.tool, wanted.arguments))
                if looked is None and wanted.tool in offered:
                    return wanted.tool, wanted.arguments
                wanted = steps.send(looked or NOTHING)
        except StopIteration as stop:
            return ANSWER, _answer(stop.value, seen)

    def _prepared(self, request: ModelRequest) -> Similarities | None:
        """The comparison by meaning; None where there is no encoder, which is said once."""
        if self._similarity is None and self._load is not None:
            try:
                self._similarity = Similarities(self._load())
            except PinciteError as error:
                self._load = None
                if request.watch is not None:
                    request.watch.notify(Note("notice", error.code, f"{error.message}; comparing words only"))
        return self._similarity


def _answer(reply: Reply, seen: View) -> dict[str, Any]:
    """The answer's arguments; after a rejection, statements that say no more than their quotes, then none."""
    full = _arguments(reply)
    if call_key(ANSWER, full) not in seen.made:
        return full
    bare = full | {
        "statements": [
            statement.to_arguments() | {"text": " … ".join(statement.quotes)}
            for statement in reply.statements
        ]
    }
    if call_key(ANSWER, bare) not in seen.made:
        return bare
    return {"statements": [], "status": "not_found"}


def _arguments(reply: Reply) -> dict[str, Any]:
    arguments: dict[str, Any] = {"statements": [statement.to_arguments() for statement in reply.statements]}
    if reply.unanswered and reply.statements:
        arguments["unanswered"] = list(reply.unanswered)
    return arguments | {"status": reply.status}
