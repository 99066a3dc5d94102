"""Does a match begin or end inside a word or a number? Decided on the text around the place."""

from collections.abc import Callable

from pincite.agent.check.characters import (
    APOSTROPHES,
    DASHES,
    GROUP_BLANKS,
    HYPHENS,
    IGNORABLE,
    LINE_BREAKS,
    ONE_TO_ONE,
    SIGNS,
    is_cjk,
    is_digit,
    is_mark,
    is_raised,
    is_word,
)

_NUMBER_JOINERS = DASHES | frozenset(".,:/'^\u066b\u066c") | frozenset(GROUP_BLANKS)
_PLAIN_SIGNS = SIGNS | frozenset("+\u00b1\u2213\uff0b")
_NOTHING = "\n"


def splits(text: str, at: int, *, end: bool) -> bool:
    """Whether a match that begins (or, with `end`, ends) at offset `at` cuts a word or number of `text`."""
    left, right = _before(text, at), _from(text, at)
    if left < 0 or right >= len(text):
        return False
    one, two = text[left], text[right]
    if is_mark(two) or (is_word(one) and is_word(two)) or _inside_hyphenation(text, left, right):
        return True
    before, after = _char(text, _before(text, left)), _char(text, _from(text, right + 1))
    if end and _joined((before, one, two, after), APOSTROPHES, is_word):
        return True
    if _joined((before, _plain(one), _plain(two), after), _NUMBER_JOINERS, is_digit):
        return True
    if (is_raised(two) and (is_digit(one) or is_raised(one))) or (is_raised(one) and is_digit(two)):
        return True
    return not end and is_digit(two) and _opens_number(text, left)


def is_sign(text: str, at: int) -> bool:
    """Whether text[at] (a character of `SIGNS` before a number) is its sign: not behind a letter or digit.

    Chinese and Japanese run on without blanks, so there a sign may follow a letter; behind a number with its
    counter (5日-10日) it is a range.
    """
    back = _before(text, at)
    if back < 0 or not (is_word(text[back]) or is_cjk(text[back])):
        return True
    letters = 0
    while back >= 0 and is_cjk(text[back]) and letters < 3:
        back, letters = _before(text, back), letters + 1
    return letters > 0 and not (back >= 0 and is_word(text[back]))


def _joined(around: tuple[str, str, str, str], joiners: frozenset[str], part: Callable[[str], bool]) -> bool:
    """Whether a joiner between two parts of a token is the last or first character beside the place."""
    before, one, two, after = around
    return (two in joiners and part(one) and part(after)) or (one in joiners and part(before) and part(two))


def _inside_hyphenation(text: str, left: int, right: int) -> bool:
    """Inside word-hyphen-word; the hyphen may be followed by a line break, as at the end of a line."""
    hyphen = right
    if text[right] not in HYPHENS:
        hyphen = left
        while hyphen >= 0 and text[hyphen].isspace():
            hyphen = _before(text, hyphen)
        if hyphen < 0 or text[hyphen] not in HYPHENS:
            return False
    after = _from(text, hyphen + 1)
    while after < len(text) and text[after].isspace():
        after = _from(text, after + 1)
    if any(char.isspace() for char in text[hyphen:after]) and LINE_BREAKS.isdisjoint(text[hyphen:after]):
        return False
    back = _before(text, hyphen)
    return back >= 0 and after < len(text) and is_word(text[back]) and is_word(text[after])


def _opens_number(text: str, left: int) -> bool:
    """Whether text[left] belongs to the number behind it: its sign, or a decimal point without a zero."""
    if text[left] in _PLAIN_SIGNS:
        return is_sign(text, left)
    back = _char(text, _before(text, left))
    return _plain(text[left]) == "." and (back.isspace() or back in "([{<=~" or back in _PLAIN_SIGNS)


def _before(text: str, at: int) -> int:
    at -= 1
    while at >= 0 and text[at] in IGNORABLE:
        at -= 1
    return at


def _from(text: str, at: int) -> int:
    while at < len(text) and text[at] in IGNORABLE:
        at += 1
    return at


def _char(text: str, at: int) -> str:
    return text[at] if 0 <= at < len(text) else _NOTHING


def _plain(char: str) -> str:
    return ONE_TO_ONE.get(char, char)
