"""Printed tables of contents: their entries look like the headings that they list."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.corpus.candidates import Candidate
from pincite.corpus.lines import Line

SHORTEST_RUN = 4
# An entry of a printed contents is shorter than this.
ENTRY_CHARS = 300
ENTRY_LINES = 4
# A text is at least so many times as long as its contents.
CONTENTS_SHARE = 3
# The part of a text in which titles without numbers can be its contents.
EARLY = 0.2


def without_contents(found: list[Candidate], lines: Sequence[Line]) -> list[Candidate]:
    """Without the entries of a printed contents: lines that end with a page and come again without it, and
    runs of four and more with next to nothing between them, most of which come again later."""
    keys = [key_of(item.text) for item in found]
    # An entry may end with a page.
    bare = [key.rstrip("0123456789") for key in keys]
    last = {key: at for at, key in enumerate(keys)}
    kept: list[Candidate] = []
    at = 0
    while at < len(found):
        stop = at + 1
        seen = {keys[at], bare[at]}
        # The list ends where its first entry comes again.
        while (
            stop < len(found)
            and keys[stop] not in seen
            and lines_between(lines, found[stop - 1].last, found[stop].first) <= ENTRY_LINES
            and found[stop].start - found[stop - 1].end < ENTRY_CHARS
        ):
            seen.update((keys[stop], bare[stop]))
            stop += 1
        again = sum(max(last[keys[n]], last.get(bare[n], 0)) >= stop for n in range(at, stop))
        numbered = sum(bool(item.values) for item in found[at:stop])
        early = found[at].start < EARLY * lines[-1].end
        if (stop - at if early else numbered) < SHORTEST_RUN or again < 0.5 * (stop - at):
            kept.extend(found[n] for n in range(at, stop) if bare[n] == keys[n] or last.get(bare[n], 0) <= n)
        at = stop
    return kept


def without_first_counts(found: list[Candidate], lines: Sequence[Line]) -> list[Candidate]:
    """Without a count of numbers that a later, longer one repeats, title by title."""
    gone: set[int] = set()
    for style in {item.style for item in found if item.values}:
        runs: list[list[int]] = []
        for at, item in enumerate(found):
            if item.style == style:
                if not runs or item.values <= found[runs[-1][-1]].values:
                    runs.append([])
                runs[-1].append(at)
        for number, run in enumerate(runs):
            keys = {key_of(found[at].text).rstrip("0123456789") for at in run}
            for later in runs[number + 1 :]:
                again = keys & {key_of(found[at].text).rstrip("0123456789") for at in later}
                longer = _span(found, later) > CONTENTS_SHARE * _span(found, run)
                if len(run) >= SHORTEST_RUN and len(again) >= 0.5 * len(keys) and longer:
                    gone.update(run)
    return [item for at, item in enumerate(found) if at not in gone]


def _span(found: Sequence[Candidate], run: Sequence[int]) -> int:
    return found[run[-1]].start - found[run[0]].start


def lines_between(lines: Sequence[Line], first: int, second: int) -> int:
    """How many lines with words stand between two lines."""
    return sum(bool(line.text) for line in lines[first + 1 : second])


def key_of(text: str) -> str:
    """A heading without what differs between a contents and the text: case, blanks, signs."""
    return "".join(char for char in text.casefold() if char.isalnum())
