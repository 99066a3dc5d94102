"""Lines of "Key: value": the key says what the value is."""

from __future__ import annotations

import pytest
from tests.agent.extractive.passages import passage

from pincite.agent.extractive.choosing import choose
from pincite.agent.extractive.question import Asked

FACTS = """Figures are of 30 June 2021 unless another date is given.

- Keeper: Alma Varga Trust
- Opened: 3 May 1999
- Size: 41 hectares
- Ticket code: ZX00812
"""
TABLE = "Fact\tValue\nInception\t12 March 2003\nManager\tOskar Lindt"


def said(question: str, text: str) -> list[str]:
    shown = [
        passage(text, title="Elm Park", path=("Elm Park",)),
        passage("The park has a lake. Dogs may swim in it.", title="Oak Park", path=("Oak Park",), number=2),
    ]
    return [statement.text for statement in choose(Asked(question), shown, None, most=3).statements]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the size of Elm Park?", "Size: 41 hectares"),
        ("How large is Elm Park?", "Size: 41 hectares"),
        ("What is the opening date of Elm Park?", "Opened: 3 May 1999"),
        ("When was Elm Park opened?", "Opened: 3 May 1999"),
        ("Who is the keeper of Elm Park?", "Keeper: Alma Varga Trust"),
        ("What is the ticket code of Elm Park?", "Ticket code: ZX00812"),
    ],
)
def test_a_line_whose_key_is_asked_for_answers(question: str, answer: str) -> None:
    assert said(question, FACTS) == [answer]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the launch date of Elm Park?", "Fact: Inception; Value: 12 March 2003"),
        ("Who manages Elm Park?", "Fact: Manager; Value: Oskar Lindt"),
    ],
)
def test_a_row_of_two_cells_is_read_the_same_way(question: str, answer: str) -> None:
    assert said(question, TABLE) == [answer]


@pytest.mark.parametrize("question", ["What is the ticket price of Elm Park?", "When did Elm Park close?"])
def test_a_key_that_says_something_else_does_not(question: str) -> None:
    assert said(question, FACTS) == []
