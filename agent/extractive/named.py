"""A question that names a document is answered from that document."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from pincite.agent.extractive.question import Asked
from pincite.agent.extractive.words import is_function_word, likeness, stem, words
from pincite.tools.passage import Passage

_MOSTLY = 0.75
_MATCHES = 0.7
# "according to the Lease", "what does the Lease say": the words of no other document will do.
_BEFORE = (
    r"(?:according to|laut|gemäß|selon|d[’']après|según)\s+"
    r"(?:(?:the|der|dem|des|die|das|la|le|les|el|los)\s+|l[’'])?"
)
_BEHIND = (
    r"\W+(?:say|state|provide|contain|read|regulate|govern|stipulate|prescribe|tell"
    r"|sagt|regelt|bestimmt|dit|dice)s?\b"
)


def of_named_documents(asked: Asked, passages: Sequence[Passage]) -> list[Passage]:
    """The passages that may answer: all, or when the question names a document by its title, those of it.

    A title is named when the question holds a name that the title holds, or all of two or more words that
    tell the title from the others shown. A passage of another document stays when it holds the name
    itself; of it only the segments that `speaks_of_named` lets through may answer. Asked what a document
    says, only that one answers.
    """
    sole = _asked_what_says(asked, passages)
    if sole is not None:
        return [passage for passage in passages if passage.document == sole]
    named = _named(asked, passages)
    if not named:
        return list(passages)
    wanted_names = set(named.values())
    return [
        passage
        for passage in passages
        if passage.document in named
        or any(
            _holds(_terms(" ".join((*passage.path, passage.text))), name, whole=True) for name in wanted_names
        )
    ]


def speaks_of_named(asked: Asked, passages: Sequence[Passage]) -> Callable[[str, str], bool]:
    """Whether a segment may answer, from its document and its words with headings and lead.

    One of another document than the one named has to hold the name: what only stands near the name, such as
    another row of a table, is about something else.
    """
    named = _named(asked, passages)
    wanted = set(named.values())

    def may(document: str, said: str) -> bool:
        if not named or document in named:
            return True
        found = _terms(said)
        return any(_holds(found, name, whole=True) for name in wanted)

    return may


def naming_terms(asked: Asked, passages: Sequence[Passage]) -> frozenset[str]:
    """The terms of the question that name one of the documents."""
    return frozenset(term for name in _named(asked, passages).values() for term in name)


def named_document(asked: Asked, passages: Sequence[Passage]) -> str | None:
    """The id of the one document among the passages that the question names; None for none or several."""
    named = list(_named(asked, passages))
    return named[0] if len(named) == 1 else None


def _asked_what_says(asked: Asked, passages: Sequence[Passage]) -> str | None:
    """The one document whose whole title stands in the question as what says something."""
    text = " ".join(asked.text.split())
    found = set()
    for document, title in {passage.document: passage.document_title for passage in passages}.items():
        name = re.escape(" ".join(title.split()))
        if title.strip() and re.search(rf"{_BEFORE}{name}\b|\b{name}{_BEHIND}", text, re.IGNORECASE):
            found.add(document)
    return found.pop() if len(found) == 1 else None


def _named(asked: Asked, passages: Sequence[Passage]) -> dict[str, tuple[str, ...]]:
    """The documents that the question names, each with the words that name it."""
    titles = {passage.document: _terms(passage.document_title) for passage in passages}
    sole = _asked_what_says(asked, passages)
    if sole is not None:
        return {sole: tuple(sorted(titles[sole]))}
    named: dict[str, tuple[str, ...]] = {}
    for document, title in titles.items():
        others = [other for key, other in titles.items() if key != document]
        wanted = _named_by(asked, title, others)
        if wanted:
            named[document] = wanted
    return named


def _terms(text: str) -> frozenset[str]:
    return frozenset(stem(word.term) for word in words(text) if not is_function_word(word.term))


def _named_by(asked: Asked, title: frozenset[str], others: Sequence[frozenset[str]]) -> tuple[str, ...]:
    for name in asked.names:
        shared = bool(others) and all(_holds(other, name) for other in others)
        if _holds(title, name) and not shared:
            return name
    distinct = tuple(sorted(term for term in title if not any(term in other for other in others)))
    if others and len(distinct) >= 2 and all(term in asked.term_set for term in distinct):
        return distinct
    return ()


def _holds(found: frozenset[str], name: tuple[str, ...], *, whole: bool = False) -> bool:
    """Whether a text holds a name: three quarters of its words, or all of them."""
    held = sum(any(likeness(term, word) >= _MATCHES for word in found) for term in name)
    return held >= (1.0 if whole else _MOSTLY) * len(name)
