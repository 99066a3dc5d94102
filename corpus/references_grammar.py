"""Citations in a text: units that belong together, from the large to the small, and the act they are of."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from pincite.corpus.references_numbers import EXCEPT, GAP
from pincite.corpus.references_units import Named, units_named
from pincite.corpus.references_words import INSTRUMENT, RANK

_THE = rf"(?:(?:the|den|dem|der|die|das|des|la|le|les|el|los|las){GAP})?"
_OF = re.compile(
    rf"{GAP},?{GAP}(?:of|des|der|von|vom|zu|zum|aus|de|du|del|dans|in|under|to|set{GAP}out{GAP}in){GAP}(?:l[’'])?{_THE}",
    re.IGNORECASE,
)
_OF_STRICT = re.compile(rf"{GAP},?{GAP}(?:of|des|der|von|vom|de|du|del){GAP}(?:l[’'])?{_THE}", re.IGNORECASE)
_NEXT = re.compile(rf"{GAP},?{GAP}")
_AND = re.compile(
    rf"{GAP}(?:(?:,{GAP})?(?:and/or|und/oder|and|or|und|oder|sowie|et|ou|y|o|e|as{GAP}well{GAP}as)|,)"
    rf"(?P<anew>{GAP}(?:in|of|to|under|with|by|nach|gemäß|in|mit|à|en))?"
    rf"(?:{GAP}(?:des|der|den|dem|de|du|del))?{GAP}(?:l[’'])?{_THE}",
    re.IGNORECASE,
)
_THEREOF = re.compile(rf"{GAP}(?:thereof|davon)\b", re.IGNORECASE)
_WHOSE = re.compile(r"\b(?:deren|dessen)\s*\Z", re.IGNORECASE)
_GENITIVE = re.compile(r"(?:des|der|dieses|dieser|du|del|de)\b", re.IGNORECASE)
_HEREOF = re.compile(
    rf"{GAP},?{GAP}(?:hereof|hereto|of{GAP}(?:this|the{GAP}present)|to{GAP}this|dieser|dieses|der{GAP}vorliegenden|des{GAP}vorliegenden|"
    rf"du{GAP}présent|de{GAP}la{GAP}présente|del{GAP}presente|de{GAP}la{GAP}presente|de{GAP}este|de{GAP}esta)\b(?:{GAP}(?P<kind>[^\W\d_]+))?",
    re.IGNORECASE,
)
_THATOF = re.compile(
    rf"{GAP},?{GAP}(?:of{GAP}(?:that|those|the{GAP}said|such)|jene[rs]|der{GAP}genannten|des{GAP}genannten|derselben|desselben|"
    rf"de{GAP}(?:ladite|cette|ce)|dudit|de{GAP}dich[ao]|de{GAP}es[ea])\b(?:{GAP}(?P<kind>[^\W\d_]+))?",
    re.IGNORECASE,
)
_ACT = (
    rf"(?:(?:the{GAP})?(?:Council{GAP}|Commission{GAP}|Framework{GAP}|Implementing{GAP}|Delegated{GAP})*{INSTRUMENT}{GAP}"
    rf"(?:\((?:EU|EC|EEC|EG|EWG|UE|CE|CEE|Euratom)(?:,{GAP}Euratom)?\){GAP})?(?:(?:No|Nr\.|n[o°º]|núm\.){GAP})?"
    rf"\d{{1,4}}/\d{{1,4}}(?:/[A-Z]{{2,8}})?)"
)
ACT_NUMBER = re.compile(_ACT, re.IGNORECASE)
_CAPITALISED = r"[A-ZÀ-Þ][\w’'&-]*"
_SMALL_WORD = (
    r"(?:of|the|and|on|for|in|to|de|la|le|les|des|du|d[’']|der|die|das|über|und|zur|zum|von|et|sur|del|los|las|el|y|"
    r"en|sobre)"
)
_NAME = re.compile(
    rf"{GAP},?{GAP}(?:of|to|in|der|des|de|du|del){GAP}(?:l[’'])?(?P<the>{_THE})(?:that{GAP}certain{GAP})?"
    rf"(?:(?:Annex|Anhangs?|annexe|anexo|Protocol){GAP}(?:to|zum|zur|zu|de|du|del|à){GAP}(?:l[’'])?{_THE})?(?P<name>{_ACT}|\([A-Z]{{2,3}}\){GAP}(?:No{GAP})?\d+/\d+|"
    rf"(?-i:[“\"‘„«]?{_CAPITALISED}(?:(?:{GAP}(?:{_SMALL_WORD}{GAP}){{0,3}}|{GAP}|-){_CAPITALISED}){{0,9}}))",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    rf"{GAP},?{GAP}(?P<name>{_ACT}|(?:the{GAP})?United{GAP}States{GAP}Code|Code{GAP}of{GAP}Federal{GAP}Regulations|"
    r"(?-i:(?:[A-Z][a-zäöü]*){2,8}(?:[-–][A-Z]+)?(?!\w|\.\w)))",
    re.IGNORECASE,
)
_COLLECTION = re.compile(
    r"(?P<name>\d{1,3}\s+(?:C\.?\s?F\.?\s?R|U\.?\s?S\.?\s?C)\.?(?:\s*A\.)?\s*)$", re.IGNORECASE
)
_ABBREVIATION = re.compile(r"(?=(?:[^A-Z]*[A-Z]){2})[A-Za-zäöü]+(?:[-–][A-Z]+)?\Z")
_NO_ACT = frozenset({"PART", "II", "III", "IV", "VI", "VII", "VIII", "IX", "XI", "XII", "AND", "OR", "THE"})


@dataclass(frozen=True, slots=True)
class Act:
    """The act that a citation says it is of.

    `way` is "this", "that" (named before, another one) or "name"; `name` as it stands in the text, or the
    word behind "this" or "that".
    """

    way: str
    name: str


@dataclass(frozen=True, slots=True)
class Citation:
    """A citation from the large to the small. `start`..`end` holds its words without the act's name."""

    start: int
    end: int
    steps: tuple[Named, ...]
    act: Act | None = None
    thereof: bool = False


def find_citations(text: str, *, loose: bool = False) -> list[Citation]:
    """The citations of a text in order. `loose` takes what a person types: "Section 3 in Chapter IV"."""
    found: list[Citation] = []
    joins: list[bool] = []
    units = list(units_named(text))
    at = 0
    while at < len(units):
        citation, behind = _chain(text, units, at, loose=loose)
        link = _AND.fullmatch(text, found[-1].end, citation.start) if found else None
        if link is not None:
            citation = _inherit(found[-1], citation)
        found.append(_with_act(text, citation))
        # "under Article 3 and under Article 9 of that Directive": what is said anew stands by itself
        joins.append(link is not None and not link["anew"])
        at = behind
    for later in range(len(found) - 1, 0, -1):
        if joins[later]:
            found[later - 1] = _share_behind(text, found[later - 1], found[later])
    return _thereof(found)


def _chain(text: str, units: list[Named], at: int, *, loose: bool) -> tuple[Citation, int]:
    """The units from `at` on that make one citation, and where the next begins."""
    steps, end, at = _downwards(text, units, at)
    start = steps[0].start
    of = _OF if loose else _OF_STRICT
    while at < len(units) and (of.fullmatch(text, end, units[at].start) or _genitive(text, units[at], end)):
        whole, end, at = _downwards(text, units, at)
        if (
            whole[0].pointing
            and not whole[0].values
            and RANK[whole[0].kind] >= RANK[steps[0].kind]
            and len(whole) == 1
        ):
            break
        steps = [*whole, *steps]
        if rank(whole[-1]) > rank(steps[len(whole)]):
            # "Chapter I of Title II, Article 3": the article is in the chapter
            steps.sort(key=rank)
    if at < len(units) and EXCEPT.fullmatch(text, end, units[at].start):
        kinds = [step.kind for step in steps]
        if units[at].kind in kinds and units[at].values:
            which = kinds.index(units[at].kind)
            left_out = tuple(replace(value, excepted=True) for value in units[at].values)
            steps[which] = replace(steps[which], values=(*steps[which].values, *left_out))
            end, at = units[at].end, at + 1
    return Citation(start, end, tuple(steps)), at


def _genitive(text: str, unit: Named, end: int) -> bool:
    """ "Absatz 1 des vorliegenden Artikels": the words that point carry the "of"."""
    if unit.pointing != "this" or unit.values:
        return False
    return (
        _NEXT.fullmatch(text, end, unit.start) is not None and _GENITIVE.match(text, unit.start) is not None
    )


def _downwards(text: str, units: list[Named], at: int) -> tuple[list[Named], int, int]:
    """Units side by side, each smaller than the one before: "Article 6, paragraph 1, point (a)"."""
    steps = [units[at]]
    at += 1
    while at < len(units):
        unit, last = units[at], steps[-1]
        between = _NEXT.fullmatch(text, last.end, unit.start)
        smaller = rank(unit) > rank(last) or (unit.kind == "sentence" and last.kind != "sentence")
        points = any(one.pointing and not one.values for one in (unit, last))
        # "Section 9.4, Article X": a whole number such as 9.4 holds no article
        beside = rank(unit) <= RANK["article"] and bool(last.values) and last.values[0].whole > 1
        if between is None or not smaller or points or beside:
            break
        steps.append(unit)
        at += 1
    return steps, steps[-1].end, at


def rank(unit: Named) -> float:
    """How small a unit is; a word with a whole decimal number names a large one ("paragraph 5.2")."""
    if unit.values and unit.values[0].whole > 1 and RANK[unit.kind] > RANK["article"]:
        return RANK["article"]
    if unit.kind in {"clause", "item"} and unit.values and not unit.values[0].tokens[0].isdigit():
        return RANK["subclause"]
    if unit.kind == "point":
        # "Nr. 3 lit. a": letters stand below figures.
        return RANK["point"] + (0 if unit.values and unit.values[0].tokens[0].isdigit() else 0.5)
    return RANK[unit.kind]


def _inherit(before: Citation, citation: Citation) -> Citation:
    """ "Article 6(1), point (a), or point (b)": the second is of the same paragraph."""
    first = citation.steps[0]
    kinds = [step.kind for step in before.steps]
    if first.kind in kinds and kinds.index(first.kind) > 0 and citation.steps[0].pointing is None:
        return replace(citation, steps=(*before.steps[: kinds.index(first.kind)], *citation.steps))
    return citation


def _share_behind(text: str, before: Citation, citation: Citation) -> Citation:
    """ "point (a) or point (b) of Article 6": what stands behind the last holds for the first."""
    if before.act is not None or before.thereof or before.steps[0].pointing:
        return before
    own = before.steps[0]
    kinds = [step.kind for step in citation.steps]
    if kinds and own.kind in kinds and kinds.index(own.kind) > 0 and rank(own) > rank(citation.steps[0]):
        written = [step for step in citation.steps if step.start > before.end]
        if len(written) == len(citation.steps) and citation.steps[0].start > citation.steps[-1].start:
            before = replace(before, steps=(*citation.steps[: kinds.index(own.kind)], *before.steps))
    if citation.act is not None and own.word.lower() == citation.steps[0].word.lower():
        return replace(before, act=citation.act)
    return before


def _with_act(text: str, citation: Citation) -> Citation:
    """The citation with the act that is named around it."""
    end = citation.end
    collection = _COLLECTION.search(text[max(0, citation.start - 24) : citation.start])
    if collection is not None:
        begin = citation.start - len(collection["name"])
        return replace(citation, start=begin, act=Act("name", " ".join(collection["name"].split())))
    if _THEREOF.match(text, end) or _WHOSE.search(text[max(0, citation.start - 12) : citation.start]):
        return replace(citation, thereof=True)
    here = _HEREOF.match(text, end)
    if here is not None:
        return replace(citation, act=Act("this", (here["kind"] or "").lower()))
    there = _THATOF.match(text, end)
    if there is not None and (there["kind"] or "").lower() != "certain":
        return replace(citation, act=Act("that", (there["kind"] or "").lower()))
    name = _NAME.match(text, end)
    if name is not None:
        return replace(citation, act=Act("name", _clean(name["name"])))
    behind = _BEHIND.match(text, end)
    if behind is not None and not (len(citation.steps[0].word) > 3 and citation.steps[0].word.isupper()):
        word = behind["name"]
        comma = "," in text[end : behind.start("name")]
        number = ACT_NUMBER.fullmatch(word) is not None or " " in word or "." in word
        if number or (
            not comma
            and _ABBREVIATION.match(word)
            and word.upper() not in _NO_ACT
            and word != word.capitalize()
        ):
            return replace(citation, act=Act("name", _clean(word)))
    return citation


def _clean(name: str) -> str:
    return " ".join(name.split()).strip('“"‘„«,.;')


def _thereof(found: list[Citation]) -> list[Citation]:
    """ "paragraph 1 and the second subparagraph thereof": of what the citation before is of."""
    for at in range(1, len(found)):
        if found[at].thereof:
            before = found[at - 1]
            small = rank(found[at].steps[0])
            above = tuple(step for step in before.steps if rank(step) < small)
            found[at] = replace(found[at], steps=(*above, *found[at].steps), act=before.act)
    return found
