"""Writes a passage's words once: they stand in the text that the model read, so the passage points there."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
_AT = "text_at"


def pack_result(result: Json) -> Json:
    """A tool result whose passages name where in its `text` their words stand: `text_at` [start, end].

    A passage whose words stand there in another form (escaped, or redacted otherwise) keeps its own.
    """
    text, passages = result.get("text"), result.get("passages")
    if not isinstance(text, str) or not isinstance(passages, list):
        return result
    packed, last = [], 0
    for passage in passages:
        words = passage.get("text")
        at = text.find(words, last) if words else -1
        if at < 0:
            packed.append(passage)
            continue
        last = at + len(words)
        rest = {name: value for name, value in passage.items() if name != "text"}
        packed.append({**rest, _AT: [at, last]})
    return {**result, "passages": packed}


def unpack_result(result: Json) -> Json:
    """The result with every passage's words in place. What is not as it should be is left as it is."""
    text, passages = result.get("text"), result.get("passages")
    if not isinstance(text, str) or not isinstance(passages, list):
        return result
    return {**result, "passages": [_unpacked(passage, text) for passage in passages]}


def _unpacked(passage: Any, text: str) -> Any:
    if not isinstance(passage, dict) or "text" in passage:
        return passage
    match passage.get(_AT):
        case [int(start), int(end)] if 0 <= start <= end <= len(text):
            rest = {name: value for name, value in passage.items() if name != _AT}
            return {**rest, "text": text[start:end]}
        case _:
            return passage
