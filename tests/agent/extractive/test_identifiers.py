"""Questions about an identifier, and clauses that begin with "that"."""

from __future__ import annotations

import pytest

from pincite.agent.extractive.choosing import choose
from pincite.agent.extractive.parts import points_back
from pincite.agent.extractive.question import Asked
from pincite.tools.passage import Passage

FAULTS = {
    "F28": "Cause: no flame after three attempts. Remedy: open the gas valve and press the key once.",
    "F29": "Cause: the pump is blocked. Remedy: free the rotor by hand and bleed the circuit.",
    "F31": "Cause: the sensor is broken. Remedy: exchange the sensor on the return pipe.",
}


def passages() -> list[Passage]:
    return [
        Passage(
            handle=f"P{number}",
            document="manual",
            document_title="Boiler manual",
            version="v",
            section=code,
            path=("Boiler manual", "Faults", code),
            start=0,
            end=len(text),
            text=text,
        )
        for number, (code, text) in enumerate(FAULTS.items(), 1)
    ]


def test_a_code_in_the_heading_finds_the_sentence_under_it() -> None:
    finding = choose(Asked("What is the remedy for F29?"), passages(), None, most=1)
    assert finding.statements[0].text.startswith("Remedy: free the rotor")


def test_vectors_that_see_no_likeness_do_not_hide_what_stands_under_a_code() -> None:
    finding = choose(Asked("What causes F28?"), passages(), lambda _, texts: [0.0] * len(texts), most=1)
    assert finding.statements[0].text.startswith("Cause: no flame")


@pytest.mark.parametrize("question", ["What is the remedy for F30?", "What is the price of F29?"])
def test_another_code_or_another_subject_is_not_found(question: str) -> None:
    assert not choose(Asked(question), passages(), lambda _, texts: [0.0] * len(texts), most=1).answered


@pytest.mark.parametrize(
    ("part", "back"),
    [
        ("how much notice does a redemption from that class need?", True),
        ("what happens to an order that arrives late?", False),
        ("when does it end?", True),
        ("who signs the notice?", False),
    ],
)
def test_a_part_that_needs_an_earlier_one_is_told_from_a_relative_clause(part: str, back: bool) -> None:
    assert points_back(part) is back
