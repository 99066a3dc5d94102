"""Where annexes are named in a text: their titles, and lists of them."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.corpus.labels import parse_label
from pincite.corpus.lines import ANNEX, FINISHED, LISTED, Line, blank, joined
from pincite.corpus.titles import is_title

# So many lines at most of a title that stands above its number.
ABOVE_LINES = 2


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
