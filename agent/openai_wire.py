"""Chat-completions JSON to and from the loop's values, taking whatever shape a server gives it."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pincite.agent.messages import Message, ModelRequest, ModelTurn, ToolCall, ToolSchemaLike, Usage
from pincite.agent.model import ModelError
from pincite.agent.tooling import ANSWER

Json = dict[str, Any]


def request_json(request: ModelRequest, model: str) -> Json:
    """The body of a chat-completions request."""
    body: Json = {
        "model": model,
        "messages": [message_json(message) for message in request.messages],
        "temperature": 0,
    }
    if request.tools:
        body["tools"] = [tool_json(tool) for tool in request.tools]
        body["tool_choice"] = choice_json(request.tool_choice, request.tools)
    if request.max_output_tokens is not None:
        body["max_tokens"] = max(1, request.max_output_tokens)
    return body


def message_json(message: Message) -> Json:
    """One message as the wire has it."""
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.tool_call_id, "content": message.text}
    if not message.tool_calls:
        return {"role": message.role, "content": message.text}
    calls = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for call in message.tool_calls
    ]
    return {"role": message.role, "content": message.text or None, "tool_calls": calls}


def tool_json(tool: ToolSchemaLike) -> Json:
    """A tool as the wire has it."""
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}


def choice_json(choice: str, tools: Sequence[ToolSchemaLike]) -> Any:
    """The tool choice as the wire has it; a tool that is not offered cannot be forced."""
    if choice in {tool.name for tool in tools}:
        return {"type": "function", "function": {"name": choice}}
    return choice if choice in {"auto", "required", "none"} else "auto"


def turn_from_json(body: Any) -> ModelTurn:
    """The first choice of a response body; `ModelError` bad_response when there is none."""
    if not isinstance(body, dict):
        raise ModelError("the response is not a JSON object", code="bad_response")
    choices = body.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        raise ModelError("the response holds no choices", code="bad_response")
    message = choice.get("message")
    if not isinstance(message, dict):
        if not isinstance(choice.get("text"), str):
            raise ModelError("the response holds no message", code="bad_response")
        message = {"content": choice["text"]}
    text, refused = _content(message.get("content"))
    refusal = message.get("refusal")
    return ModelTurn(
        content=text,
        tool_calls=_calls(message),
        finish_reason=_text(choice.get("finish_reason")) or None,
        refusal=refusal if isinstance(refusal, str) and refusal else refused or None,
        usage=usage_from_json(body.get("usage")),
        raw=body,
    )


def usage_from_json(usage: Any) -> Usage | None:
    """Token counts under their names of today or before; None when one is missing."""
    if not isinstance(usage, dict):
        return None
    read = _count(usage, "prompt_tokens", "input_tokens")
    written = _count(usage, "completion_tokens", "output_tokens")
    if read is None or written is None:
        return None
    details = usage.get("prompt_tokens_details") or usage.get("input_tokens_details")
    cached = _count(details, "cached_tokens") if isinstance(details, dict) else None
    return Usage(read, written, min(read, cached or 0))


@dataclass(slots=True)
class Written:
    """What a stream has brought so far: its body and (milliseconds, characters) of each chunk."""

    body: StreamedBody
    chunks: list[tuple[float, int]] = field(default_factory=list)

    def turn(self) -> ModelTurn | None:
        """The turn as far as it goes; None before it has begun. May be asked from another thread."""
        if not self.body.chunks:
            return None
        return replace(turn_from_json(copy.deepcopy(self.body.body())), chunks=tuple(self.chunks))


class StreamedBody:
    """Puts the chunks of a stream together into the body that would have come in one piece."""

    def __init__(self) -> None:
        self._content: list[str] = []
        self._refusal: list[str] = []
        self._calls: list[Json] = []
        self._by_index: dict[Any, int] = {}
        self._usage: Any = None
        self._rest: Json = {}
        self.finish_reason: str | None = None
        self.chunks = 0

    def add(self, chunk: Any) -> None:
        """Take one chunk; what has no known shape is passed over."""
        if not isinstance(chunk, dict):
            return
        self.chunks += 1
        self._rest |= {key: chunk[key] for key in ("id", "model") if key in chunk}
        self._usage = chunk.get("usage") or self._usage
        choices = chunk.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            return
        self.finish_reason = _text(choice.get("finish_reason")) or self.finish_reason
        delta = choice.get("delta") or choice.get("message")
        if not isinstance(delta, dict):
            return
        self._content.append(_content(delta.get("content"))[0])
        self._refusal.append(_text(delta.get("refusal")))
        for call in delta.get("tool_calls") or ():
            if isinstance(call, dict):
                self._add_call(call)

    def answer_text(self) -> str:
        """What was written so far of the first call of `answer`, or of an action in JSON."""
        if not self._calls:
            text = "".join(self._content)
            return text if text.lstrip().startswith("{") else ""
        functions = (call["function"] for call in self._calls)
        return next((str(one["arguments"]) for one in functions if one["name"] == ANSWER), "")

    def body(self) -> Json:
        """The whole."""
        message = {"role": "assistant", "content": "".join(self._content), "tool_calls": self._calls}
        refusal = "".join(self._refusal)
        if refusal:
            message["refusal"] = refusal
        choice = {"index": 0, "message": message, "finish_reason": self.finish_reason}
        return {**self._rest, "choices": [choice], "usage": self._usage}

    def _add_call(self, part: Json) -> None:
        """Take a piece of a call: the one with its number, or the last one where it has none.

        Some servers number every call 0 or give no number: another id, or a name behind complete arguments,
        begins another call. A name may come in pieces, or again and again.
        """
        index = part.get("index")
        function = part.get("function") if isinstance(part.get("function"), dict) else {}
        assert isinstance(function, dict)
        name, given = _text(function.get("name")), _text(part.get("id"))
        arguments = _arguments(function.get("arguments"))
        at = self._by_index.get(index)
        if at is None and index is None and not (name and given) and self._calls:
            at = len(self._calls) - 1
        current = None if at is None else self._calls[at]
        if current is None or self._begins_another(current, given, name, arguments):
            self._by_index[index] = len(self._calls)
            current = {"id": given, "type": "function", "function": {"name": "", "arguments": ""}}
            self._calls.append(current)
        known = current["function"]
        current["id"] = current["id"] or given
        if name != known["name"] and not known["arguments"]:
            known["name"] += name
        known["arguments"] += arguments

    @staticmethod
    def _begins_another(current: Json, given: str, name: str, arguments: str) -> bool:
        if given and current["id"] and given != current["id"]:
            return bool(name)
        return bool(name and arguments) and _is_object(current["function"]["arguments"])


def _calls(message: Json) -> tuple[ToolCall, ...]:
    calls = message.get("tool_calls")
    found = [_call(call) for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
    legacy = message.get("function_call")
    if not found and isinstance(legacy, dict):
        found = [_call({"function": legacy})]
    return tuple(found)


def _call(call: Json) -> ToolCall:
    function = call.get("function")
    if not isinstance(function, dict):
        function = call
    return ToolCall(_text(call.get("id")), _text(function.get("name")), _arguments(function.get("arguments")))


def _arguments(value: Any) -> str:
    """Raw text; some servers send the object itself."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)


def _is_object(text: str) -> bool:
    """Whether these arguments are complete."""
    try:
        return text.rstrip().endswith("}") and isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _content(value: Any) -> tuple[str, str]:
    """(text, refusal) of a content that is text, null, or a list of parts."""
    if isinstance(value, str):
        return value, ""
    if not isinstance(value, list):
        return "", ""
    parts = [part for part in value if isinstance(part, dict)]
    text = "".join(_text(part.get("text")) for part in parts)
    return text, "".join(_text(part.get("refusal")) for part in parts)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _count(counts: Json, *names: str) -> int | None:
    for name in names:
        value = counts.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
    return None
