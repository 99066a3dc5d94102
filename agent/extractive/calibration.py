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
        "own": 2.4,
        "said": 2.4,
        "near": 1.0,
        "kind": 1.2,
        "names": -2.0,
        "similarity": 2.5,
        "order": 1.0,
    },
    answers={"own": 0.0, "said": 0.7, "kind": 0.4, "names": -1.3, "codes": -2.3, "similarity": 2.2},
    intercept=-1.4,
    threshold=-0.1,
)
BY_WORDS = Numbers(
    ranks={"own": 2.4, "said": 2.4, "near": 1.0, "kind": 1.2, "names": -2.0, "order": 1.5},
    answers={"own": 0.7, "said": 1.3, "kind": 0.6, "names": -1.5, "codes": -2.4},
    intercept=-1.2,
    threshold=-0.1,
)
NARROW_GAP = 0.3
WIDE_GAP = 1.2
