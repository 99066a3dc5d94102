"""The best rows of a leg, the same ones every time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_Row = dict[str, Any]


def best_rows(
    first: Callable[[int], list[_Row]], k: int, score: Callable[[_Row], float]
) -> list[tuple[float, _Row]]:
    """The `k` best rows with their scores; ties are broken by document and position.

    `first` gives so many of the leg's rows, in an order that may differ among equals.
    """
    wanted = k + 1
    while k > 0:
        ranked = sorted(
            ((score(row), row) for row in first(wanted)),
            key=lambda pair: (-pair[0], pair[1]["document"], pair[1]["position"]),
        )
        # a tie across the cut: only with all of it at hand is the choice the same every time
        if len(ranked) < wanted or ranked[k - 1][0] != ranked[-1][0]:
            return ranked[:k]
        wanted *= 4
    return []
