"""Recitals in text without markup: "Whereas:", then "(1)", "(2)" … up to the words that enact."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pincite.corpus.labels import Heading
from pincite.corpus.lines import Line

# What stands above the recitals, by the words for a recital and for what holds them.
OPENINGS = (
    (re.compile(r"whereas\s*:", re.IGNORECASE), "Recital", "Preamble"),
    (re.compile(r"in\s+erwägung\s+nachstehender\s+gründe\s*:", re.IGNORECASE), "Erwägungsgrund", "Präambel"),
    (re.compile(r"considérant\s+ce\s+qui\s+suit\s*:", re.IGNORECASE), "Considérant", "Préambule"),
    (re.compile(r"considerando\s+lo\s+siguiente\s*:", re.IGNORECASE), "Considerando", "Preámbulo"),
)
NUMBER = re.compile(r"\((\d{1,3})\)\s*(?=\S)")
LEAST = 2
# "HAVE ADOPTED THIS REGULATION:" ends the last recital; a line in capitals with a colon.
ENACTING_WORDS = 4


def recital_headings(lines: Sequence[Line], others: Sequence[Heading]) -> list[Heading]:
    """`others` with headings for a preamble and its recitals, without those that stand between recitals.

    A recital is a section by its number; the number itself is part of its text.
    """
    for at, line in enumerate(lines):
        for opening, *words in OPENINGS:
            if opening.fullmatch(line.text):
                found = _counted(lines, at + 1)
                if len(found) >= LEAST:
                    return _merged(lines, at, found, others, words)
    return list(others)


def _counted(lines: Sequence[Line], first: int) -> list[int]:
    """The lines with the numbers 1, 2, 3 … in order, each at the beginning of its paragraph."""
    found: list[int] = []
    for at in range(first, len(lines)):
        number = NUMBER.match(lines[at].text)
        free = not lines[at - 1].text or lines[at - 1].text.endswith((".", ":", ";", ","))
        if number is not None and int(number[1]) == len(found) + 1 and free:
            found.append(at)
        elif found and _enacts(lines[at].text):
            break
    return found


def _enacts(text: str) -> bool:
    return text.endswith(":") and text.isupper() and len(text.split()) >= ENACTING_WORDS - 1


def _merged(
    lines: Sequence[Line],
    opening: int,
    found: Sequence[int],
    others: Sequence[Heading],
    words: Sequence[str],
) -> list[Heading]:
    word, preamble = words
    first, last = lines[opening].start, lines[found[-1]].start
    enacting = next((line for line in lines[found[-1] :] if _enacts(line.text)), None)
    end = enacting.start if enacting is not None else last
    top = min((heading.level for heading in others if heading.start > last), default=1)
    outside = [heading for heading in others if not first <= heading.start <= end]
    added = [Heading(top, first, first, title=preamble, printed=False)]
    for count, at in enumerate(found, start=1):
        start = lines[at].start
        added.append(Heading(top + 1, start, start, number=f"{word} {count}", title=""))
    if enacting is not None:
        added.append(
            Heading(top + 1, enacting.start, enacting.start, title=enacting.text.rstrip(":"), printed=False)
        )
    deeper = [replace(one, level=max(one.level, top)) if one.start > last else one for one in outside]
    return sorted([*deeper, *added], key=lambda heading: heading.start)
