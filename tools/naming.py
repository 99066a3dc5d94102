"""How names of sections are compared."""

from __future__ import annotations

import re

from pincite.corpus.outline import Outline
from pincite.corpus.rows import SectionRow
from pincite.tools.render import one_line

_LONG = 1000
# What `one_line` makes of these signs.
_LOOK_ALIKES = str.maketrans({"|": "¦", ">": "›"})


# What a heading may end with that nobody says.
_STOPS = re.compile(r"[.:;–—]+(?=\s*(?:[›¦]|$))")


def name_key(text: str) -> str:
    """Names are compared without case, spaces, the stops behind headings and the signs that lists of contents
    cannot print."""
    if not (text.isascii() and text.isprintable() and len(text) < _LONG) or "<" in text or "[" in text:
        text = one_line(text, _LONG)
    elif "|" in text or ">" in text:
        text = text.translate(_LOOK_ALIKES)
    return "".join(_STOPS.sub("", text).casefold().split())


def address(outline: Outline, row: SectionRow) -> str:
    """The shortest reference that opens a section: label, headings joined, or the id."""
    return outline.address(row, name_key)
