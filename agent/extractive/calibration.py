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
        "own": 3.03,
        "around": 2.68,
        "kind": 0.95,
        "names": -0.96,
        "similarity": 3.17,
    },
    answers={
        "around": 0.43,
        "kind": 0.83,
        "names": -1.27,
        "codes": -1.62,
        "similarity": 3.51,
    },
    intercept=-2.65,
    threshold=-0.1,
)
BY_WORDS = Numbers(
    ranks={
        "own": 3.89,
        "around": 3.79,
        "kind": 1.34,
        "names": -1.51,
    },
    answers={
        "around": 1.33,
        "kind": 0.69,
        "names": -1.0,
        "codes": -1.62,
    },
    intercept=-1.3,
    threshold=-0.25,
)
NARROW_GAP = 0.3
WIDE_GAP = 1.2
NEW_SHARE = 0.15
