"""The words of citations in English, German, French and Spanish: units, counting words, names of acts.

A kind stands for what a word names: "Absatz", "apartado" and "para." are all `paragraph`. `RANK` orders kinds
from the large to the small; `POSITIONAL` kinds may be counted instead of numbered ("second subparagraph").
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from pincite.corpus.labels import NAMES, roman

_SINGULAR = {
    "book": "book buch livre libro",
    "part": "part pt teil teils partie parte",
    "title": "title titel titels titre título titulo",
    "chapter": "chapter chap kapitel kapitels kap chapitre capítulo capitulo",
    "division": "division subdivision subtitle subpart subchapter untertitel unterkapitel",
    "section": "section sec sect abschnitt abschnitts sección seccion § unterabschnitt",
    "article": "article art artikel artikels artículo articulo articolo",
    "rule": "rule regel règle regla",
    "clause": "clause cl klausel cláusula clausula",
    "item": "item",
    "recital": "recital considérant considerando erwägungsgrund erwägungsgrunds erwägungsgrundes erwgr erwg",
    "annex": "annex anhang anhangs annexe anexo",
    "appendix": "appendix anlage appendice apéndice",
    "exhibit": "exhibit",
    "schedule": "schedule",
    "attachment": "attachment beilage addendum",
    "subsection": "subsection subsec sub-section",
    "paragraph": "paragraph para par absatz absatzes abs paragraphe apartado apdo ¶ paragraf",
    "subparagraph": (
        "subparagraph sub-paragraph subpara unterabsatz unterabsatzes uabs alinéa párrafo parrafo"
    ),
    "subclause": "subclause sub-clause",
    "point": (
        "point lit litera buchstabe buchstabens buchst letra lettre letter nummer nr no n° nº número numero "
        "ziffer ziff punkt punto num subpoint"
    ),
    "indent": "indent gedankenstrich gedankenstrichs spiegelstrich tiret guion guión",
    "sentence": "sentence satz satzes phrase frase oración",
}
_PLURAL = {
    "book": "books bücher",
    "part": "parts teile teilen partes",
    "title": "titles titeln titres títulos",
    "chapter": "chapters kapiteln chapitres capítulos",
    "division": "divisions subdivisions",
    "section": "sections secs sects abschnitte abschnitten secciones §§",
    "article": "articles arts artikeln artículos",
    "rule": "rules regeln",
    "clause": "clauses klauseln cláusulas",
    "item": "items",
    "recital": "recitals considérants considerandos erwägungsgründe erwägungsgründen",
    "annex": "annexes anhänge anhängen anexos",
    "appendix": "appendices appendixes anlagen",
    "exhibit": "exhibits",
    "schedule": "schedules",
    "attachment": "attachments",
    "subsection": "subsections",
    "paragraph": "paragraphs paras absätze absätzen paragraphes apartados",
    "subparagraph": "subparagraphs sub-paragraphs unterabsätze unterabsätzen alinéas párrafos",
    "subclause": "subclauses sub-clauses",
    "point": "points buchstaben letras lettres letters nummern nrn nos ziffern punkte puntos",
    "indent": "indents gedankenstriche tirets guiones",
    "sentence": "sentences sätze phrases",
}
KIND = {
    word: kind for table in (_SINGULAR, _PLURAL) for kind, words in table.items() for word in words.split()
}
PLURALS = frozenset(word for words in _PLURAL.values() for word in words.split()) | {
    "artikel",
    "kapitel",
    "titel",
}
ATTACHED = frozenset({"annex", "appendix", "exhibit", "schedule", "attachment"})
DIVISIONS = frozenset({"book", "part", "title", "chapter", "division"}) | ATTACHED
# Kinds that people use for one another when a document has only one of them.
ALIKE = frozenset(
    {"section", "article", "clause", "paragraph", "item", "rule", "subsection", "subclause", "point"}
)
# Kinds that only have a meaning inside another unit, unless their number is a whole path ("paragraph 5.2").
INNER = frozenset({"subsection", "paragraph", "subparagraph", "subclause", "point", "indent", "sentence"})
# Words that never name a section or an article.
PARTS = frozenset(
    ["absatz", "absatzes", "abs", "absätze", "absätzen", "apartado", "apartados", "apdo", "alinéa", "alinéas"]
)
POSITIONAL = frozenset({"paragraph", "subparagraph", "indent", "sentence"})
RANK = {
    **dict.fromkeys(ATTACHED, 0),
    "book": 1, "part": 2, "title": 3, "chapter": 4, "division": 5, "section": 6,
    "article": 7, "rule": 7, "clause": 7, "item": 7, "recital": 7,
    "subsection": 8, "paragraph": 9, "subparagraph": 10, "sentence": 11, "point": 12, "subclause": 13,
    "indent": 14,
}  # fmt: skip

# Counting words by value, from one on; -1 is the last.
_ORDINALS = {
    1: "first erste erster ersten erstes premier première primer primero primera",
    2: "second zweite zweiter zweiten zweites deuxième seconde segundo segunda",
    3: "third dritte dritter dritten drittes troisième tercer tercero tercera",
    4: "fourth vierte vierter vierten viertes quatrième cuarto cuarta",
    5: "fifth fünfte fünfter fünften fünftes cinquième quinto quinta",
    6: "sixth sechste sechster sechsten sechstes sixième sexto sexta",
    7: "seventh siebte siebter siebten siebtes septième séptimo séptima",
    8: "eighth achte achter achten achtes huitième octavo octava",
    9: "ninth neunte neunter neunten neuntes neuvième noveno novena",
    10: "tenth zehnte zehnter zehnten zehntes dixième décimo décima",
    -1: "last final letzte letzter letzten letztes dernier dernière último última",
}
ORDINAL = {word: value for value, words in _ORDINALS.items() for word in words.split()}
_SHOWN = {value: words.split()[0] for value, words in _ORDINALS.items()}

# What points to where the words stand, by what it means.
_POINTING = {
    "this": (
        "this the|present dieser dieses diesem diese des|vorliegenden der|vorliegenden vorliegenden présent "
        "présente le|présent du|présent la|présente de|la|présente ce cette presente el|presente la|presente "
        "del|presente este esta"
    ),
    "before": (
        "preceding previous foregoing vorstehende vorstehenden vorhergehende vorhergehenden vorige vorigen "
        "vorherigen"
    ),
    "after": "next",
}
POINTING = {word.replace("|", " "): way for way, words in _POINTING.items() for word in words.split()}
# The same behind the unit's word.
POINTING_BEHIND = {
    "précédent": "before", "précédente": "before", "anterior": "before", "presente": "this",
    "suivant": "after", "siguiente": "after",
}  # fmt: skip

# What a document can be: "this Regulation" is the document itself, "that Directive" is not.
INSTRUMENT = (
    r"(?:regulation|directive|decision|treaty|charter|convention|protocol|recommendation|statute|act|code|law|ordinance|agreement|"
    r"contract|lease|policy|plan|terms|verordnung|richtlinie|beschluss(?:es)?|empfehlung|vertrags?|vertrages|charta|gesetzes|"
    r"gesetz|gesetzbuchs?|abkommens?|übereinkommens?|règlement|directive|décision|recommandation|traité|charte|loi|contrat|accord|"
    r"code|reglamento|directiva|decisión|recomendación|tratado|carta|ley|contrato|acuerdo|código)"
)


def kind_of(word: str) -> str | None:
    """The kind that a word of a citation names, also with a full stop behind it."""
    return KIND.get(word.lower().rstrip("."))


def ordinal_words(value: int) -> str:
    """ "second" for 2, "last" for -1; figures above ten."""
    return _SHOWN.get(value, f"{value}th")


def any_word(words: Iterable[str], shared: int = 2) -> str:
    """A pattern for any of the words, the longest that fits, grouped by their first letters.

    So most places of a text are left after a few letters, not after one try for each word.
    """
    groups: dict[str, list[str]] = {}
    for word in sorted(words, key=len, reverse=True):
        groups.setdefault(word[:1], []).append(word[1:])
    return "|".join(
        re.escape(first)
        + (f"(?:{any_word(rest, shared - 1)})" if shared and first else f"(?:{_either(rest)})")
        for first, rest in groups.items()
    )


def _either(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in words)


@cache
def token_value(token: str) -> str:
    """A part of a number as it is compared: figures without leading zeros, words as figures."""
    if token.isdigit():
        return token.lstrip("0") or "0"
    if token.lower() in NAMES and len(token) > 2:
        return str(NAMES[token.lower()])
    return token


def lone_roman(kind: str | None) -> bool:
    """Whether a single letter behind this word is a Roman numeral: "Annex I" is 1, "Exhibit C" is no 100."""
    return kind is not None and kind not in ATTACHED - {"annex"}


def roman_token(token: str, *, lone: bool) -> str:
    """An upper-case Roman numeral as figures; a single letter only where `lone` allows it."""
    if token.isupper() and (len(token) > 1 or lone):
        value = roman(token)
        if value is not None:
            return str(value)
    return token


_ORDINAL_SIGN = re.compile(r"(?<=\d)\.?(?:er|ère|re|[ºª°])(?!\w)|(?<=[IVX])(?:er|ER|re|RE|ère)(?!\w)")


def plain_ordinal(number: str) -> str:
    """A number without what makes it an ordinal: "1er", "Ier" and "1.º" are "1", "I" and "1"."""
    return _ORDINAL_SIGN.sub("", number)


TOKEN = re.compile(r"\d+|[^\W\d_]+")


# Of a range of figures, so many at most.
_MOST_BETWEEN = 400


def between(low: str, high: str) -> list[str]:
    """The tokens of a range: figures, letters of one case, small Roman numerals."""
    if low.isdigit() and high.isdigit():
        return [str(number) for number in range(int(low), min(int(high), int(low) + _MOST_BETWEEN) + 1)]
    numerals = _NUMERALS if low.islower() else [word.upper() for word in _NUMERALS]
    if low in numerals and high in numerals and (len(low) > 1 or len(high) > 1):
        return numerals[numerals.index(low) : numerals.index(high) + 1]
    if len(low) == len(high) == 1 and low.isalpha() and high.isalpha() and low.islower() == high.islower():
        return [chr(code) for code in range(ord(low), ord(high) + 1)]
    return [low, high]


def _numerals(most: int) -> list[str]:
    ones = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"]
    return [f"{'x' * (number // 10)}{ones[number % 10]}" for number in range(1, most)]


_NUMERALS = _numerals(40)
