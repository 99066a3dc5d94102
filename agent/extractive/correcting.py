"""Corrections that say what was wrong: "not the tenant, the landlord", "Saffron, not Polestar"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pincite.agent.extractive.swapping import bare_thing, name_spans, put_in
from pincite.agent.extractive.words import Word, is_function_word, likeness, stem, words

_SAME = 0.7
_LEAD = (
    r"(?:(?:(?:no|nope|sorry|oops|wait|actually|rather|nein|non|nee|entschuldigung|pardon|désolée?|perdón|but)\b"
    r"|(?:and|what|how)\s+about\b|i\s+(?:meant?|said|wanted?|asked\s+(?:about|for))\b"
    r"|i\s+(?:was|am)\s+asking\s+(?:about|for)\b|i['’]m\s+asking\s+(?:about|for)\b"
    r"|(?:ich\s+)?meinte(?:\s+ich)?\b|je\s+(?:voulais\s+dire|parlais\s+de)\b|quer[ií]a\s+decir\b|quise\s+decir\b"
    r"|intendevo\b|volevo\s+dire\b|ik\s+bedoelde\b)[\s,.;:!–—-]*)*"
)
_GAP = r"\s*[,;–—-]+\s*"
_THING = r"[^,;.?!]{1,80}?"
_END = r"(?:\s*,?\s*(?:please|i\s+mean|i\s+meant|bitte|s['’]il\s+vous\s+plaît|por\s+favor))?[\s.?!]*"
_ARTICLE = r"(?:el|la|los|las)\s+"
# The wrong thing first, then the right one.
_WRONG_FIRST = (
    rf"not\s+(?P<old>{_THING})(?:{_GAP}(?:but\s+)?|\s+but\s+)(?P<new>{_THING})",
    rf"nicht\s+(?P<old>{_THING})(?:{_GAP}(?:sondern\s+)?|\s+sondern\s+)(?P<new>{_THING})",
    rf"pas\s+(?P<old>{_THING})(?:{_GAP}(?:mais\s+)?|\s+mais\s+)(?P<new>{_THING})",
    rf"no\s+(?P<old>{_THING})(?:{_GAP}|\s+)sino\s+(?P<new>{_THING})",
    rf"no\s+(?P<old>{_ARTICLE}{_THING}){_GAP}(?P<new>{_ARTICLE}{_THING})",
    rf"non\s+(?P<old>{_THING})(?:{_GAP}|\s+)ma\s+(?P<new>{_THING})",
    rf"niet\s+(?P<old>{_THING})(?:{_GAP}(?:maar\s+)?|\s+maar\s+)(?P<new>{_THING})",
)
_RIGHT_FIRST = (
    rf"(?P<new>{_THING})(?:{_GAP}(?:and\s+|und\s+|et\s+|y\s+)?|\s+and\s+|\s+)"
    rf"(?:not|nicht|pas|niet)\s+(?P<old>{_THING})",
    rf"(?P<new>{_THING})\s*,\s*non?\s+(?P<old>{_THING})",
    rf"(?P<new>{_THING})(?:{_GAP}|\s+)(?:instead\s+of|rather\s+than|statt|anstatt|au\s+lieu\s+d[eu]|en\s+(?:lugar|vez)\s+del?"
    rf"|in\s+plaats\s+van)\s+(?P<old>{_THING})",
)
_FORMS = [re.compile(rf"\s*{_LEAD}{form}{_END}", re.IGNORECASE) for form in (*_WRONG_FIRST, *_RIGHT_FIRST)]
_SAYS_MORE = re.compile(
    r"\b(?:is|are|was|were|do|does|did|can|could|must|shall|should|will|would|has|have|am|had|get|got|need|know"
    r"|what|which|who|when|where|why|how|ist|sind|hat|est|sont|es|son|yet|sure|really|that|this|it|i|we|you|he|she|they)\b",
    re.IGNORECASE,
)
_MOST_WORDS = 9
_ONE = re.compile(r"\s+ones?$", re.IGNORECASE)
_SHORT = re.compile(r"(?:\d[\w.,/-]*|[A-Z]{1,6}-?\d[\w-]*|[A-Z]|[IVXLC]+)")
_OWNER = re.compile(r"['’]s?$")


@dataclass(frozen=True, slots=True)
class Correction:
    """What was meant, and the words that say what was not."""

    new: str
    old: str


def correction(text: str) -> Correction | None:
    """What a turn corrects, where it names both the wrong thing and the right one; None for any other."""
    for form in _FORMS:
        found = form.fullmatch(text)
        if found is None:
            continue
        new, old = found["new"].strip(" \"'“”"), found["old"].strip(" \"'“”")
        said = words(new)
        if not _content(new) or not _content(old) or max(len(said), len(words(old))) > _MOST_WORDS:
            continue
        if not (_SAYS_MORE.search(new) or _SAYS_MORE.search(old)):
            return Correction(new, old)
    return None


def corrected(question: str, wanted: Correction, named: str = "") -> tuple[str, str] | None:
    """`question` with the right thing in place of the wrong one, and the words that were put for a name.

    The wrong thing may be some words of a name ("Polestar"): then the whole name goes. `named` are words
    that stand for a name without capitals. None where the question does not hold the wrong thing.
    """
    question = question.rstrip(" ?.!")
    new, old = bare_thing(wanted.new), bare_thing(wanted.old)
    one = _ONE.search(new)
    new = _ONE.sub("", new)
    old = _ONE.sub("", old)
    said = _content(old)
    if one and len(said) > 1:
        new = f"{new} {old[said[-1].start : said[-1].end]}"
    name = _name_of(question, said, named)
    if name is not None and not (_SHORT.fullmatch(new) or _SHORT.fullmatch(old)):
        put = _for_name(question[slice(*name)], said, _OWNER.sub("", new))
        return put_in(question, name, put), put
    span = _run(question, said, new)
    if span is None:
        return None
    return put_in(question, span, _owned(question[slice(*span)], new)), ""


def _name_of(question: str, said: list[Word], named: str) -> tuple[int, int] | None:
    """The last name that holds all these words, or all of whose words are among them."""
    for span in reversed(name_spans(question, named)):
        held = _content(question[slice(*span)])
        if all(_among(word, held) for word in said) or all(_among(word, said) for word in held):
            return span
    return None


def _for_name(name: str, said: list[Word], new: str) -> str:
    """What is put for a whole name: one word alone keeps the kind of thing ("Saffron Fund") or its frame."""
    held, put = _content(name), _content(new)
    if len(put) != 1 or len(said) != 1 or len(held) < 2 or _among(put[0], held):
        return new
    if _alike(held[0], said[0]):
        return f"{new} {name[held[-1].start : held[-1].end]}" if new[:1].isupper() else new
    at = next(word for word in held if _alike(word, said[0]))
    return name[: at.start] + new + name[at.end :]


def _run(question: str, said: list[Word], new: str) -> tuple[int, int] | None:
    """Where these words stand side by side; with the words around them that `new` says too."""
    found = words(question)
    fresh = words(new)
    if len(said) > 1 and _SHORT.fullmatch(new):
        # "Not the 2021 version, 2019": only what is of its kind was wrong.
        said = [word for word in said if word.exact == fresh[0].exact] or said
    for at in range(len(found) - len(said) + 1):
        first, last = at, at + len(said) - 1
        if not all(_alike(word, other) for word, other in zip(found[at:], said, strict=False)):
            continue
        while last + 1 < len(found) and len(fresh) > 1 and _alike(found[last + 1], fresh[-1]):
            last += 1
        while first > 0 and len(fresh) > 1 and _alike(found[first - 1], fresh[0]):
            first -= 1
        return found[first].start, found[last].end
    return None


def _owned(was: str, new: str) -> str:
    """`new` with the possessive ending that stood there, or without one."""
    ending = _OWNER.search(was)
    bare = _OWNER.sub("", new)
    return bare + (ending[0] if ending else "")


def _among(word: Word, others: list[Word]) -> bool:
    return any(_alike(word, other) for other in others)


def _alike(one: Word, other: Word) -> bool:
    if one.exact or other.exact:
        return one.term == other.term
    return stem(one.term) == stem(other.term) or likeness(one.term, other.term) >= _SAME


def _content(text: str) -> list[Word]:
    if re.fullmatch("[A-Z]", text):
        # "B, not A": alone, an A would be an article.
        return [Word(text, 0, 1, exact=True)]
    return [word for word in words(text) if not is_function_word(word.term)]
