"""Defined terms: found in four languages and in the places where drafters put them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.corpus.definitions import definition_section, find_definitions, same_term
from pincite.corpus.read import read

TEXT = """# Boat Hire Terms

This agreement is made between Harbour Ltd (the "Owner") and the person hiring a boat (hereinafter "Hirer").

## 1. Definitions

"Boat" means a rowing boat. "Dock" and "Pier" mean the places shown on the map.

"Term" shall have the meaning set out in clause 2.

"Fees" includes:

(a) the daily fee;

(b) the fuel fee.

Deposit: the sum of 40 crowns.

## 2. Term

The term "Night" refers to the hours after sunset. The Hirer said "hello" to the Owner.

## 3. Définitions

On entend par «bateau» tout objet flottant.

## 4. Definiciones

Se entenderá por «barco» todo lo que flota.

## 5. Begriffsbestimmungen

(1) „Kahn“ jedes Boot ohne Motor;

(2) „Steg“ bezeichnet einen Weg über Wasser.
"""


@pytest.fixture
def defined(tmp_path: Path) -> dict[str, str]:
    path = tmp_path / "hire.md"
    path.write_text(TEXT, encoding="utf-8")
    document = read(path)
    return {
        one.term: " ".join(document.text[one.start : one.end].split())
        for section in document.sections
        for one in find_definitions(document.text, section, definition_section(section.title))
    }


def test_terms_are_found_where_they_are_given_a_meaning(defined: dict[str, str]) -> None:
    assert set(defined) == {
        *("Owner", "Hirer", "Boat", "Dock", "Pier", "Term", "Fees", "Deposit", "Night"),
        *("bateau", "barco", "Kahn", "Steg"),
    }


def test_a_definition_is_the_text_that_gives_the_meaning(defined: dict[str, str]) -> None:
    assert defined["Boat"].startswith('"Boat" means a rowing boat.')
    assert defined["Fees"] == '"Fees" includes: (a) the daily fee; (b) the fuel fee.'
    assert defined["Kahn"] == "(1) „Kahn“ jedes Boot ohne Motor;"
    assert defined["Owner"].startswith("This agreement is made between Harbour Ltd")
    assert defined["Deposit"] == "Deposit: the sum of 40 crowns."


def test_spellings_of_one_term_are_the_same() -> None:
    assert same_term("Boats", "boat")
    assert same_term("Third  Parties", "third party")
    assert not same_term("Boat", "Boat Hire")
