"""Why something failed, in words for a person. A library's own text is for `--debug`."""

from __future__ import annotations

import json
import re

_SYSTEM = re.compile(r"([A-Z][A-Za-z ,'/-]+) \(os error \d+\)")
# What begins as a path does, in quotes or bare, and what has two separators or more.
_BEGIN = r"(?:file:|[A-Za-z]:(?=[/\\])|~|\.{1,2}(?=[/\\]))?[/\\]+"
_REST = r"[^\s'\"()]*[^\s'\"().,;:!?]"
_PATH = re.compile(
    rf"(?P<quote>['\"]){_BEGIN}[^'\"\n]*(?P=quote)"
    rf"|(?<![\w:/.~\\]){_BEGIN}{_REST}"
    rf"|(?<![\w:/.\\-])(?:[\w.-]+[/\\]){{2,}}(?:{_REST})?"
)
_MISSING = re.compile(r"not found|no such file|does not exist", re.IGNORECASE)


def in_words(error: BaseException, otherwise: str = "its content is not what it should be") -> str:
    """The system's words for what it refused; else what kind of content was not there; else `otherwise`."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    if isinstance(error, json.JSONDecodeError):
        return f"it is not JSON (line {error.lineno})"
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8"
    system = _SYSTEM.search(str(error)[:10_000])
    if system is not None:
        return system[1]
    return "a file of it is missing" if _MISSING.search(str(error)[:10_000]) else otherwise


def without_paths(text: str) -> str:
    """A library's words without the paths of this machine that stand in them; addresses of the web stay."""
    return _PATH.sub("…", text)
