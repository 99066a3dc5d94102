"""What is said where a group, a day or a name leaves nothing, and what a caller may learn from it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Program = Callable[..., Any]

ASKED = [["search", "visit", "--leg", "keyword"], ["toc"], ["ask", "What does a visit cost?"]]


@pytest.fixture
def old(program: Program, tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "prices.md").write_text(
        "---\neffective_to: 2020-12-31\n---\n# Prices\n\nA visit costs 80 euros.\n"
    )
    program("sync", docs, "--db", tmp_path / "kb", "--no-vectors", "--group", "staff")
    return tmp_path / "kb"


@pytest.mark.parametrize("command", ASKED)
def test_the_owner_is_told_that_nothing_is_in_force(program: Program, old: Path, command: list[str]) -> None:
    outcome = program(*command, "--db", old, "--as-of", "2024-02-29")
    assert outcome.code == 3
    assert "the one document is not in force on 2024-02-29" in outcome.complaint
    assert "--as-of" in outcome.complaint and len(outcome.err.splitlines()) == 1


@pytest.mark.parametrize("command", ASKED)
def test_others_are_told_what_they_narrowed_and_nothing_about_hidden_documents(
    program: Program, old: Path, tmp_path: Path, command: list[str]
) -> None:
    (tmp_path / "void").mkdir()
    program("sync", tmp_path / "void", "--db", tmp_path / "empty", "--no-vectors")
    said = set()
    for db in (old, tmp_path / "empty"):
        outcome = program(*command, "--db", db, "--as-of", "2020-06-30", "--group", "guests")
        assert outcome.code == 3
        said.add(outcome.complaint)
    assert len(said) == 1
    assert "no documents for group guests, in force on 2020-06-30" in said.pop()


def test_an_empty_index_is_called_empty(program: Program, tmp_path: Path) -> None:
    (tmp_path / "void").mkdir()
    program("sync", tmp_path / "void", "--db", tmp_path / "kb", "--no-vectors")
    for command in ASKED:
        outcome = program(*command, "--db", tmp_path / "kb")
        assert (outcome.code, "the index holds no documents" in outcome.complaint) == (3, True)


def test_a_document_that_is_out_of_force_is_named_to_the_owner_only(program: Program, old: Path) -> None:
    owner = program("read", "prices.md", "1", "--db", old)
    assert owner.code == 3
    assert "docs/prices.md was in force until 2020-12-31" in owner.complaint
    staff = program("read", "prices.md", "1", "--db", old, "--group", "staff")
    nobody = program("read", "pricez.md", "1", "--db", old, "--group", "staff")
    assert staff.complaint == nobody.complaint.replace("pricez", "prices")
    assert "for group staff, in force on" in staff.complaint


def test_a_list_says_what_narrowed_it(program: Program, old: Path) -> None:
    assert program("list", "--db", old).out.endswith("1 document\n")
    narrowed = program("list", "--db", old, "--group", "guests").out
    assert narrowed.startswith("0 documents for group guests, in force on ")


@pytest.mark.parametrize("name", ["", " ", "\t"])
@pytest.mark.parametrize("command", [*ASKED, ["list"], ["sync", "docs"], ["read", "x", "1"]])
def test_a_group_without_a_name_is_refused(
    program: Program, old: Path, command: list[str], name: str
) -> None:
    outcome = program(*command, "--db", old, "--group", name)
    assert (outcome.code, outcome.out) == (2, "")
    assert "group" in outcome.complaint


def test_help_says_who_the_owner_is(program: Program) -> None:
    for command in ("search", "ask", "list", "toc", "read", "sync"):
        text = " ".join(program(command, "--help").out.split())
        assert "owner" in text


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["search", ""], "the query is empty"),
        (["search", "?!"], "the query holds no letter and no digit"),
        (["search", "why " * 2000], "the query is longer than 2,000 characters"),
        (["search", "x", "--document", "d" * 2000], "the document's name is longer than 1,000 characters"),
        (["toc", " "], "the document is empty"),
        (["read", "x", ""], "the section is empty"),
        (["toc", "--from", "x" * 200], "--from is longer than 100 characters"),
        (["toc", "--from", "7"], "--from is not a value"),
        (["list", "--as-of", "2026-02-31"], "'2026-02-31' is no date such as 2026-01-31"),
    ],
)
def test_wrong_arguments_are_said_in_the_words_of_the_command_line(
    program: Program, db: Path, command: list[str], said: str
) -> None:
    outcome = program(*command, "--db", db)
    assert (outcome.code, said in outcome.complaint) == (2, True), outcome.complaint
    assert '"query"' not in outcome.complaint and "String should" not in outcome.complaint
