"""The units that a text names, one word with its numbers at a time: "Articles 15 to 22 and 34", "lit. f"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pincite.corpus.references_numbers import GAP, WORD, Value, values
from pincite.corpus.references_words import (
    KIND,
    ORDINAL,
    POINTING,
    POINTING_BEHIND,
    POSITIONAL,
    any_word,
)

_ORDINAL_WORD = any_word(ORDINAL)
_ORDINAL_BEHIND = re.compile(rf"{GAP}(?P<ordinal>{_ORDINAL_WORD})\b", re.IGNORECASE)
_POINTING_WORD = "|".join(sorted((word.replace(" ", GAP) for word in POINTING), key=len, reverse=True))
_BEFORE = re.compile(
    rf"(?<![\w-])(?:(?P<ordinal>{_ORDINAL_WORD})|(?P<figure>\d{{1,2}})(?:st|nd|rd|th|er|e|ème|º|ª|\.)"
    rf"|(?P<pointing>{_POINTING_WORD})){GAP}$",
    re.IGNORECASE,
)
_POINTING_BEHIND = re.compile(rf"{GAP}(?P<word>{'|'.join(POINTING_BEHIND)})\b", re.IGNORECASE)
# "Abs. 1 S. 2": behind these words the letter is a sentence, elsewhere it may be a page.
_SATZ = re.compile(rf"{GAP},?{GAP}(?P<word>S\.?){GAP}(?P<figure>\d{{1,2}})(?![\w.]*\d)")
_GERMAN_WORDS = "abs absatz absatzes § art artikel artikels nr nummer lit buchst buchstabe uabs"
_GERMAN = frozenset(_GERMAN_WORDS.split())
_EVERYDAY_WORDS = (
    "item part teil title titel titre título titulo phrase frase para sect buch book livre libro rule "
    "regel exhibit punkt punto nummer número numero parte partie letter lettre letra satz sentence "
    "point schedule annexe"
)
_EVERYDAY = frozenset(_EVERYDAY_WORDS.split())


@dataclass(frozen=True, slots=True)
class Named:
    """One unit word with what it says: numbers, a position (`ordinal`, -1 the last) or where it points to."""

    kind: str
    word: str
    start: int
    end: int
    values: tuple[Value, ...] = ()
    ordinal: int | None = None
    pointing: str | None = None


def units_named(text: str, start: int = 0, end: int | None = None) -> Iterator[Named]:
    """Every unit that is named between `start` and `end`, in order."""
    stop = len(text) if end is None else end
    at = start
    while True:
        match = WORD.search(text, at, stop)
        if match is None:
            return
        word = match["word"] or match["sign"]
        whole = match.end("word") if match["word"] else match.end()
        named = _named(text, word, (match.start(), whole, match.end()), at, stop)
        if named is None:
            at = match.end()
            continue
        yield named
        at = named.end
        satz = _SATZ.match(text, at, stop) if named.word.lower() in _GERMAN and named.values else None
        if satz is not None:
            begin, at = satz.start("word"), satz.end()
            yield Named("sentence", "Satz", begin, at, ordinal=int(satz["figure"]))


def _named(text: str, word: str, spans: tuple[int, int, int], floor: int, stop: int) -> Named | None:
    """What a word names; `spans` are where it starts, where it ends, and where it ends with its full stop."""
    start, whole, behind = spans
    kind = KIND[word.lower()]
    if word == "¶":
        kind = "paragraph"
    before = _BEFORE.search(text, max(floor, start - 40), start)
    found, end = values(text, kind, word, behind, stop)
    pointing = (
        POINTING[" ".join(before["pointing"].lower().split())] if before and before["pointing"] else None
    )
    if found:
        first = before.start() if before is not None and pointing == "this" else start
        if kind in POSITIONAL - {"paragraph"} and _plain(found) and kind != "indent":
            return Named(kind, word, first, end, found, ordinal=int(found[0].tokens[0]))
        return Named(kind, word, first, end, found, pointing=pointing)
    if before is not None and pointing is not None:
        return Named(kind, word, before.start(), whole, pointing=pointing) if _whole_word(word) else None
    if before is not None and kind in POSITIONAL | {"point", "article"}:
        number = ORDINAL[before["ordinal"].lower()] if before["ordinal"] else int(before["figure"])
        if kind in POSITIONAL:
            return Named(kind, word, before.start(), whole, ordinal=number)
    after = _ORDINAL_BEHIND.match(text, behind, stop)
    if after is not None and kind in POSITIONAL:
        return Named(kind, word, start, after.end(), ordinal=ORDINAL[after["ordinal"].lower()])
    after = _POINTING_BEHIND.match(text, behind, stop)
    if after is not None and _whole_word(word):
        return Named(kind, word, start, after.end(), pointing=POINTING_BEHIND[after["word"].lower()])
    return None


def _whole_word(word: str) -> bool:
    """Whether a word names a unit by itself: "this Chapter", not "this no" or "this part of it"."""
    return len(word) > 3 and (word[0].isupper() or word.lower() not in _EVERYDAY)


def _plain(numbers: tuple[Value, ...]) -> bool:
    return (
        len(numbers) == 1
        and numbers[0].until is None
        and len(numbers[0].tokens) == 1
        and numbers[0].tokens[0].isdigit()
        and not numbers[0].inner
    )
