"""The figures of the offline mode, on values worked out by hand."""

from __future__ import annotations

import pytest

from pincite.evals.answer_metrics import Outcome, letters, overlaps, places_of, summary, token_f1
from pincite.evals.extractive_sets import clause_question, halves


def test_a_quote_is_placed_whatever_its_blanks_and_line_breaks() -> None:
    source = letters("The fee is\n1,250  euros. The fee\tis 9.")
    assert places_of("fee is 1,250 euros", source) == [(4, 23)]
    assert len(places_of("The fee is", source)) == 2
    assert places_of("…", source) == []
    assert overlaps("1,250 euros", source, [(18, 30)])
    assert not overlaps("1,250 euros", source, [(24, 30)])


def test_token_f1_is_that_of_squad() -> None:
    assert token_f1("the annual fee", "annual fee of 5") == pytest.approx(2 * 1.0 * 0.5 / 1.5)
    assert token_f1("nothing shared", "annual fee") == 0.0


def test_not_found_is_counted_against_the_questions_without_an_answer() -> None:
    outcomes = [
        Outcome(present=True, status="answered", hit=True, first=True, statements=1, good_statements=1),
        Outcome(present=True, status="not_found"),
        Outcome(present=False, status="not_found"),
        Outcome(present=False, status="answered", statements=1),
        Outcome(present=False, status="not_found"),
    ]
    figures = summary(outcomes)
    assert figures["hit_rate"] == 0.5
    assert figures["not_found_precision"] == pytest.approx(2 / 3, abs=1e-3)
    assert figures["not_found_recall"] == pytest.approx(2 / 3, abs=1e-3)
    assert figures["right_outcome_rate"] == pytest.approx(3 / 5)


def test_halves_are_equal_stable_and_apart() -> None:
    keys = [f"contract {n}" for n in range(11)]
    first = halves(keys)
    assert first == halves(reversed(keys))
    assert sorted(first.values()).count("held") == 5


def test_a_clause_becomes_a_question() -> None:
    assert clause_question("Renewal/Notice", "What is the period? Answer in days.") == (
        "What is the period (renewal or notice)?"
    )
    assert clause_question("Parties", "The two or more parties") == (
        "What is the two or more parties (parties)?"
    )
    assert clause_question("Insurance", None) == "Is there a clause on insurance?"
