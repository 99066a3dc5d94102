"""The place that a question names by number, also one that is told from the place before: "and (c)?"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pincite.agent.extractive.words import is_function_word, words
from pincite.corpus.references_grammar import Citation, find_citations

SAYS = re.compile(
    r"\b(?:says?|states?|provides?|contains?|reads?|regulates?|governs?|stipulates?|prescribes?|text|wording|content|steht|"
    r"besagt|sagt|regelt|bestimmt|lautet|wortlaut|inhalt|dit|prévoit|dispose|énonce|texte|dice|establece|dispone|prevé|texto)\b",
    re.IGNORECASE,
)
_ASKING_WORDS = (
    "what which does do is are in of the under show me read open quote please give tell exactly that "
    "this was wie welche zeig lies öffne bitte genau que quoi quel quelle ce montre lis qué cuál el la "
    "los las lo un una por favor"
)
_ASKING = frozenset(_ASKING_WORDS.split())
_NAME = re.compile(
    r"^\s*,?\s*(?:of|in|from|des|der|im|vom|von|de|du|del|dans|en)\s+(?:the\s+|la\s+|le\s+|el\s+|l[’'])?[\"“‘„«]?"
    r"(?P<name>[\w&-]+"
    r"(?:\s+(?:(?:of|der|des|de|du|del)\s+(?:(?:the|la|le|el)\s+)?[\w&-]+|[A-ZÀ-Þ0-9][\w&/()-]*))*)"
)
_BARE = re.compile(
    r"(?P<number>\d+[a-z]?(?:\.\d+)*)(?P<units>(?:\s?\([0-9A-Za-z]{1,5}\))*)|(?P<unit>\([0-9A-Za-z]{1,5}\))"
)
_BRACKET = re.compile(r"\(([0-9A-Za-z]{1,5})\)")
_NUMBERED = re.compile(r"(?P<main>(?:[^\W\d]+\.?\s+|§\s*)?[\w.]*\w)(?P<units>(?:\s?\([0-9A-Za-z]{1,5}\))*)$")
_LAST = re.compile(r"\(?(\d+[a-z]?|[a-z]{1,4})\)?$", re.IGNORECASE)
# Kinds that are counted anew in each section.
_COUNTED = frozenset({"subsection", "paragraph", "subparagraph", "subclause"})
_LETTERED = frozenset({"point", "item"})


@dataclass(frozen=True, slots=True)
class Place:
    """A section that a question names, and the document it is of, as far as that is said.

    `alone`: the question asks for what stands there, and for nothing in particular.
    """

    section: str
    document: str | None
    alone: bool


def named_place(question: str) -> Place | None:
    """The section that a question names by number; None when it names none, or several."""
    found = [one for one in find_citations(question) if one.steps[0].values]
    if len(found) != 1:
        return None
    (citation,) = found
    document = citation.act.name if citation.act is not None and citation.act.way == "name" else None
    behind = question[citation.end :]
    if document is None:
        named = _NAME.match(behind)
        document = _trimmed(named["name"]) if named is not None else None
    rest = question[: citation.start] + " " + behind.replace(document or "\\0", " ", 1)
    return Place(" ".join(question[citation.start : citation.end].split()), document, not asks_for_more(rest))


def asks_for_more(question: str) -> bool:
    """Whether a question, without the place that it names, asks for anything but what stands there."""
    left = [word.term for word in words(SAYS.sub(" ", question)) if word.term not in _ASKING]
    return any(not is_function_word(term) for term in left)


def _trimmed(name: str) -> str:
    """A name up to the verb that asks: "the lease say" is "the lease"."""
    said = SAYS.search(name)
    return (name[: said.start()] if said is not None else name).strip(" \"'“”‘’")


def pointed(said: str, question: str, cited: str | None) -> str | None:
    """The place that `said` names and nothing else, in full; None when it names none.

    `question` is the one before, `cited` the number of the place cited for it: "paragraph 3" and "(c)" are
    of the place that the question names, or that was cited. A bare number is of the kind that the question
    names.
    """
    said = said.strip(" \t,.;:?!¿")
    asked = named_place(question)
    base = asked.section if asked is not None else cited
    bare = _BARE.fullmatch(said)
    if bare is not None and bare["unit"] is not None:
        return _inside(base, bare["unit"][1:-1], None)
    if bare is not None:
        # A number alone may count anything, unless a section was asked for.
        if asked is None and said.isdigit():
            return None
        kind = re.match(r"[^\d(]*", asked.section) if asked is not None else None
        return f"{kind[0].strip() if kind and kind[0].strip() else 'section'} {said}"
    place = named_place(said)
    if place is None or not place.alone or place.document is not None:
        return None
    (citation,) = [one for one in find_citations(place.section) if one.steps[0].values]
    return _in_full(place.section, citation, base)


def _in_full(section: str, citation: Citation, base: str | None) -> str:
    """The reference; one that is counted anew in each section behind the section it is of."""
    kind = citation.steps[0].kind
    last = _LAST.search(section)
    if len(citation.steps) > 1 or last is None or kind not in _COUNTED | _LETTERED:
        return section
    return _inside(base, last[1], kind) or section


def _inside(base: str | None, unit: str, kind: str | None) -> str | None:
    """A unit of the place `base`, in place of the one of its sort that `base` may name already."""
    whole = _normal(base or "")
    numbered = _NUMBERED.fullmatch(whole)
    if numbered is None:
        return None
    main, units = numbered["main"], _BRACKET.findall(numbered["units"])
    sorts = [_sort(one, before) for one, before in zip(units, ["", *units], strict=False)]
    sort = _sort(unit, units[-1] if units else "")
    if sort in sorts:
        units = units[: sorts.index(sort)]
    elif kind in _COUNTED:
        units = []
    word = "" if find_citations(main) else "section "
    return f"{word}{main}{''.join(f'({one})' for one in [*units, unit])}"


def _normal(place: str) -> str:
    """ "paragraph 3 of Article 33" as "Article 33(3)"."""
    found = [one for one in find_citations(place) if one.steps[0].values]
    if len(found) != 1 or len(found[0].steps) == 1:
        return " ".join(place.split())
    parts = [step for step in found[0].steps if step.values]
    main, *rest = [place[step.start : step.values[-1].end].strip() for step in parts]
    inner = [_LAST.search(one) for one in rest]
    return main + "".join(f"({one[1]})" for one in inner if one is not None)


def _sort(unit: str, before: str) -> str:
    """How a unit is counted: by figures, letters or Roman numbers; "i" behind "h" is a letter."""
    if unit.isdigit():
        return "figure"
    roman = re.fullmatch("[ivx]+", unit, re.IGNORECASE) is not None
    return (
        "roman"
        if roman and (len(unit) > 1 or (before != "" and before.lower() not in {"h", "u", "w"}))
        else "letter"
    )
