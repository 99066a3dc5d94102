"""The numbers of the offline mode."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Numbers:
    """`ranks` orders the segments; `intercept` and `answers` give the log-odds that the best one answers.

    Below `threshold` the answer is `not_found`.
    """

    ranks: Mapping[str, float]
    answers: Mapping[str, float]
    intercept: float
    threshold: float


WITH_ENCODER = Numbers(
    ranks={
        "own": 2.91,
        "around": 2.72,
        "kind": 0.99,
        "names": -0.97,
        "similarity": 3.15,
    },
    answers={
        "around": 0.43,
        "names": -1.37,
        "codes": -1.57,
        "similarity": 2.88,
    },
    intercept=-1.63,
    threshold=-0.05,
)
BY_WORDS = Numbers(
    ranks={
        "own": 3.86,
        "around": 3.86,
        "kind": 1.33,
        "names": -1.56,
    },
    answers={
        "around": 1.24,
        "names": -0.9,
        "codes": -1.59,
    },
    intercept=-0.61,
    threshold=-0.3,
)
NARROW_GAP = 0.3
WIDE_GAP = 1.2
