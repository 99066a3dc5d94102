"""Headings in text that has no markup.

Careful by intent: a line that could as well be part of a sentence, of a table of contents or of a list is
left as text, where its number is still an address inside its section.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise, zip_longest

from pincite.corpus.candidates import Candidate, candidates
from pincite.corpus.chains import GAP, ONES, keep_sequences, with_untitled
from pincite.corpus.contents import key_of, lines_between, without_contents, without_first_counts
from pincite.corpus.instruments import instrument_levels, same_annex
from pincite.corpus.labels import Heading
from pincite.corpus.lines import Line
from pincite.corpus.recitals import recital_headings
from pincite.corpus.styles import Style

# The usual order from the top. The text itself may show another one, see `ranks`.
ORDER = (
    "annex",
    "appendix",
    "provision",
    "book",
    "part",
    "title",
    "division",
    "chapter",
    "article",
    "section",
    "subsection",
    "sign",
    "clause",
    "rule",
    "recital",
    "paragraph",
    "item",
)
COUNTS = 20
DECIMALS = 25
BRACKETS = 30
CAPITALS = 40
# What a heading says that follows another at once, beside the counts between numbers.
ADJACENT = 1.0
NOTHING_BETWEEN = 2
LEAST_HELD = 0.6
MOST_REPEATS = 2
# Kinds that count from 1; items, rules and annexes are often numbered otherwise.
SEQUENCED = frozenset({"part", "title", "chapter", "article", "section", "sign", "clause"})
LEVELS = 1000
# So many characters at most stand in front of what says where a text was filed.
FRONT = 1000
# Styles whose place does not follow from what stands between them.
UNRANKED = ("capitals", "print", "annex", "appendix", "provision", "bracket")


def find_headings(lines: Sequence[Line]) -> list[Heading]:
    """The headings among `lines`, in order; their levels follow kinds and numbers, not looks."""
    everything = candidates(lines)
    found = [item for item in everything if item.titled]
    for narrow in (
        _without_file_label,
        _without_page_labels,
        _without_lists,
        without_contents,
        without_first_counts,
        _without_cover,
        _without_references,
        _without_repeats,
    ):
        found = narrow(found, lines)
    untitled = [item for item in everything if not item.titled]
    found = keep_sequences(found, untitled)
    found = with_untitled(found, untitled, lines[-1].end if lines else 0)
    level = _ranks(found)
    levels = instrument_levels(found, level)
    headings = [_heading(item, own) for own, item in zip(levels, found, strict=True)]
    return recital_headings(lines, headings)


def _heading(item: Candidate, level: int) -> Heading:
    if item.above or not item.titled:
        return Heading(level, item.start, item.end, item.number, item.above)
    if item.style.kind == "annex" and not item.values:
        return Heading(level, item.start, item.end, item.number)
    return Heading(level, item.start, item.end)


def _without_file_label(found: list[Candidate], lines: Sequence[Line]) -> list[Candidate]:
    """Without an "Exhibit 10.3" at the top that no "Exhibit 10.4" follows: it says where a text was filed."""
    if not found or found[0].style.kind != "annex" or found[0].start > FRONT:
        return found
    if lines_between(lines, -1, found[0].first) > 1:
        return found
    top = found[0]
    if any(_counts_on(top, item) for item in found[1:]):
        return found
    below = lines[top.first + 1 : top.last + 1]
    # The title that stood below the label is one of the whole text.
    titles = candidates([Line("", line.start) for line in lines[: top.first + 1]] + [*below])
    kept = [*(item for item in titles if item.titled), *found[1:]]
    return _without_file_label(
        kept, [Line("", line.start) for line in lines[: top.first + 1]] + [*lines[top.first + 1 :]]
    )


def _without_page_labels(found: list[Candidate], lines: Sequence[Line]) -> list[Candidate]:
    """Without labels of annexes behind a page header that count on from no other: they may belong to it."""
    return [
        item
        for item in found
        if item.style.kind != "annex"
        or not lines[item.first].behind
        or not item.values
        or item.values == (1,)
        or any(_counts_on(item, other) or _counts_on(other, item) for other in found)
    ]


def _counts_on(one: Candidate, other: Candidate) -> bool:
    """Whether another annex of the same name has one of the next numbers."""
    if other.style != one.style or not one.values or len(one.values) != len(other.values):
        return False
    same = one.number.split()[0].casefold() == other.number.split()[0].casefold()
    return same and one.values[:-1] == other.values[:-1] and 0 < other.values[-1] - one.values[-1] <= GAP


def _without_lists(found: list[Candidate], lines: Sequence[Line]) -> list[Candidate]:
    """Without numbers on lines that follow each other: those are the items of a list."""
    listed: set[int] = set()
    for at, (item, after) in enumerate(pairwise(found)):
        whole = item.end == lines[item.last].end
        if item.style == after.style == ONES and after.first == item.last + 1 and whole and not item.scale:
            listed.update((at, at + 1))
    return [item for at, item in enumerate(found) if at not in listed]


def _without_cover(found: list[Candidate], lines: Sequence[Line]) -> list[Candidate]:
    """Without lines in capitals that come again and again, or that only stand above other such lines, as on
    a cover or in a signature."""
    times = Counter(key_of(item.text) for item in found)
    capitals = Style("capitals", 1)
    return [
        item
        for item, after in zip_longest(found, found[1:])
        if item.style != capitals
        or (
            times[key_of(item.text)] <= MOST_REPEATS
            and (after is None or after.style != capitals or lines_between(lines, item.last, after.first) > 0)
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
        or lines_between(lines, -1, item.first) == 0
        or item.text == item.number
        or item.values[-1] <= GAP
        or any(item.values[-1] + step in known[item.style] for step in range(-GAP, GAP + 1) if step)
    ]


def _without_repeats(found: list[Candidate], lines: Sequence[Line]) -> list[Candidate]:
    """Without a heading of an annex that comes again before another annex: it runs on over pages."""
    last = ""
    kept: list[Candidate] = []
    by_word: dict[str, Candidate] = {}
    for item in found:
        if item.style.kind in ("annex", "appendix"):
            number, word = key_of(item.number), item.number.split()[0].casefold()
            again = number == last or (word in by_word and same_annex(by_word[word], item))
            last = number
            if again:
                continue
            by_word[word] = item
        kept.append(item)
    return kept


def _ranks(found: Sequence[Candidate]) -> dict[Style, int]:
    """A level for each style, lower is higher up.

    Kinds follow the usual order, except where the text shows another one: when between
    two X with numbers n and n + 1 there are on average more Y than X between two such Y, X contains Y.
    """
    first = {item.style: -at for at, item in reversed([*enumerate(found)])}
    shown = {item.style for item in found if item.style.kind != "print"}
    styles = sorted(shown, key=lambda style: _usual(style, -first[style]))
    contains = _containment(found)
    ordered: list[Style] = []
    for style in styles:
        at = len(ordered)
        while at and contains[style, ordered[at - 1]] > max(contains[ordered[at - 1], style], LEAST_HELD):
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
        elif levels and not _holds_several(found, style, min(levels, key=lambda other: levels[other])):
            # A title over the only count of numbers is one of the whole text.
            placed[style] = min(levels.values())
        elif larger:
            placed[style] = max(larger) + style.depth
        else:
            placed[style] = style.depth - LEVELS
    return placed


def _holds_several(found: Sequence[Candidate], style: Style, counted: Style) -> bool:
    """Whether headings in a print hold the numbers of another style in more than one part."""
    holding = 0
    fresh = False
    for item in found:
        if item.style == style:
            fresh = True
        elif item.style == counted and fresh:
            holding += 1
            fresh = False
    return holding > 1


def _usual(style: Style, first: int) -> tuple[int, int, int]:
    """The place of a style among others; plain counts ("I.", "A.", "1.") nest as the text begins them."""
    if style == ONES or style.kind == "roman" or (style.kind == "letter" and style.depth == 1):
        return COUNTS, first, 0
    fixed = {"capitals": CAPITALS, "decimal": DECIMALS, "letter": DECIMALS, "bracket": BRACKETS}
    if style.kind in fixed:
        return fixed[style.kind], style.depth, 0
    if style.kind in ("article", "section"):
        # Contracts divide articles into sections, acts of Europe sections into articles.
        return ORDER.index("article"), first, 0
    return ORDER.index(style.kind), style.depth, 0


def _containment(found: Sequence[Candidate]) -> defaultdict[tuple[Style, Style], float]:
    """How many headings of style Y stand on average between consecutive numbers of style X."""
    between: Counter[tuple[Style, Style]] = Counter()
    pairs: Counter[Style] = Counter()
    open_: dict[Style, tuple[int, Counter[Style]]] = {}
    for item in found:
        if (
            not item.values
            or item.style.kind in UNRANKED
            or (item.style.kind == "decimal" and item.style != ONES)
        ):
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
    for item, after in pairwise(found):
        # A heading without text of its own stands above the next one.
        if item.values and after.values and after.start - item.end <= NOTHING_BETWEEN:
            averages[item.style, after.style] += ADJACENT
    return averages
