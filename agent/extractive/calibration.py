"""The numbers of the offline mode.

Those in `WITH_ENCODER` and `BY_WORDS` are fitted by `python -m pincite.evals.calibrate_extractive`, which
rewrites them here. The others were set by hand: a further segment is said when its score is within
`NARROW_GAP` of the best one's, or within `WIDE_GAP` and it holds `NEW_SHARE` of what was asked that no
statement holds yet.
"""

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
        "own": 3.06,
        "around": 2.73,
        "kind": 0.85,
        "names": -1.05,
        "similarity": 2.88,
    },
    answers={
        "around": 0.86,
        "kind": 0.78,
        "names": -0.98,
        "codes": -1.68,
        "similarity": 3.15,
    },
    intercept=-2.79,
    threshold=-0.3,
)
BY_WORDS = Numbers(
    ranks={
        "own": 3.65,
        "around": 3.45,
        "kind": 1.19,
        "names": -1.31,
    },
    answers={
        "around": 1.99,
        "kind": 0.76,
        "names": -0.87,
        "codes": -1.46,
    },
    intercept=-1.78,
    threshold=-0.3,
)
NARROW_GAP = 0.3
WIDE_GAP = 1.2
NEW_SHARE = 0.15
