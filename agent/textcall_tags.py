"""Calls between tags and special tokens: one reader for the dialects of local servers.

Tags of a few forms carry name and arguments themselves (<function=…>, <invoke name="…">, <arg_key>). All
others only surround calls, whatever they are called: <tool_call>, [TOOL_CALLS], <|python_tag|>,
<|START_ACTION|> and so on. What stands between them is read as JSON, as a name before JSON, or as Python.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_MOST_ESCAPED = 4_000
_NAME = r"[\w.-]{1,64}"


@dataclass(frozen=True, slots=True)
class TextCall:
    """A call found in text; `arguments` is JSON text, as in a native call."""

    name: str
    arguments: str


Reader = Callable[[str], list[TextCall]]

_FUNCTION = re.compile(rf"<function=({_NAME})>\s*(.*?)\s*(?:</function>|(?=<function=)|\Z)", re.DOTALL)
_PARAMETER = re.compile(rf"<parameter=({_NAME})>\n?(.*?)\n?</parameter>", re.DOTALL)
_INVOKE = re.compile(
    rf"<[\w:｜|▁]{{0,24}}invoke\s+name=[\"']({_NAME})[\"'][^>]{{0,80}}>(.*?)(?:</[\w:｜|▁]{{0,24}}invoke>|\Z)",
    re.DOTALL,
)
_NAMED_PARAMETER = re.compile(
    rf"<[\w:｜|▁]{{0,24}}parameter\s+name=[\"']({_NAME})[\"'][^>]{{0,80}}>\n?(.*?)\n?</[\w:｜|▁]{{0,24}}parameter>",
    re.DOTALL,
)
_GLM = re.compile(r"<arg_key>\s*(.*?)\s*</arg_key>\s*<arg_value>(.*?)</arg_value>", re.DOTALL)
_GLM_CALL = re.compile(
    rf"<tool_call>\s*({_NAME})\s*(<arg_key>.*?)(?:</tool_call>|(?=<tool_call>)|\Z)", re.DOTALL
)
_HARMONY = re.compile(
    rf"\bto=({_NAME})[^<]{{0,40}}(?:<\|(?!message)\w+\|>[^<]{{0,40}}){{0,4}}"
    r"<\|message\|>(.*?)(?:<\|(?:call|end)\|>|\Z)",
    re.DOTALL,
)
_RECIPIENT = re.compile(
    rf"<\|recipient\|>\s*({_NAME})\s*<\|content\|>(.*?)(?=<\|(?:from|stop|recipient)\|>|\Z)", re.DOTALL
)
_ARROWS = re.compile(rf"^>>>({_NAME})\n(.*?)(?=^>>>|\Z)", re.DOTALL | re.MULTILINE)
# What is no tool in the two dialects above: the user.
_TO_ALL = frozenset({"all", "user"})

_TOKEN = re.compile(r"<[/|｜]{0,2}([A-Za-z_:▁-]{1,48})[/|｜]{0,2}>|\[/?([A-Z_]{4,24})\]")
_AROUND = re.compile(r"tool|call|function|action|python|plugin", re.IGNORECASE)
_INSIDE = re.compile(r"sep|arg|param|message|content|name", re.IGNORECASE)
_ENDS = re.compile(r"eo[mt]_id|im_end|end_of_turn|eos|stop", re.IGNORECASE)
_BREAK = "\x00"
_CALL_ID = re.compile(r"\[CALL_ID\][\w-]*")
# A name in front of its arguments, also as functions.name:0 or behind the word "function".
_NAME_FIRST = re.compile(rf"(?:function\s*\n\s*)?({_NAME})(?::\d{{1,4}})?\s*(?=\{{|```)", re.DOTALL)
# FunctionGemma: call:name{key:<escape>text<escape>}
_ESCAPED = re.compile(rf"call:({_NAME})(\{{.*<escape>.*\}})\Z", re.DOTALL)
_KEY = re.compile(r"([{,]\s*)(\w{1,64})\s*:(?=(?:[^\"]*\"[^\"]*\")*[^\"]*\Z)")
_FENCE = re.compile(r"```[a-zA-Z_]*\s*\n?(.*?)(?:```|\Z)", re.DOTALL)


def tagged_calls(text: str, read: Reader) -> list[TextCall]:
    """The calls in the tags of `text`, [] without such tags; `read` reads calls in JSON or Python."""
    for dialect in (_invoked, _functions, _glm, _addressed):
        found = list(dialect(text))
        if found:
            return found
    return [call for part in _between(text) for call in _part(part, read)]


def _invoked(text: str) -> Iterator[TextCall]:
    """The tags of Anthropic's, MiniMax's, Step's and DeepSeek's later models."""
    for match in _INVOKE.finditer(text) if "invoke" in text else ():
        pairs = {found[1]: found[2] for found in _NAMED_PARAMETER.finditer(match[2])}
        yield TextCall(match[1], json.dumps(pairs) if pairs else match[2].strip())


def _functions(text: str) -> Iterator[TextCall]:
    """<function=name> with JSON or with <parameter=…> in it."""
    for match in _FUNCTION.finditer(text) if "<function=" in text else ():
        pairs = {found[1]: found[2] for found in _PARAMETER.finditer(match[2])}
        yield TextCall(match[1], json.dumps(pairs) if pairs else match[2])


def _glm(text: str) -> Iterator[TextCall]:
    for match in _GLM_CALL.finditer(text) if "<arg_key>" in text else ():
        yield TextCall(match[1], json.dumps({found[1]: found[2] for found in _GLM.finditer(match[2])}))


def _addressed(text: str) -> Iterator[TextCall]:
    """Messages that name who gets them."""
    patterns = [_HARMONY] if "<|message|>" in text else []
    patterns += [_RECIPIENT] if "<|recipient|>" in text else []
    patterns += [_ARROWS] if text.startswith(">>>") or "\n>>>" in text else []
    for pattern in patterns:
        for match in pattern.finditer(text):
            if match[1] not in _TO_ALL and match[2].strip()[:1] in {"{", "["}:
                yield TextCall(match[1], match[2].strip())


def _between(text: str) -> list[str]:
    """What stands behind the first tag, split at the others; separators inside a call become line ends."""
    tags = 0

    def put(match: re.Match[str]) -> str:
        nonlocal tags
        name = match[1] or match[2]
        if _INSIDE.search(name):
            return "\n"
        if _AROUND.search(name):
            tags += 1
            return _BREAK
        return _BREAK if _ENDS.search(name) else match[0]

    marked = _TOKEN.sub(put, _CALL_ID.sub("", text))
    return marked.split(_BREAK)[1:] if tags else []


def _part(part: str, read: Reader) -> list[TextCall]:
    part = part.strip().removesuffix(";")
    escaped = _ESCAPED.match(part) if len(part) < _MOST_ESCAPED else None
    if escaped:
        return [TextCall(escaped[1], _KEY.sub(r'\1"\2":', escaped[2].replace("<escape>", '"')))]
    calls = read(part)
    if calls or not part:
        return calls
    named = _NAME_FIRST.match(part)
    if named:
        rest = part[named.end() :]
        fenced = _FENCE.match(rest)
        return [TextCall(named[1], (fenced[1] if fenced else rest).strip())]
    return [call for fenced in _FENCE.finditer(part) for call in read(fenced[1].strip())]
