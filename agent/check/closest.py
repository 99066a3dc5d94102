"""The words of a passage that come nearest to a quote that does not stand in it."""

import re
from collections import Counter
from difflib import SequenceMatcher

from pincite.agent.check.characters import is_cjk
from pincite.agent.check.normalise import fold

_LIKENESS = 0.35
"""Least share of the quote's letters that must stand in words the run has too."""

_SLACK = 2
_LEAST = 8
_COMPARED = 5
_MOST_QUOTE_WORDS = 400
_NOT_LETTERS = re.compile(r"^\W+|\W+$")


def closest_words(quote: str, text: str, *, words: int = 25) -> str:
    """The run of at most `words` words of `text` most like the quote, verbatim; "" when nothing is like it.

    Two Chinese or Japanese characters count as one word.
    """
    wanted = [_key(word) for word, _, _ in _words(quote)][:_MOST_QUOTE_WORDS]
    wanted = [key for key in wanted if key]
    there = _words(text)
    if not wanted or not there or words < 1:
        return ""
    keys = [_key(word) for word, _, _ in there]
    limit = min(max(len(wanted) + _SLACK, _LEAST), 2 * words)
    best = _best_starts(Counter(wanted), keys, limit)
    if not best:
        return ""
    start = max(best, key=lambda at: (_likeness(wanted, keys[at : at + limit]), -at))
    blocks = SequenceMatcher(None, wanted, keys[start : start + limit], autojunk=False).get_matching_blocks()
    first = max(0, min(start + blocks[0].b - blocks[0].a, len(there) - limit))
    last = _last_within(there, first, min(len(there), first + limit), words)
    return text[there[first][1] : there[last][2]]


def _likeness(wanted: list[str], run: list[str]) -> float:
    return SequenceMatcher(None, wanted, run, autojunk=False).ratio()


def _best_starts(wanted: Counter[str], keys: list[str], size: int) -> list[int]:
    """Where runs of `size` words begin that share most letters with the quote, none below `_LIKENESS`."""
    total = sum(len(key) * count for key, count in wanted.items())
    inside: Counter[str] = Counter()
    shared = 0
    scores: list[tuple[int, int]] = []
    for at, key in enumerate(keys):
        inside[key] += 1
        if inside[key] <= wanted[key]:
            shared += len(key)
        if at >= size:
            gone = keys[at - size]
            if inside[gone] <= wanted[gone]:
                shared -= len(gone)
            inside[gone] -= 1
        scores.append((shared, -max(0, at - size + 1)))
    ranked = sorted(set(scores), reverse=True)[:_COMPARED]
    return [-start for score, start in ranked if score >= _LIKENESS * total]


def _last_within(there: list[tuple[str, int, int]], first: int, end: int, words: int) -> int:
    room = 2 * words
    last = first
    for at in range(first, end):
        room -= 1 if is_cjk(there[at][0][0]) else 2
        if room < 0:
            break
        last = at
    return last


def _words(text: str) -> list[tuple[str, int, int]]:
    """Words with their offsets; each Chinese or Japanese character is a word, with the marks behind it."""
    words: list[tuple[str, int, int]] = []
    for found in re.finditer(r"\S+", text):
        run, offset = found.group(), found.start()
        cuts = [0]
        if not run.isascii():
            cuts += [
                i for i in range(1, len(run)) if is_cjk(run[i]) or (is_cjk(run[i - 1]) and run[i].isalnum())
            ]
        for start, end in zip(cuts, [*cuts[1:], len(run)], strict=True):
            words.append((run[start:end], offset + start, offset + end))
    return words


def _key(word: str) -> str:
    if not word.isascii():
        word = fold(word).text
    return _NOT_LETTERS.sub("", word).casefold()
