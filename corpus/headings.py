"""Headings in text that has no markup.

Careful by intent: a line that could as well be part of a sentence, of a table of contents or of a list is
left as text, where its number is still an address inside its section.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise, zip_longest

from pincite.corpus.candidates import Candidate, Line, Style, candidates
from pincite.corpus.labels import Heading

# The usual order from the top. The text itself may show another one, see `ranks`.
ORDER = (
    "annex",
    "book",
    "part",
    "title",
    "division",
    "chapter",
    "article",
    "section",
    "clause",
    "rule",
    "recital",
    "paragraph",
    "item",
)
DECIMALS = 20
CAPITALS = 40
GAP = 3
SHORTEST_RUN = 4
MOST_REPEATS = 2
# Kinds that count from 1; items, rules and annexes are often numbered otherwise.
SEQUENCED = frozenset({"part", "title", "chapter", "article", "section", "clause"})
LEVELS = 1000
ONES = Style("decimal", 1)


def find_headings(lines: Sequence[Line]) -> list[Heading]:
    """The headings among `lines`, in order; their levels follow kinds and numbers, not looks."""
    found = candidates(lines)
    for narrow in (
        _without_file_label,
        _without_lists,
        _without_contents,
        _without_cover,
        _without_references,
    ):
        found = narrow(found, lines)
    found = _keep_sequences(found)
    level = _ranks(found)
    return [Heading(level[candidate.style], candidate.start, candidate.end) for candidate in found]


def _without_file_label(found: list[Candidate], lines: Sequence[Line]) -> list[Candidate]:
    """Without an "Exhibit 10.3" at the top when it stands alone: it says where the text was filed."""
    if not found or found[0].style.kind != "annex" or _lines_between(lines, -1, found[0].first) > 1:
        return found
    top = found[0]
    if any(item.style == top.style and item.values != top.values for item in found):
        return found
    below = lines[top.first + 1 : top.last + 1]
    kept = [item for item in found if item.style != top.style]
    # The title that stood below the label is one of the whole text.
    titles = candidates([Line("", line.start) for line in lines[: top.first + 1]] + [*below])
    return [*titles, *kept]


def _without_lists(found: list[Candidate], lines: Sequence[Line]) -> list[Candidate]:
    """Without numbers on lines that follow each other: those are the items of a list."""
    listed: set[int] = set()
    for at, (item, after) in enumerate(pairwise(found)):
        if item.style == after.style == ONES and after.first == item.last + 1 and not item.scale:
            listed.update((at, at + 1))
    return [item for at, item in enumerate(found) if at not in listed]


def _without_contents(found: list[Candidate], lines: Sequence[Line]) -> list[Candidate]:
    """Without runs of four and more with next to nothing between them, most of which come again later."""
    keys = [_key(item.text) for item in found]
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
            and _lines_between(lines, found[stop - 1].last, found[stop].first) <= 1
        ):
            seen.update((keys[stop], bare[stop]))
            stop += 1
        again = sum(max(last[keys[n]], last.get(bare[n], 0)) >= stop for n in range(at, stop))
        if stop - at < SHORTEST_RUN or again < 0.5 * (stop - at):
            kept.extend(found[at:stop])
        at = stop
    return kept


def _without_cover(found: list[Candidate], lines: Sequence[Line]) -> list[Candidate]:
    """Without lines in capitals that come again and again, or that only stand above other such lines, as on
    a cover or in a signature."""
    times = Counter(_key(item.text) for item in found)
    capitals = Style("capitals", 1)
    return [
        item
        for item, after in zip_longest(found, found[1:])
        if item.style != capitals
        or (
            times[_key(item.text)] <= MOST_REPEATS
            and (
                after is None or after.style != capitals or _lines_between(lines, item.last, after.first) > 0
            )
        )
    ]


def _without_references(found: list[Candidate], lines: Sequence[Line]) -> list[Candidate]:
    """Without a "Chapter 11" that has no neighbour in its sequence: it refers to another text."""
    known: defaultdict[Style, set[int]] = defaultdict(set)
    for item in found:
        known[item.style].update(item.values[-1:])
    return [
        item
        for item in found
        if item.style.kind not in SEQUENCED
        or not item.values
        or item.scale
        or item.first < item.last
        or _lines_between(lines, -1, item.first) == 0
        or item.text == item.number
        or item.values[-1] <= GAP
        or any(item.values[-1] + step in known[item.style] for step in range(-GAP, GAP + 1) if step)
    ]


def _lines_between(lines: Sequence[Line], first: int, second: int) -> int:
    return sum(bool(line.text) for line in lines[first + 1 : second])


def _key(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


def _keep_sequences(found: Sequence[Candidate]) -> list[Candidate]:
    """`found` without numbers that do not continue a sequence: those belong to lists or sentences."""
    ones = [item.values[0] for item in found if item.style == ONES]
    left = Counter(ones)
    seen = last = 0
    kept: list[Candidate] = []
    prefix: tuple[int, ...] = ()
    below: dict[tuple[int, ...], int] = {}
    for item in found:
        kind = item.style.kind
        if item.style == ONES:
            value = item.values[0]
            seen += 1
            left[value] -= 1
            if not _continues(item, last, soon=ones[seen : seen + 3], later=left):
                continue
            last, prefix = value, item.values
            below.clear()
        elif kind == "decimal":
            *above, value = item.values
            known = below.get(tuple(above))
            if prefix and item.values[:1] != prefix:
                # The heading above it may have been missed: "3.1" goes on after "2.4".
                if value != 1 or len(above) > 1 or not prefix[0] < above[0] <= prefix[0] + GAP:
                    continue
                prefix = (above[0],)
            if not (
                value == 1
                or (prefix and known is None)
                or (known is not None and known < value <= known + GAP)
            ):
                continue
            below[tuple(above)] = value
        elif kind not in ("capitals", "print"):
            last = 0
            below.clear()
            prefix = item.values if len(item.values) == 1 and kind in ("article", "section", "clause") else ()
        kept.append(item)
    return kept


def _continues(item: Candidate, last: int, *, soon: Sequence[int], later: Mapping[int, int]) -> bool:
    """Whether a number goes on from `last`; `soon` are the next three, `later` counts all that follow."""
    value = item.values[0]
    if last == 0:
        return item.scale > 0 or value + 1 in soon or value + 2 in soon
    if last < value <= last + GAP:
        return True
    if value == last and item.number[-1:].isalpha():
        return True
    # A new 1 starts over only where the old count is never taken up again.
    return value == 1 and 2 in soon and not later.get(last + 1)


def _ranks(found: Sequence[Candidate]) -> dict[Style, int]:
    """A level for each style, lower is higher up.

    Kinds follow the usual order, except where the text shows another one: when between
    two X with numbers n and n + 1 there are on average more Y than X between two such Y, X contains Y.
    """
    styles = sorted({item.style for item in found if item.style.kind != "print"}, key=_usual)
    contains = _containment(found)
    ordered: list[Style] = []
    for style in styles:
        at = len(ordered)
        while at and contains[style, ordered[at - 1]] > contains[ordered[at - 1], style]:
            at -= 1
        ordered.insert(at, style)
    levels = {style: (at + 1) * LEVELS for at, style in enumerate(ordered)}
    return levels | _print_levels(found, levels)


def _print_levels(found: Sequence[Candidate], levels: Mapping[Style, int]) -> dict[Style, int]:
    """Levels for headings without a number: those of numbered ones in the same print, above those in
    smaller print, below those in larger print."""
    scales: dict[Style, int] = {}
    for style in levels:
        seen = Counter(item.scale for item in found if item.style == style)
        scales[style] = seen.most_common(1)[0][0]
    placed: dict[Style, int] = {}
    for style in {item.style for item in found if item.style.kind == "print"}:
        same = [levels[other] for other, scale in scales.items() if scale == style.depth]
        larger = [levels[other] for other, scale in scales.items() if 0 < scale < style.depth]
        if same:
            placed[style] = min(same)
        elif larger:
            placed[style] = max(larger) + style.depth
        else:
            placed[style] = style.depth - LEVELS
    return placed


def _usual(style: Style) -> tuple[int, int]:
    if style.kind == "capitals":
        return CAPITALS, 0
    if style.kind == "decimal":
        return DECIMALS, style.depth
    return ORDER.index(style.kind), style.depth


def _containment(found: Sequence[Candidate]) -> defaultdict[tuple[Style, Style], float]:
    """How many headings of style Y stand on average between consecutive numbers of style X."""
    between: Counter[tuple[Style, Style]] = Counter()
    pairs: Counter[Style] = Counter()
    open_: dict[Style, tuple[int, Counter[Style]]] = {}
    for item in found:
        if not item.values or item.style.kind in ("decimal", "capitals", "print", "annex"):
            continue
        value = item.values[-1]
        before, seen = open_.get(item.style, (None, Counter()))
        if before is not None and value == before + 1:
            pairs[item.style] += 1
            between.update({(item.style, other): times for other, times in seen.items()})
        for style, (_, others) in open_.items():
            if style != item.style:
                others[item.style] += 1
        open_[item.style] = (value, Counter())
    averages: defaultdict[tuple[Style, Style], float] = defaultdict(float)
    averages.update({(style, other): times / pairs[style] for (style, other), times in between.items()})
    return averages
