"""Words for who does something ("tenant", "landlords", "Vermieter"): one stands where another stood."""

from __future__ import annotations

import re

from pincite.agent.extractive.words import Word, is_function_word, stem, words

# Endings of words for persons and parties, and such words that end otherwise.
_ROLE = re.compile(
    r"\w{2,}(?:lord|lady|holder|owner|woman|man|[^\Waeiou]er|ier|[dlnst]or|ee|tant|nant|ipant|ist|ian|erin)s?"
    r"|\w*(?:agent|client|parent|student|patient|resident|recipient|dependant|dependent|citizen|child|spouse"
    r"|guest|wife|husband|partner|kunde|gast|kind)(?:s|n|en|nen|er|ren)?|men|women|people|persons?|staff",
    re.IGNORECASE,
)
# Things, measures and times that end so.
_THING = re.compile(
    r"(?:number|september|october|november|december|letter|matter|quarter|register|charter|chapter|center|water"
    r"|winter|summer|paper|order|offer|transfer|power|tower|computer|printer|counter|folder|fee|degree"
    r"|guarantee|factor|sector|error|door|floor|list|checklist|committee|tree|plan|human|under|after|over"
    r"|other|another|either|neither|whether|rather|further|former|latter|later|never|ever|together|however"
    r"|larger|longer|higher|lower|earlier|fewer|newer|older|better|oder|unter|hinter|unser|fenster|zimmer"
    r"|steuer|dauer|nummer|alter|wasser)(?:s|n)?",
    re.IGNORECASE,
)


def is_role(term: str) -> bool:
    """Whether a word names a person or a party, by its ending."""
    return _ROLE.fullmatch(term) is not None and _THING.fullmatch(term) is None


def names_role(thing: str) -> bool:
    """Whether a phrase is about a person or a party: its last word is, and it is no name of several words."""
    named = [word for word in words(thing) if not is_function_word(word.term)]
    a_name = len(named) > 1 and all(thing[word.start].isupper() for word in named)
    return bool(named) and not a_name and is_role(named[-1].term)


def other_role(question: str, thing: str) -> tuple[int, int] | None:
    """Where the question names the one in whose place `thing`, another, is put; None without such a word."""
    if not names_role(thing):
        return None
    put = {stem(word.term) for word in words(thing)}
    other = [word for word in words(question) if is_role(word.term) and stem(word.term) not in put]
    return _span(question, other[0]) if other else None


def _span(question: str, word: Word) -> tuple[int, int]:
    """The word, without the ending of a possessive."""
    found = re.search(r"['’]s?$", question[word.start : word.end])
    return word.start, word.end - (len(found[0]) if found else 0)
