"""Defined terms: which words a document gives a meaning of its own, and where."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from pincite.corpus.document import Section
from pincite.corpus.sentences import sentence_spans

DEFINITIONS_VERSION = "1"

_OPEN, _CLOSE = "“\"„‘'«‚‹»", "”\"“’'»‘«›"
_TERM = r"[^\W_][^\n“”\"„«»‘]{0,80}?"
_QUOTED = rf"(?:[“”\"„«»]\s?(?P<term>{_TERM})\s?[”\"“»«]|(?<![\w])[‘'‚](?P<single>{_TERM})[’'‘](?!\w))"
# Most paragraphs hold none, and without one the patterns below need not be tried.
_QUOTE = re.compile(r"[“”\"„«»‘'‚]")
_MEANS = re.compile(
    rf"{_QUOTED}(?P<between>[^\n.;:“”\"„«»]{{0,90}}?(?:[“\"„«‘][^\n”\"“»’]{{1,80}}[”\"“»’][^\n.;:]{{0,30}}?){{0,3}}?)\b"
    r"(?:means?|shall\s+(?:have|mean|include|be\s+deemed)|has\s+the\s+(?:same\s+)?meaning|have\s+the\s+(?:same\s+)?meanings?|"
    r"refers?\s+to|denotes?|includes?|equals|is\s+defined|bezeichnet|bezeichnen|bedeutet|bedeuten|désigne|désignent|s[’']entend|"
    r"significa|designa|designará|se\s+entiende)\b",
    re.IGNORECASE,
)
_ANNOUNCED = re.compile(
    rf"(?:on\s+entend\s+par|s[’']entend\s+par|entend\s+par|se\s+entender[áa]n?\s+por|se\s+entiende\s+por|im\s+Sinne\s+dieser\s+\w+\s+(?:ist|sind|bezeichnet))"
    rf"\s*:?\s*{_QUOTED}",
    re.IGNORECASE,
)
_INLINE = re.compile(
    r"\((?:(?:the|this|each|an?|each,?\s+an?|together|collectively|hereinafter|hereafter|herein|"
    r"referred\s+to|individually|as|and|or|jointly|in\s+the\s+following|im\s+Folgenden|nachfolgend|nachstehend|ci-après|dénommée?|en\s+adelante|"
    rf"denominad[oa]|der|die|das|le|la|les|el|los|las|,)[\s:,]+){{0,6}}{_QUOTED}\s*\)",
    re.IGNORECASE,
)
_LEADING = re.compile(rf"\s*(?:[-–—•]\s*)?(?:\(?\w{{1,5}}[.)]\)?\s*|\d+(?:\.\d+)+\.?\s*)?{_QUOTED}")
_BARE = re.compile(
    r"\s*(?:\(?\w{1,4}[.)]\s*|\d+(?:\.\d+)+\.?\s*)?(?P<term>[A-ZÄÖÜÉ][\w’'&/ -]{1,60}?)\s*"
    r"(?::[^\S\n]+(?=\S)|\s(?:means|shall\s+mean|bezeichnet|bedeutet|désigne|significa)\s)"
)
_HEADED = re.compile(
    r"\b(?:definitions?|defined\s+terms?|interpretation|glossary|begriffsbestimmung(?:en)?|begriffe|definition(?:en)?|glossar|"
    r"définitions?|definici(?:ón|ones)|glosario|lexique)\b",
    re.IGNORECASE,
)
_PARAGRAPH = re.compile(r"\n[^\S\n]*\n\s*")
_LONGEST = 4_000


@dataclass(frozen=True, slots=True)
class Definition:
    """A term and the text that gives its meaning, in characters of the document."""

    term: str
    start: int
    end: int


def definition_section(title: str) -> bool:
    """Whether a heading announces definitions."""
    return _HEADED.search(title) is not None


def find_definitions(text: str, section: Section, announced: bool) -> tuple[Definition, ...]:
    """The definitions in a section's body, in order. `announced`: it stands below a heading that says so.

    The strong ones ("means", a term at the start of an item below such a heading) first claim a term; what
    is named in passing, (the "Supplier"), counts only where nothing else defines it.
    """
    found: dict[str, Definition] = {}
    starts = _paragraphs(text, section.start, section.end)
    heading = text[section.heading_start : section.start]
    for term in _terms(heading, announced, whole=True):
        found.setdefault(_key(term), Definition(term, section.start, section.end))
    strong: list[tuple[str, int]] = []
    for at, begin in enumerate(starts):
        stop = starts[at + 1] if at + 1 < len(starts) else section.end
        strong += [(term, begin) for term in _terms(text[begin:stop], announced, whole=False)]
    begins = sorted({begin for _, begin in strong})
    for term, begin in strong:
        later = begins[bisect_right(begins, begin) :]
        end = _end(text, section, begin, later[0] if later else section.end, announced)
        found.setdefault(_key(term), Definition(term, *_unit(section, begin, end)))
    quoted = _QUOTE.search(text, section.start, section.end)
    for match in _INLINE.finditer(text, section.start, section.end) if quoted else ():
        term = _clean(match["term"] or match["single"])
        if term and _key(term) not in found:
            found[_key(term)] = Definition(term, *_sentence(text, section, match.start()))
    return tuple(found.values())


def same_term(one: str, other: str) -> bool:
    """Whether two spellings are one term: case, spaces and an English plural apart."""
    a, b = _key(one), _key(other)
    return (
        a == b
        or a.removesuffix("s") == b.removesuffix("s")
        or (a.removesuffix("ies") + "y" == b or b.removesuffix("ies") + "y" == a)
    )


def _terms(paragraph: str, announced: bool, *, whole: bool) -> list[str]:
    terms = []
    for pattern in (_MEANS, _ANNOUNCED) if _QUOTE.search(paragraph) else ():
        for match in pattern.finditer(paragraph):
            terms.append(match["term"] or match["single"])
            between = match.groupdict().get("between") or ""
            terms += [m["term"] or m["single"] for m in re.finditer(_QUOTED, between)]
    if announced and not whole:
        leading = _LEADING.match(paragraph)
        bare = _BARE.match(paragraph)
        if leading is not None:
            terms.append(leading["term"] or leading["single"])
        elif bare is not None and not terms:
            terms.append(bare["term"])
    return [term for term in dict.fromkeys(_clean(term) for term in terms) if term]


def _clean(term: str) -> str:
    term = " ".join(term.split()).strip(" ,.;:")
    return term if any(sign.isalpha() for sign in term) and len(term) > 1 else ""


def _key(term: str) -> str:
    return "".join(sign for sign in term.casefold() if sign.isalnum())


def _paragraphs(text: str, start: int, end: int) -> list[int]:
    """Where paragraphs begin; lines count where no blank line stands between them."""
    if start >= end:
        return []
    pattern = _PARAGRAPH if _PARAGRAPH.search(text, start, end) else re.compile(r"\n\s*")
    return [start, *(match.end() for match in pattern.finditer(text, start, end) if match.end() < end)]


def _end(text: str, section: Section, begin: int, following: int, announced: bool) -> int:
    """The end of a definition: its paragraph, with a list that it announces, up to the next definition."""
    gap = _PARAGRAPH.search(text, begin, following)
    paragraph = gap.start() if gap is not None else following
    lead = text[begin:paragraph].rstrip()
    if gap is not None and lead.endswith((":", ",", ";", "-", "—", "–")):
        items = [unit.end for unit in section.units if begin < unit.start < following]
        paragraph = max(items, default=following if announced else paragraph)
    stop = min(paragraph, following, begin + _LONGEST)
    return begin + len(text[begin:stop].rstrip())


def _unit(section: Section, begin: int, end: int) -> tuple[int, int]:
    """The whole unit where the definition is one."""
    for unit in reversed(section.units):
        if 0 <= begin - unit.start <= 8 and unit.start <= begin < unit.end:
            return unit.start, max(unit.end, min(end, unit.end))
    return begin, end


def _sentence(text: str, section: Section, at: int) -> tuple[int, int]:
    left = max(section.start, text.rfind("\n\n", section.start, at))
    right = text.find("\n\n", at, section.end)
    right = section.end if right < 0 else right
    for start, end in sentence_spans(text[left:right]):
        if left + start <= at < left + end:
            return left + start, left + end
    return left, right
