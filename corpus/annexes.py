"""Where annexes are named in a text: their titles, and lists of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.corpus.labels import Label, parse_label
from pincite.corpus.lines import ANNEX, FINISHED, LISTED, Line, blank, joined
from pincite.corpus.titles import is_title

# So many lines at most of a title that stands above its number.
ABOVE_LINES = 2
# The word of an annex without a number: in capitals, or where it can be no head of a table.
LONE = re.compile(
    r"ANNEX|APPENDIX|SCHEDULE|ATTACHMENT|(?i:anhang|anlage|annexe|appendice|anexo|apéndice|allegato)"
)


def lone_annex(lines: Sequence[Line], at: int) -> Label | None:
    """The label of an annex that has no number, where its word is all of a line behind a blank one."""
    word = lines[at].text.rstrip(":.")
    if not LONE.fullmatch(word) or word[0].islower() or not blank(lines, at - 1):
        return None
    return Label("annex", word, (), "", True)


def title_above(lines: Sequence[Line], at: int, after: int) -> int:
    """The first line of a title in capitals that stands right above "EXHIBIT A"; `at` itself when there is
    none. `after` is the last line of the heading before."""
    line = lines[at].text
    first = at
    while first - 1 > after and at - first < ABOVE_LINES and lines[first - 1].text:
        first -= 1
    label = parse_label(line)
    if first == at or label is None or label.number != line or not line.isupper():
        return at
    text = joined(lines, first, at - 1)
    bare = (
        blank(lines, first - 1) and text.isupper() and not FINISHED.search(text) and parse_label(text) is None
    )
    return first if bare and is_title(text, strict=False) else at


def lists_annexes(text: str, number: str) -> bool:
    """Whether another annex is named right behind the first: that is a list of them."""
    other = ANNEX.search(text, len(number), len(number) + LISTED)
    return other is not None and not text.startswith(number, other.start())
