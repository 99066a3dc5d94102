"""Text that somebody types or pastes to ask or to search, as it looks: nothing invisible stays in it."""

from __future__ import annotations

import re
import unicodedata

# What a terminal takes for commands: CSI, OSC and the other strings, and sequences of two characters.
_ESCAPES = re.compile(
    "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]"
    "|(?:\x1b[\\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\\\|\x9c)"
    "|\x1b[ -/]*[0-~]"
)
# Signs that join numbers (Arabic, Syriac, Kaithi) are of the class of the invisible ones and are seen.
_SEEN = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")
# The joiner, and variation selectors, are marks; the fillers are letters.
_UNSEEN = re.compile("[\u034f\u115f\u1160\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
_JOINERS = "\u200c\u200d"
# From here on there are scripts in which joiners spell words.
_FIRST_JOINED = "\u0590"
_BREAKS = "\n\r\x0b\x0c\x85\u2028\u2029"


def typed(text: str) -> str:
    """`text` without escape sequences, control characters and invisible ones; any blank is a blank.

    Soft hyphens, zero-width and bidirectional signs go, line breaks and tabs stay, and so do joiners between
    letters of scripts that are spelled with them. Doing it twice changes nothing more.
    """
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    text = _ESCAPES.sub("", text)
    return "".join(_kept(text, at, sign) for at, sign in enumerate(text))


def _kept(text: str, at: int, sign: str) -> str:
    if sign == "\t" or sign in _BREAKS:
        return sign if sign == "\t" else "\n"
    kind = unicodedata.category(sign)
    if kind == "Zs":
        return " "
    if kind == "Cc" or _UNSEEN.match(sign):
        return ""
    if kind == "Cf":
        return sign if sign in _SEEN or (sign in _JOINERS and _joins(text, at)) else ""
    return sign


def _joins(text: str, at: int) -> bool:
    """Whether a joiner stands between two letters or marks of a script that is spelled with joiners."""
    return 0 < at < len(text) - 1 and all(
        sign >= _FIRST_JOINED and unicodedata.category(sign)[0] in "LM" and not _UNSEEN.match(sign)
        for sign in (text[at - 1], text[at + 1])
    )
