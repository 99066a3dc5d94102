"""Where the bookmarks of a PDF stand in its text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pincite.corpus.candidates import title_below
from pincite.corpus.headings import find_headings
from pincite.corpus.labels import Heading, parse_label, split_number
from pincite.corpus.lines import Line
from pincite.corpus.read.pdf_process import Bookmark

# An outline is used when at least this share of its titles is printed where it points to.
LEAST_FOUND = 0.6
TITLE_LINES = 12
# A title of fewer letters is not looked for on other pages than its own.
LEAST_LETTERS = 4
ABOVE = 40.0
# With fewer bookmarks than one in so many characters, the text's own headings are used as well.
COARSE_CHARS = 15_000
LEVELS = 100_000


@dataclass(frozen=True, slots=True)
class Printed:
    """A line of the finished text: its span, its page from 0, and its height on it."""

    start: int
    end: int
    text: str
    page: int
    height: float


def outline_headings(outline: Sequence[Bookmark], lines: Sequence[Printed]) -> list[Heading] | None:
    """The bookmarks as headings of the text, or None when too few are printed where they point to."""
    by_page: dict[int, list[int]] = {}
    by_words: dict[str, list[int]] = {}
    for at, line in enumerate(lines):
        by_page.setdefault(line.page, []).append(at)
        for words in {_letters(line.text), _without_number(line.text)}:
            by_words.setdefault(words, []).append(at)
    found: list[Heading] = []
    taken = 0
    for mark in outline:
        match = _locate(mark, lines, by_page, by_words, taken)
        if match is not None:
            first, last = match
            found.append(Heading(mark.level, lines[first].start, lines[last].end))
            taken = last + 1
    if not found or len(found) < LEAST_FOUND * len(outline):
        return None
    return found


def _locate(
    mark: Bookmark,
    lines: Sequence[Printed],
    by_page: Mapping[int, Sequence[int]],
    by_words: Mapping[str, Sequence[int]],
    taken: int,
) -> tuple[int, int] | None:
    """The first and last line of a title: on its page or the next one, nearest to the height stated, else the
    only place where it is printed."""
    for page in (mark.page, mark.page + 1):
        matches = [
            (first, last)
            for first in by_page.get(page, ())
            if first >= taken and (last := _title_ends(mark.title, lines, first)) is not None
        ]
        if mark.height is not None and page == mark.page:
            height = mark.height
            # The point is above the title; what stands clearly higher belongs to another bookmark.
            matches.sort(key=lambda pair: abs(lines[pair[0]].height - height + ABOVE / 4))
        if matches:
            return matches[0]
    # It points to a wrong page or to none: what is printed once only can still be meant.
    words = _letters(mark.title)
    everywhere = by_words.get(words, []) if len(words) >= LEAST_LETTERS else []
    return (everywhere[0], everywhere[0]) if len(everywhere) == 1 and everywhere[0] >= taken else None


def _title_ends(title: str, lines: Sequence[Printed], first: int) -> int | None:
    """The line on which a title ends that begins on line `first`; a printed number may stand before it."""
    wanted = _letters(title)
    seen = ""
    for at in range(first, min(first + TITLE_LINES, len(lines))):
        if lines[at].page != lines[first].page:
            return None
        seen += _letters(lines[at].text)
        if seen == wanted or (at == first and _without_number(lines[at].text) == wanted):
            return at
        if (
            at > first
            and _without_number(lines[first].text) + seen[len(_letters(lines[first].text)) :] == wanted
        ):
            return at
        if len(seen) > len(wanted) + 12:
            return None
    return None


def with_typed(marks: Sequence[Heading], lines: Sequence[Line]) -> list[Heading]:
    """The bookmarks, and in a coarse outline also the headings in the text below them."""
    end = lines[-1].end if lines else 0
    at = {line.start: number for number, line in enumerate(lines)}
    scaled = [Heading(mark.level * LEVELS, mark.start, _with_title(mark, lines, at)) for mark in marks]
    if end / len(marks) < COARSE_CHARS:
        return scaled
    found: list[Heading] = []
    for mark, stop in zip(scaled, [*(mark.start for mark in marks[1:]), end], strict=True):
        found.append(mark)
        inside = [line for line in lines if mark.end < line.start < stop]
        typed = find_headings(inside)
        # The highest of them stand beside the bookmarks that are one level below this one.
        shift = mark.level + LEVELS - min((heading.level for heading in typed), default=0)
        found.extend(replace(heading, level=heading.level + shift) for heading in typed)
    return found


def _with_title(mark: Heading, lines: Sequence[Line], at: dict[int, int]) -> int:
    """Where a heading ends whose bookmark names only its number: behind the title printed below it."""
    line = lines[at[mark.start]]
    label = parse_label(line.text)
    if label is None or label.title or line.end != mark.end:
        return mark.end
    return lines[title_below(lines, at[mark.start])].end


def _letters(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


def _without_number(text: str) -> str:
    return _letters(split_number(text)[1])
