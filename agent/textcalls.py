"""Finds tool calls that a model wrote into its text, as local servers leave them there.

Read are: <tool_call>, <function=name>, [TOOL_CALLS], <|python_tag|>, fenced or bare JSON, a Python call, and
the tags of Qwen Coder, GLM and DeepSeek. What the calls say is not trusted more than any other call.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pincite.agent.parse import MAX_DEPTH, BadArgumentsError, read_json

MAX_CALLS = 32
_MAX_TEXT = 200_000
_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_TOOL_CALL = re.compile(r"<tool_call>\s*(.*?)\s*(?:</tool_call>|(?=<tool_call>)|\Z)", re.DOTALL)
_FUNCTION = re.compile(r"<function=([\w.-]{1,64})>\s*(.*?)\s*(?:</function>|(?=<function=)|\Z)", re.DOTALL)
_PARAMETER = re.compile(r"<parameter=([\w.-]{1,64})>\n?(.*?)\n?</parameter>", re.DOTALL)
_GLM = re.compile(r"<arg_key>\s*(.*?)\s*</arg_key>\s*<arg_value>(.*?)</arg_value>", re.DOTALL)
_DEEPSEEK = re.compile(
    r"<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?([\w.-]{1,64})(?:<｜tool▁sep｜>|\s)\s*(.*?)"
    r"(?:<｜tool▁call▁end｜>|\Z)",
    re.DOTALL,
)
_MISTRAL = re.compile(r"\[TOOL_CALLS\]\s*")
_MISTRAL_NAME = re.compile(r"([\w.-]{1,64})\s*(?:\[CALL_ID\]\S*?)?(?:\[ARGS\])?\s*(?=\{)")
_PYTHON_TAG = re.compile(r"<\|python_tag\|>(.*?)(?:<\|eo[mt]_id\|>|\Z)", re.DOTALL)
_FENCE = re.compile(r"```(?:json|tool_call|tool_code|python)?\s*\n(.*?)```", re.DOTALL)
_CALL = re.compile(r"[\w.-]{1,64}\(")
_NAME_FIELDS = ("name", "tool", "tool_name", "function", "action")
_ARGUMENT_FIELDS = ("arguments", "parameters", "args", "input", "action_input")


@dataclass(frozen=True, slots=True)
class TextCall:
    """A call found in text; `arguments` is JSON text, as in a native call."""

    name: str
    arguments: str


def find_calls(content: str, tools: Mapping[str, frozenset[str]]) -> list[TextCall]:
    """The calls in `content`; `tools` maps each tool's name to its fields.

    Tags name a call whatever its tool. Text without tags counts only when all of it (or all of a fenced
    block) is a call of one of `tools`, or is an object with the fields of one and no name.
    """
    text = _THOUGHT.sub(" ", content[:_MAX_TEXT]).strip()
    if not text:
        return []
    tagged = list(_tagged(text))
    if tagged:
        return tagged[:MAX_CALLS]
    for part in (text, *(match[1] for match in _FENCE.finditer(text))):
        calls = [call for call in _bare(part.strip(), tools) if normal_name(call.name, tools) is not None]
        if calls:
            return calls[:MAX_CALLS]
    return []


def normal_name(name: str, tools: Mapping[str, object]) -> str | None:
    """The tool that `name` means: case, blanks, quotes, a "functions." in front and - for _ aside."""
    wanted = _folded(name.strip().rpartition(".")[2])
    for tool in tools:
        if _folded(tool) == wanted and wanted:
            return tool
    return None


def _folded(name: str) -> str:
    return re.sub(r"[\W_]", "", name).casefold()


def _tagged(text: str) -> Iterator[TextCall]:
    """Calls in the tags of one dialect; the first dialect that is there wins."""
    if "<tool_call>" in text:
        for match in _TOOL_CALL.finditer(text):
            yield from _in_tag(match[1])
    elif "<function=" in text:
        yield from (_function(match[1], match[2]) for match in _FUNCTION.finditer(text))
    elif "<｜tool▁call▁begin｜>" in text:
        for match in _DEEPSEEK.finditer(text):
            fenced = _FENCE.search(match[2])
            yield TextCall(match[1], (fenced[1] if fenced else match[2]).strip())
    elif "[TOOL_CALLS]" in text:
        for part in _MISTRAL.split(text)[1:]:
            named = _MISTRAL_NAME.match(part)
            yield from [TextCall(named[1], part[named.end() :].strip())] if named else _objects(part)
    elif "<|python_tag|>" in text:
        for match in _PYTHON_TAG.finditer(text):
            yield from _objects(match[1]) or _python_calls(match[1].strip().replace(".call(", "("))


def _in_tag(body: str) -> list[TextCall]:
    """The calls inside <tool_call>: JSON, Qwen Coder's tags, or GLM's."""
    functions = [_function(match[1], match[2]) for match in _FUNCTION.finditer(body)]
    if functions:
        return functions
    pairs = {match[1]: match[2] for match in _GLM.finditer(body)}
    if pairs:
        return [TextCall(body.partition("<arg_key>")[0].strip(), json.dumps(pairs))]
    return _objects(body)


def _function(name: str, body: str) -> TextCall:
    parameters = {match[1]: match[2] for match in _PARAMETER.finditer(body)}
    return TextCall(name, json.dumps(parameters) if parameters else body)


def _bare(text: str, tools: Mapping[str, frozenset[str]]) -> list[TextCall]:
    """Calls in text that is nothing but calls."""
    if text[:1] in {"{", "["}:
        calls = _objects(text)
        if calls:
            return calls
        value = _value(text)
        if isinstance(value, dict):
            owner = _owner(set(value), tools)
            return [TextCall(owner, text)] if owner else []
    return _python_calls(text)


def _owner(fields: set[str], tools: Mapping[str, frozenset[str]]) -> str | None:
    """The only tool that knows all of an object's fields."""
    owners = [name for name, known in tools.items() if fields and fields <= known]
    return owners[0] if len(owners) == 1 else None


def _objects(text: str) -> list[TextCall]:
    """The named calls in a JSON object, a list of them, or several in a row."""
    text = text.strip()
    value = _value(text)
    if value is None:
        lines = [_value(line) for line in text.splitlines() if line.strip()][:MAX_CALLS]
        value = lines if lines and all(isinstance(line, dict) for line in lines) else None
    items = value if isinstance(value, list) else [value]
    calls = [_named(item) for item in items if isinstance(item, dict)]
    found = [call for call in calls if call is not None]
    return found if len(found) == len(items) else []


def _named(item: dict[str, Any]) -> TextCall | None:
    """{"name": …, "arguments": …} in its variants, also inside {"type": "function", "function": …}."""
    inner = item.get("function")
    if isinstance(inner, dict):
        item = inner
    name_field = next((field for field in _NAME_FIELDS if isinstance(item.get(field), str)), None)
    if name_field is None:
        return None
    field = next((field for field in _ARGUMENT_FIELDS if field in item), None)
    arguments = item[field] if field else {key: item[key] for key in item if key != name_field}
    return TextCall(item[name_field], arguments if isinstance(arguments, str) else json.dumps(arguments))


def _python_calls(text: str) -> list[TextCall]:
    """search(query="…"), alone or in a list; keyword arguments with literal values only."""
    if not _CALL.match(text.lstrip("[")) or len(text) > 20_000 or _deep(text):
        return []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text, mode="eval").body
        items = tree.elts if isinstance(tree, ast.List) else [tree]
        return [_python_call(item) for item in items]
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return []


def _python_call(item: ast.expr) -> TextCall:
    if not isinstance(item, ast.Call) or item.args or any(word.arg is None for word in item.keywords):
        raise ValueError("not a call with keyword arguments only")
    arguments = {str(word.arg): ast.literal_eval(word.value) for word in item.keywords}
    return TextCall(ast.unparse(item.func), json.dumps(arguments))


def _deep(text: str) -> bool:
    return sum(sign in "([{-+~" for sign in text) > 4 * MAX_DEPTH


def _value(text: str) -> Any:
    """The JSON value that `text` is, or None."""
    try:
        value = read_json(text)
    except BadArgumentsError:
        return None
    return value if text.strip() else None
