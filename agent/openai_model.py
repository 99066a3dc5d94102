"""Any OpenAI-compatible chat-completions endpoint: hosted, Ollama, vLLM, llama.cpp and others."""

from __future__ import annotations

import os
import re
import time
from typing import Literal
from urllib.parse import urlsplit

from pincite.agent.clock import Clock, SystemClock
from pincite.agent.json_action import FORMATS, MAX_TOKENS, as_calls, plain_messages, response_format
from pincite.agent.messages import ModelRequest, ModelTurn, Note, Watch
from pincite.agent.model import ModelError
from pincite.agent.modes import Mode, recall, remember
from pincite.agent.openai_endpoint import Endpoint
from pincite.agent.openai_errors import named_parameter
from pincite.agent.openai_wire import Json, request_json
from pincite.agent.retrying import Retries
from pincite.agent.textcalls import find_calls
from pincite.errors import UsageError

DEFAULT_BASE_URL = "https://api.openai.com/v1"
# What a server may refuse to know; left out from then on, with a notice.
_REMOVABLE = ("temperature", "tool_choice", "stream_options", "max_completion_tokens", "max_tokens")
_FORMAT = re.compile(r"response_format|json_schema|json_object|grammar|schema", re.IGNORECASE)
# So many turns without a call, and never one with, say that a model has no native tool calls.
_SILENT_TURNS = 2


class OpenAIModel:
    """A model behind a chat-completions endpoint.

    `base_url` and `api_key` default to OPENAI_BASE_URL and OPENAI_API_KEY. The key is never part of an
    error or a transcript. With `stream`, the turn is read as it is written; it is used whole either way.
    `mode` is "tools" for native tool calls, "json" for one JSON object a turn, or "auto": tools until the
    server refuses them or the first turns hold no call; that the JSON mode works is remembered.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        stream: bool = False,
        mode: Literal["auto", "tools", "json"] = "auto",
        clock: Clock | None = None,
    ) -> None:
        self._model = model
        self._clock = clock or SystemClock()
        base_url = base_url or os.environ.get("OPENAI_BASE_URL") or DEFAULT_BASE_URL
        self._key = api_key or os.environ.get("OPENAI_API_KEY") or ""
        self._endpoint = Endpoint(base_url, self._key, self._clock)
        self._stream = stream
        self._auto = mode == "auto"
        self._found: Mode | None = recall(self.address, model) if mode == "auto" else mode
        self._silent = 0
        self._formats = list(FORMATS)
        self._removed: set[str] = set()
        self._hosted = self.address == urlsplit(DEFAULT_BASE_URL).netloc
        if not self._key and self._hosted:
            raise UsageError(
                f"the model {model!r} needs an API key",
                code="no_key",
                hint="set OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own",
            )

    @property
    def name(self) -> str:
        """The model's name at its server."""
        return self._model

    @property
    def address(self) -> str:
        """Host and port of the server."""
        return self._endpoint.address

    @property
    def mode(self) -> Mode:
        """How the model is asked to act at the moment."""
        return self._found or "tools"

    @property
    def secrets(self) -> tuple[str, ...]:
        """What a transcript has to take out."""
        return (self._key,) if self._key else ()

    def close(self) -> None:
        """Close the connections that are kept open for the next turn."""
        self._endpoint.close()

    def respond(self, request: ModelRequest) -> ModelTurn:
        """One turn, tried again where that may help and while there is time."""
        left = request.timeout_s
        deadline = None if left is None else self._clock.monotonic() + left
        # The injected clock may stand still while a socket hangs; the machine's does not.
        end = None if left is None else time.monotonic() + left
        retries = Retries(self._clock, deadline, request.watch)
        turn = retries.call(lambda: self._attempt(request, end))
        if self._auto and self.mode == "tools" and request.tools:
            self._learn(request, turn)
        return turn

    def _attempt(self, request: ModelRequest, end: float | None) -> ModelTurn:
        """One attempt, and another at once when the server shows what it does not take."""
        body = self._body(request)
        try:
            turn = self._endpoint.send(body, end, request.watch)
        except ModelError as error:
            if not self._adapts(error, body, request.watch):
                raise
            return self._attempt(request, end)
        if self.mode != "json":
            return turn
        turn = as_calls(turn, request)
        if self._auto and turn.tool_calls:
            remember(self.address, self._model, "json")
        return turn

    def _body(self, request: ModelRequest) -> Json:
        body = request_json(request, self._model)
        if self.mode == "json" and request.tools:
            del body["tools"], body["tool_choice"]
            body["messages"] = plain_messages(request)
            body["max_tokens"] = min(MAX_TOKENS, request.max_output_tokens or MAX_TOKENS)
            wanted = response_format(request, self._formats[0])
            if wanted is not None:
                body["response_format"] = wanted
        if self._stream:
            body |= {"stream": True, "stream_options": {"include_usage": True}}
        if "max_tokens" in body and (self._hosted or "max_tokens" in self._removed):
            body["max_completion_tokens"] = body.pop("max_tokens")
        return {name: value for name, value in body.items() if name not in self._removed}

    def _adapts(self, error: ModelError, body: Json, watch: Watch | None) -> bool:
        """Whether the request can be made in another way that this server may take."""
        if error.code == "no_tools" and self._auto and self.mode == "tools":
            self._switch(watch)
            return True
        if "response_format" in body and error.code != "context_length" and _FORMAT.search(error.message):
            self._formats.pop(0)
            return True
        removed = named_parameter(error, body, _REMOVABLE)
        if removed is None:
            return False
        self._removed.add(removed)
        _tell(watch, "parameter_removed", f"{self.address} does not take {removed}; it is left out")
        return True

    def _learn(self, request: ModelRequest, turn: ModelTurn) -> None:
        """Find out from the first turns whether the model can call tools."""
        fields = {tool.name: frozenset(tool.parameters.get("properties", {})) for tool in request.tools}
        if turn.tool_calls or find_calls(turn.content, fields):
            self._found = "tools"
            remember(self.address, self._model, "tools")
        elif self._found is None and not turn.refusal:
            self._silent += 1
            if self._silent >= _SILENT_TURNS:
                self._switch(request.watch)

    def _switch(self, watch: Watch | None) -> None:
        self._found = "json"
        _tell(watch, "json_mode", f"{self._model} makes no tool calls; it is asked for JSON instead")


def _tell(watch: Watch | None, code: str, text: str) -> None:
    if watch is not None:
        watch.notify(Note("notice", code, text))
