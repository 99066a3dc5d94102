"""Headings in text that has no markup.

Careful by intent: a line that could as well be part of a sentence, of a table of contents or of a list is
left as text, where its number is still an address inside its section.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

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
    "paragraph",
    "item",
)
DECIMALS = 20
CAPITALS = 40
GAP = 3
SHORTEST_RUN = 4
LEVELS = 1000
ONES = Style("decimal", 1)


def find_headings(lines: Sequence[Line]) -> list[Heading]:
    """The headings among `lines`, in order; their levels follow kinds and numbers, not looks."""
    found = _keep_sequences(_drop_contents(candidates(lines), lines))
    level = _ranks(found)
    return [Heading(level[candidate.style], candidate.start, candidate.end) for candidate in found]


def _drop_contents(found: Sequence[Candidate], lines: Sequence[Line]) -> list[Candidate]:
    """`found` without runs of four and more with nothing between them, most of which come again later."""
    keys = [_key(item.text) for item in found]
    last = {key: at for at, key in enumerate(keys)}
    kept: list[Candidate] = []
    at = 0
    while at < len(found):
        stop = at + 1
        while stop < len(found) and not any(
            line.text for line in lines[found[stop - 1].last + 1 : found[stop].first]
        ):
            stop += 1
        again = sum(last[key] >= stop for key in keys[at:stop])
        if stop - at < SHORTEST_RUN or again < 0.6 * (stop - at):
            kept.extend(found[at:stop])
        at = stop
    return kept


def _key(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


def _keep_sequences(found: Sequence[Candidate]) -> list[Candidate]:
    """`found` without numbers that do not continue a sequence: those belong to lists or sentences."""
    ones = [item.values[0] for item in found if item.style == ONES]
    left = Counter(ones)
    seen = last = 0
    kept: list[Candidate] = []
    prefix: tuple[int, ...] = ()
    for item in found:
        kind = item.style.kind
        if item.style == ONES:
            value = item.values[0]
            seen += 1
            left[value] -= 1
            if not _continues(value, last, soon=ones[seen : seen + 3], later=left):
                continue
            last, prefix = value, item.values
        elif kind == "decimal":
            if prefix and item.values[:1] != prefix:
                continue
        elif kind not in ("capitals", "print"):
            last = 0
            prefix = item.values if len(item.values) == 1 and kind in ("article", "section", "clause") else ()
        kept.append(item)
    return kept


def _continues(value: int, last: int, *, soon: Sequence[int], later: Mapping[int, int]) -> bool:
    """Whether a number goes on from `last`; `soon` are the next three, `later` counts all that follow."""
    if last == 0:
        return value == 1 or value + 1 in soon
    if last < value <= last + GAP:
        return True
    # A new 1 starts over only where the old count is never taken up again.
    return value == 1 and 2 in soon and not later.get(last + 1)


def _ranks(found: Sequence[Candidate]) -> dict[Style, int]:
    """A level for each style, lower is higher up.

    Kinds follow the usual order, except where the text shows another one: when the numbers of X go on
    (n, n + 1) with a Y between them more often than the other way round, X contains Y.
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


def _containment(found: Sequence[Candidate]) -> defaultdict[tuple[Style, Style], int]:
    contains: defaultdict[tuple[Style, Style], int] = defaultdict(int)
    open_: dict[Style, tuple[int, set[Style]]] = {}
    for item in found:
        if not item.values or item.style.kind in ("decimal", "capitals", "print", "annex"):
            continue
        value = item.values[-1]
        before, between = open_.get(item.style, (None, set()))
        if before is not None and value == before + 1:
            for other in between:
                contains[item.style, other] += 1
        for _, seen in open_.values():
            seen.add(item.style)
        open_[item.style] = (value, set())
    return contains
