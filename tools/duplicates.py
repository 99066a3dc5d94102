"""Passages of other documents that say the same, word for word: one is shown, the others are named."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from pincite.tools.passage import Passage
from pincite.tools.render import one_line, place

_WORD = re.compile(r"\w+")
_TORN = re.compile(r"(?<=\w)-\n(?=\w)")
# A shorter text is a statement that means something else under another title: it is shown for each.
_FEWEST_WORDS = 40


def repeats(candidate: Passage, shown: Passage) -> bool:
    """Whether all words of the candidate stand, in their order, in a passage of another document.

    Case, punctuation, line breaks and hyphens at line ends do not count; any other word, number or
    negation does, so what contradicts is never taken for a repetition. Versions that are told apart
    (replaced, repealed, not yet in force) are not the same either.
    """
    if candidate.document == shown.document or candidate.standing != shown.standing:
        return False
    words = _words(candidate.text)
    return words.count(" ") > _FEWEST_WORDS and words in _words(shown.text)


def where(passage: Passage) -> str:
    """The passage's place on one line: document, headings, page or line."""
    parts = (
        one_line(passage.document),
        " > ".join(one_line(name) for name in passage.path),
        place(passage.page, passage.page_end, passage.line),
    )
    return ", ".join(part for part in parts if part)


@lru_cache(maxsize=256)
def _words(text: str) -> str:
    """The words with one blank around each."""
    plain = unicodedata.normalize("NFKC", _TORN.sub("", text)).casefold()
    return f" {' '.join(_WORD.findall(plain))} "
