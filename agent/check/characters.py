"""Character classes that the answer check is built on, and the one-to-one replacements of typography."""

import re
import unicodedata

ZERO_WIDTH = frozenset(
    map(
        chr,
        [
            *range(0x200B, 0x2010),
            0x061C,
            0x180E,
            *range(0x202A, 0x202F),
            0x2060,
            *range(0x2066, 0x206A),
            0xFEFF,
        ],
    )
)
SOFT_HYPHEN = "\u00ad"
IGNORABLE = ZERO_WIDTH | {SOFT_HYPHEN}

HYPHENS = frozenset("-\u2010\u2011\uff0d\ufe63")
"""Characters that join words; dashes do not."""

DASHES = HYPHENS | frozenset("\u2012\u2013\u2014\u2015\u2212\u2e3a\u2e3b\ufe58\u058a\u05be")
"""Hyphens, dashes and the minus sign: one character to the quote check. The wave dash is none of them."""

SIGNS = HYPHENS | frozenset("\u2012\u2013\u2212")
"""What may stand as a minus sign directly before a number."""

LINE_BREAKS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")
APOSTROPHES = frozenset("'\u2018\u2019\u201b\u02bc\uff07")
GROUP_BLANKS = "\u00a0\u2009\u202f"

QUOTATION_MARKS = frozenset(
    "\"'\u201c\u201d\u201e\u201f\u2e42\u2018\u2019\u201a\u201b\uff02\uff07«»‹›「」『』｢｣﹁﹂﹃﹄"
)
"""Marks that may be added around a quote."""

ONE_TO_ONE = {
    **{chr(0xFF01 + i): chr(0x21 + i) for i in range(0x5E)},
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2e42", '"'),
    **dict.fromkeys("\u2018\u2019\u201a\u201b", "'"),
}
"""Full-width ASCII to ASCII; curly and low quotation marks to straight ones, double and single kept apart."""

_CJK = re.compile(
    "[\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3041-\u3096\u309b-\u309f\u30a1-\u30fa"
    "\u30fc-\u30ff\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
    "\U0001aff0-\U0001b16f\U00020000-\U0003ffff]"
)
_WIDE_MARK = re.compile(
    "[\u3001-\u3004\u3008-\u3020\u3030\u303d-\u303f\u30a0\u30fb\ufe30-\ufe6f"
    "\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\uffe0-\uffe6]"
)
_RAISED = frozenset("\u207a\u207b\u207c\u207d\u207e\u207f")


def is_cjk(char: str) -> bool:
    """A Chinese or Japanese letter (Han, kana, bopomofo, iteration and length marks); Hangul is not one."""
    return _CJK.match(char) is not None


def is_wide_mark(char: str) -> bool:
    """A full-width or ideographic punctuation mark."""
    return _WIDE_MARK.match(char) is not None


def is_mark(char: str) -> bool:
    """A combining mark."""
    return unicodedata.category(char)[0] == "M"


def is_word(char: str) -> bool:
    """Part of a word: a letter, a decimal digit or a combining mark, but no Chinese or Japanese letter."""
    category = unicodedata.category(char)
    return (category[0] in "LM" or category in ("Nd", "Nl")) and not is_cjk(char)


def is_digit(char: str) -> bool:
    """A decimal digit of any script and width."""
    return unicodedata.category(char) == "Nd"


def is_raised(char: str) -> bool:
    """A superscript, subscript or fraction character: part of the number it follows."""
    return unicodedata.category(char) == "No" or char in _RAISED


def flatten(text: str) -> str:
    """Apply `ONE_TO_ONE`; the length stays the same."""
    if text.isascii():
        return text
    for char in ONE_TO_ONE.keys() & set(text):
        text = text.replace(char, ONE_TO_ONE[char])
    return text
