"""Finds tool calls that a model wrote into its text, as local servers leave them there.

Read are the tags and special tokens of many dialects, fenced or bare JSON, ReAct's lines, and Python calls.
What the calls say is not trusted more than any other call.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Mapping
from typing import Any

from pincite.agent.parse import MAX_DEPTH, BadArgumentsError, read_json
from pincite.agent.textcall_tags import TextCall, tagged_calls

MAX_CALLS = 32
_MAX_TEXT = 200_000
_MOST_READ = 20_000
_THOUGHT = re.compile(
    r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)|\A(?:(?!<think).)*?</think(?:ing)?>",
    re.DOTALL | re.IGNORECASE,
)
# A fenced block, or one between <code> tags as small agents are taught to write.
_FENCE = re.compile(r"(?:```[a-zA-Z_]*[ \t]*\n?|<code>)(.*?)(?:```|</code>|\Z)", re.DOTALL)
_REACT = re.compile(
    r"^Action\s*:\s*([\w.-]{1,64})\s*\n\s*Action[ _]Input\s*:\s*(.*?)"
    r"(?=\n\s*(?:Observation|Thought|Action)\s*:|\Z)",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
_NAME_LINE = re.compile(r"\A([\w.-]{1,64})\s*\n\s*(?=\{)")
_LAST_OBJECT = re.compile(r"\n[ \t]*(?=[\[{])")
_CALL = re.compile(r"(?:\w{1,64}\s*=\s*|print\(|await\s+|\[\s*)*[\w.-]{1,64}\(")
_NAME_FIELDS = ("name", "tool", "tool_name", "function", "function_name", "action")
_ARGUMENT_FIELDS = ("arguments", "parameters", "args", "params", "input", "tool_input", "action_input")
_WRAPPERS = ("tool_calls", "tool_call", "function_call", "calls", "actions")


def without_thoughts(text: str) -> str:
    """The text without what a model marked as thinking."""
    return _THOUGHT.sub("", text)


def find_calls(content: str, tools: Mapping[str, frozenset[str]]) -> list[TextCall]:
    """The calls in `content`; `tools` maps each tool's name to its fields.

    Tags name a call whatever its tool. Text without tags counts only when all of it, a fenced block, or the
    JSON that it ends with is a call of one of `tools`, or when it is an object with the fields of one.
    """
    text = _THOUGHT.sub(" ", content[:_MAX_TEXT]).strip()
    if not text:
        return []
    tagged = tagged_calls(text, lambda part: _objects(part, tools) or _python_calls(part))
    if tagged:
        return tagged[:MAX_CALLS]
    for part in (text, *(match[1] for match in _FENCE.finditer(text))):
        calls = _known(_bare(part.strip(), tools), tools)
        if calls:
            return calls[:MAX_CALLS]
    react = _REACT.search(text)
    found = [TextCall(react[1], react[2].strip())] if react else _at_the_end(text, tools)
    return _known(found, tools)[:MAX_CALLS]


def normal_name(name: str, tools: Mapping[str, object]) -> str | None:
    """The tool that `name` means: case, blanks, quotes, a "functions." in front and - for _ aside."""
    wanted = _folded(re.sub(r":\d+\Z", "", name.strip()).rpartition(".")[2])
    for tool in tools:
        if _folded(tool) == wanted and wanted:
            return tool
    return None


def _folded(name: str) -> str:
    return re.sub(r"[\W_]", "", name).casefold()


def _known(calls: list[TextCall], tools: Mapping[str, object]) -> list[TextCall]:
    return [call for call in calls if normal_name(call.name, tools) is not None]


def _bare(text: str, tools: Mapping[str, frozenset[str]]) -> list[TextCall]:
    """Calls in text that is nothing but calls."""
    if text[:1] in {"{", "["}:
        calls = _objects(text, tools)
        if calls:
            return calls
        value = _value(text)
        if isinstance(value, dict):
            owner = _owner(set(value), tools)
            return [TextCall(owner, text)] if owner else []
    named = _NAME_LINE.match(text)
    if named:
        return [TextCall(named[1], text[named.end() :])]
    return _python_calls(text)


def _at_the_end(text: str, tools: Mapping[str, frozenset[str]]) -> list[TextCall]:
    """A named call in JSON behind words, up to the end of the text."""
    if len(text) > _MOST_READ:
        return []
    for start in [match.end() for match in _LAST_OBJECT.finditer(text)][:MAX_CALLS]:
        calls = _objects(text[start:], tools)
        if calls:
            return calls
    return []


def _owner(fields: set[str], tools: Mapping[str, frozenset[str]]) -> str | None:
    """The only tool that knows all of an object's fields."""
    owners = [name for name, known in tools.items() if fields and fields <= known]
    return owners[0] if len(owners) == 1 else None


def _objects(text: str, tools: Mapping[str, object]) -> list[TextCall]:
    """The named calls in a JSON object, a list of them, or several in a row."""
    text = text.strip()
    value = _value(text)
    if value is None:
        lines = [_value(line) for line in text.splitlines() if line.strip()][:MAX_CALLS]
        value = lines if lines and all(isinstance(line, dict) for line in lines) else None
    if isinstance(value, dict):
        value = next((value[name] for name in _WRAPPERS if isinstance(value.get(name), list | dict)), value)
    items = value if isinstance(value, list) else [value]
    calls = [_named(item, tools) for item in items if isinstance(item, dict)]
    found = [call for call in calls if call is not None]
    return found if len(found) == len(items) else []


def _named(item: dict[str, Any], tools: Mapping[str, object]) -> TextCall | None:
    """{"name": …, "arguments": …} in its variants, also inside "function", or {"search": {…}}."""
    inner = item.get("function")
    if isinstance(inner, dict):
        item = inner
    name_field = next((field for field in _NAME_FIELDS if isinstance(item.get(field), str)), None)
    if name_field is None:
        only = next(iter(item.items())) if len(item) == 1 else ("", None)
        is_call = isinstance(only[1], dict) and normal_name(only[0], tools) is not None
        return TextCall(only[0], json.dumps(only[1])) if is_call else None
    field = next((field for field in _ARGUMENT_FIELDS if field in item), None)
    arguments = (
        item[field] if field else {key: item[key] for key in item if key not in {name_field, "type", "id"}}
    )
    return TextCall(item[name_field], arguments if isinstance(arguments, str) else json.dumps(arguments))


def _python_calls(text: str) -> list[TextCall]:
    """search(query="…"), alone, in a list or one a line; keyword arguments with literal values only."""
    if not _CALL.match(text) or len(text) > _MOST_READ or _deep(text):
        return []
    text = re.sub(r"\.call\(", "(", text)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(text).body
        return [_python_call(item) for line in body for item in _expressions(line)]
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return []


def _expressions(line: ast.stmt) -> list[ast.expr]:
    """What a line calls: the call itself, those of a list, one that is printed, awaited or assigned."""
    if not isinstance(line, ast.Expr | ast.Assign):
        raise ValueError("not a call")
    value = line.value
    if isinstance(value, ast.Await):
        value = value.value
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "print":
        return value.args
    return list(value.elts) if isinstance(value, ast.List | ast.Tuple) else [value]


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
