"""A day that comes again, or is counted from another, answers a question for a date."""

import pytest

from pincite.agent.extractive.cues import AnswerKind, holds_kind


@pytest.mark.parametrize(
    ("sentence", "dated"),
    [
        ("The tenant pays on the third working day of each month.", True),
        ("The order is carried out on the next dealing day.", True),
        ("Fees fall due every quarter.", True),
        ("The tenant pays the rent in full.", False),
        ("The first tenant pays the rent.", False),
    ],
)
def test_recurring_and_counted_days_are_dates(sentence: str, dated: bool) -> None:
    assert holds_kind(AnswerKind.date, sentence, frozenset()) is dated
