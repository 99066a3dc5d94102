"""Puts the messages of model requests together again, from the bodies that were written once."""

from __future__ import annotations

from typing import Any

from pincite.transcripts.events import Event, ModelRequestEvent, ToolResultEvent

Json = dict[str, Any]


class Bodies:
    """Takes the events of a session in order; knows the messages and tools of each request in full."""

    def __init__(self) -> None:
        self._bodies: dict[str, Json] = {}
        self._texts: dict[str, str] = {}
        self._lists: dict[str, list[str]] = {}
        self._tools: dict[str, Json] = {}

    def take(self, event: Event) -> None:
        """Learn what an event brings."""
        if isinstance(event, ToolResultEvent):
            self._texts[event.text_ref] = str(event.result.get("text", ""))
        elif isinstance(event, ModelRequestEvent):
            self._bodies.update(event.bodies)
            self._tools.update(event.tool_bodies)
            self._lists[event.id] = self._lists.get(event.of or "", [])[: event.same] + list(event.messages)

    def names(self, request: ModelRequestEvent) -> list[str]:
        """The hashes of a request's messages."""
        return self._lists.get(request.id, [])

    def messages(self, request: ModelRequestEvent) -> list[Json]:
        """A request's messages in full; one that the transcript lacks is {"missing": hash}."""
        return [self.body(name) for name in self.names(request)]

    def new(self, request: ModelRequestEvent) -> list[Json]:
        """Those of a request's messages that the request before did not have, in full."""
        return [self.body(name) for name in request.messages]

    def body(self, name: str) -> Json:
        """The message of this hash in full; {"missing": hash} for one that the transcript lacks."""
        return self._whole(self._bodies.get(name, {"missing": name}))

    def lacking(self, request: ModelRequestEvent) -> int:
        """How many of a request's messages and tools the transcript lacks."""
        bodies = [self._bodies.get(name) for name in request.messages]
        lost = sum(body is None or not self._has_content(body) for body in bodies)
        return lost + sum(name not in self._tools for name in request.tools)

    def tools(self, request: ModelRequestEvent) -> list[Json]:
        """The schemas that a request offered."""
        return [self._tools.get(name, {"missing": name}) for name in request.tools]

    def _has_content(self, body: Json) -> bool:
        return "content_ref" not in body or str(body["content_ref"]) in self._texts

    def _whole(self, body: Json) -> Json:
        """A body with its content put in where it was referred to."""
        if "content_ref" not in body:
            return body
        rest = {key: value for key, value in body.items() if key != "content_ref"}
        return {**rest, "content": self._texts.get(str(body["content_ref"]))}
