"""Which numbers belong together: those that count on, in the order of the text.

A number that does not go on from one before it belongs to a list, to a sentence or to another text.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from pincite.corpus.candidates import Candidate
from pincite.corpus.styles import Style

GAP = 3
ONES = Style("decimal", 1)
# Kinds that count clauses; under them, other numbers start again.
CLAUSES = ("article", "section", "sign", "clause")
# Styles that a text may count its clauses in, without titles.
COUNTED = frozenset({ONES, Style("roman", 1), *(Style(kind, 1) for kind in CLAUSES)})
# A clause without a title in a text without titles has at least so many characters on average.
CLAUSE_CHARS = 150
LEAST_CLAUSES = 3


def keep_sequences(found: Sequence[Candidate], untitled: Sequence[Candidate] = ()) -> list[Candidate]:
    """`found` without numbers that do not continue a sequence; over a gap, `untitled` ones may lead."""
    found = _letters_or_roman(found)
    ones = [item.values[0] for item in found if item.style == ONES]
    left = Counter(ones)
    plain = [item for item in untitled if item.style == ONES and item.text.endswith(".")]
    # Below articles and sections, plain numbers count paragraphs.
    divided = any(item.style.kind in CLAUSES for item in found)
    leading, seen, last, before = [*plain], 0, 0, 0
    kept: list[Candidate] = []
    prefix: tuple[int, ...] = ()
    below: dict[tuple[int, ...], int] = {}
    clause: Candidate | None = None
    for item in found:
        kind = item.style.kind
        if item.style == ONES and not last and clause is not None and _goes_on(clause, item, found):
            # The text stops printing the word: "Section 5." and then "6."
            clause = replace(item, style=clause.style)
            prefix = item.values
            below.clear()
            kept.append(clause)
            continue
        if item.style == ONES:
            value = item.values[0]
            seen += 1
            left[value] -= 1
            while last and leading and leading[0].start < item.start:
                bridge = leading.pop(0).values[0]
                if last < bridge <= last + 2 and not left[bridge] and value != bridge:
                    last = bridge
            soon = ones[seen : seen + 3]
            # Sections are often counted through the parts of an act.
            through = last == 0 and before > 1 and value == before + 1
            through = through or (last == 0 and not divided and _among(item, plain))
            if not through and not _continues(item, last, soon=soon, later=left):
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
        elif kind not in ("capitals", "print", "letter", "bracket"):
            before = 0 if kind in ("annex", "appendix") else last or before
            last = 0
            below.clear()
            prefix = item.values if len(item.values) == 1 and kind in CLAUSES else ()
            clause = item if prefix else None
        kept.append(item)
    return _counted_on(kept)


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


def _among(item: Candidate, plain: Sequence[Candidate]) -> bool:
    """Whether clauses without titles count up to a titled one and on from it."""
    value = item.values[0]
    earlier = {one.values[0] for one in plain if one.start < item.start}
    later = {one.values[0] for one in plain if one.start > item.start}
    return value + 1 in later and (value == 1 or value - 1 in earlier)


def _goes_on(clause: Candidate, item: Candidate, found: Sequence[Candidate]) -> bool:
    """Whether a plain number takes up the count of clauses that had a word before their numbers."""
    value = clause.values[-1] + 1
    return item.values == (value,) and not any(
        other.style == clause.style and other.values == item.values for other in found
    )


def _letters_or_roman(found: Sequence[Candidate]) -> list[Candidate]:
    """`found` with "I." as a letter where an "H." stands before it and no "I." began a count."""
    letter = 0
    told: list[Candidate] = []
    for item in found:
        if item.style == Style("letter", 1):
            letter = item.values[0]
        elif item.style == Style("roman", 1) and len(item.number.strip(".)")) == 1:
            value = ord(item.number.strip(".)").lower()) - ord("a") + 1
            if value == letter + 1:
                letter = value
                told.append(replace(item, style=Style("letter", 1), values=(value,)))
                continue
        told.append(item)
    return told


def _counted_on(found: Sequence[Candidate]) -> list[Candidate]:
    """`found` without letters, Roman numerals and numbers in brackets that stand alone in their count."""
    alone: set[int] = set()
    counted = [item for item in found if item.values and item.style.kind in ("letter", "roman", "bracket")]
    for style in {item.style for item in counted}:
        runs: list[list[int]] = []
        for at, item in enumerate(found):
            if item.style != style:
                continue
            value = item.values[-1]
            # One that stands in between begins a count of its own, and the older one goes on behind it.
            going = (one for one in reversed(runs) if 0 < value - found[one[-1]].values[-1] <= GAP)
            run = next(going, None)
            if run is None:
                runs.append([at])
            else:
                run.append(at)
        for run in runs:
            first = found[run[0]].values[-1] if run else 0
            if len(run) < 2 - (style.kind == "bracket" and first == 1) or first > GAP:
                alone.update(run)
    return [item for at, item in enumerate(found) if at not in alone]


def with_untitled(kept: Sequence[Candidate], untitled: Sequence[Candidate], end: int) -> list[Candidate]:
    """`kept` and those untitled clauses whose numbers fill what is missing in its counts.

    A text whose clauses have no titles at all is counted by them alone. `end` is the length of the text.
    """
    added: list[Candidate] = []
    for style in COUNTED:
        own = [item for item in kept if item.style == style and item.values]
        free = [item for item in untitled if item.style == style and item.values]
        if own:
            added += _filling(kept, own, free)
        elif free and (style != ONES or not any(item.style.kind in CLAUSES for item in kept)):
            # In front of articles, plain numbers without titles count recitals.
            added += _alone(kept, free, end)
    added += _annexes(kept, untitled)
    return sorted([*kept, *added], key=lambda item: item.start)


def _counts_clauses(item: Candidate) -> bool:
    return bool(item.values) and item.style.kind not in ("annex", "appendix", "capitals", "print", "bracket")


def _filling(
    kept: Sequence[Candidate], own: Sequence[Candidate], free: Sequence[Candidate]
) -> Iterable[Candidate]:
    """Clauses that count on from a titled one up to the next, or up to what ends the count."""
    borders = [
        item for item in kept if item.style == own[0].style or item.style.kind in ("annex", "appendix")
    ]
    first = own[0]
    yield from _climb([item for item in free if item.start < first.start], 0, first.values[0])
    for item, after in pairwise([*borders, None]):
        if item is None or item.style != own[0].style:
            continue
        inside = [
            one for one in free if item.start < one.start and (after is None or one.start < after.start)
        ]
        same = after is not None and after.style == item.style and after.values > item.values
        yield from _climb(inside, item.values[-1], after.values[-1] if same and after is not None else None)


def _climb(items: Sequence[Candidate], last: int, stop: int | None) -> Iterable[Candidate]:
    """Items with the numbers behind `last`, one by one, below `stop`."""
    # A gap may be left where the text itself leaves one, if the count ends below a known number.
    step = 1 if stop is None else 2
    for item in items:
        value = item.values[-1]
        if last < value <= last + step and (stop is None or value < stop):
            yield item
            last = value


def _annexes(kept: Sequence[Candidate], untitled: Sequence[Candidate]) -> Iterable[Candidate]:
    """Annexes whose number stands at the front of their text, in a text that has other ones."""
    known = {_number(item) for item in kept}
    words = {_number(item)[0] for item in kept if item.style.kind in ("annex", "appendix")}
    for item in untitled:
        if item.style.kind not in ("annex", "appendix") or _number(item)[0] not in words:
            continue
        if not item.inner or _between(item, (*kept, *untitled)):
            if _number(item) not in known:
                yield item
            known.add(_number(item))


def _between(item: Candidate, others: Sequence[Candidate]) -> bool:
    """Whether an annex fills a gap: the ones before and behind it by number stand before and behind it."""
    same = [one for one in others if _number(one)[0] == _number(item)[0] and one.number.isupper()]
    beside = {value - item.values[-1]: one.start < item.start for one in same for value in one.values[-1:]}
    return item.number.isupper() and beside.get(-1) is True and beside.get(1) is False


def _number(item: Candidate) -> tuple[str, ...]:
    return tuple(item.number.casefold().split()) or ("",)


def _alone(kept: Sequence[Candidate], free: Sequence[Candidate], end: int) -> Iterable[Candidate]:
    runs: defaultdict[int, list[Candidate]] = defaultdict(list)
    number = 0
    for item in free:
        value = item.values[-1]
        if value == 1:
            number += 1
        if number and value == len(runs[number]) + 1:
            runs[number].append(item)
    best = max(runs.values(), key=len, default=[])
    if len(best) < LEAST_CLAUSES:
        return []
    if any(_counts_clauses(item) and best[0].start < item.start < best[-1].start for item in kept):
        return []
    stops = [*(item.start for item in best[1:]), min(end, best[-1].start + CLAUSE_CHARS)]
    mean = sum(stop - item.start for item, stop in zip(best, stops, strict=True)) / len(best)
    return best if mean >= CLAUSE_CHARS else []
