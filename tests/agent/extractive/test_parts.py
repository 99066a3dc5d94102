"""Questions with several parts."""

from __future__ import annotations

import time

import pytest

from pincite.agent.extractive.parts import MOST_PARTS, carried_words, found_words, parts_of


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("What is the fee, and who pays it?", ["What is the fee", "who pays it?"]),
        ("What is the fee? And when is it due?", ["What is the fee?", "And when is it due?"]),
        (
            "Wie hoch ist die Miete und wann wird sie fällig?",
            ["Wie hoch ist die Miete", "wann wird sie fällig?"],
        ),
        (
            "What are the remedies for F2 and F9?",
            ["What are the remedies for F2?", "What are the remedies for F9?"],
        ),
        (
            "What are the fees of the Alder Growth Fund and the Birch Income Fund?",
            ["What are the fees of the Alder Growth Fund?", "What are the fees of the Birch Income Fund?"],
        ),
        (
            "What are the deposit and the notice period for the flat?",
            ["What are deposit for the flat?", "What are notice period for the flat?"],
        ),
    ],
)
def test_each_part_becomes_a_question(question: str, parts: list[str]) -> None:
    assert parts_of(question) == parts


@pytest.mark.parametrize(
    "question",
    [
        "What does the Order and Dealing Policy say about research and development?",
        "Which terms and conditions apply?",
        "What did Ann and her brother sign and how?",
        "Is consent or notice required if the lease is assigned?",
        "合同何时终止？",
    ],
)
def test_a_question_with_one_part_stays_whole(question: str) -> None:
    assert parts_of(question) == [question]


def test_there_are_never_more_than_four_parts() -> None:
    assert len(parts_of(" ".join(f"What is item number {n}?" for n in range(30)))) == MOST_PARTS


@pytest.mark.parametrize("text", ["A" * 60_000, "Aa " * 20_000, "E1 and " * 9_000, "and what " * 8_000])
def test_long_and_strange_questions_are_split_in_no_time(text: str) -> None:
    started = time.monotonic()
    assert parts_of(text)
    assert time.monotonic() - started < 2


def test_that_class_takes_its_name_from_the_answer_before() -> None:
    assert (
        found_words("how much notice does that class need?", ["The flat is in rent class C."])
        == "rent class C"
    )
    assert found_words("how much notice does that class need?", ["It has two rooms."]) == ""


def test_a_pronoun_takes_the_names_asked_about_before() -> None:
    assert (
        carried_words("what is its exit fee?", "What is the aim of the Alder Growth Fund?")
        == "Alder Growth Fund"
    )


def test_a_follow_up_with_a_name_takes_what_was_asked() -> None:
    assert (
        carried_words("And the Birch Income Fund?", "What is the exit fee of the Alder Growth Fund?")
        == "exit fee"
    )


def test_a_question_that_stands_alone_takes_nothing() -> None:
    assert (
        carried_words("What is the entry fee of the Birch Income Fund?", "Who runs the Alder Growth Fund?")
        == ""
    )
