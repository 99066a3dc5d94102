"""Words of any script, and how alike two of them are."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from pincite.agent.extractive.function_words import FUNCTION_WORDS
from pincite.agent.extractive.irregular import BASES
from pincite.agent.extractive.synonyms import are_synonyms

_UNSPACED = (
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"  # Japanese, Chinese, Korean
)
_MARKS = (
    r"\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed"
    r"\u0900-\u0963\u0971-\u0dff"
)
_TOKEN = re.compile(
    rf"(?P<run>[{_UNSPACED}]+)"
    r"|(?P<code>[A-Za-z]{1,6}-?\d+(?:[A-Za-z]{0,2}\b|(?:-\w+)+)?|\d+-?[A-Z]{1,4}\b)"
    r"|(?P<number>\d+(?:[.,:/]\d+)*)"
    rf"|(?P<word>(?:[^\W\d_{_UNSPACED}]|[{_MARKS}])+(?:['’](?:[^\W\d_{_UNSPACED}]|[{_MARKS}])+)*)"
)
# From here on (Indic scripts) marks are vowels, not accents.
_FIRST_INDIC = "\u0900"
_POSSESSIVE = re.compile(r"['’]s?$")
_ELISION = re.compile(r"^(?:[cdjlmnst]|qu)['’]")
# "class D", "Annex B": a capital that stands alone is a name, except the English "I".
_LETTER_NAMES = frozenset("ABCDEFGHJKLMNOPQRSTUVWXYZ")
_SIBILANT_PLURAL = re.compile(r"(?:s|x|z|ch|sh)es$")


@dataclass(frozen=True, slots=True)
class Word:
    """One word, number or code of a text; scripts without blanks give overlapping pairs of characters.

    `term` is folded (lower case, no accents), except a capital that stands alone ("class D"), which keeps
    its case. `exact` words (numbers, codes, such letters, pairs of characters) have no other forms.
    `start`..`end` count characters of the text.
    """

    term: str
    start: int
    end: int
    exact: bool = False


@lru_cache(maxsize=65_536)
def fold(text: str) -> str:
    """`text` in lower case, without accents and other marks."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    kept = (char for char in decomposed if char >= _FIRST_INDIC or unicodedata.category(char) != "Mn")
    return unicodedata.normalize("NFC", "".join(kept)) or text


def words(text: str) -> list[Word]:
    """Every word of `text` in order. Numbers and codes ("E17", "LK-44", "1,250") stay whole."""
    return list(_words(text))


def _words(text: str) -> Iterator[Word]:
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        if match["run"]:
            run = match["run"]
            if len(run) == 1:
                yield Word(run, start, end, exact=True)
            for at in range(len(run) - 1):
                yield Word(run[at : at + 2], start + at, start + at + 2, exact=True)
        elif match["word"]:
            letter = match["word"]
            if len(letter) == 1 and letter in _LETTER_NAMES and not (letter == "A" and _opens(text, start)):
                yield Word(letter, start, end, exact=True)
            else:
                yield Word(fold(_bare(letter)), start, end)
        else:
            yield Word(fold(match[0]), start, end, exact=True)


def _opens(text: str, at: int) -> bool:
    before = text[:at].rstrip(" \t\"'“‘(")
    return not before or before[-1] in ".!?:\n"


def _bare(word: str) -> str:
    return _POSSESSIVE.sub("", _ELISION.sub("", word.lower() if word.isascii() else word))


def is_function_word(term: str) -> bool:
    """Whether a folded term asks or joins but names nothing."""
    return term in FUNCTION_WORDS or (len(term) == 1 and term.isascii() and term.islower())


@lru_cache(maxsize=65_536)
def stem(term: str) -> str:
    """A folded term without its plural ending or irregular form (English), or article (Arabic)."""
    if term in BASES:
        return BASES[term]
    if term.startswith("ال") and len(term) > 4:
        return term[2:]
    if not term.isascii() or not term.isalpha() or len(term) < 4:
        return term
    if term.endswith("ies") and len(term) > 4:
        return term[:-3] + "y"
    if _SIBILANT_PLURAL.search(term):
        return term[:-2]
    if term.endswith("s") and not term.endswith(("ss", "us", "is")):
        return term[:-1]
    return term


@lru_cache(maxsize=262_144)
def likeness(asked: str, found: str) -> float:
    """How well a found term stands for one that was asked for: 1 the same word, 0 another one.

    A long common beginning (terminate, termination) counts 0.7, a synonym 0.6, a compound that holds the
    asked word (Kündigungsfrist for Frist) 0.5. Only for words; numbers and codes are the same or not.
    """
    if asked == found:
        return 1.0
    if any(map(str.isdigit, asked)) or any(map(str.isdigit, found)):
        return 0.0
    one, two = stem(asked), stem(found)
    if one == two:
        return 1.0
    common = 0
    for left, right in zip(one, two, strict=False):
        if left != right:
            break
        common += 1
    longest, rest = max(len(one), len(two)), max(len(one), len(two)) - common
    if (common >= 4 and rest <= 3) or (common >= 5 and common >= 0.6 * longest):
        return 0.7
    if are_synonyms(asked, found):
        return 0.6
    if len(one) >= 5 and one in two:
        return 0.5
    return 0.0
