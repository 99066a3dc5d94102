"""Numbers written as words: which ones a text holds, and which are only parts of a longer number."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_EN = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty"
)
_DE = (
    "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn "
    "achtzehn neunzehn zwanzig"
)
_FR = "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"
_FR_DIX = {"sept": 17, "huit": 18, "neuf": 19}
_ORDINALS = (
    *(
        "first",
        "second",
        "third",
        "fourth",
        "fifth",
        "sixth",
        "seventh",
        "eighth",
        "ninth",
        "tenth",
        "eleventh",
    ),
    *(
        "twelfth",
        "thirteenth",
        "fourteenth",
        "fifteenth",
        "sixteenth",
        "seventeenth",
        "eighteenth",
        "nineteenth",
    ),
    "twentieth",
)

_UNIT, _TEEN, _TEN, _SCALE, _ORDINAL, _FRACTION = "unit", "teen", "ten", "scale", "ordinal", "fraction"

# Words that only make longer numbers.
_MAKERS = (
    ("en", _TEN, "thirty forty fifty sixty seventy eighty ninety"),
    ("en", _SCALE, "hundred thousand million billion trillion dozen"),
    ("en", _ORDINAL, " ".join(_ORDINALS)),
    ("en", _FRACTION, "thirds quarter " + " ".join(word + "s" for word in _ORDINALS[3:])),
    ("fr", _UNIT, "un une"),
    ("fr", _TEN, "vingts trente quarante cinquante soixante"),
    ("fr", _SCALE, "cent cents mille million millions milliard milliards"),
    ("de", _SCALE, "hundert tausend million millionen milliarde milliarden"),
)


@dataclass(frozen=True, slots=True)
class _Entry:
    language: str
    kind: str
    value: int | None


def _table() -> dict[str, list[_Entry]]:
    table: dict[str, list[_Entry]] = {"vingt": [_Entry("fr", _TEN, 20)]}
    for language, words, first in (("en", _EN, 1), ("de", _DE, 2), ("fr", _FR, 2)):
        for value, word in enumerate(words.split(), start=first):
            kind = _UNIT if value < 10 else _TEEN if value < 20 else _TEN
            table.setdefault(word, []).append(_Entry(language, kind, value))
    for language, kind, words in _MAKERS:
        for word in words.split():
            table.setdefault(word, []).append(_Entry(language, kind, None))
    return table


_TABLE = _table()
_WORD = re.compile(r"[^\W\d_]+")
_JOINT = re.compile(
    r"(?P<hyphen>[-\u2010\u2011])|(?P<blank>\s+)|[\s-]+(?P<link>and|et|point|virgule|komma)[\s-]+", re.I
)
_CHINESE_RUN = re.compile("[〇零一二三四五六七八九十百千万亿億兆萬两兩廿卅点點]+")
_CHINESE_DIGITS = "一二三四五六七八九"
_CHINESE_NUMERAL = re.compile(f"(?:([{_CHINESE_DIGITS}]?)(十))?([{_CHINESE_DIGITS}]?)")


@dataclass(frozen=True, slots=True)
class NumberWord:
    """A number word at [start, end) of a text, read in `languages` ("en", "de", "fr", "zh")."""

    start: int
    end: int
    value: int
    languages: frozenset[str]


def number_words(text: str) -> Iterator[NumberWord]:
    """Number words from one to twenty in composed text; none that is part of a longer one (twenty-one)."""
    chain: list[re.Match[str]] = []
    for word in _WORD.finditer(text):
        if word.group().lower() not in _TABLE:
            continue
        if chain and not _joined(chain[-1], word, text[chain[-1].end() : word.start()]):
            yield from _single(chain, text)
            chain = []
        chain.append(word)
    yield from _single(chain, text)
    for found in _CHINESE_RUN.finditer(text):
        value = chinese_value(found.group())
        if value is not None and 2 <= value <= 20:
            yield NumberWord(found.start(), found.end(), value, frozenset({"zh"}))


def chinese_value(numeral: str) -> int | None:
    """The value of a Chinese numeral below one hundred (二, 十五, 三十一); None for any other string."""
    if numeral in ("两", "兩"):
        return 2
    found = _CHINESE_NUMERAL.fullmatch(numeral)
    if not found or not numeral:
        return None
    tens, ten, unit = found.groups()
    high = (_CHINESE_DIGITS.index(tens) + 1 if tens else 1) if ten else 0
    return 10 * high + (_CHINESE_DIGITS.index(unit) + 1 if unit else 0)


def ordinal_values(text: str) -> set[int]:
    """The values of the English ordinal words (first to twentieth) in a text."""
    words = {word.group().lower() for word in _WORD.finditer(text)}
    return {value for value, ordinal in enumerate(_ORDINALS, start=1) if ordinal in words}


def _single(chain: list[re.Match[str]], text: str) -> Iterator[NumberWord]:
    """The number word that a chain of joined words is, when it is only one: dix-sept counts as one."""
    words = [word.group().lower() for word in chain]
    if len(words) == 1:
        entries = [entry for entry in _TABLE[words[0]] if entry.value is not None]
        if entries and entries[0].value is not None:
            languages = frozenset(entry.language for entry in entries)
            yield NumberWord(chain[0].start(), chain[0].end(), entries[0].value, languages)
    elif len(words) == 2 and words[0] == "dix" and words[1] in _FR_DIX:
        yield NumberWord(chain[0].start(), chain[1].end(), _FR_DIX[words[1]], frozenset({"fr"}))


def _joined(left: re.Match[str], right: re.Match[str], between: str) -> bool:
    """Whether two neighbouring number words make one longer number."""
    joint = _JOINT.fullmatch(between)
    if not joint:
        return False
    link = (joint["link"] or "").lower()
    return any(
        _compound(one, two, right.group().lower(), link, hyphen=bool(joint["hyphen"]))
        for one in _TABLE[left.group().lower()]
        for two in _TABLE[right.group().lower()]
        if one.language == two.language
    )


def _compound(one: _Entry, two: _Entry, second: str, link: str, *, hyphen: bool) -> bool:
    left, right = one.kind, two.kind
    if link == "and":
        return left == _SCALE
    if link == "et":
        return left == _TEN and second in ("un", "une", "onze")
    if link:
        return True
    if right == _ORDINAL:
        return left == _TEN or (hyphen and second != "second")
    if right == _FRACTION:
        return hyphen or second.endswith("s")
    if left in (_ORDINAL, _FRACTION):
        return False
    if (
        _SCALE in (left, right)
        or (left == _TEN and right in (_UNIT, _TEEN, _TEN))
        or (left == _TEEN and right == _TEN)
    ):
        return True
    return one.language == "fr" and (right == _TEN or (hyphen and one.value == 10 and second in _FR_DIX))
