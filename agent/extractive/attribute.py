"""A question for a property of a thing ("the weather in Paris"): what only names the thing is no answer."""

from __future__ import annotations

import re

from pincite.agent.extractive.cues import AnswerKind
from pincite.agent.extractive.question import Asked
from pincite.agent.extractive.scoring import Candidate
from pincite.agent.extractive.segments import Kind
from pincite.agent.extractive.words import fold, is_function_word, likeness, stem, words

_PROPERTY = re.compile(
    r"\s*(?:and\s+|so\s+|but\s+)?what(?:['’]s|\s+(?:is|are|was|were))\s+(?:the|its|their)\s+"
    r"(?P<property>[^,;?]{1,60}?)\s+(?:of|in|for|at|on)\s+\S",
    re.IGNORECASE,
)
_MOST_WORDS = 3
_KEY_AND_VALUE = 2
# A compound that holds the word, or a synonym, speaks of it.
_SPEAKS = 0.5


def asked_property(question: str) -> frozenset[str]:
    """The stems that name the property which a question asks for; empty when it asks otherwise."""
    found = _PROPERTY.match(question)
    if found is None:
        return frozenset()
    said = [word.term for word in words(found["property"]) if not is_function_word(word.term)]
    return frozenset() if len(said) > _MOST_WORDS else frozenset(map(stem, said))


def said_of_property(asked: Asked, candidate: Candidate) -> float:
    """The share of the words for the property that a segment says, with its headings and lead.

    1 where the question asks for no property.
    """
    wanted = asked_property(asked.text)
    if not wanted:
        return 1.0
    said = " ".join((candidate.passage.document_title, *candidate.headings, candidate.lead, candidate.full))
    held = {word.term for word in words(said)}
    return sum(any(likeness(term, other) >= _SPEAKS for other in held) for term in wanted) / len(wanted)


def may_tell(asked: Asked, candidate: Candidate) -> bool:
    """Whether a segment may hold the property asked for: a row of many cells tells what its columns are for.

    A sentence may say it in words of its own, and a row where a number or a time is asked for. A row of two
    cells has one that may tell anything.
    """
    if candidate.segment.kind is not Kind.row or asked.kind is not AnswerKind.open:
        return True
    cells = [cell for cell in candidate.text.split("\t") if cell.strip()]
    if len(cells) <= _KEY_AND_VALUE or said_of_property(asked, candidate) > 0:
        return True
    # "E-mail" is a column for an email address.
    columns = "".join(filter(str.isalnum, fold(candidate.lead)))
    return any(term in columns for term in asked_property(asked.text))
