"""Going by section: a question that names one reads it; one that names a document looks at its contents."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from typing import TypeVar

from pincite.agent.extractive.compose import Statement
from pincite.agent.extractive.conversation import Arguments, Looked
from pincite.agent.extractive.pointing import Place
from pincite.agent.extractive.quoting import quotes
from pincite.agent.extractive.words import is_function_word, likeness, stem, words
from pincite.agent.tooling import CONTENTS, READ, SEARCH
from pincite.corpus.sentences import sentence_spans
from pincite.tools.passage import Passage

Call = tuple[str, Arguments]
T = TypeVar("T")
Navigation = Generator[Call, Looked, T]

_MOST_STATEMENTS = 4
_MOST_WORDS = 160
_SAME = 0.7


def read_place(
    place: Place, question: str, stays: str | None = None, said: str = ""
) -> Navigation[tuple[Statement, ...]]:
    """Open the section, in the document that is named, else in `stays`, else in what a search finds first.

    `said` is the place as it was worded, where `place` was told from another one.
    """
    looked = Looked()
    first = place.document or stays
    for section in dict.fromkeys((place.section, said or place.section)):
        if first is not None and not looked.passages:
            looked = yield READ, {"document": first, "section": section}
    if not looked.passages:
        hits = yield SEARCH, {"query": question}
        for document in list(dict.fromkeys(passage.document for passage in hits.passages))[:2]:
            looked = yield READ, {"document": document, "section": place.section}
            if looked.passages:
                break
    return tuple(_said(looked))


def speaks_of(passage: Passage, place: Place) -> bool:
    """Whether a passage speaks of a place in these words: what only shares its number is another one."""
    return place.section.casefold() in " ".join((*passage.path, passage.text)).casefold()


def by_contents(terms: Iterable[str], document: str) -> Navigation[tuple[Passage, ...]]:
    """Open a document's contents, and read the section whose heading holds most of the words asked for."""
    contents = yield CONTENTS, {"document": document}
    section = _best(contents.sections, frozenset(terms))
    if section is None:
        return ()
    looked = yield READ, {"document": document, "section": section}
    return looked.passages


def _best(sections: Sequence[tuple[str, str]], terms: frozenset[str]) -> str | None:
    scored = [(_shared(heading, terms), -at, section) for at, (section, heading) in enumerate(sections)]
    score, _, section = max(scored, default=(0.0, 0, ""))
    return section if score > 0 else None


def _shared(heading: str, terms: frozenset[str]) -> float:
    held = {stem(word.term) for word in words(heading) if not is_function_word(word.term)}
    hits = sum(any(likeness(term, other) >= _SAME for other in held) for term in terms)
    return hits + (hits / len(held) if held else 0.0)


def _said(looked: Looked) -> Iterable[Statement]:
    """The first sentences of what was read, word for word; of a passage shown before those of the place."""
    room, left = _MOST_WORDS, _MOST_STATEMENTS
    for passage in looked.passages:
        first, last = _within(passage, looked.span)
        for start, end in sentence_spans(passage.text):
            left_at, right_at = max(start, first), min(end, last)
            if left_at >= right_at:
                continue
            text = " ".join(passage.text[left_at:right_at].split())
            quoted = quotes(passage.text, left_at, right_at, lambda _: 1.0)
            if not quoted:
                continue
            room -= len(text.split())
            if left == 0 or (room < 0 and left < _MOST_STATEMENTS):
                return
            left -= 1
            yield Statement(text, passage.handle, tuple(quoted))


def _within(passage: Passage, span: tuple[int, int] | None) -> tuple[int, int]:
    """Which part of a passage's text lies in the place that was read."""
    if span is None:
        return 0, len(passage.text)
    repeated = len(passage.text) - (passage.end - passage.start)
    first = span[0] - passage.start
    return (first + repeated if first > 0 else 0), max(0, span[1] - passage.start + repeated)
