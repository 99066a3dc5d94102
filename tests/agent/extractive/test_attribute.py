"""Questions for a property of a thing: what only names the thing is no answer."""

from __future__ import annotations

import pytest
from tests.agent.extractive.passages import passage

from pincite.agent.extractive.attribute import asked_property, may_tell
from pincite.agent.extractive.choosing import choose
from pincite.agent.extractive.question import Asked
from pincite.agent.extractive.scoring import candidates
from pincite.tools.passage import Passage

ROOMS = passage(
    "Town\tHotel\tDinner\tE-mail\nOslo and Bergen\tNordlys\tincluded\tn@example.org\n"
    "Malmo\tSund\textra\ts@example.org",
    path=("Hotels",),
)
DEAL = passage("The purchase price is 12 million euros. The codename is Project Heron. Signing is in March.")


def said(question: str, *passages: Passage) -> list[str]:
    return [statement.text for statement in choose(Asked(question), passages, None, most=2).statements]


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("What is the weather in Oslo?", {"weather"}),
        ("What's the purchase price of Project Heron?", {"purchase", "price"}),
        ("What are the opening hours on Sundays?", {"opening", "hour"}),
        ("Who pays the rent in March?", set()),
        ("What is the rent?", set()),
    ],
)
def test_a_question_for_a_property_names_it(question: str, terms: set[str]) -> None:
    assert asked_property(question) == terms


@pytest.mark.parametrize("question", ["What is the weather in Oslo?", "What is the mayor of Bergen?"])
def test_a_row_tells_nothing_that_no_column_is_for(question: str) -> None:
    assert said(question, ROOMS) == []


@pytest.mark.parametrize("question", ["What is the hotel in Oslo?", "What is the email address in Oslo?"])
def test_a_row_tells_what_a_column_is_for(question: str) -> None:
    assert all(may_tell(Asked(question), row) for row in candidates([ROOMS]))


def test_a_row_with_the_column_answers() -> None:
    assert "Nordlys" in said("What is the hotel in Oslo?", ROOMS)[0]


def test_a_row_of_two_cells_may_tell_anything() -> None:
    contact = passage("Town\tContact\nOslo\tKari Dahl, 4th floor\nMalmo\tPer Lund, hall")
    assert all(may_tell(Asked("What is the desk in Oslo?"), row) for row in candidates([contact]))


def test_what_only_names_the_thing_gives_way_to_what_is_asked_of_it() -> None:
    assert said("What is the purchase price of Project Heron?", DEAL) == [
        "The purchase price is 12 million euros."
    ]


def test_a_sentence_may_say_the_property_in_words_of_its_own() -> None:
    river = passage("The Oude Maas (Old Meuse) branches off near Dordrecht. Ships pass day and night.")
    assert "Old Meuse" in said("What is the translation of Oude Maas?", river)[0]
