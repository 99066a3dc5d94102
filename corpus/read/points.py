"""Places inside a text that is still being put together: anchors, and the words of links.

A reader puts a mark into the text where a place is; the builder lifts it out again when the text has its
final form, so that no later change of white space moves the place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pincite.corpus.document import Anchor, Link

# Characters that no text may hold: Unicode keeps them for a program's own use.
OPEN, CLOSE = "\ufdd0", "\ufdd1"
FORGED = re.compile("[\ufdd0-\ufdef]")
MARK = re.compile(f"{OPEN}(\\d{{1,9}}){CLOSE}")
LONGEST_NAME = 200
# What stands in front of an item or a row is not worth an address of its own.
LEAD = re.compile(r"\s*(?:[-–—•*]|\(?\w{1,5}[.)])?\s*")


@dataclass(slots=True)
class _Anchor:
    name: str
    start: int = -1
    end: int = -1


@dataclass(slots=True)
class _Link:
    target: str
    start: int = -1
    end: int = -1


@dataclass(frozen=True, slots=True)
class _Point:
    """An anchor, the beginning of a link, or (`last`) its end."""

    on: _Anchor | _Link
    last: bool = False


class Points:
    """The marks that were handed out, and where they came to stand."""

    def __init__(self) -> None:
        self._points: list[_Point] = []
        # Places of a block without text: they belong to the next one.
        self._pending: list[_Point] = []

    def anchor(self, name: str) -> tuple[str, int]:
        """The mark of a place with this name, and what `close` takes; both empty for a name that is none."""
        name = FORGED.sub("", name.strip())
        if (
            not name
            or len(name) > LONGEST_NAME
            or any(char.isspace() or not char.isprintable() for char in name)
        ):
            return "", -1
        return self._mark(_Point(_Anchor(name)))

    def link(self, target: str) -> tuple[str, str]:
        """The marks in front of and behind the words of a link."""
        link = _Link(FORGED.sub("", target))
        return self._mark(_Point(link))[0], self._mark(_Point(link, last=True))[0]

    def _mark(self, point: _Point) -> tuple[str, int]:
        self._points.append(point)
        return f"{OPEN}{len(self._points) - 1}{CLOSE}", len(self._points) - 1

    def lift(self, text: str) -> tuple[str, list[tuple[int, int]]]:
        """A text without its marks, and (offset, mark) of each; blanks around a mark are one blank."""
        if OPEN not in text:
            return text, []
        found: list[tuple[int, int]] = []
        clean = ""
        at = 0
        for match in MARK.finditer(text):
            clean = _joined(clean, text[at : match.start()])
            found.append((len(clean), int(match[1])))
            at = match.end()
        clean = _joined(clean, text[at:])
        return clean, [(min(offset, len(clean)), mark) for offset, mark in found if mark < len(self._points)]

    def place(self, found: list[tuple[int, int]], text: str, start: int) -> None:
        """Say where a block with these marks stands; without text they wait for the next block."""
        if not text:
            self._pending += [self._points[mark] for _, mark in found]
            return
        for point in self._pending:
            self._put(point, 0, text, start)
        self._pending.clear()
        for offset, mark in found:
            self._put(self._points[mark], offset, text, start)

    def close(self, mark: int, length: int) -> None:
        """The element of an anchor ends where the text does now."""
        point = self._points[mark].on if mark >= 0 else None
        if isinstance(point, _Anchor) and 0 <= point.start < length:
            point.end = length

    def anchors(self) -> tuple[Anchor, ...]:
        """The anchors that came to stand somewhere."""
        placed = (point.on for point in self._points if isinstance(point.on, _Anchor))
        found = [Anchor(one.name, one.start, one.end) for one in placed if 0 <= one.start < one.end]
        return tuple(sorted(found, key=lambda one: (one.start, -one.end)))

    def links(self) -> tuple[Link, ...]:
        """The links whose words came to stand somewhere."""
        begun = (point.on for point in self._points if isinstance(point.on, _Link) and not point.last)
        return tuple(Link(one.start, one.end, one.target) for one in begun if 0 <= one.start < one.end)

    @staticmethod
    def _put(point: _Point, offset: int, text: str, start: int) -> None:
        on = point.on
        if isinstance(on, _Anchor):
            line = text.rfind("\n", 0, offset) + 1
            if LEAD.fullmatch(text, line, offset):
                offset = line + len(text[line:]) - len(text[line:].lstrip())
            stop = text.find("\n", offset)
            on.start, on.end = start + offset, start + (stop if stop >= 0 else len(text))
        elif not point.last:
            on.start = start + offset
        elif on.start >= start:
            on.end = start + len(text[:offset].rstrip())


def _joined(before: str, after: str) -> str:
    """Two parts of a text between which a mark stood, with one blank at most."""
    if (not before or before[-1] in " \n\t") and after.startswith(" "):
        after = after[1:]
    if before.endswith(" ") and after[:1] in ("\n", "\t"):
        before = before[:-1]
    return before + after
