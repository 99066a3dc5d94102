"""Puts a fragment where it belongs in an earlier question: "for the bond fund", "the 2019 version"."""

from __future__ import annotations

import re

from pincite.agent.extractive.question import Asked
from pincite.agent.extractive.roles import other_role
from pincite.agent.extractive.words import Word, is_function_word, likeness, stem, words

_YEAR = re.compile(r"\b(?:1[89]|20)\d\d\b")
_NUMBER = (
    r"(?:\d+(?:[.,]\d+)*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|eighteen|twenty"
    r"|thirty|forty|fifty|sixty|ninety|hundred|an?)"
)
_MEASURE = re.compile(rf"\b(?P<number>{_NUMBER})\s+(?P<unit>[^\W\d_]{{3,}})", re.IGNORECASE)
_CODE = re.compile(r"\b[A-Z]{1,6}-?\d[\w-]*")
_PREPOSITION = re.compile(
    r"(?P<word>for|of|in|on|at|under|with|without|after|before|during|from|to|by|since|until|für|nach|bei|unter|pour"
    r"|après|sous|para|después\s+de)\s+",
    re.IGNORECASE,
)
# German writes nouns with capitals: what such a word joins is a thing and its name, not one name.
_GENITIVE = re.compile(r"^.*\b(?:des|der|vom|von|zur|zum)\s+", re.IGNORECASE)
_DETERMINER = re.compile(
    r"(?:(?:the|an?|this|that|der|die|das|de[nmr]|eine?[nmr]?|les?|la|une?|el|los|las|una|del|du|het|il|lo)\s+|l['’]\s*)",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"(?:\b(?:section|article|clause|paragraph|rule|annex|schedule|chapter|artikel|absatz|chapitre|artículo)|§)\s*"
    r"\d+[a-z]?(?:\.\d+)*(?:\([0-9A-Za-z]{1,5}\))*",
    re.IGNORECASE,
)
_ONE = re.compile(r"\s+ones?$", re.IGNORECASE)
_OWNER = re.compile(r"['’]s?$")
_SAME = 0.7


def swapped(question: str, fragment: str, named: str = "") -> tuple[str, str]:
    """`question` with `fragment` in place of what it replaces, and the words that were put for a name.

    It is the first that both hold: a place, a year, a code, a number of the same unit, a name (also by a
    common word: "the bond fund" for "Polestar Global Equity Fund"), a person or party, the phrase behind the
    same preposition, a phrase that ends in the same noun. With nothing of the kind, a phrase behind a
    preposition is added to the question, and any other is asked about the names of the question. `named` are
    words of the question that stand for a name without capitals.
    """
    question = question.rstrip(" ?.!")
    for pattern in (_PLACE, _YEAR, _CODE):
        here, new = pattern.search(question), pattern.search(fragment)
        if here and new:
            return put_in(question, here.span(), new[0]), new[0] if pattern is _CODE else ""
    measure = _measure(question, fragment)
    if measure is not None:
        return put_in(question, measure[0], measure[1]), ""
    bare = bare_thing(fragment)
    one = _ONE.search(bare)
    name = _name_for(question, bare, named)
    if name is not None and one:
        bare = f"{_ONE.sub('', bare)} {question[slice(*name)].split()[-1]}"
    if name is not None:
        return put_in(question, name, bare), bare
    role = other_role(question, bare) if name is None else None
    if role is not None:
        return put_in(question, role, _OWNER.sub("", bare)), ""
    preposition = _PREPOSITION.match(fragment)
    phrase = _behind(question, preposition["word"]) if preposition else None
    if preposition and phrase is not None:
        return put_in(question, phrase, fragment[preposition.end() :]), ""
    if preposition:
        return f"{question} {fragment}", ""
    same = _same_noun(question, bare)
    if same is not None:
        return put_in(question, same, bare), ""
    names = _name_words(question, named)
    return (f"{fragment} {names}" if names else f"{question} {fragment}"), ""


def bare_thing(text: str) -> str:
    """A phrase without the preposition and the article that it begins with."""
    for opening in (_PREPOSITION, _DETERMINER):
        found = opening.match(text)
        text = text[found.end() :] if found else text
    return text


def put_in(text: str, span: tuple[int, int], new: str) -> str:
    """`text` with `new` at `span`, and one blank between words."""
    return " ".join(f"{text[: span[0]]}{new}{text[span[1] :]}".split())


def _measure(question: str, fragment: str) -> tuple[tuple[int, int], str] | None:
    """A count of the same unit in both: "after three months" and "six months"."""
    new = next(iter(_MEASURE.finditer(fragment)), None)
    if new is None:
        return None
    for old in _MEASURE.finditer(question):
        if stem(old["unit"].lower()) == stem(new["unit"].lower()):
            return old.span(), new[0]
    return None


def _name_for(question: str, bare: str, named: str) -> tuple[int, int] | None:
    """The span of the name that `bare` replaces: one that shares its last noun, or any when it is a name."""
    spans = name_spans(question, named)
    head = _content(bare)[-1:]
    if not spans or not head:
        return None
    for span in reversed(spans):
        if any(likeness(head[0].term, word.term) >= _SAME for word in words(question[slice(*span)])):
            return span
    return spans[-1] if Asked(f"x {bare}").names else None


def name_spans(text: str, named: str = "") -> list[tuple[int, int]]:
    """Where the names of a question stand; `named` are words that are one without capitals."""
    found = words(text)
    spans = []
    for name in Asked(text, named=named).names:
        for at in range(len(found)):
            end = _match(found, at, name)
            if end is not None:
                start, stop = found[at].start, found[end].end
                thing = _GENITIVE.match(text[start:stop])
                spans.append((start + thing.end() if thing else start, stop))
                break
    return sorted(spans)


def _match(found: list[Word], at: int, name: tuple[str, ...]) -> int | None:
    """The index of the last word of `name` when it begins at `at`; function words between are passed over."""
    wanted = list(name)
    for index in range(at, len(found)):
        term = stem(found[index].term)
        if term == wanted[0]:
            wanted.pop(0)
            if not wanted:
                return index
        elif index == at or not is_function_word(found[index].term):
            return None
    return None


def _behind(question: str, preposition: str) -> tuple[int, int] | None:
    """What stands behind the last such preposition, up to the next one or the end of the clause."""
    found = list(re.finditer(rf"\b{preposition}\s+", question, re.IGNORECASE))
    if not found:
        return None
    start = found[-1].end()
    ends = re.search(rf"[,;?]|\s(?={_PREPOSITION.pattern})", question[start:], re.IGNORECASE)
    return start, start + ends.start() if ends else len(question)


def _same_noun(question: str, bare: str) -> tuple[int, int] | None:
    """The noun phrase of the question that ends in the last noun of `bare`."""
    head = _content(bare)[-1:]
    found = words(question)
    for at, word in enumerate(found):
        if head and not is_function_word(word.term) and likeness(head[0].term, word.term) >= _SAME:
            first = at
            while first > 0 and not is_function_word(found[first - 1].term):
                first -= 1
            return found[first].start, word.end
    return None


def _name_words(question: str, named: str) -> str:
    return " ".join(question[slice(*span)] for span in name_spans(question, named))


def _content(text: str) -> list[Word]:
    return [word for word in words(text) if not is_function_word(word.term)]
