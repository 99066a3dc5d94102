"""Words of any script and how alike they are."""

from __future__ import annotations

import pytest

from pincite.agent.extractive.question import Asked
from pincite.agent.extractive.words import likeness, words


def terms(text: str) -> list[str]:
    return [word.term for word in words(text)]


def test_numbers_and_codes_stay_whole() -> None:
    assert terms("E17, form LK-44: 1,250 at 17:30") == ["e17", "form", "lk-44", "1,250", "at", "17:30"]


def test_scripts_without_blanks_give_pairs_of_characters() -> None:
    assert terms("合同终止 2024") == ["合同", "同终", "终止", "2024"]


def test_accents_and_case_fold_but_indic_vowel_signs_stay() -> None:
    assert terms("Kündigung Été") == ["kundigung", "ete"]
    assert terms("अनुबंध") == ["अनुबंध"]


def test_a_capital_that_stands_alone_is_a_name_and_the_article_is_not() -> None:
    assert terms("A fund of class D") == ["a", "fund", "of", "class", "D"]


def test_spans_point_into_the_text() -> None:
    text = "l’accord du 5 mai"
    assert [text[word.start : word.end] for word in words(text)] == ["l’accord", "du", "5", "mai"]


@pytest.mark.parametrize(
    ("asked", "found", "alike"),
    [
        ("charge", "charges", 1.0),
        ("company", "companies", 1.0),
        ("terminate", "termination", 0.7),
        ("frist", "kundigungsfrist", 0.5),
        ("2024", "2025", 0.0),
        ("12500", "12501", 0.0),
        ("e17", "e171", 0.0),
        ("exit", "entry", 0.0),
        ("paid", "pays", 1.0),
        ("written", "write", 1.0),
        ("contract", "agreements", 0.6),
        ("terminated", "expires", 0.6),
        ("buy", "purchased", 0.6),
        ("use", "user", 0.0),
    ],
)
def test_likeness(asked: str, found: str, alike: float) -> None:
    assert likeness(asked, found) == alike


def test_a_question_names_its_terms_and_not_its_question_words() -> None:
    asked = Asked("How long must the records of a complaint be kept?")
    assert asked.terms == ("record", "complaint", "keep")


def test_a_measure_is_a_question_word_only_behind_how() -> None:
    assert Asked("How large is a large redemption?").terms == ("large", "redemption")


def test_names_are_runs_of_capitals_that_commas_end() -> None:
    asked = Asked("When did the Duchy of Westmark, under Otto, join the Northern League?")
    assert asked.names == (("duchy", "westmark"), ("otto",), ("northern", "league"))


@pytest.mark.parametrize(
    ("question", "reference"),
    [
        ("What does section 4.2(b) say?", "4.2(b)"),
        ("Was regelt Artikel 5?", "5"),
        ("What does clause IX cover?", "IX"),
        ("Which section is about a deposit?", None),
        ("What is in the section a person reads first?", None),
    ],
)
def test_a_section_number_in_the_question(question: str, reference: str | None) -> None:
    assert Asked(question).reference == reference
