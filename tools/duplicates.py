"""Passages of other documents that say the same: one is shown, the others are named.

Two texts say the same when they have the same letters, numbers and signs in the same order, and differ in
nothing but how they are set and spelt. No share of common words decides: two clauses that differ in the
one number, name or "not" that matters have nearly all their words in common.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from pincite.tools.passage import Passage
from pincite.tools.render import one_line, place

# A shorter text is a statement that means something else under another title: it is shown for each.
_FEWEST_WORDS = 40
# A number with its sign and what stands inside it (-5, 1,000.50, 2019/88, 5-10), a word, or any other sign.
_TOKEN = re.compile(r"((?:(?<![\w)\]])[-+])?\d+(?:[.,:/'-]\d+)*)|[^\W\d_]+|[^\w\s]")
_STOP = re.compile(r"[.!?。؟।]|(?<![,:;\s])\s*\n[^\S\n]*\n")
# A word that goes on in the next line.
_TORN = re.compile(r"-[^\S\n]*\n\s*")
_SOFT_HYPHEN_AT_END = re.compile("\u00ad(?=[^\\S\n]*\n)")
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict.fromkeys("\u2018\u2019\u201b\u02bc\u00b4`", "'"),
        **dict.fromkeys("\u00ad\u200b\u2060\ufeff\u00a9\u00ae\u2122"),
        # Raised digits and fractions would else become a part of the number in front.
        **{sign: f" ^{unicodedata.digit(sign)}^ " for sign in "⁰¹²³⁴⁵⁶⁷⁸⁹"},
        **{sign: f" {sign} " for sign in "¼½¾⅓⅔⅛⅜⅝⅞"},
        "&": " and ",
    }
)
# With a hyphen these make other words than without: re-lease, re-sign, un-ionised.
_FIRM = frozenset({"re", "un"})
# Signs that only set a text. Every other one (% $ < ° ☒) counts like a word.
_SETTING = frozenset("-.,;:!'\"()[]{}*|«»‹›‚“”„•‣◦▪·。、「」『』،؛।")
# The only word that may stand in one text and not in the other.
_ARTICLE = "the"
# British and American spelling where no two words are told apart by it; capitals may be a name.
_BRITISH = re.compile(
    r"\b[a-z]{3,}(?:(?<=[a-z]{4})is(?=(?:e[drs]?|ers|ing|ations?|able)\b)"
    r"|our(?=(?:s|ed|ing|able|ably|ites?|ers?|ful|less)?\b)|nce(?=s?\b)|dgement(?=s?\b))"
)
_AMERICAN = {"is": "iz", "our": "or", "nce": "nse", "dgement": "dgment"}
# What stands between two letters of a form: nothing, a hyphen that may as well be a blank or nothing, the
# end of a word, the end of a sentence.
_NOTHING, _HYPHEN, _WORD_END, _SENTENCE_END = range(4)


@dataclass(frozen=True, slots=True)
class _Form:
    """A text without its setting: what it says, and for each place in that what stands there (one more)."""

    said: str
    between: bytes
    words: int


def repeats(candidate: Passage, shown: Passage) -> bool:
    """Whether a passage of another document says all that the candidate says, in whole sentences.

    What does not count: case, punctuation, line breaks, hyphens and how words are joined by them,
    typographic variants, "the", and whether a word is spelt in the British or the American way. Any other
    word, number or sign does, also one in front of or behind the candidate's words in the same sentence,
    so what contradicts is never taken for a repetition. Versions that are told apart (replaced, repealed,
    not yet in force) are not the same either, nor are two places of one document.
    """
    if candidate.document == shown.document or candidate.standing != shown.standing:
        return False
    mine, other = _form(candidate.text), _form(shown.text)
    if mine.words < _FEWEST_WORDS:
        return False
    at = other.said.find(mine.said)
    while at >= 0:
        if _stands(mine, other, at):
            return True
        at = other.said.find(mine.said, at + 1)
    return False


def where(passage: Passage) -> str:
    """The passage's place on one line: document, headings, page or line."""
    parts = (
        one_line(passage.document),
        " > ".join(one_line(name) for name in passage.path),
        place(passage.page, passage.page_end, passage.line),
    )
    return ", ".join(part for part in parts if part)


def _stands(mine: _Form, other: _Form, at: int) -> bool:
    """Whether what stands at `at` in the other text is cut into the same words, and into whole sentences."""
    end = at + len(mine.said)
    if min(other.between[at], other.between[end]) < _SENTENCE_END:
        return False
    inside = zip(mine.between[1:-1], other.between[at + 1 : end], strict=True)
    return not any(min(pair) == _NOTHING and max(pair) > _HYPHEN for pair in inside)


@lru_cache(maxsize=1024)
def _form(text: str) -> _Form:
    plain = unicodedata.normalize("NFKC", _SOFT_HYPHEN_AT_END.sub("-", text).translate(_PLAIN))
    plain = _BRITISH.sub(_american, plain)
    said: list[str] = []
    between = bytearray([_SENTENCE_END])
    words = behind = 0
    for match in _TOKEN.finditer(plain):
        token = match[0]
        words += len(token) > 1 or token.isalnum()
        if token in _SETTING:
            continue
        token = token.casefold()
        if token == _ARTICLE:
            continue
        start, end = match.span()
        if said:
            gap = plain[behind:start]
            between[-1] = _WORD_END if gap == " " else _gap(said[-1], gap, token)
        said.append(token)
        between += bytes(len(token) - 1)
        between.append(_WORD_END)
        behind = end
    between[-1] = _SENTENCE_END
    return _Form("".join(said), bytes(between), words)


def _american(match: re.Match[str]) -> str:
    word = match[0]
    british = next(ending for ending in _AMERICAN if word.endswith(ending))
    return word.removesuffix(british) + _AMERICAN[british]


def _gap(before: str, gap: str, behind: str) -> int:
    joined = _TORN.fullmatch(gap) or (gap == "-" and before not in _FIRM)
    if joined and before.isalpha() and behind.isalpha():
        return _HYPHEN
    return _SENTENCE_END if _STOP.search(gap) else _WORD_END
