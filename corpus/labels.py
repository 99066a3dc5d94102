"""The number in front of a heading or a paragraph: "Article 6", "4.2", "§ 7", "(a)", "IV."."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

KINDS = {
    "book": "book buch livre libro",
    "part": "part teil partie parte",
    "title": "title titel titre título titolo",
    "chapter": "chapter kapitel chapitre capítulo capitolo",
    "division": "division subdivision subtitle subpart subchapter",
    "section": "section sec abschnitt sección seccion sezione",
    "subsection": "subsection unterabschnitt sous-section subsección",
    "article": "article articles art artikel artículo articolo",
    "clause": "clause klausel cláusula clausula clausola",
    "paragraph": "paragraph para absatz abs",
    "item": "item ziffer ziff nummer nr no",
    "rule": "rule regel règle regla",
    "recital": "recital erwägungsgrund considérant considerando",
    "annex": "annex exhibit schedule attachment anhang anlage beilage annexe anexo allegato",
    # Where a text has both, an appendix belongs to an annex.
    "appendix": "appendix addendum appendice apéndice",
}
KIND_OF = {word: kind for kind, words in KINDS.items() for word in words.split()}
TOP_KINDS = frozenset({"book", "part", "title", "chapter", "division", "annex", "appendix"})
# Numbers as words, in their order from one; genders of one ordinal are joined by a stroke.
_COUNTS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty",
    "first second third fourth fifth sixth seventh eighth ninth tenth",
    "premier/première deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième",
    "primero/primera segundo/segunda tercero/tercera cuarto/cuarta quinto/quinta sexto/sexta "
    "séptimo/séptima octavo/octava noveno/novena décimo/décima",
)
NAMES = {
    name: at + 1 for words in _COUNTS for at, names in enumerate(words.split()) for name in names.split("/")
} | dict.fromkeys(("preliminary", "preliminar", "préliminaire"), 0)
ORDINAL_END = re.compile(
    r"(?<=\d)(?:[A-Za-z]|er|ère|re|\.?[º°ª]|\s?[a-z]{3,9}s?)$|(?<=[IVX])(?:er|ER|re|RE)$"
)
LONE_LETTERS = frozenset("CDLMcdlm")
ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
ROMAN_FORM = re.compile(r"m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})", re.IGNORECASE)

# What tells apart numbers that were put between others: "4 bis".
_LATIN = r"(?:\s?(?:bis|ter|quater|quinquies|sexies|septies|octies|nonies|decies)\b)"
_NUMBER = (
    rf"\d{{1,5}}(?:[-.–]\d{{1,4}}){{0,5}}(?:[A-Za-z]|er|ère|re|\.?[º°ª]|{_LATIN})?(?![^\W\d_])"
    r"|[IVXLCDM]{1,8}(?:[-.]\d+|er|re)?(?![^\W\d_])|[A-Z](?:[-.]?\d+){0,3}"
)
_SUB = r"(?:\s?\([A-Za-z0-9]{1,4}\))*"
_REST = r"(?P<close>[.:)\]]?)(?P<gap>\s*[-–—:.|]*\s*)(?P<title>\S.*)?"
KEYWORD_LABEL = re.compile(
    rf"(?P<number>(?P<word>{'|'.join(sorted(KIND_OF, key=len, reverse=True))}|§§?)(?:\.|\b|(?<=§))\s*"
    rf"[\"“'‘]?(?P<value>(?:{_NUMBER})(?![^\W\d_]){_SUB}|(?:{'|'.join(NAMES)})\b)[\"”'’]?)(?:{_REST})?$",
    re.IGNORECASE | re.DOTALL,
)
DECIMAL_LABEL = re.compile(
    r"(?P<number>(?P<value>\d{1,3}(?:\.\d{1,3}){0,5})[A-Z]?)(?P<close>[.):]?)(?P<gap>\s+[-–—]?\s*|$)(?P<title>\S.*)?$",
    re.DOTALL,
)
APPENDIX_LABEL = re.compile(r"(?P<number>[A-Z](?:\.\d{1,3}){1,4})\.?\s+(?P<title>\S.*)$", re.DOTALL)
LETTER_LABEL = re.compile(
    r"(?P<number>\((?P<inner>[A-Za-z]{1,5}|\d{1,3})\)|(?P<value>[IVXLCDM]{1,7}|[A-Z])(?=[.)]))(?P<close>[.)]?)(?P<gap>\s+)"
    r"(?P<title>\S.*)$",
    re.DOTALL,
)
# What stands behind the articles of a Spanish act: "Disposición adicional primera".
PROVISION_LABEL = re.compile(
    r"(?P<number>disposici(?:ón|on|ones)\s+(?:adicional|transitoria|derogatoria|final)(?:es)?"
    rf"(?:\s+(?P<value>únic[ao]|{'|'.join(NAMES)}|\d{{1,2}}\.?ª?))?)(?:[.:]|\s+[-–—])?(?P<title>\s+\S.*)?$",
    re.IGNORECASE | re.DOTALL,
)
EAST_LABEL = re.compile(
    r"(?P<number>第[0-9０-９一二三四五六七八九十百〇]{1,6}(?P<word>[条條章節节編编款項]))(?P<gap>\s*)(?P<title>\S.*)?$",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading in a text: `level` orders it among its neighbours, gaps between levels mean nothing.

    `number` and `title` are given where the source states them apart from the text; else they are read off
    the text. A heading that is not `printed` names a part of the text that has none (a preamble, words behind
    the last subsection); it, and one whose number is a part of the body, has `start` equal to `end`.
    """

    level: int
    start: int
    end: int
    number: str | None = None
    title: str | None = None
    printed: bool = True


@dataclass(frozen=True, slots=True)
class Label:
    """A number and what follows it. `kind` is one of `KINDS`, "decimal", "letter" or "roman".

    `values` are the ordinals from the top ("4.2" is (4, 2)), empty when they cannot be counted.
    `closed` says whether a dot, a bracket or a keyword sets the number off from plain words.
    """

    kind: str
    number: str
    values: tuple[int, ...]
    title: str
    closed: bool


def roman(word: str) -> int | None:
    """The value of a Roman numeral; None for anything else."""
    if not word or not ROMAN_FORM.fullmatch(word):
        return None
    values = [ROMAN[char] for char in word.lower()]
    return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True))


@cache
def _ordinal(word: str) -> int | None:
    if word.isdigit():
        return int(word)
    if word.lower() in NAMES:
        return NAMES[word.lower()]
    # Nothing is counted up to "C" as a hundred.
    value = None if word in LONE_LETTERS else roman(word)
    if value is None and len(word) == 1 and word.isascii():
        return ord(word.lower()) - ord("a") + 1
    return value


def parse_label(text: str) -> Label | None:
    """The number that `text` begins with, if it begins with one. `text` has no leading white space."""
    text = text.strip()
    return _keyword(text) or _decimal(text) or _letter(text)


def _keyword(text: str) -> Label | None:
    east = EAST_LABEL.match(text)
    if east is not None:
        kind = "chapter" if east["word"] in "章編编" else "article"
        return Label(kind, east["number"], (), east["title"] or "", True)
    provision = PROVISION_LABEL.match(text)
    if provision is not None:
        counted = _ordinal(provision["value"].rstrip(".ª")) if provision["value"] else None
        number = " ".join(provision["number"].split())
        counts = () if counted is None else (counted,)
        return Label("provision", number, counts, (provision["title"] or "").strip(), True)
    found = KEYWORD_LABEL.match(text)
    if found is None:
        return None
    value, word = found["value"], found["word"].lower()
    lone = value.split("(")[0].strip()
    stem = ORDINAL_END.sub("", lone)
    if not lone[0].isdigit() and lone.lower() not in NAMES and stem != stem.upper():
        return None
    title = found["title"] or ""
    if title and not found["gap"] and not found["close"]:
        return None
    parts = [
        _ordinal(part if part.lower() in NAMES else ORDINAL_END.sub("", part))
        for part in re.split(r"[-–]|\.(?![º°ª])", lone)
    ]
    values = tuple(part for part in parts if part is not None) if None not in parts else ()
    if len(values) > 1 and values[-1] == 0:
        values = values[:-1]
    number = " ".join(found["number"].split())
    kind = "section" if word.startswith("§") else KIND_OF[word]
    return Label(kind, number, values, title.strip(), True)


def _decimal(text: str) -> Label | None:
    found = DECIMAL_LABEL.match(text)
    if found is None:
        return None
    values = tuple(int(part) for part in found["value"].split("."))
    closed = bool(found["close"]) or len(values) > 1
    if len(values) > 1 and values[-1] == 0:
        values = values[:-1]
    title = (found["title"] or "").strip()
    return Label("decimal", found["number"], values, title, closed)


def _letter(text: str) -> Label | None:
    appendix = APPENDIX_LABEL.match(text)
    if appendix is not None:
        first, *rest = appendix["number"].split(".")
        values = (_ordinal(first) or 0, *map(int, rest))
        return Label("letter", appendix["number"], values, appendix["title"].strip(), True)
    found = LETTER_LABEL.match(text)
    if found is None:
        return None
    word = found["inner"] or found["value"]
    value = _ordinal(word)
    if value is None:
        return None
    kind = "roman" if roman(word) is not None and word not in LONE_LETTERS else "letter"
    return Label(
        "decimal" if word.isdigit() else kind, found["number"], (value,), found["title"].strip(), True
    )


def split_number(heading: str) -> tuple[str | None, str]:
    """The number and the title of a heading: "4.2 Payment" is ("4.2", "Payment").

    No number: (None, heading). "2023 Results" and "3 ways out" have none: without a dot, a number stands
    before a capital.
    """
    heading = " ".join(heading.split())
    label = parse_label(heading)
    if label is None:
        return None, heading
    first = label.title.lstrip("\"'“”‘’«([")[:1]
    if label.kind == "decimal" and not label.closed and not (first.isalpha() and not first.islower()):
        return None, heading
    if label.kind == "decimal" and label.closed and first and not first.isalnum():
        return None, heading
    return label.number, label.title
