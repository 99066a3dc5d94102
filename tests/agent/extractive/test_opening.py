"""What a document is called, between whom it is and of which date: its opening answers."""

from __future__ import annotations

import pytest
from tests.agent.extractive.passages import passage

from pincite.agent.extractive.choosing import choose
from pincite.agent.extractive.opening import Opening, asked_opening
from pincite.agent.extractive.question import Asked
from pincite.tools.passage import Passage

OPENING = (
    'This Hosting Agreement (the "Agreement") is made as of 3 March 2021 by and between Brook Data Ltd. '
    '("Provider") and Fern & Sons, Inc. ("Customer").'
)
CLAUSES = (
    "The parties shall settle any dispute between them first by talks. Any notice under this Agreement is "
    "made in writing by the party that gives it. It replaces the agreement dated 9 May 2017 by and "
    "between the same parties."
)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Who are the parties to this agreement?", Opening.parties),
        ("Which are the contracting parties?", Opening.parties),
        ("Who signed the lease?", Opening.parties),
        ("Between whom was the contract concluded?", Opening.parties),
        ("Wer sind die Vertragsparteien?", Opening.parties),
        ("¿Quiénes son las partes?", Opening.parties),
        ("What is the title of the document?", Opening.called),
        ("What is this agreement called?", Opening.called),
        ("When was the agreement signed?", Opening.date),
        ("What is the date of the contract?", Opening.date),
        ("When does the lease take effect?", Opening.date),
        ("What is the effective date?", Opening.date),
        ("Which party bears the costs?", None),
        ("What happens if the parties to the contract disagree?", None),
        ("What are the obligations of the parties?", None),
        ("What is the name of the fund manager?", None),
        ("What is the effective date of termination?", None),
        ("When does the warranty start?", None),
    ],
)
def test_what_is_asked_of_the_document_as_a_whole(question: str, asked: Opening | None) -> None:
    assert asked_opening(question) is asked


def contract(*, heading: str = "", opening: str = OPENING) -> list[Passage]:
    path = (heading,) if heading else ()
    first = passage(opening, title="brook-fern", path=path, number=2)
    later = passage(CLAUSES, title="brook-fern", path=("12 General",), number=1, start=9_000)
    return [later, first]


@pytest.mark.parametrize(
    "question",
    [
        "Who are the parties to the agreement?",
        "What is the date of the agreement?",
        "What is the title of the agreement?",
    ],
)
def test_the_opening_answers_and_nothing_else(question: str) -> None:
    finding = choose(Asked(question), contract(), None, most=3)
    assert [statement.text for statement in finding.statements] == [OPENING]


def test_a_name_that_only_the_heading_has_is_said_with_the_opening() -> None:
    plain = OPENING.replace("Hosting Agreement", "Agreement")
    finding = choose(
        Asked("What is this contract called?"),
        contract(heading="HOSTING AGREEMENT", opening=plain),
        None,
        most=3,
    )
    assert [statement.text for statement in finding.statements] == [f"HOSTING AGREEMENT: {plain}"]


def test_a_recital_of_another_contract_is_no_opening() -> None:
    recital = "WHEREAS, Brook and Fern entered into an agreement dated as of 9 May 2017, made between them;"
    finding = choose(Asked("What is the date of the agreement?"), [passage(recital, title="t")], None, most=3)
    assert not finding.opening


def test_of_several_documents_none_has_the_opening() -> None:
    two = [
        passage(OPENING, title="brook-fern", number=1),
        passage(OPENING.replace("2021", "2022"), title="other", number=2),
    ]
    assert not choose(Asked("Who are the parties to the agreement?"), two, None, most=3).opening
