"""Letters in one form: composed, no ligatures, nothing invisible, each tied to its place in the original."""

import functools
import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from operator import itemgetter

from pincite.agent.check.characters import (
    IGNORABLE,
    LINE_BREAKS,
    ONE_TO_ONE,
    SOFT_HYPHEN,
    ZERO_WIDTH,
    is_mark,
)

_LATIN_LIGATURES = {
    **{chr(code): unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)},
    "\u0132": "IJ",
    "\u0133": "ij",
    "\u017f": "s",
}
_LONGEST = 64
"""Marks composed at a time: putting them in order takes quadratic time, and real letters carry a few."""

_SOFT_BREAK = re.compile(
    f"{SOFT_HYPHEN}(?=[\\s{''.join(sorted(ZERO_WIDTH))}]*[{''.join(sorted(LINE_BREAKS))}])"
)


@dataclass(frozen=True, slots=True)
class Folded:
    """`text` in one form, and the places where it differs from the original.

    Each change is (offset in `text`, characters there, start in the original, end in the original); between
    two changes both run in step.
    """

    text: str
    changes: tuple[tuple[int, int, int, int], ...] = ()

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where text[start:end] (not empty) stands in the original."""
        return self._place(start)[0], self._place(end - 1)[1]

    def _place(self, at: int) -> tuple[int, int]:
        index = bisect_right(self.changes, at, key=itemgetter(0)) - 1
        if index < 0:
            return at, at + 1
        offset, size, start, end = self.changes[index]
        if at < offset + size:
            return start, end
        shift = end - (offset + size)
        return at + shift, at + shift + 1


def mark_soft_breaks(text: str) -> str:
    """Soft hyphens before a line break, where they show, become hyphens; the length stays the same."""
    return _SOFT_BREAK.sub("\u2010", text) if SOFT_HYPHEN in text else text


def fold(text: str) -> Folded:
    """NFC; ligatures, presentation forms, long s to letters; soft hyphens, zero-width characters gone."""
    text = mark_soft_breaks(text)
    if text.isascii():
        return Folded(text)
    kinds = {char: _kind(char) for char in set(text) if not char.isascii()}
    single = "".join(re.escape(char) for char, kind in kinds.items() if kind == "single")
    attached = "".join(re.escape(char) for char, kind in kinds.items() if kind in ("attached", "ignorable"))
    present = set(kinds.values())
    # A full-width letter composes with the mark behind it only once it is a plain letter.
    settled = unicodedata.is_normalized("NFC", text) and not present >= {"attached", "replaced"}
    if settled and present.isdisjoint(("single", "ignorable")):
        return Folded(text)
    return _rebuild(text, f"(?s:.)[{attached}]+|[{attached}{single}]" if attached else f"[{single}]")


def _rebuild(text: str, changing: str) -> Folded:
    pieces: list[str] = []
    changes: list[tuple[int, int, int, int]] = []
    done = size = 0
    for found in re.finditer(changing, text):
        start, end = found.span()
        cluster = found.group()
        letters = "".join(_compose(cluster[i : i + _LONGEST]) for i in range(0, len(cluster), _LONGEST))
        pieces += (text[done:start], letters)
        size += start - done
        changes.append((size, len(letters), start, end))
        size += len(letters)
        done = end
    pieces.append(text[done:])
    return Folded("".join(pieces), tuple(changes))


@functools.lru_cache(maxsize=4096)
def _compose(cluster: str) -> str:
    kept = "".join(char for char in cluster if char not in IGNORABLE)
    letters = "".join(_letters(char) for char in unicodedata.normalize("NFD", kept))
    if len(letters) > 1:
        letters = "".join(ONE_TO_ONE.get(char, char) for char in letters)
    return unicodedata.normalize("NFC", letters)


def _letters(char: str) -> str:
    """The letters that a ligature or presentation form stands for; any other character as it is."""
    if char in _LATIN_LIGATURES:
        return _LATIN_LIGATURES[char]
    if "\ufb50" <= char <= "\ufdff" or "\ufe70" <= char <= "\ufefe":
        # A mark shown alone decomposes to a blank and the mark; the blank is no part of it.
        return unicodedata.normalize("NFKD", char).lstrip(" ")
    return char


@functools.lru_cache(maxsize=4096)
def _kind(char: str) -> str:
    """How a character is folded: ignorable, attached (to the one before), single, replaced or plain."""
    if char in IGNORABLE:
        return "ignorable"
    letters = _letters(char)
    first = letters[:1] or char
    if is_mark(first) or unicodedata.combining(first) or "\u1160" <= char <= "\u11ff":
        return "attached"
    if char in ONE_TO_ONE:
        return "replaced"
    return "single" if _compose(char) != char else "plain"
