"""Reads the arguments of a call, whatever a model sent: leniently where the meaning is plain, never by guess.

Single quotes, a code fence, JSON inside a JSON string, a list or number inside a string and fields that do
not exist are read. What is cut off, holds two values, or is no object is refused with a reason.
"""

from __future__ import annotations

import ast
import json
import math
import re
import warnings
from typing import Any, NoReturn

MAX_CHARACTERS = 1_000_000
MAX_DEPTH = 64
# How often JSON may stand inside a JSON string.
_MOST_ENCODINGS = 3
_WRAPPERS = ("arguments", "parameters", "args", "input", "properties")

_FENCE = re.compile(r"\A```[a-zA-Z]*\s*\n?(.*?)\s*```\Z", re.DOTALL)
# What local servers leave behind a complete object: stray closers, end tags, control tokens.
_LEFTOVER = re.compile(r"(?:[\s;,}\]]|</?[a-z_]{1,20}>|<\|[a-z_]{1,30}\|>)*\Z", re.IGNORECASE)
# An object whose first key stands in a word processor's quotation marks.
_CURLY = re.compile("\\A\\{\\s*[\u201c\u201d]")
_CONSTANTS = {"true": True, "false": False, "null": None}
_LONE = re.compile("[\ud800-\udfff\x00]")
_OPEN, _CLOSE = "[{(", "]})"


class BadArgumentsError(ValueError):
    """Arguments that cannot be used; the text says why. `cut` when they were not complete."""

    def __init__(self, problem: str, *, cut: bool = False) -> None:
        super().__init__(problem)
        self.cut = cut


def read_arguments(raw: str, *, cut: bool = False) -> dict[str, Any]:
    """The object that `raw` holds; `cut` says that the output limit ended the turn.

    No text at all is an empty object. Raises `BadArgumentsError`.
    """
    value = read_json(raw, cut=cut)
    for _ in range(_MOST_ENCODINGS):
        if not (isinstance(value, str) and value.lstrip()[:1] in {"{", '"'}):
            break
        value = read_json(value, cut=cut)
    if not isinstance(value, dict):
        raise BadArgumentsError(f"they are {_kind(value)}, not a JSON object")
    return {clean_text(str(key)): clean(item) for key, item in value.items()}


def read_json(raw: str, *, cut: bool = False) -> Any:
    """The one JSON value in `raw`, in JSON or in Python's notation; {} for no text."""
    text = raw.strip()
    fenced = _FENCE.match(text)
    text = fenced[1].strip() if fenced else text
    if not text:
        return {}
    if len(text) > MAX_CHARACTERS:
        raise BadArgumentsError(f"they are longer than {MAX_CHARACTERS:,} characters")
    depth, unfinished = _nesting(text)
    if depth > MAX_DEPTH:
        raise BadArgumentsError(f"they are nested more than {MAX_DEPTH} levels deep")
    try:
        value, end = _DECODER.raw_decode(text)
    except json.JSONDecodeError as error:
        if cut or unfinished:
            raise BadArgumentsError("they are cut off", cut=True) from error
        return _python_value(text, error)
    except ValueError as error:
        raise BadArgumentsError(str(error)) from error
    rest = text[end:]
    if not _LEFTOVER.match(rest):
        raise BadArgumentsError(
            f"there is more behind the first JSON value, from character {end}: one call takes one object"
        )
    return value


def clean(value: Any) -> Any:
    """The value as JSON can carry it: texts through `clean_text`, tuples as lists.

    Raises `BadArgumentsError` for what JSON has no way to write (bytes, sets, infinity).
    """
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, list | tuple):
        return [clean(item) for item in value]
    if isinstance(value, dict):
        return {clean_text(str(key)): clean(item) for key, item in value.items()}
    if value is None or (isinstance(value, float) and math.isfinite(value)):
        return value
    if isinstance(value, int):
        if abs(value) < 1 << 63:
            return value
        raise BadArgumentsError("a number is too large")
    raise BadArgumentsError(f"{value!r:.40} is no JSON value")


def clean_text(text: str) -> str:
    """The text with surrogate pairs joined; lone surrogates, which no encoding takes, and NUL replaced."""
    if not _LONE.search(text):
        return text
    joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return joined.replace("\x00", "\ufffd")


def fit(arguments: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """The arguments, with plain values in strings taken out of them as the schema wants them.

    "5" becomes 5 where a number is wanted and no text; a string that holds JSON becomes a list or object
    where that is wanted; null for a field that may be left out is left out. What the schema does not know
    stays as it is, for the tool to refuse.
    """
    properties = schema.get("properties", {})
    required = schema.get("required", ())
    fitted = {}
    for name, value in arguments.items():
        if value is None and name not in required:
            continue
        fitted[name] = _fit_value(value, _types(properties[name])) if name in properties else value
    return fitted


def unwrapped(tool: str, arguments: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """The arguments out of one that holds them all, such as "arguments" or the tool's own name."""
    known = schema.get("properties", {})
    inner = next((arguments[name] for name in (*_WRAPPERS, tool) if name in arguments), None)
    if known.keys() & arguments.keys() or inner is None:
        return arguments
    if isinstance(inner, str) and inner.lstrip().startswith("{"):
        try:
            return read_arguments(inner)
        except BadArgumentsError:
            return arguments
    return inner if isinstance(inner, dict) else arguments


def canonical(arguments: dict[str, Any]) -> str:
    """Equal for equal arguments, whatever their order and spacing."""
    return json.dumps(arguments, sort_keys=True, ensure_ascii=True, separators=(",", ":"))


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")


_DECODER = json.JSONDecoder(strict=False, parse_constant=_refuse_constant)


def _python_value(text: str, error: json.JSONDecodeError) -> Any:
    """A Python literal (single quotes, trailing commas, True), or the JSON error with its position.

    In it, as in JSON5, true, false and null are read, and a key may lack its quotes.
    """
    if _CURLY.match(text):
        text = text.replace("\u201c", '"').replace("\u201d", '"')
    try:
        with warnings.catch_warnings():
            # A backslash that Python does not know is the model's business, not the user's.
            warnings.simplefilter("ignore")
            return ast.literal_eval(_Words().visit(ast.parse(text.lstrip(), mode="eval")))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise BadArgumentsError(f"they are not JSON: {error.msg} at character {error.pos}") from error


class _Words(ast.NodeTransformer):
    """Bare words that can only mean one thing become values."""

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        """A bare word as a key is a text."""
        node.keys = [
            ast.Constant(key.id) if isinstance(key, ast.Name) and key.id not in _CONSTANTS else key
            for key in node.keys
        ]
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """JSON's constants."""
        return ast.Constant(_CONSTANTS[node.id]) if node.id in _CONSTANTS else node


def _nesting(text: str) -> tuple[int, bool]:
    """(the greatest depth, whether brackets or a string are still open at the end)."""
    depth = deepest = 0
    quote = ""
    escaped = False
    for sign in text:
        if quote:
            if escaped:
                escaped = False
            elif sign == "\\":
                escaped = True
            elif sign == quote:
                quote = ""
        elif sign == '"' or (sign == "'" and depth):
            quote = sign
        elif sign in _OPEN:
            depth += 1
            deepest = max(deepest, depth)
        elif sign in _CLOSE:
            depth -= 1
    return deepest, depth > 0 or bool(quote)


def _types(schema: dict[str, Any]) -> set[str]:
    """The JSON types a property may have."""
    kinds = schema.get("type", ())
    found = {kinds} if isinstance(kinds, str) else set(kinds)
    for option in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        found |= _types(option)
    return found


def _fit_value(value: Any, types: set[str]) -> Any:
    if not isinstance(value, str) or "string" in types:
        return value
    text = value.strip()
    if "integer" in types and re.fullmatch(r"[+-]?\d{1,18}", text, re.ASCII):
        return int(text)
    if "boolean" in types and text.lower() in {"true", "false"}:
        return text.lower() == "true"
    if types & {"array", "object"} and text[:1] in {"[", "{"}:
        try:
            return clean(read_json(text))
        except BadArgumentsError:
            return value
    return value


def _kind(value: Any) -> str:
    names = {str: "a JSON string", list: "a JSON list", bool: "a JSON boolean", type(None): "null"}
    return names.get(type(value), "a JSON number")
