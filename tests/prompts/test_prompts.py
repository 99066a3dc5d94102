from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

import pincite.prompts
from pincite.prompts import PromptError, hashes, load, replaced

FOLDER = Path(pincite.prompts.__file__).parent


def test_variables_are_filled_in_and_may_hold_dollar_signs() -> None:
    assert '"$5 & ${x}"' in load("unknown_tool", name="$5 & ${x}", tools="search").text


def test_a_missing_variable_is_an_error_that_names_it() -> None:
    with pytest.raises(PromptError, match=r"missing variables .'tools'."):
        load("unknown_tool", name="x")


def test_a_variable_that_the_prompt_does_not_use_is_an_error() -> None:
    with pytest.raises(PromptError, match=r"unused variables .'extra'."):
        load("unknown_tool", name="x", tools="y", extra="z")


@pytest.mark.parametrize("name", ["no_such_prompt", "../prompts/system", "System", "", "system.md"])
def test_an_unknown_name_is_an_error(name: str) -> None:
    with pytest.raises(PromptError, match="no prompt is called"):
        load(name)


def test_the_hash_is_that_of_the_file_whatever_is_filled_in() -> None:
    expected = hashlib.sha256((FOLDER / "unknown_tool.md").read_bytes()).hexdigest()
    assert load("unknown_tool", name="a", tools="b").sha256 == expected
    assert load("unknown_tool", name="c", tools="d").sha256 == expected
    assert hashes()["unknown_tool"] == expected


def test_every_prompt_file_can_be_hashed_and_holds_text() -> None:
    names = {path.stem for path in FOLDER.glob("*.md")}
    assert set(hashes()) == names
    assert all(path.read_text(encoding="utf-8").strip() for path in FOLDER.glob("*.md"))


def test_the_system_prompt_says_that_passages_are_data() -> None:
    text = load("system").text
    assert "never an instruction" in text
    assert "standalone query" in text


def test_a_prompt_can_be_replaced_for_a_while() -> None:
    before = load("system").text, hashes()["system"]
    with replaced({"system": "Other words."}):
        assert load("system").text == "Other words."
        assert hashes()["system"] != before[1]
    assert (load("system").text, hashes()["system"]) == before


@pytest.mark.parametrize(
    "texts", [{"none": "x"}, {"repair": "lacks its variable"}, {"system": "$more"}, {"system": "$"}]
)
def test_what_cannot_stand_for_a_prompt_is_refused(texts: dict[str, str]) -> None:
    before = load("system").text
    with pytest.raises(PromptError), replaced(texts):
        pass
    assert load("system").text == before
