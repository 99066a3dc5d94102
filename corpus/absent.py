"""Words of a question that no chunk has as they are: looked for as they may be written otherwise.

The index cuts texts into words: `1,000` is not `1000` to it, `ISO-9001` not `ISO9001`, and a German compound
is one word. What the texts have in their place is searched for beside the words of the question.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from pincite.corpus.rows import ChunkHit
from pincite.corpus.spellings import fold, spellings

# In a longer text other words count; more than a few absent words are another language.
_LONGEST_QUERY, _MOST = 32, 6
# Words that are one thing: digits in groups of three, a code after its letters.
_UNIT = re.compile(r"\d{1,3}(?: \d{3})+(?!\w)|\d+ [a-z](?![\w.])|[A-Z]{2,6} \d[\w.-]*|\S+")
# Most words stand in the first chunks.
_FIRST = 20
# What stands around words.
_AROUND = re.compile(r"^\W+|\W+$")
# What is taken for one absent word, and the shortest part of a compound.
_KEPT, _PART = 12, 4
# An ending may differ: the index cuts English ones off.
_ENDING, _LONGER = 3, 4
_LINKS = re.compile(r"(?<=.{4})(?:s|es|n|en|er|e)$")
# Scripts without blanks between words: the index cuts them by dictionary.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")

Search = Callable[[Sequence[str]], Sequence[ChunkHit]]


def otherwise(
    words: Sequence[str],
    exact: Sequence[ChunkHit],
    search: Search,
    texts: Callable[[str], Sequence[str]],
    k: int,
) -> list[str]:
    """The words with what the texts have in place of absent ones: other spellings, longer words, parts.

    `exact` are the `k` best chunks for the words, `search` finds chunks, and `texts` gives those of the
    chunks in which a pattern is found. Where nothing is absent, or nothing is found, the words as they are.
    """
    units = _UNIT.findall(" ".join(words)) if len(words) <= _LONGEST_QUERY else []
    absent = _absent(_absent(units, exact[:_FIRST]), exact)
    if absent and len(exact) >= k:
        absent = _absent(absent, search(absent))
    ways = {word: way for word in absent[:_MOST] if (way := spellings(_AROUND.sub("", word)))}
    if not ways:
        return list(words)
    found = texts("|".join(f"(?:{way.for_re2})" for way in ways.values()))
    instead: dict[str, list[str]] = {}
    for word, way in ways.items():
        written = Counter(one for text in found for one in way.found_in(text))
        ordered = sorted(written, key=lambda one: (-written[one], len(one), one))
        instead[word] = ordered[:_KEPT] or _parts(fold(_AROUND.sub("", word)), search)
    if not any(instead.values()):
        return list(words)
    return [other for unit in units for other in instead.get(unit) or [unit]]


def _absent(units: Sequence[str], hits: Sequence[ChunkHit]) -> list[str]:
    """The units that stand in none of the hits, whatever their ending."""
    everything = "\n".join(f"{hit.label}\n{hit.text}" for hit in hits).casefold() if units else ""
    return [
        unit
        for unit in dict.fromkeys(units)
        if len(plain := _AROUND.sub("", unit).casefold()) > 1
        and not _UNSPACED.search(plain)
        and not _stands(plain, everything)
    ]


def _stands(word: str, text: str, *, exact: bool = False) -> bool:
    """Whether a word of the text begins like `word` and is about as long, or is the same."""
    inflected = word.isalpha() and not exact
    stem = word[: max(_PART, len(word) - _ENDING)] if inflected else word
    at = text.find(stem)
    while at >= 0:
        if not text[at - 1 : at].isalnum():
            end = at + len(stem)
            while text[end : end + 1].isalnum():
                end += 1
            if end - at <= len(word) + (_LONGER if inflected else 0):
                return True
        at = text.find(stem, at + 1)
    return False


def _parts(word: str, search: Search) -> list[str]:
    """The two parts of a compound, where both are words of the index; the most even cut counts."""
    if not word.isalpha():
        return []
    cuts = [
        (left, word[at:])
        for at in range(_PART, len(word) - _PART + 1)
        for left in dict.fromkeys((word[:at], _LINKS.sub("", word[:at])))
    ]
    if not cuts:
        return []
    hits = search([*dict.fromkeys(part for cut in cuts for part in cut)])
    everything = fold("\n".join(f"{hit.label}\n{hit.text}" for hit in hits))
    known = [
        (left, right)
        for left, right in cuts
        if _stands(left, everything, exact=True) and _stands(right, everything)
    ]
    return list(max(known, key=lambda cut: min(map(len, cut)))) if known else []
