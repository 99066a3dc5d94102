"""Where the letters of a quote stand in a text, when blanks and dashes between them agree.

A text becomes a skeleton: its characters without white space and dashes, and before each of them a gap saying
which of those stood there. A quote's skeleton has the same length wherever it matches, also where a gap may
be read in several ways (a word hyphenated at a line's end, white space beside a Chinese character).
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate

from pincite.agent.check.characters import (
    DASHES,
    HYPHENS,
    LINE_BREAKS,
    flatten,
    is_cjk,
    is_mark,
    is_wide_mark,
)

_DASH_CLASS = "".join(re.escape(char) for char in sorted(DASHES))
_GAP = re.compile(f"([\\s{_DASH_CLASS}]+)")
_DASH = re.compile(f"[{_DASH_CLASS}]")

_NONE, _BLANK, _MAYBE = range(3)


@dataclass(frozen=True, slots=True)
class Gap:
    """What stands between two characters: white space (none, a blank, either) before, between, after dashes.

    `joinable` marks a hyphen and line break between letters: also no gap at all is a fair reading of it.
    """

    blanks: tuple[int, ...]
    joinable: bool = False

    def agrees(self, other: "Gap") -> bool:
        """Whether both can be read as the same characters."""
        if _blanks_agree(self.blanks, other.blanks):
            return True
        return (self.joinable and other.blanks in ((_NONE,), (_MAYBE,))) or (
            other.joinable and self.blanks in ((_NONE,), (_MAYBE,))
        )

    def plain(self) -> str:
        """One reading of the gap: optional white space left out, hyphens kept."""
        return "-".join(" " if blank == _BLANK else "" for blank in self.blanks)


def _blanks_agree(one: tuple[int, ...], two: tuple[int, ...]) -> bool:
    return len(one) == len(two) and all(a == b or _MAYBE in (a, b) for a, b in zip(one, two, strict=True))


_NO_GAP = Gap((_NONE,))
_ONE_BLANK = Gap((_BLANK,))
_NO_GAP_CODE, _ONE_BLANK_CODE = "\0", "\1"


@dataclass(slots=True)
class GapCodes:
    """One character per kind of gap, so that runs of gaps are strings. Quote and text share the codes."""

    codes: dict[Gap, str] = field(
        default_factory=lambda: {_NO_GAP: _NO_GAP_CODE, _ONE_BLANK: _ONE_BLANK_CODE}
    )
    gaps: dict[str, Gap] = field(default_factory=lambda: {_NO_GAP_CODE: _NO_GAP, _ONE_BLANK_CODE: _ONE_BLANK})

    def code(self, between: str, before: str, after: str) -> str:
        """The code of the gap written `between` two characters, each "" at the text's ends."""
        if between == " " and before < "\u2000" and after < "\u0300":
            return _ONE_BLANK_CODE
        gap = _gap(between, before, after)
        if gap not in self.codes:
            self.codes[gap] = chr(len(self.codes))
            self.gaps[self.codes[gap]] = gap
        return self.codes[gap]

    def agreeing(self, wanted: str) -> set[str]:
        """The codes of all gaps that can be read like the gap coded `wanted`."""
        return {code for code, gap in self.gaps.items() if gap.agrees(self.gaps[wanted])}


@dataclass(frozen=True, slots=True)
class Skeleton:
    """A text cut into runs of letters and the gaps around them.

    `letters` holds all runs; `gaps` has for each letter the code of the gap before it; `tail` is the gap
    after the last letter.
    """

    text: str
    letters: str
    places: "Places"
    gaps: str
    tail: Gap
    codes: GapCodes

    def gap(self, i: int) -> Gap:
        """The gap before letter i; i may be len(letters)."""
        return self.codes.gaps[self.gaps[i]] if i < len(self.gaps) else self.tail

    def gap_span(self, i: int) -> tuple[int, int]:
        """The offsets in `text` of the gap before letter i; i may be len(letters)."""
        end = self.places[i] if i < len(self.letters) else len(self.text)
        return (self.places[i - 1] + 1 if i > 0 else 0), end


class Places:
    """The offset in a text of each letter of its skeleton."""

    def __init__(self, parts: list[str]) -> None:
        self._firsts = list(accumulate(map(len, parts[::2]), initial=0))[:-1]
        self._offsets = list(accumulate(map(len, parts), initial=0))[:-1:2]

    def __getitem__(self, letter: int) -> int:
        run = bisect_right(self._firsts, letter) - 1
        return self._offsets[run] + letter - self._firsts[run]


def letters_of(text: str) -> str:
    """The letters of a folded text's skeleton."""
    return flatten(_GAP.sub("", text))


def extent(text: str, letters: str, wanted: list[str]) -> tuple[int, int]:
    """The part of `text` that holds every place of the wanted runs of its letters, and one letter around."""
    first = min(letters.find(run) for run in wanted)
    last = max(letters.rfind(run) + len(run) for run in wanted)
    places = Places(_GAP.split(text))
    return places[first - 1] if first else 0, places[last] + 1 if last < len(letters) else len(text)


def skeleton(text: str, codes: GapCodes) -> Skeleton:
    """The skeleton of a folded text."""
    parts = _GAP.split(text)
    gaps: list[str] = []
    code = _NO_GAP_CODE
    for index in range(0, len(parts) - 1, 2):
        run = parts[index]
        if run:
            gaps += (code, _NO_GAP_CODE * (len(run) - 1))
        code = codes.code(parts[index + 1], run[-1:], parts[index + 2][:1])
    if parts[-1]:
        gaps += (code, _NO_GAP_CODE * (len(parts[-1]) - 1))
        code = _NO_GAP_CODE
    return Skeleton(
        text=text,
        letters=flatten("".join(parts[::2])),
        places=Places(parts),
        gaps="".join(gaps),
        tail=codes.gaps[code],
        codes=codes,
    )


def _gap(between: str, before: str, after: str) -> Gap:
    marks = _DASH.findall(between)
    spaces = _DASH.split(between)
    neighbours = [before, *marks, after]
    blanks = tuple(_blank(space, neighbours[i], neighbours[i + 1]) for i, space in enumerate(spaces))
    joinable = (
        len(marks) == 1
        and marks[0] in HYPHENS
        and not spaces[0]
        and not LINE_BREAKS.isdisjoint(spaces[1])
        and (before.isalpha() or (before != "" and is_mark(before)))
        and after.isalpha()
    )
    return Gap(blanks, joinable)


def _blank(space: str, left: str, right: str) -> int:
    if not space:
        return _NONE
    if right and is_mark(right):
        return _BLANK
    if left in HYPHENS and not LINE_BREAKS.isdisjoint(space):
        return _MAYBE
    touched = any(side and (is_cjk(side) or is_wide_mark(side)) for side in (left, right))
    return _MAYBE if touched else _BLANK


def plain(text: str) -> str:
    """One form of a folded text: single blanks, hyphens for dashes, straight marks, no doubtful blanks."""
    bones = skeleton(text, GapCodes())
    return (
        "".join(bones.gap(i).plain() + letter for i, letter in enumerate(bones.letters)) + bones.tail.plain()
    )


def alignments(quote: Skeleton, text: Skeleton) -> Iterator[tuple[int, int]]:
    """Offsets (start, end) in `text.text` of every place where the quote's letters and gaps stand."""
    if quote.letters not in text.letters:
        return
    places = _agreeing_places(quote, text)
    at = places.find("1")
    while at >= 0:
        if text.letters.startswith(quote.letters, at):
            start = _lead(quote, text, at)
            end = _trail(quote, text, at + len(quote.letters))
            if start is not None and end is not None:
                yield start, end
        at = places.find("1", at + 1)


def _agreeing_places(quote: Skeleton, text: Skeleton) -> str:
    """A "1" for each letter of the text where a run of gaps begins that agrees with the quote's inner gaps.

    Compared for all places at once, one bit each, so that no text makes it slow.
    """
    wanted = quote.gaps[1:]
    bits: dict[str, int] = {}
    for code in set(wanted):
        agreeing = text.codes.agreeing(code)
        table = {ord(other): "1" if other in agreeing else "0" for other in text.codes.gaps}
        bits[code] = int(text.gaps.translate(table)[::-1] or "0", 2)
    places = (1 << len(text.gaps)) - 1
    # Gaps that show come first: they rule out most places, and an empty result ends the search.
    for i in sorted(range(len(wanted)), key=lambda i: wanted[i] == _NO_GAP_CODE):
        places &= bits[wanted[i]] >> (i + 1)
        if not places:
            return ""
    return bin(places)[:1:-1]


def _lead(quote: Skeleton, text: Skeleton, at: int) -> int | None:
    """Where the match begins: dashes before the quote's first letter must end the text's gap there."""
    wanted, there = quote.gap(0).blanks, text.gap(at).blanks
    dashes = len(wanted) - 1
    if not dashes:
        return text.places[at]
    if dashes >= len(there) or not _blanks_agree(wanted[1:], there[-dashes:]):
        return None
    return [found.start() for found in _DASH.finditer(text.text, *text.gap_span(at))][-dashes]


def _trail(quote: Skeleton, text: Skeleton, at: int) -> int | None:
    """Where the match ends: dashes after the quote's last letter must begin the text's gap there."""
    wanted, there = quote.tail.blanks, text.gap(at).blanks
    dashes = len(wanted) - 1
    if not dashes:
        return text.gap_span(at)[0]
    if dashes >= len(there) or not _blanks_agree(wanted[:-1], there[:dashes]):
        return None
    return [found.end() for found in _DASH.finditer(text.text, *text.gap_span(at))][dashes - 1]
