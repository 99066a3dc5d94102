"""Words that stand in several documents are shown once by hand too, with the other places beside them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Program = Callable[..., Any]
KEYS = (
    "The caretaker keeps the spare keys of every flat in the blue cupboard behind the door and writes each "
    "loan of a key into the green book, so that nobody needs to wonder in the evening where a key went or "
    "who has it now."
)


@pytest.fixture
def db(program: Program, tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    for name in ("one", "two", "three", "four", "five", "six", "seven"):
        text = f"# House {name}\n\n## Spare keys\n\n{KEYS}\n"
        (tmp_path / "docs" / f"{name}.md").write_text(text, encoding="utf-8")
    (tmp_path / "docs" / "shop.md").write_text("# Shop\n\nA green book costs 9 euros.\n", encoding="utf-8")
    db = tmp_path / "kb"
    assert program("sync", tmp_path / "docs", "--db", db, "--no-vectors").code == 0
    return db


def test_json_has_the_places_where_there_are_any(program: Program, db: Path) -> None:
    found = program("search", "green book", "--db", db, "--json").json["passages"]
    (keys,) = [one for one in found if one["text"] == KEYS]
    assert keys["also_in"] and all(", Spare keys, line 5" in place for place in keys["also_in"])
    assert keys["document"] not in {place.partition(",")[0] for place in keys["also_in"]}
    others = [one for one in found if one is not keys]
    assert others and all("also_in" not in one for one in others)


def test_the_places_stand_under_the_passage(program: Program, db: Path) -> None:
    lines = program("search", "green book", "--db", db).out.splitlines()
    (also,) = [line for line in lines if line.startswith("  also in: ")]
    assert "docs/" in also and ".md, Spare keys, line 5" in also
    assert lines.index(also) + 1 == lines.index(f"  {KEYS}")


@pytest.mark.parametrize(
    "arguments",
    [("search", "loan"), ("toc", "one.md"), ("read", "one.md", "Spare keys")],
    ids=lambda one: one[0],
)
def test_what_a_document_does_not_have_is_not_written_down(
    program: Program, db: Path, arguments: tuple[str, ...]
) -> None:
    outcome = program(*arguments, "--db", db, "--json")
    assert outcome.code == 0
    for name in ("page_label", "page_end_label", "tree_page_end_label", "anchor"):
        assert f'"{name}"' not in outcome.out
