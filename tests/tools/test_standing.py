"""What a document's status says about whether it holds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import pytest

from pincite.tools.standing import current, standing

TODAY = date(2026, 6, 1)


@dataclass(frozen=True)
class Row:
    status: str | None = None
    version_label: str | None = None
    effective_from: date | None = None
    effective_to: date | None = None


@pytest.mark.parametrize(
    "status", ["in force", "In Force", "in_force", "in-force", "now in force", "current", "en vigueur"]
)
def test_a_status_that_says_in_force_is_not_repeated(status: str) -> None:
    assert current(Row(status), TODAY)
    assert standing(Row(status, "2024"), TODAY) == "version 2024"


@pytest.mark.parametrize("status", ["final", "Approved", "published 2024", "goldstandard"])
def test_a_word_that_says_nothing_of_this_is_shown_but_holds(status: str) -> None:
    assert current(Row(status), TODAY)
    assert standing(Row(status), TODAY) == status


@pytest.mark.parametrize(
    "status",
    [
        "repealed",
        "superseded_by_2025",
        "not in force",
        "not_in_force",
        "no longer valid",
        "draft",
        "inactive",
        "außer Kraft",
        "abrogée",
        "derogada",
        "Entwurf",
        "old",
    ],
)
def test_what_no_longer_or_not_yet_holds_says_so(status: str) -> None:
    assert not current(Row(status), TODAY)
    assert standing(Row(status), TODAY) == status


def test_dates_decide_over_a_status_that_says_in_force() -> None:
    row = Row("in_force", "1", date(2020, 1, 1), date(2024, 12, 31))
    assert not current(row, TODAY)
    assert standing(row, TODAY) == "version 1, in force until 2024-12-31"
