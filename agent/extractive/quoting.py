"""The words to quote: a run of 5 to 25 that stands in the passage, around what answers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from pincite.agent.check.quotes import Match, find_quote, too_short
from pincite.agent.extractive.segments import line_blocks

MOST_WORDS = 25
LEAST_WORDS = 5
_UNSPACED = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
# A blank that belongs to a number (a no-break or thin space) is no place to cut.
_UNIT = re.compile(rf"[{_UNSPACED}]|[^ \t\r\n{_UNSPACED}]+")
_STEP_END = re.compile(r"[,;:.!?…)\u3001\u3002\uff0c\uff1b\uff1a\uff1f\uff01]$")
_CHARACTER_COST = 0.5
_CLAUSE_BONUS = 0.5

Weigh = Callable[[str], float]
"""How much of what was asked a run of words holds, from 0 up."""


@dataclass(frozen=True)
class Units:
    """The words of a span of a text and what each costs: a character of an unspaced script half a word."""

    text: str
    start: int
    end: int

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Where each word stands in the text."""
        return [match.span() for match in _UNIT.finditer(self.text, self.start, self.end)]

    @cached_property
    def costs(self) -> list[float]:
        """What each word counts towards the limits; marks that stand alone are free."""
        return [self._cost(*span) for span in self.spans]

    def _cost(self, start: int, end: int) -> float:
        if not any(map(str.isalnum, self.text[start:end])):
            return 0.0
        return _CHARACTER_COST if end - start == 1 and re.match(f"[{_UNSPACED}]", self.text[start]) else 1.0


def count(text: str) -> float:
    """How many words a text has, as the limits of a quote count them."""
    return sum(Units(text, 0, len(text)).costs)


def quotes(text: str, start: int, end: int, weigh: Weigh) -> list[str]:
    """One or two runs of words of `text[start:end]`, each verbatim, that together hold what was asked.

    A span of at most 25 words is quoted whole. Up to 50 words two runs cover all of it; of a longer one
    they are the run that holds most and the better one beside it. A run that is too short to count as
    evidence grows beyond the span, inside its line of a list or table if that is long enough. Empty when no
    run can be found again in the text.
    """
    units = Units(text, start, end)
    if not units.spans:
        return []
    if sum(units.costs) <= MOST_WORDS:
        runs = [(units.spans[0][0], units.spans[-1][1])]
    else:
        runs = _runs(units, weigh)
    if len(runs) == 1:
        runs = [_grown(text, *runs[0])]
    found = [text[left:right] for left, right in runs]
    return [quote for quote in found if find_quote(quote, text).match is not Match.not_found]


def _runs(units: Units, weigh: Weigh) -> list[tuple[int, int]]:
    if sum(units.costs) <= 2 * MOST_WORDS:
        cut = _middle(units)
        chosen = [(0, cut), (cut, len(units.spans))]
    else:
        best = _best_run(units, weigh)
        behind = (best[1], _reach(units, best[1]))
        before = (_reach_back(units, best[0]), best[0])
        beside = [run for run in (behind, before) if _cost(units, run) >= LEAST_WORDS]
        chosen = sorted([best, *sorted(beside, key=lambda run: -_weight(units, run, weigh))[:1]])
    return [(units.spans[first][0], units.spans[last - 1][1]) for first, last in chosen if first < last]


def _middle(units: Units) -> int:
    """Where to cut a span in two runs of at most 25 words: at the end of a clause, if one ends in reach."""
    half = sum(units.costs) / 2
    places = [
        at
        for at in range(1, len(units.spans))
        if max(_cost(units, (0, at)), _cost(units, (at, len(units.spans)))) <= MOST_WORDS
    ]
    ends = [at for at in places if _STEP_END.search(units.text[slice(*units.spans[at - 1])])]
    good = [at for at in ends if min(_cost(units, (0, at)), 2 * half - _cost(units, (0, at))) >= LEAST_WORDS]
    return min(
        good or places, key=lambda at: abs(_cost(units, (0, at)) - half), default=len(units.spans) // 2
    )


def _cost(units: Units, run: tuple[int, int]) -> float:
    return sum(units.costs[run[0] : run[1]])


def _weight(units: Units, run: tuple[int, int], weigh: Weigh) -> float:
    return weigh(units.text[units.spans[run[0]][0] : units.spans[run[1] - 1][1]])


def _best_run(units: Units, weigh: Weigh) -> tuple[int, int]:
    """The run of at most 25 words that weighs most; in doubt one that begins a clause."""
    rated = []
    for first in range(len(units.spans)):
        last = _reach(units, first)
        opens = first == 0 or bool(_STEP_END.search(units.text[slice(*units.spans[first - 1])]))
        rated.append((_weight(units, (first, last), weigh) + _CLAUSE_BONUS * opens, -first, last))
        if last == len(units.spans):
            break
    _, first, last = max(rated)
    return -first, last


def _reach(units: Units, first: int) -> int:
    used, at = 0.0, first
    while at < len(units.spans) and used + units.costs[at] <= MOST_WORDS:
        used += units.costs[at]
        at += 1
    return at


def _reach_back(units: Units, last: int) -> int:
    used, at = 0.0, last
    while at > 0 and used + units.costs[at - 1] <= MOST_WORDS:
        used += units.costs[at - 1]
        at -= 1
    return at


def _grown(text: str, start: int, end: int) -> tuple[int, int]:
    """The run, longer by the words behind it or else before it while it has fewer than five.

    It stays inside its paragraph, list item or table row; where that is too short for the check, it is taken
    whole with the ones before it, or else those behind it.
    """
    blocks = list(line_blocks(text))
    inside = [at for at, (left, right) in enumerate(blocks) if left < end and right > start]
    if not inside:
        return _by_words(text, start, end, 0, len(text))
    first, last = inside[0], inside[-1]
    run = _by_words(text, start, end, min(blocks[first][0], start), max(blocks[last][1], end))
    while too_short(text[slice(*run)]) and (first > 0 or last + 1 < len(blocks)):
        if first > 0:
            first -= 1
        else:
            last += 1
        run = (min(blocks[first][0], run[0]), max(blocks[last][1], run[1]))
        if count(text[slice(*run)]) > MOST_WORDS:
            return _by_words(text, start, end, *run)
    return run


def _by_words(text: str, start: int, end: int, left: int, right: int) -> tuple[int, int]:
    """The run, grown inside `left`..`right` by the words behind it, then by those before it."""
    units = Units(text, left, right)
    inside = [at for at, span in enumerate(units.spans) if span[0] >= start and span[1] <= end]
    if not inside:
        return start, end
    first, last = inside[0], inside[-1] + 1

    def short() -> bool:
        words = sum(units.costs[first:last])
        return words < LEAST_WORDS or too_short(text[units.spans[first][0] : units.spans[last - 1][1]])

    while short() and last < len(units.spans):
        last += 1
    while short() and first > 0:
        first -= 1
    return units.spans[first][0], units.spans[last - 1][1]
