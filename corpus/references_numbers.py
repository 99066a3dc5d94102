"""The numbers behind a word of a citation: "15 to 22 and 34", "6(1)(a) and (c)", "a, b und c"."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from pincite.corpus.labels import NAMES
from pincite.corpus.references_words import (
    DIVISIONS,
    KIND,
    PLURALS,
    TOKEN,
    any_word,
    lone_roman,
    plain_ordinal,
    roman_token,
    token_value,
)

Tokens = tuple[str, ...]

# No-break spaces stand in printed citations; a line break may stand anywhere but a paragraph's end may not.
GAP = r"(?:[^\S\n]|\n(?![^\S\n]*\n)){0,40}"
_GAP = re.compile(GAP)
_BRACKETED = rf"(?:{GAP}\.?\((?:[A-Za-z]{{1,2}}|[ivxlcdm]{{1,7}}|[IVXLCDM]{{1,7}}|\d{{1,3}}[a-z]{{0,2}})\))"
_DECIMAL = (
    r"\d{1,5}(?:(?!(?-i:[IVX]))[A-Za-z]{1,2}(?![A-Za-z]))?"
    r"(?:(?:\.|[-‑–](?=\d))\d{1,6}[A-Za-z]?(?![A-Za-z]))*"
    rf"(?:{GAP}(?:bis|ter|quater|quinquies|sexies|septies|octies)(?![\w])(?!{GAP}(?:\d|[a-z]\)|[IVX]+\b)))?"
)
# "16.a.v": levels set off by dots, as contracts and lists print them.
_STEPPED = r"(?:\.(?:[A-Za-z]|[ivxlc]{2,5}|(?<=\.[A-Za-z]\.)\d{1,3})(?:\)|(?![\w’'])))"
_NUMBER = re.compile(rf"(?P<main>{_DECIMAL})(?![\w/%])(?P<subs>(?:{_STEPPED}|{_BRACKETED})*)", re.IGNORECASE)
# "§ 5 II Nr. 2", "Art. 6 I DSGVO": the paragraph as a Roman numeral.
_ROMAN_PARAGRAPH = re.compile(
    rf"{GAP}(?P<roman>[IVX]{{1,5}})(?={GAP}(?:lit|Nr|S\.|Satz|[A-ZÄÖÜ]{{2}}|[.,;)]|\Z))"
)
_BRACKETS = re.compile(rf"(?P<subs>{_BRACKETED}+)")
_CAPITAL = re.compile(
    rf"(?P<main>[IVXLCDM]{{1,8}}(?:er|re|ère)?|[A-Z])(?P<rest>(?:[.-]?\d{{1,3}})*)(?![\w’'])(?P<subs>(?:{_STEPPED}|{_BRACKETED})*)"
)
_SMALL = re.compile(r"(?P<main>[ivxlcdm]{2,6}|(?P<one>[a-z])(?P=one)?)(?:\)|(?![\w’'(]))")
_HALF = re.compile(r"(?P<main>\d{1,3}[a-z]?|(?P<one>[a-z])(?P=one)?|[ivxl]{2,5})\)")
_SPELLED = "|".join(sorted((name for name in NAMES if len(name) > 2), key=len, reverse=True))
_WORD_NUMBER = re.compile(rf"(?P<main>{_SPELLED})\b", re.IGNORECASE)
_AND = r"and/or|und/oder|and|or|und|oder|sowie|et|ou|y|o|e|&"
_JOINED = re.compile(
    rf"{GAP}(?:(?P<range>bis|to|through|thru|until|à|a(?={GAP}\d)|hasta|[-–—])|(?P<list>(?:,{GAP})?(?:{_AND})\b|,|;))"
    rf"(?:{GAP}(?:also|auch))?{GAP}",
    re.IGNORECASE,
)
_GOES_ON = re.compile(rf"{GAP}(?:,{GAP})?(?:(?:and|or|und|oder|et|ou|y|o)\b|,{GAP}\d)")
EXCEPT = re.compile(
    rf"{GAP},?{GAP}(?:with{GAP}the{GAP}exception{GAP}of|except(?:{GAP}for)?|other{GAP}than|"
    rf"mit{GAP}Ausnahme{GAP}(?:von|der)|à{GAP}l[’']exception{GAP}(?:de|des|du)|con{GAP}excepción{GAP}de|excepto)"
    rf"(?:{GAP}the)?{GAP}",
    re.IGNORECASE,
)
# A number in front of one of these counts something.
_MEASURED = re.compile(
    rf"{GAP}(?:[-‑]?(?:day|month|year|week|hour|minute)s?\b|business|calendar|consecutive|per{GAP}cent|percent|"
    r"dollars?|euros?|tage?n?\b|monate?n?\b|jahre?n?\b|wochen?\b|stunden?\b|prozent|jours?\b|mois\b|ans?\b|"
    r"années?\b|días?\b|mes(?:es)?\b|años?\b|(?-i:January|February|March|April|May|June|July|August|September|"
    r"October|November|December|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember)\b|janvier|février|mars\b|avril|"
    r"mai\b|juin\b|juillet|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo\b|junio|julio|"
    r"agosto|septiembre|octubre|noviembre|diciembre|million|[€$£%])",
    re.IGNORECASE,
)
_SMALL_KINDS = frozenset({"point", "subparagraph", "paragraph", "subclause", "item"})
_LETTERED_WORDS = (
    "lit litera buchstabe buchstaben buchstabens buchst letra letras lettre lettres letter letters "
    "point points ziffer ziffern ziff punkt punto puntos subparagraph unterabsatz subclause"
)
_LETTERED = frozenset(_LETTERED_WORDS.split())
_MOST_VALUES = 40
WORD = re.compile(
    rf"(?<![\w§¶])(?P<word>{any_word(KIND)})"
    r"(?P<dot>\.?)(?![\w’'])|(?P<sign>§§?|¶)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Value:
    """One number: its tokens; with `until` a range up to that one. `inner`: only the part in brackets was
    written and stands for the last levels of the number before it. `whole`: so many tokens make one printed
    number ("4.2" in "4.2(b)"), which cannot be taken apart.
    """

    tokens: Tokens
    start: int
    end: int
    until: Tokens | None = None
    excepted: bool = False
    inner: bool = False
    whole: int = 1


def values(text: str, kind: str, word: str, behind: int, stop: int) -> tuple[tuple[Value, ...], int]:
    """The numbers that follow a word which ends at `behind`, and where they end; none: `behind`."""
    at = _behind_gap(text, behind, stop)
    first = _value(text, kind, word, at, stop, lead=True)
    if first is None:
        return (), behind
    plural = word.lower() in PLURALS
    found = [_split_range(first, plural)]
    excepted = False
    while len(found) < _MOST_VALUES:
        end = found[-1].end
        left_out = EXCEPT.match(text, end, stop)
        joined = _JOINED.match(text, end, stop)
        if left_out is not None:
            again = WORD.match(text, left_out.end(), stop)
            if again is not None and KIND[(again["word"] or again["sign"]).lower()] != kind:
                break
            step = _behind_gap(text, again.end(), stop) if again is not None else left_out.end()
            following = _value(text, kind, word, step, stop, lead=False)
            if following is None:
                break
            excepted = True
            found.append(replace(following, excepted=True))
            continue
        if joined is None:
            break
        following = _value(text, kind, word, joined.end(), stop, lead=False)
        if following is None or not _continues(
            text, found[-1], following, stop, plural=plural, comma=joined[0].strip() == ","
        ):
            break
        following = _completed(found[-1], following)
        if joined["range"] and not excepted:
            found[-1] = replace(found[-1], until=following.tokens, end=following.end)
        else:
            found.append(replace(following, excepted=excepted))
    return tuple(found), found[-1].end


def _value(text: str, kind: str, word: str, at: int, stop: int, *, lead: bool) -> Value | None:
    """The number that stands at `at`. A bare small letter counts where letters are what the word takes."""
    brackets = _BRACKETS.match(text, at, stop)
    if brackets is not None:
        return Value(_tokens(brackets["subs"]), at, brackets.end(), inner=not lead)
    number = _NUMBER.match(text, at, stop)
    half = _HALF.match(text, at, stop) if kind in _SMALL_KINDS else None
    if half is not None:
        return Value(_tokens(half["main"]), at, half.end())
    if number is not None:
        end = number.end()
        main = re.sub(r"(?<=\d)\.0+$", "", number["main"])
        roman = _ROMAN_PARAGRAPH.match(text, end, stop) if kind in {"section", "article"} else None
        if roman is not None and not number["subs"].strip(" ."):
            below = (roman_token(roman["roman"], lone=True),)
            return Value(_tokens(main) + below, at, roman.end(), whole=len(_tokens(main)))
        own = _tokens(main)
        return Value(own + _tokens(number["subs"]), at, end, whole=len(own))
    capital = _CAPITAL.match(text, at, stop)
    if capital is not None and (
        kind in DIVISIONS | {"section", "article", "item", "clause"} or (kind in _SMALL_KINDS and lead)
    ):
        main = plain_ordinal(capital["main"])
        if len(main) > 1 and roman_token(main, lone=True) == main:
            return None
        head = roman_token(main, lone=lone_roman(kind) and not capital["rest"])
        own = (head, *_tokens(capital["rest"]))
        return Value((*own, *_tokens(capital["subs"])), at, capital.end(), whole=len(own))
    small = _SMALL.match(text, at, stop) if kind in {"point", "subclause", "subparagraph"} else None
    if small is not None and (small[0].endswith(")") or _alone(text, small, word, lead=lead)):
        return Value((small["main"],), at, small.end())
    named = (
        _WORD_NUMBER.match(text, at, stop) if kind in DIVISIONS | {"section", "article"} and lead else None
    )
    if named is not None and (named[0][0].isupper()):
        return Value((token_value(named["main"].lower()),), at, named.end())
    return None


def _alone(text: str, small: re.Match[str], word: str, *, lead: bool) -> bool:
    """Whether a bare letter is a label: "lit. a", "points a and b", not "point a finger" or "no a"."""
    if word.lower() not in _LETTERED:
        return False
    ordinary = word.lower().startswith(("point", "letra", "lettre", "letter"))
    if (
        small["main"] not in {"a", "y", "o", "e"}
        or not ordinary
        or (lead and not word.lower().startswith("point"))
    ):
        return True
    return not re.match(
        rf"{GAP}(?!and|or|to|of|und|oder|bis|et|ou|des?|du|del)[^\W\d_]{{2}}",
        text[small.end() : small.end() + 40],
    )


def _behind_gap(text: str, at: int, stop: int) -> int:
    gap = _GAP.match(text, at, stop)
    return gap.end() if gap is not None else at


def _tokens(text: str) -> Tokens:
    return tuple(token_value(token) for token in TOKEN.findall(plain_ordinal(text)))


def _split_range(value: Value, plural: bool) -> Value:
    """ "15-22" behind a plural is a range; "2-1801.03" is one number."""
    if plural and len(value.tokens) == 2 and all(token.isdigit() for token in value.tokens):
        low, high = value.tokens
        if int(low) < int(high) and value.end - value.start == len(low) + 1 + len(high):
            return replace(value, tokens=(low,), until=(high,))
    return value


def _continues(text: str, last: Value, following: Value, stop: int, *, plural: bool, comma: bool) -> bool:
    """Whether a number behind "and" or a comma still belongs to the list, and counts nothing itself."""
    if following.inner:
        # "Section 2.01 and (b) Exhibit A": a list of the sentence itself, whose item begins with another word
        named = WORD.match(text, _behind_gap(text, following.end, stop), stop)
        return named is None or not (named["word"] or named["sign"])[0].isupper()
    if _MEASURED.match(text, following.end, stop):
        return False
    if re.match(r"\d{4}\b", text[following.start : following.end + 1]) and not last.tokens[0].isdigit():
        return False
    if plural or not comma:
        return True
    alike = _shape(last.tokens) == _shape(following.tokens)
    more = _GOES_ON.match(text, following.end, stop) is not None
    return alike and (len(following.tokens) > 1 or not following.tokens[0].isdigit() or more)


def _shape(tokens: Tokens) -> str:
    return "1" if tokens[0].isdigit() else "a" if tokens[0].islower() else "A"


def _completed(last: Value, following: Value) -> Value:
    """ "6(1)(a) and (c)": the levels that are not written again come from the number before."""
    if not following.inner:
        return following
    base = last.until or last.tokens
    shape = _shape(following.tokens)
    first = 0 if last.inner or len(base) == 1 else 1
    for at in range(len(base) - 1, first - 1, -1):
        if _shape((base[at],)) == shape:
            return replace(following, tokens=(*base[:at], *following.tokens), whole=last.whole)
    return replace(following, tokens=(*base[: max(1, len(base) - 1)], *following.tokens), whole=last.whole)
