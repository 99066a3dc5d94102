"""Whether a question after others stays with the document that the conversation is about."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from pincite.agent.extractive.choosing import Finding, Similarity, choose
from pincite.agent.extractive.question import Asked
from pincite.agent.extractive.words import is_function_word, likeness, stem, words
from pincite.tools.passage import Passage

_MATCHES = 0.7
# "Which currency is used?": what is done with a thing is no subject.
_DONE = re.compile(r"\b(?:is|are|was|were|be|been)\s+(?:\w+ly\s+)?\w+ed\b", re.IGNORECASE)


def unsaid(asked: Asked, passages: Iterable[Passage], document: str | None) -> tuple[str, ...]:
    """The naming words of the question that no passage of the document holds, title and headings included."""
    about = [one for one in passages if one.document == document]
    held = _terms(" ".join(map(_said, about)))
    named = [stem(word.term) for word in words(_DONE.sub(" ", asked.text)) if not is_function_word(word.term)]
    return tuple(term for term in dict.fromkeys(named) if not _among(term, held))


def choose_after(
    asked: Asked,
    passages: list[Passage],
    document: str | None,
    similarity: Similarity | None,
    *,
    most: int,
    may_leave: bool,
) -> Finding:
    """What answers: the document that the conversation is about goes before all others.

    A question that `may_leave` it and has a word that the document does not have goes to the document that
    answers with that word, unless that is one of the same kind, which would have to be named. With a word
    that no document has, the document answers only if it would among all passages too.
    """
    about = [passage for passage in passages if passage.document == document]
    whole = choose(asked, passages, similarity, most=most)
    if not about or len(about) == len(passages):
        return whole
    finding = choose(asked, about, similarity, most=most)
    if not finding.answered:
        return whole
    new = unsaid(asked, about, document) if may_leave else ()
    if not new:
        return finding
    kin = _of_a_kind(whole, about[0], new)
    if not kin and _says_one(whole, new):
        return whole
    held = _terms(" ".join(map(_said, passages)))
    if all(_among(term, held) for term in new) or _stands_among_all(whole, document):
        return finding
    return replace(whole, statements=()) if kin else whole


def _of_a_kind(finding: Finding, about: Passage, new: Iterable[str]) -> bool:
    """Whether the best answer is from another document of the same kind ("… Fund"), and that is not named."""
    if not finding.answered:
        return False
    best = finding.judged[0].candidate.passage
    title = _terms(best.document_title)
    alike = bool(title & _terms(about.document_title)) and best.document != about.document
    return alike and not any(_among(term, title) for term in new)


def _says_one(finding: Finding, terms: Iterable[str]) -> bool:
    """Whether what answers best holds one of the words, itself or in its headings."""
    if not finding.answered:
        return False
    best = finding.judged[0].candidate
    held = _terms(" ".join((best.passage.document_title, *best.headings, best.lead, best.full)))
    return any(_among(term, held) for term in terms)


def _stands_among_all(whole: Finding, document: str | None) -> bool:
    return any(one.odds >= 0 and one.candidate.passage.document == document for one in whole.judged)


def _said(passage: Passage) -> str:
    return " ".join((passage.document_title, *passage.path, passage.text))


def _terms(text: str) -> frozenset[str]:
    return frozenset(stem(word.term) for word in words(text) if not is_function_word(word.term))


def _among(term: str, held: frozenset[str]) -> bool:
    return term in held or any(likeness(term, one) >= _MATCHES for one in held)
