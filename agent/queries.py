"""Queries that a model words for a question: asking for them, reading them, searching for them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from pincite.agent.beginning import FirstSearch
from pincite.agent.messages import Message
from pincite.agent.parse import clean_text
from pincite.agent.textcalls import without_thoughts
from pincite.prompts import load

# At most so many of what a model wrote are searched for, each so long, in characters.
MOST_QUERIES = 5
_MOST_CHARACTERS = 600
_QUESTION_CHARACTERS = 2_000
_PASSAGES, _PASSAGES_EACH = 6, 3
_EARLIER = 4
_MARK = re.compile(r"^\s*(?:[-*•–]+|\(?\d{1,2}[.):]|q(?:uery)?\s*\d*\s*:)\s*", re.IGNORECASE)
_QUOTES = "\"'“”„«»`"


def wording(kind: FirstSearch, earlier: Iterable[Message], question: Message) -> list[Message]:
    """The messages that ask for queries. A question may lean on what was said before it: the last turns of
    the conversation stand with it, without what was looked up.
    """
    said = [
        Message(one.role, one.content)
        for one in earlier
        if one.content and not one.tool_calls and not one.reminder and one.role in {"user", "assistant"}
    ]
    return [Message("system", load(f"first_{kind}").text), *said[-_EARLIER:], question]


def first_search(question: str, queries: Sequence[str]) -> dict[str, Any]:
    """The search tool's arguments for a question and what a model worded for it."""
    arguments: dict[str, Any] = {"query": " ".join(question.split())[:_QUESTION_CHARACTERS]}
    if queries:
        limit = max(_PASSAGES, _PASSAGES_EACH * (1 + len(queries)))
        arguments |= {"queries": list(queries), "limit": limit}
    return arguments


def read_queries(kind: FirstSearch, text: str, question: str) -> list[str]:
    """The queries in a model's text, without the question itself; none when there is nothing usable.

    Of "decompose" one on each line, of "rewrite" the first line, of "hypothetical" the whole as one.
    """
    text = without_thoughts(clean_text(text)).strip()
    lines = [" ".join(text.split())] if kind == "hypothetical" else [_bare(line) for line in _lines(text)]
    known = {_folded(question)}
    found: list[str] = []
    for line in (line[:_MOST_CHARACTERS].strip() for line in lines):
        if _folded(line) and _folded(line) not in known:
            known.add(_folded(line))
            found.append(line)
    return found[: MOST_QUERIES if kind == "decompose" else 1]


def _lines(text: str) -> list[str]:
    """Lines, or the texts of a JSON list, which some models write whatever they are asked for."""
    bare = re.sub(r"\A```\w*\s*|\s*```\Z", "", text)
    if bare.startswith(("[", "{")):
        try:
            value = json.loads(bare)
        except (ValueError, RecursionError):
            return text.splitlines()
        value = next(iter(value.values()), []) if isinstance(value, dict) else value
        listed = value if isinstance(value, list) else [value]
        return [one for one in listed if isinstance(one, str)]
    return text.splitlines()


def _bare(line: str) -> str:
    return _MARK.sub("", line).strip().strip(_QUOTES).strip()


def _folded(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum())
