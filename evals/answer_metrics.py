"""Whether quotes hit labelled spans, how much they share with them, and how well `not_found` is told."""

from __future__ import annotations

import re
import string
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from pincite.evals.measures import library

_ARTICLES = frozenset({"a", "an", "the"})


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question: whether it has an answer, what came back, and how the quotes compare with it.

    `hit`: the quotes hit the label. `first`: those of the first statement do. `f1`: the best token F1 of a
    quote and a gold answer. `good_statements`: those with a quote that hits.
    """

    present: bool
    status: str
    hit: bool = False
    first: bool = False
    f1: float = 0.0
    seconds: float = 0.0
    statements: int = 0
    good_statements: int = 0


@dataclass(frozen=True, slots=True)
class Letters:
    """A text's letters and digits alone, folded, with where each stands: line breaks and blanks differ."""

    text: str
    places: tuple[int, ...]


def letters(text: str) -> Letters:
    """The letters and digits of `text`."""
    kept: list[str] = []
    places: list[int] = []
    for at, char in enumerate(text):
        for part in unicodedata.normalize("NFKD", char).casefold():
            if part.isalnum():
                kept.append(part)
                places.append(at)
    return Letters("".join(kept), tuple(places))


def places_of(quote: str, source: Letters) -> list[tuple[int, int]]:
    """Every place where the quote stands in the source, as character spans of the source."""
    wanted = letters(quote).text
    found = []
    at = source.text.find(wanted) if wanted else -1
    while at >= 0:
        found.append((source.places[at], source.places[at + len(wanted) - 1] + 1))
        at = source.text.find(wanted, at + 1)
    return found


def overlaps(quote: str, source: Letters, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether the quote stands in the source at a place that shares a character with one of the spans."""
    return any(
        start < right and left < end for start, end in places_of(quote, source) for left, right in spans
    )


def covers(quote: str, source: Letters, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether the quote stands in the source around the whole of one of the spans."""
    return any(
        start <= left and right <= end for start, end in places_of(quote, source) for left, right in spans
    )


def shares(quote: str, gold: str) -> bool:
    """Whether a quote and an expected one have a run of 20 letters in common, or one holds the other."""
    one, two = letters(quote).text, letters(gold).text
    run = SequenceMatcher(None, one, two, autojunk=False).find_longest_match().size
    return run >= min(20, len(one), len(two)) > 0


def token_f1(one: str, other: str) -> float:
    """F1 of the tokens of two texts as in SQuAD's own evaluation: lower case, no articles, no punctuation.

    scikit-learn's F1 over (token, which time it comes). Raises NothingUsableError without the `eval` extra.
    """
    left, right = _counted(_tokens(one)), _counted(_tokens(other))
    every = sorted(left | right)
    if not left or not right:
        return 0.0
    truth, given = [token in right for token in every], [token in left for token in every]
    return float(library("sklearn.metrics").f1_score(truth, given, zero_division=0.0))


def _tokens(text: str) -> list[str]:
    bare = re.sub(f"[{re.escape(string.punctuation)}]", "", text.lower())
    return [token for token in bare.split() if token not in _ARTICLES]


def _counted(tokens: Sequence[str]) -> set[tuple[str, int]]:
    return {(token, time) for token, times in Counter(tokens).items() for time in range(times)}


def summary(outcomes: Sequence[Outcome]) -> dict[str, float | int]:
    """The figures that are reported for one set. Rates are from 0 to 1, seconds per question."""
    present = [outcome for outcome in outcomes if outcome.present]
    answered = [outcome for outcome in present if outcome.statements]
    not_found = [outcome for outcome in outcomes if outcome.status == "not_found"]
    absent = len(outcomes) - len(present)
    right = sum(not outcome.present for outcome in not_found)
    seconds = sorted(outcome.seconds for outcome in outcomes)
    statements = sum(outcome.statements for outcome in outcomes)
    return {
        "questions": len(outcomes),
        "with_answer": len(present),
        "hit_rate": _rate(sum(outcome.hit for outcome in present), len(present)),
        "hit_rate_when_answered": _rate(sum(outcome.hit for outcome in answered), len(answered)),
        "first_statement_hit_rate": _rate(sum(outcome.first for outcome in present), len(present)),
        "quote_f1_when_answered": _rate(sum(outcome.f1 for outcome in answered), len(answered)),
        "statement_precision": _rate(sum(outcome.good_statements for outcome in outcomes), statements),
        "statements_per_answer": _rate(statements, sum(bool(outcome.statements) for outcome in outcomes)),
        "not_found_precision": _rate(right, len(not_found)),
        "not_found_recall": _rate(right, absent),
        "right_outcome_rate": _rate(right + sum(outcome.hit for outcome in present), len(outcomes)),
        "unsupported": sum(outcome.status in ("unverified", "incomplete") for outcome in outcomes),
        "seconds_mean": _rate(sum(seconds), len(seconds)),
        "seconds_p95": seconds[int(0.95 * (len(seconds) - 1))] if seconds else 0.0,
    }


def _rate(part: float, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
