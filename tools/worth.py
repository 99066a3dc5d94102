"""Which passages fill a call's tokens when not all that were found fit: those that add most for their length.

Greedy choice of a budgeted submodular cover: of what is left, take what adds most per token, tokens to a
power below one (Lin and Bilmes, "Multi-document summarization via budgeted maximization of submodular
functions", NAACL 2010, algorithm 1). What a passage adds is its relevance, as reciprocal rank fusion sees
its rank, for the part of its text that no chosen passage has, and the names of the question that none has.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence

from pincite.corpus.rows import ChunkHit, SectionRow
from pincite.tools.mentions import holds
from pincite.tools.passage import Passage
from pincite.tools.second_step import names

Hit = tuple[ChunkHit, SectionRow | None]
# Fitted on the first halves of five sets, see docs/retrieval.md: what a rank is worth, c / (c + rank); the
# power of the tokens; what all names of the question together are worth.
RANK, POWER, NAMES = 10, 0.5, 0.5
# Estimated tokens of a passage's delimiter.
_DELIMITER = 60
_BETWEEN_SENTENCES = re.compile(r"(?<=[.!?。])\s+|\n[^\S\n]*\n")


class Worth:
    """What each of some hits (by rank, the lowest is the best) adds to the passages taken so far.

    It looks at the chunks that were found and at the sizes of their sections, so that only what is taken has
    to be widened to a passage of at most `passage_tokens`. A sentence is a repetition only word for word: a
    clause that differs in one number says something new, and two that contradict each other are both
    worth their place.
    """

    def __init__(self, hits: Mapping[int, Hit], queries: Sequence[str], passage_tokens: int) -> None:
        self._first = min(hits, default=0)
        self._tokens = {
            at: min(passage_tokens, section.tokens if section is not None else passage_tokens)
            for at, (_, section) in hits.items()
        }
        self._sentences = {at: _sentences(hit.text) for at, (hit, _) in hits.items()}
        self._seen: set[str] = set()
        wanted = dict.fromkeys(name for query in queries for name in names(query, ""))
        self._names = {at: _held(f"{hit.label}\n{hit.text}", wanted) for at, (hit, _) in hits.items()}
        rarity = {
            name: math.log((len(hits) + 1) / (sum(name in held for held in self._names.values()) + 0.5))
            for name in wanted
        }
        self._open = {name: one / math.fsum(rarity.values()) for name, one in rarity.items()}

    def best(self, left: Collection[int], room: int) -> int:
        """The hit of `left` that adds most for its tokens, cut to `room` where it is longer."""
        return max(left, key=lambda at: (self._of(at, room), -at))

    def take(self, at: int, passage: Passage) -> None:
        """This passage is shown for a hit: its sentences and names are worth nothing a second time."""
        self._seen.update(_sentences(passage.text))
        for name in {*self._names[at], *_held(passage.text, self._open)}:
            self._open.pop(name, None)

    def _of(self, at: int, room: int) -> float:
        worth = RANK / (RANK + at - self._first)
        sentences = self._sentences[at]
        if not self._seen.isdisjoint(sentences):
            repeated = sum(sentences[one] for one in sentences.keys() & self._seen)
            worth *= 1 - repeated / max(1, sum(sentences.values()))
        if self._names[at]:
            worth += NAMES * math.fsum(self._open.get(name, 0.0) for name in self._names[at])
        return float(worth / (min(self._tokens[at], room) + _DELIMITER) ** POWER)


def _sentences(text: str) -> dict[str, int]:
    """The sentences of a text, or what looks like it, with their lengths."""
    return {" ".join(part.split()): len(part) for part in _BETWEEN_SENTENCES.split(text)}


def _held(text: str, wanted: Collection[str]) -> list[str]:
    return [name for name in wanted if holds(text, name, fold=True)]
