"""How well a segment of a passage matches what was asked: a few plain measures, each from 0 to 1."""

from __future__ import annotations

import math
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from pincite.agent.extractive.cues import holds_kind
from pincite.agent.extractive.question import Asked
from pincite.agent.extractive.segments import Kind, Segment, segments
from pincite.agent.extractive.words import Word, likeness, words
from pincite.tools.passage import Passage

QUOTABLE = frozenset({Kind.sentence, Kind.item, Kind.row, Kind.intro})
_MATCHES = 0.6
_BESIDE = 0.7
_LEAD = 0.8
_KIND_BONUS = 0.3
_MOST_WORDS = 400


@dataclass(frozen=True, slots=True)
class Candidate:
    """A segment that may answer. `rank` is the place of its passage in the order shown, from 0."""

    passage: Passage
    rank: int
    segment: Segment

    @property
    def text(self) -> str:
        """The segment's own words."""
        return self.passage.text[self.segment.start : self.segment.end]

    @property
    def full(self) -> str:
        """The words with the items that they introduce."""
        return self.passage.text[self.segment.start : self.segment.tail or self.segment.end]

    @property
    def lead(self) -> str:
        """The words that must be said first, or nothing."""
        return self.passage.text[slice(*self.segment.lead)] if self.segment.lead else ""

    @property
    def headings(self) -> tuple[str, ...]:
        """The heading path, and the last heading inside the passage before the segment."""
        under = self.segment.under
        inside = (" ".join(self.passage.text[slice(*under)].split()),) if under else ()
        return (*self.passage.path, *inside)

    @property
    def in_context(self) -> str:
        """The words as an encoder should see them: behind the section's heading and what leads to them."""
        # The name of a window is the beginning of its text, not a heading.
        shown = [heading for heading in self.headings[-1:] if not heading.endswith("…")]
        return " ".join(" ".join([*(f"{heading}:" for heading in shown), self.lead, self.full]).split())


@dataclass(frozen=True, slots=True)
class Measures:
    """All from 0 to 1. Shares of terms are weighted: a term that few segments hold weighs more.

    `own`: share of the asked terms in the segment and its lead. `said`: with its label too. `around`:
    with the segments beside it too. `kind`: 1 when it holds the kind of answer asked for. `names`, `codes`:
    share of the asked names and codes that neither segment nor lead nor label hold. `similarity`: cosine of
    question and segment, None without an encoder.
    """

    own: float
    said: float
    around: float
    kind: float
    names: float
    codes: float
    similarity: float | None = None


def candidates(passages: Sequence[Passage]) -> list[Candidate]:
    """Every segment of the passages that can be quoted, in the order shown."""
    return [
        Candidate(passage, rank, segment)
        for rank, passage in enumerate(passages)
        for segment in segments(passage.text)
        if segment.kind in QUOTABLE
    ]


def _best(terms: Sequence[str], found: Sequence[Word]) -> list[float]:
    present = {word.term for word in found}
    return [1.0 if t in present else max((likeness(t, p) for p in present), default=0.0) for t in terms]


class Scorer:
    """Measures segments against one question; term weights come from the segments themselves.

    `naming` are terms that only name the document: they chose the passages and say nothing about a segment.
    """

    def __init__(
        self, asked: Asked, found: Sequence[Candidate], naming: AbstractSet[str] = frozenset()
    ) -> None:
        self.asked = asked
        self.found = found
        self.terms = tuple(term for term in asked.terms if term not in naming) or asked.terms
        self._names = tuple(name for name in asked.names if not naming >= set(name))
        self._words = [words(candidate.full)[:_MOST_WORDS] for candidate in found]
        self._own = [_best(self.terms, found_words) for found_words in self._words]
        self._leads = [self._led(candidate) for candidate in found]
        self._labels: dict[tuple[str, ...], list[float]] = {}
        self.weights = self._term_weights()

    def _led(self, candidate: Candidate) -> list[float]:
        """How well what must be said first holds each asked term."""
        if not candidate.segment.lead:
            return [0.0] * len(self.terms)
        return _best(self.terms, words(candidate.lead)[:_MOST_WORDS])

    def _term_weights(self) -> list[float]:
        """log((n + 1) / (held + 0.5)) of each term over n segments, as shares of the largest possible."""
        n = len(self.found)
        most = math.log((n + 1) / 0.5) or 1.0
        held = [sum(own[at] >= _MATCHES for own in self._own) for at in range(len(self.terms))]
        return [max(math.log((n + 1) / (count + 0.5)) / most, 0.02) for count in held]

    def share(self, matched: Sequence[float]) -> float:
        """The weighted share of the asked terms."""
        return sum(self._shares(matched))

    def _shares(self, matched: Sequence[float]) -> tuple[float, ...]:
        total = sum(self.weights) or 1.0
        return tuple(w * m / total for w, m in zip(self.weights, matched, strict=True))

    def label(self, candidate: Candidate) -> list[float]:
        """How well the document's title and the headings hold each asked term."""
        passage = candidate.passage
        key = (passage.document_title, *candidate.headings)
        if key not in self._labels:
            self._labels[key] = _best(self.terms, words(" ".join((*key, passage.number or ""))))
        return self._labels[key]

    def held(self, at: int) -> tuple[float, ...]:
        """The share of each asked term, by weight, that candidate `at` itself holds."""
        return self._shares(self._own[at])

    def weigh(self, run: str) -> float:
        """How much of what was asked a run of words holds: its share of the terms, and the kind of answer."""
        found = words(run)[:_MOST_WORDS]
        kind = holds_kind(self.asked.kind, run, self.asked.term_set)
        return sum(self._shares(_best(self.terms, found))) + _KIND_BONUS * kind

    def measure(self, at: int) -> Measures:
        """The measures of candidate `at`, without the encoder's."""
        candidate, lead = self.found[at], self._leads[at]
        own = [max(mine, _LEAD * first) for mine, first in zip(self._own[at], lead, strict=True)]
        around = self._around(at)
        label = self.label(candidate)
        said = [max(parts) for parts in zip(own, label, lead, strict=True)]
        wide = [max(s, _BESIDE * a) for s, a in zip(said, around, strict=True)]
        return Measures(
            own=self.share(own),
            said=self.share(said),
            around=self.share(wide),
            kind=float(holds_kind(self.asked.kind, candidate.full, self.asked.term_set)),
            names=self._missing_names(said),
            codes=self._missing_codes(said),
        )

    def _around(self, at: int) -> list[float]:
        """The terms held by the segments just before and behind in the same passage."""
        here = self.found[at]
        near = [
            self._own[other]
            for other in (at - 1, at + 1)
            if 0 <= other < len(self.found) and self.found[other].rank == here.rank
        ]
        return [max(parts) for parts in zip(*near, strict=True)] if near else [0.0] * len(self.terms)

    def _missing_names(self, said: Sequence[float]) -> float:
        at = {term: n for n, term in enumerate(self.terms)}
        missing = []
        for name in self._names:
            known = [at[term] for term in name if term in at]
            weight = sum(self.weights[n] for n in known)
            if weight:
                missing.append(1 - sum(self.weights[n] * said[n] for n in known) / weight)
        return sum(missing) / len(missing) if missing else 0.0

    def _missing_codes(self, said: Sequence[float]) -> float:
        at = {term: n for n, term in enumerate(self.terms)}
        held = [said[at[code]] >= _MATCHES for code in self.asked.codes if code in at]
        return 1 - sum(held) / len(held) if held else 0.0
