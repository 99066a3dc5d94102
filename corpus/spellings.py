"""How a word may be written otherwise in a text: a pattern that finds it there.

The patterns are of classes and groups only and mean the same to Python's `re` and to RE2.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

# What Unicode does not fold: letters and digits of Arabic and Persian, and the dotless i.
_SAME = str.maketrans("ىیکةہı٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹", "ييكههi01234567890123456789", "ـ")
# Marks that stand on letters, the Arabic stroke that stretches a word, and what is not seen.
_MARKS = "[\u0300-\u036f\u064b-\u065f\u0670\u0640\u00ad\u200c\u200d]*"
_DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2212"
_JOIN, _BETWEEN_DIGITS = f"[{_DASHES}/.·_'’\u00a0 ]?", f"[{_DASHES}/.,]"
_GROUPED = "[.,'’٬\u00a0\u2009\u202f ]?"
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:([.,'’٬ ])[0-9]{3})(?:\1[0-9]{3})*|[0-9]{4,}")
# What several letters stand for, in both directions.
_PAIRS = {"ss": "ß", "ae": "ä", "oe": "ö", "ue": "ü"}
_WRITTEN_OUT = str.maketrans({one: pair for pair, one in _PAIRS.items()})
# Articles, conjunctions and prepositions that Arabic writes in front of a word, and endings behind it.
# Source: the light10 stemmer, Larkey, Ballesteros, Connell, "Light stemming for Arabic", 2007.
_ARABIC_LETTER = "[\u0621-\u064a]"
_ARABIC = re.compile(f"{_ARABIC_LETTER}+")
_ARABIC_FRONT = re.compile(r"^و?(?:[فبك]?ال|لل)(?=.{3})")
_ARABIC_END = re.compile(r"(?<=.{3})(?:ها|ان|ات|ون|ين|يه|ي|ه)$")
# Nobody writes a longer word or code.
_LONGEST = 60
# From here on a word is also looked for inside longer ones: letters, by the first of the word.
_INSIDE, _INSIDE_KOREAN = 5, 2
_FIRST_KOREAN, _LAST_KOREAN = "\uac00", "\ud7a3"
# Blocks whose letters have relatives in others: Latin to Arabic, and the forms for compatibility.
_BLOCKS = ((0x30, 0x700), (0x1E00, 0x2100), (0xFB00, 0xFF00), (0xFF10, 0xFF5B))


def fold(text: str) -> str:
    """`text` without case, marks, and other forms of the same letter."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(sign for sign in plain if unicodedata.category(sign) != "Mn")
    return unicodedata.normalize("NFC", plain).casefold().translate(_SAME)


@dataclass(frozen=True, slots=True)
class Spellings:
    """What a word may look like: `body` as a pattern, `whole` where it may not be part of a longer word."""

    body: str
    whole: bool

    @property
    def for_re2(self) -> str:
        """The pattern for RE2, whose `\\b` knows ASCII only."""
        around = r"(?:^|[^\p{L}\p{N}])", r"(?:$|[^\p{L}\p{N}])"
        return f"{around[0]}(?:{self.body}){around[1]}" if self.whole else self.body

    def found_in(self, text: str) -> Iterator[str]:
        """The words of the text that the pattern finds, or finds inside them."""
        behind = 0
        for found in re.finditer(rf"(?<!\w)(?:{self.body})(?!\w)" if self.whole else self.body, text):
            start, end = found.span()
            if start < behind:
                continue
            if not self.whole:
                while start > behind and text[start - 1].isalnum():
                    start -= 1
                while text[end : end + 1].isalnum():
                    end += 1
            if end - start <= _LONGEST:
                yield text[start:end]
            behind = end


def spellings(word: str) -> Spellings | None:
    """Other spellings of a word or number, and longer words that hold it; None where there are none.

    Accents, marks and related letters, `ß` and `ss`, dashes and blanks in codes, the signs between thousands
    and before decimals may differ.
    """
    if len(word) > _LONGEST:
        return None
    plain = fold(word.casefold().translate(_WRITTEN_OUT))
    if _THOUSANDS.fullmatch(plain):
        return Spellings(_thousands(re.sub(r"[^0-9]", "", plain)), whole=True)
    if _ARABIC.fullmatch(plain):
        return _arabic(plain)
    parts = re.findall(r"[^\W\d_]+|\d+", plain)
    if sum(map(len, parts)) < 2:
        return None
    inside = _INSIDE_KOREAN if _FIRST_KOREAN <= parts[0][0] <= _LAST_KOREAN else _INSIDE
    long = len(parts) == 1 and parts[0].isalpha() and len(parts[0]) >= inside
    body = _run(parts[0])
    for before, part in pairwise(parts):
        body += (_BETWEEN_DIGITS if before.isdigit() and part.isdigit() else _JOIN) + _run(part)
    return Spellings(body, whole=not long)


def _thousands(digits: str) -> str:
    first = len(digits) % 3 or 3
    groups = [digits[:first], *(digits[at : at + 3] for at in range(first, len(digits), 3))]
    return _GROUPED.join(map(_run, groups))


def _arabic(word: str) -> Spellings | None:
    stem = _ARABIC_END.sub("", _ARABIC_FRONT.sub("", word))
    if len(stem) < 3:
        return None
    front = rf"و?{_MARKS}(?:[فبك]?{_MARKS}ا{_MARKS}ل{_MARKS}|ل{_MARKS}ل?{_MARKS}|[بك]{_MARKS})?"
    return Spellings(rf"{front}{_run(stem)}(?:{_ARABIC_LETTER}{_MARKS}){{0,2}}", whole=True)


def _run(letters: str) -> str:
    """A run of folded letters, or of digits, in any of its forms."""
    pattern, at = "", 0
    while at < len(letters):
        pair = letters[at : at + 2]
        if pair in _PAIRS:
            both = "".join(_letter(sign) for sign in pair)
            pattern += f"(?:{both}|[{_PAIRS[pair]}{_PAIRS[pair].upper()}])"
            at += 2
        else:
            pattern += _letter(letters[at])
            at += 1
    return pattern


def _letter(letter: str) -> str:
    forms = _forms().get(letter, "") + letter
    return f"[{forms}{letter.upper() if len(letter.upper()) == 1 else ''}]{_MARKS}"


@cache
def _forms() -> dict[str, str]:
    """The letters and digits that fold to each letter or digit."""
    forms: dict[str, str] = {}
    for first, behind in _BLOCKS:
        for sign in map(chr, range(first, behind)):
            plain = fold(sign) if sign.isalnum() else ""
            if len(plain) == 1 and plain.isalnum():
                forms[plain] = forms.get(plain, "") + sign
    return forms
