"""Which segments answer one part of a question, and whether any does."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass, replace

from pincite.agent.extractive import calibration
from pincite.agent.extractive.attribute import may_tell, said_of_property
from pincite.agent.extractive.compose import Statement, asks, compose
from pincite.agent.extractive.cues import AnswerKind, compared, may_reply, needs_date
from pincite.agent.extractive.keyed import answers_by_key
from pincite.agent.extractive.named import naming_terms, of_named_documents, speaks_of_named
from pincite.agent.extractive.opening import opening_of, said_of
from pincite.agent.extractive.question import Asked
from pincite.agent.extractive.quoting import Weigh
from pincite.agent.extractive.scoring import Candidate, Measures, Scorer, candidates
from pincite.agent.extractive.segments import Kind
from pincite.agent.extractive.words import fold, is_function_word, likeness, stem, words
from pincite.tools.passage import Passage

COMPARED = 24
_DIGITS = 3
_SAME = 0.85
_SAID = 0.9
_MATCHES = 0.7

Similarity = Callable[[str, Sequence[str]], Sequence[float]]
"""A question and texts to the cosine similarity of each text with it."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A candidate with its measures, its score among the others and the log-odds that it answers.

    `holds` is the share of each asked term, by weight, that it holds itself.
    """

    candidate: Candidate
    measures: Measures
    score: float
    odds: float
    holds: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """What the passages hold for one part: statements when it is answered, best first.

    `odds` are the log-odds of the best segment above the calibrated threshold, None without any segment.
    `cut` is the best segment when its passage begins or ends inside it. `opening` says that the document's
    opening answers.
    """

    statements: tuple[Statement, ...]
    odds: float | None
    judged: tuple[Judged, ...]
    cut: Candidate | None = None
    opening: bool = False

    @property
    def answered(self) -> bool:
        """Whether there is something to say."""
        return bool(self.statements)


@dataclass(frozen=True, slots=True)
class Judging:
    """Every segment that could answer, best first, and what to weigh runs of their words with.

    `opening` is the document's opening when it says what the question asks of the document as a whole.
    """

    judged: tuple[Judged, ...] = ()
    weigh: Weigh = len
    opening: Candidate | None = None


def judge(asked: Asked, passages: Sequence[Passage], similarity: Similarity | None) -> Judging:
    """Judge the segments of the passages; with an encoder, the 24 best by words are compared."""
    may = speaks_of_named(asked, passages)
    found = _once(
        [
            one
            for one in candidates(of_named_documents(asked, passages))
            if may(one.passage.document, " ".join((*one.headings, one.lead, one.full)))
            and may_tell(asked, one)
            and may_reply(asked.text, one.full)
        ]
    )
    if not found:
        return Judging()
    naming = naming_terms(asked, passages)
    scorer = Scorer(asked, found, naming)
    judged = sorted(
        (
            _judged(asked, candidate, scorer.measure(at), scorer.held(at), calibration.BY_WORDS)
            for at, candidate in enumerate(found)
        ),
        key=_order,
    )
    opening = opening_of(asked.text, found)
    if similarity is None:
        return Judging(tuple(_ranked(asked, naming, judged)), scorer.weigh, opening)
    near = judged[:COMPARED]
    cosines = similarity(asked.without(naming), [one.candidate.in_context for one in near])
    compared = (
        _judged(
            asked,
            one.candidate,
            replace(one.measures, similarity=round(float(cosine), _DIGITS)),
            one.holds,
            calibration.WITH_ENCODER,
        )
        for one, cosine in zip(near, cosines, strict=True)
    )
    ordered = sorted(compared, key=_order)
    return Judging(tuple(_ranked(asked, naming, ordered)), scorer.weigh, opening)


def choose(asked: Asked, passages: Sequence[Passage], similarity: Similarity | None, *, most: int) -> Finding:
    """At most `most` statements for a part, one a segment; none below the calibrated threshold."""
    judging = judge(asked, passages, similarity)
    if not judging.judged:
        return Finding((), None, ())
    opened = compose(judging.opening, judging.weigh) if judging.opening else None
    if opened is not None and judging.opening is not None:
        opened = replace(opened, text=said_of(asked.text, judging.opening, opened.text))
        return Finding((opened,), 0.0, judging.judged, opening=True)
    judging = replace(judging, judged=_of_kind_first(asked, judging.judged))
    best = judging.judged[0]
    if _compares_documents(asked, passages) and not _says_so(asked, best.candidate):
        return Finding((), min(best.odds, 0.0), judging.judged)
    cut = None if best.candidate.segment.whole and not _opens_list(best.candidate) else best.candidate
    if best.odds < 0 or (needs_date(asked.text) and not best.measures.kind):
        return Finding((), min(best.odds, 0.0), judging.judged, cut)
    statements: list[Statement] = []
    held = (0.0,) * len(best.holds)
    for one in judging.judged:
        if len(statements) == most or one.score < best.score - calibration.WIDE_GAP:
            break
        if statements and (one.odds < 0 or not one.candidate.segment.whole or not _adds(one, best, held)):
            continue
        statement = compose(one.candidate, judging.weigh)
        if statement is None or any(_alike(statement, other) for other in statements):
            continue
        statements.append(statement)
        held = tuple(map(max, held, one.holds))
    return Finding(tuple(statements), best.odds, judging.judged, cut)


def _judged(
    asked: Asked,
    candidate: Candidate,
    measures: Measures,
    holds: tuple[float, ...],
    numbers: calibration.Numbers,
) -> Judged:
    values = measured(measures)
    odds = numbers.intercept + dot(numbers.answers, values) - numbers.threshold
    if asked.has_identifier and measures.codes == 0 and measures.said >= _SAID:
        # An identifier means one thing: what stands under it and says the rest of the question is about it.
        odds = max(odds, 0.0)
    return Judged(candidate, measures, dot(numbers.ranks, values), odds, holds)


def _ranked(asked: Asked, naming: AbstractSet[str], judged: Sequence[Judged]) -> list[Judged]:
    """Best first; what only names the thing goes where another says all words for what is asked of it."""
    keyed = _keyed_first(asked, naming, judged)
    shares = [said_of_property(asked, one.candidate) for one in keyed]
    tells = any(
        share == 1.0 and one.odds >= 0 and one.measures.kind for share, one in zip(shares, keyed, strict=True)
    )
    return [one for share, one in zip(shares, keyed, strict=True) if share > 0 or not tells]


def _keyed_first(asked: Asked, naming: AbstractSet[str], judged: Sequence[Judged]) -> list[Judged]:
    """Lines whose key is what is asked for answer, and nothing else is near them."""
    top = max((one.score for one in judged), default=0.0) + 2 * calibration.WIDE_GAP
    raised = [
        replace(one, score=top, odds=max(one.odds, 0.0))
        if answers_by_key(asked, naming, one.candidate)
        else one
        for one in judged
    ]
    return sorted(raised, key=_order)


def measured(measures: Measures) -> dict[str, float]:
    """The measures by name, those that were taken."""
    return {name: value for name, value in asdict(measures).items() if value is not None}


def dot(weights: Mapping[str, float], values: Mapping[str, float]) -> float:
    """The weighted sum of the values that have a weight."""
    return math.fsum(weight * values[name] for name, weight in weights.items())


def _order(one: Judged) -> tuple[float, int, int]:
    return (-one.score, one.candidate.rank, one.candidate.segment.start)


def _once(found: Sequence[Candidate]) -> list[Candidate]:
    """Without questions, and each text once; a cut sentence goes where another passage holds it whole."""
    kept: dict[str, Candidate] = {}
    for candidate in found:
        if not asks(candidate.text):
            kept.setdefault(" ".join(fold(candidate.text).split()), candidate)
    whole = [candidate for candidate in kept.values() if candidate.segment.whole]
    return [
        candidate
        for candidate in kept.values()
        if candidate.segment.whole or not any(_inside(candidate, other) for other in whole)
    ]


def _inside(part: Candidate, other: Candidate) -> bool:
    """Whether two segments overlap in the document."""
    one, two = part.passage, other.passage
    if (one.document, one.version) != (two.document, two.version):
        return False
    return (
        one.start + part.segment.start < two.start + other.segment.end
        and two.start + other.segment.start < one.start + part.segment.end
    )


def _opens_list(candidate: Candidate) -> bool:
    return candidate.segment.kind is Kind.intro and candidate.segment.tail is None


def _compares_documents(asked: Asked, passages: Sequence[Passage]) -> bool:
    """Whether several documents would have to be compared, which no single sentence of one does."""
    several = len({passage.document for passage in passages}) > 1
    return several and compared(asked.text) is not None and not naming_terms(asked, passages)


def _says_so(asked: Asked, candidate: Candidate) -> bool:
    """Whether the words say themselves what is the lowest, highest, ... by what was asked."""
    most, by = compared(asked.text) or ("", "")
    said = {stem(word.term) for word in words(f"{candidate.lead} {candidate.full}")}
    wanted = [stem(word.term) for word in words(by) if not is_function_word(word.term)]
    return stem(most) in said and all(any(likeness(term, one) >= _MATCHES for one in said) for term in wanted)


def _of_kind_first(asked: Asked, judged: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """With the best one that names a time first, where a time is asked for and the best of all names none."""
    best = judged[0]
    if asked.kind is not AnswerKind.date or best.measures.kind:
        return judged
    for at, one in enumerate(judged):
        if one.score < best.score - calibration.WIDE_GAP:
            break
        if one.measures.kind and one.odds >= max(best.odds, 0.0):
            return (one, *judged[:at], *judged[at + 1 :])
    return judged


def _adds(one: Judged, best: Judged, held: Sequence[float]) -> bool:
    """Whether a further segment is as good as the best, or nearly and holds asked terms that are missing.

    One without the kind of answer that is asked for, which the best holds, adds nothing.
    """
    if one.measures.kind < best.measures.kind:
        return False
    if one.score >= best.score - calibration.NARROW_GAP:
        return True
    new = sum(max(more - before, 0.0) for more, before in zip(one.holds, held, strict=True))
    return new >= calibration.NEW_SHARE


def _alike(one: Statement, other: Statement) -> bool:
    left = {word.term for word in words(one.text)}
    right = {word.term for word in words(other.text)}
    if _figures(left) - _figures(right) and _figures(right) - _figures(left):
        return False
    return len(left & right) >= _SAME * min(len(left), len(right))


def _figures(terms: AbstractSet[str]) -> set[str]:
    """The numbers: sentences that differ in them say different things."""
    return {term for term in terms if any(map(str.isdigit, term))}
