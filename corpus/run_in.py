"""Titles at the start of their paragraph: "5. Term. This Agreement begins ..."."""

from __future__ import annotations

import re

from pincite.corpus.labels import Label
from pincite.corpus.titles import is_title

RUN_IN_WORDS = 12
# What ends a title at the start of its paragraph: a full stop, a colon, a dash, or a gap as in a table.
RUN_IN = re.compile(r"(?P<title>[^\n.:]{2,90}?)(?P<stop>\.(?:\s*[-–—]+)?|:|\s[-–—]{1,2}|(?=\s{3}))(?=\s+\S)")
# Words in capitals that plain words follow.
CAPITALS_RUN = re.compile(
    r"(?:[\"“'‘]?[^\W\d_a-z][^\Wa-z]*(?:['’/&-][^\Wa-z]*)*[\"”'’]?[,;]?\s+(?:[&/]\s+)?){1,10}(?=\w*[a-z])"
)
SHORTEST_CAPITALS = 4
GAP = "  "


def run_in_end(text: str, label: Label) -> int:
    """The offset in a line behind the title that follows its number; 0 when its words are no title."""
    offset = text.find(label.title[:40], len(label.number))
    if offset < 0:
        return 0
    if not label.closed:
        # "13   AUTHORIZATION The buyer": a gap sets the number off, or several words in capitals.
        end = _end_of_capitals(text, offset)
        return end if text[:offset].endswith(GAP) or len(text[offset:end].split()) > 1 else 0
    found = RUN_IN.match(text, offset)
    short = found is not None and len(found["title"].split()) <= RUN_IN_WORDS
    if found is not None and short and is_title(found["title"], strict=True):
        return found.end("stop")
    return _end_of_capitals(text, offset)


def _end_of_capitals(text: str, offset: int) -> int:
    """Where a title in capitals ends that its sentence follows at once: "9. COSTS Each party bears"; 0 when
    there is none. The last word in capitals may begin the sentence: "13. AUTHORITY ABC represents"."""
    found = CAPITALS_RUN.match(text, offset)
    if found is None:
        return 0
    end = found.end()
    if text[end:].lstrip()[:1].islower():
        end = text.rstrip().rfind(" ", offset, end)
    title = text[offset : max(end, offset)].strip()
    return end if sum(char.isalpha() for char in title) >= SHORTEST_CAPITALS else 0
