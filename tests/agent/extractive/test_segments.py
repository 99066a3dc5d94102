"""What a passage can be quoted by, and what belongs with it."""

from __future__ import annotations

import pytest

from pincite.agent.extractive.segments import Kind, Segment, segments

TEXT = """The limits count from the day of arrival.

Step\tLimit\tWho
Reply\t3 days\tOfficer
Report\t9 days\tHead

The lift was built in 1990. It carries six people. This was tested.

The following is refunded:

- rail tickets
- taxis after ten. Fines are not.

OPENING HOURS

We open at nine."""


def found(text: str, kind: Kind) -> list[tuple[str, str]]:
    def of(segment: Segment) -> tuple[str, str]:
        lead = text[slice(*segment.lead)] if segment.lead else ""
        return text[segment.start : segment.end], lead

    return [of(segment) for segment in segments(text) if segment.kind is kind]


def test_a_row_brings_its_header() -> None:
    rows = found(TEXT, Kind.row)
    assert rows == [
        ("Reply\t3 days\tOfficer", "Step\tLimit\tWho"),
        ("Report\t9 days\tHead", "Step\tLimit\tWho"),
    ]


def test_a_sentence_that_points_back_brings_the_one_before() -> None:
    sentences = dict(found(TEXT, Kind.sentence))
    assert sentences["It carries six people."] == "The lift was built in 1990."
    assert sentences["The lift was built in 1990."] == ""


def test_an_item_brings_the_line_that_introduces_it_and_that_line_its_items() -> None:
    assert ("rail tickets", "The following is refunded:") in found(TEXT, Kind.item)
    intro = next(segment for segment in segments(TEXT) if segment.kind is Kind.intro)
    assert TEXT[intro.start : intro.tail].endswith("Fines are not.")


@pytest.mark.parametrize(
    "heading",
    ["OPENING HOURS", "Opening Hours", "4.2 Notice of Termination", "12.13 Governing Law.", "第三章"],
)
def test_a_heading_is_no_sentence(heading: str) -> None:
    assert segments(f"{heading}\n\nWe open at nine.")[0].kind is Kind.heading


def test_what_follows_a_heading_knows_it() -> None:
    last = segments(TEXT)[-1]
    assert last.under is not None
    assert TEXT[slice(*last.under)] == "OPENING HOURS"


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("of the lease shall pay the rent on the first day.", False),
        ("The tenant shall pay the rent on the first day of", False),
        ("The tenant shall pay the rent on the first day.", True),
        ("- pays the rent on the first day.", True),
    ],
)
def test_a_sentence_cut_by_the_passage_is_not_whole(text: str, whole: bool) -> None:
    assert segments(text)[0].whole is whole


def test_a_lettered_piece_of_a_sentence_brings_its_beginning() -> None:
    start = "The tenant shall, on each and every occasion on which the landlord so asks in writing: "
    middle = (
        "(a) let the landlord and all persons sent by the landlord enter the rooms of the flat at any time; "
    )
    text = f"{start}{middle * 4}(b) pay the costs of the visit."
    last = segments(text)[-1]
    assert text[last.start : last.end].startswith("(b)")
    assert last.lead is not None
    assert text[slice(*last.lead)].startswith("The tenant shall")
