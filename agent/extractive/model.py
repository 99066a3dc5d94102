"""ExtractiveModel: the offline mode, behind the same interface as a language model."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from pincite.agent.extractive.conversation import NOTHING, View, call_key, view
from pincite.agent.extractive.planning import Reply, plan
from pincite.agent.extractive.similarity import BoundedSimilarities, ComparingError, SentenceEncoder
from pincite.agent.extractive.smalltalk import small_talk
from pincite.agent.messages import ModelRequest, ModelTurn, Note, ToolCall, Usage
from pincite.agent.tooling import ANSWER


class ExtractiveModel:
    """Searches, reads, and answers with sentences copied from the passages, or says that it found nothing.

    No language model, no network, no key. Each turn follows from the messages of the request alone.
    `encoder` gives the encoder when sentences are first compared; with None, or once it cannot be loaded,
    fails or hangs, words alone decide, which is said once.
    """

    uses_tokens = False

    def __init__(self, encoder: Callable[[], SentenceEncoder] | None = None) -> None:
        self._similarity = BoundedSimilarities(encoder) if encoder is not None else None

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
        talk = _conversation(request, seen)
        try:
            tool, arguments = talk or self._next(seen, offered, self._prepared(request))
        except ComparingError as error:
            self._similarity = None
            if request.watch is not None:
                request.watch.notify(Note("notice", error.code, f"{error.message}; comparing words only"))
            tool, arguments = self._next(seen, offered, None)
        call = ToolCall(f"x{seen.number}_{seen.calls + 1}", tool, json.dumps(arguments, ensure_ascii=False))
        return ModelTurn(tool_calls=(call,), finish_reason="tool_calls", usage=Usage(0, 0))

    def _next(
        self, seen: View, offered: set[str], similarity: BoundedSimilarities | None
    ) -> tuple[str, dict[str, Any]]:
        """Run the plan over the calls that were made, up to the first that was not."""
        steps = plan(seen.question, seen.earlier, similarity, seen.given)
        try:
            wanted = next(steps)
            while True:
                looked = seen.made.get(call_key(wanted.tool, wanted.arguments))
                if looked is None and wanted.tool in offered:
                    return wanted.tool, wanted.arguments
                wanted = steps.send(looked or NOTHING)
        except StopIteration as stop:
            return ANSWER, _answer(stop.value, seen)

    def _prepared(self, request: ModelRequest) -> BoundedSimilarities | None:
        """The comparison by meaning; it may take half of the time that is left."""
        if self._similarity is not None and request.timeout_s is not None:
            self._similarity.seconds = request.timeout_s / 2
        return self._similarity


def _conversation(request: ModelRequest, seen: View) -> tuple[str, dict[str, Any]] | None:
    """The reply to a message about no document, where such a reply is allowed and was not rejected."""
    answer = next((tool for tool in request.tools if tool.name == ANSWER), None)
    status = answer.parameters.get("properties", {}).get("status", {}) if answer else {}
    if "conversation" not in status.get("enum", ()):
        return None
    for text in small_talk(seen.question, seen.earlier):
        reply = {"statements": [{"citations": [], "text": text}], "status": "conversation"}
        if call_key(ANSWER, reply) not in seen.made:
            return ANSWER, reply
    return None


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
