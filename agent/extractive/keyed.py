"""Lines of the form "Key: value" and rows of two cells, which answer when the key is what is asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from pincite.agent.extractive.cues import AnswerKind, holds_kind
from pincite.agent.extractive.question import Asked
from pincite.agent.extractive.scoring import Candidate
from pincite.agent.extractive.segments import Kind
from pincite.agent.extractive.words import is_function_word, likeness, stem, words

_LINE = re.compile(r"(?P<key>[^:：\n\t]{1,60}?)\s*[:：]\s+(?P<value>\S[^\n\t]*)\Z")
_MOST_KEY_WORDS = 4
_MOST_VALUE_WORDS = 25
_MATCHES = 0.6
_HOLDS = 0.7
# Words that ask for the kind of a value and need not be in the key.
_OF_KIND = {
    AnswerKind.date: frozenset({"date", "day", "time", "year", "month", "datum", "jahr"}),
    AnswerKind.number: frozenset({"number", "amount", "percentage", "percent", "value", "figure"}),
    AnswerKind.name: frozenset({"name", "person", "company"}),
    AnswerKind.duration: frozenset({"period", "duration", "time"}),
}


def answers_by_key(asked: Asked, naming: AbstractSet[str], candidate: Candidate) -> bool:
    """Whether the key is what is asked for and the value is of the kind asked for.

    Each word of the key has to be asked for, and each word asked for has to be in the key, in the headings
    or title over it, or among `naming`, the terms that name the document.
    """
    found = _key_and_value(candidate)
    wanted = [*(term for term in asked.terms if term not in naming), *asked.measured]
    if found is None or not wanted:
        return False
    key, value = _content(found[0]), found[1]
    if not 0 < len(key) <= _MOST_KEY_WORDS or len(value.split()) > _MOST_VALUE_WORDS:
        return False
    if not all(_held(word, [*wanted, *naming], _MATCHES) for word in key):
        return False
    over = _content(" ".join((candidate.passage.document_title, *candidate.headings, candidate.lead)))
    left = [term for term in wanted if not _held(term, key, _MATCHES)]
    if len(left) == len(wanted):
        return False
    of_kind = _OF_KIND.get(asked.kind, frozenset())
    missing = [term for term in left if term not in of_kind and not _held(term, over, _HOLDS)]
    return not missing and holds_kind(asked.kind, f"is {value}", asked.term_set)


def _key_and_value(candidate: Candidate) -> tuple[str, str] | None:
    if candidate.segment.kind is Kind.row:
        cells = candidate.text.split("\t")
        return (cells[0], cells[1]) if len(cells) == 2 else None
    start = candidate.segment.start
    line = candidate.passage.text.rfind("\n", 0, start) + 1
    opens = candidate.segment.kind is Kind.item or not candidate.passage.text[line:start].strip()
    match = _LINE.match(candidate.text) if opens else None
    return (match["key"], match["value"]) if match else None


def _content(text: str) -> list[str]:
    return [stem(word.term) for word in words(text) if not is_function_word(word.term)]


def _held(term: str, found: Sequence[str], least: float) -> bool:
    return any(max(likeness(term, other), likeness(other, term)) >= least for other in found)
