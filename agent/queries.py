"""Queries that a model words for a question, and reading them from what it wrote."""

from __future__ import annotations

import json
import re

from pincite.agent.beginning import FirstSearch
from pincite.agent.parse import clean_text
from pincite.agent.textcalls import without_thoughts

# At most so many of what a model wrote are searched for, each so long, in characters.
MOST_QUERIES = 5
_MOST_CHARACTERS = 600
_MARK = re.compile(r"^\s*(?:[-*•–]+|\(?\d{1,2}[.):]|q(?:uery)?\s*\d*\s*:)\s*", re.IGNORECASE)
_QUOTES = "\"'“”„«»`"


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
