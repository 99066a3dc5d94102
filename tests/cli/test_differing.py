"""`define` and `diff` as a person runs them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Program = Callable[..., Any]
LEASE = '# Lease\n\n## 1 Rent\n\n"Rent" means {rent} crowns, see clause 2.\n\n## 2 End\n\nThree months.\n'
TOML = """["old.md"]
version = "A"
effective_from = 2020-01-01
["new.md"]
version = "B"
effective_from = 2024-01-01
"""


@pytest.fixture
def kb(program: Program, tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    files = {"old.md": LEASE.format(rent=100), "new.md": LEASE.format(rent=120), "documents.toml": TOML}
    for name, text in files.items():
        (tmp_path / "docs" / name).write_text(text, encoding="utf-8")
    assert program("sync", tmp_path / "docs", "--db", tmp_path / "kb", "--no-vectors").code == 0
    return tmp_path / "kb"


def test_a_term_is_shown_where_it_is_defined(program: Program, kb: Path) -> None:
    shown = program("define", "rent", "--db", kb)
    assert '"Rent" means 120 crowns' in shown.out
    assert "version B" in shown.out
    data = program("define", "Rent", "--db", kb, "--as-of", "2021-01-01", "--json").json
    assert [one["document"] for one in data["definitions"]] == ["docs/old.md"]
    assert program("define", "Cats", "--db", kb, "--json").json["error"]["code"] == "no_match"


def test_a_difference_is_shown_line_by_line(program: Program, kb: Path) -> None:
    shown = program("diff", "Lease", "1", "--from", "A", "--to", "B", "--db", kb)
    assert shown.code == 0
    lines = shown.out.splitlines()
    assert '- "Rent" means 100 crowns, see clause 2.' in lines
    assert '+ "Rent" means 120 crowns, see clause 2.' in lines
    data = program("diff", "Lease", "1", "--from", "A", "--to", "B", "--db", kb, "--json").json
    assert (data["from"]["version_label"], data["to"]["version_label"], data["same"]) == ("A", "B", False)
    assert program("diff", "Lease", "2", "--from", "A", "--to", "B", "--db", kb).out.endswith(
        "No difference.\n"
    )


def test_a_version_or_section_that_is_not_there_is_exit_3(program: Program, kb: Path) -> None:
    assert program("diff", "Lease", "1", "--from", "A", "--to", "C", "--db", kb).code == 3
    assert program("diff", "Lease", "9", "--from", "A", "--to", "B", "--db", kb, "--json").code == 3


def test_a_reading_shows_references_and_the_version(program: Program, kb: Path) -> None:
    shown = program("read", "Lease", "clause 1", "--db", kb)
    assert "-> clause 2: 2" in shown.out
    data = program("read", "Lease", "1", "--db", kb, "--json").json
    assert [(one["text"], one["status"]) for one in data["references"]] == [("clause 2", "found")]
    assert data["standing"] == "version B"
    contents = program("toc", "Lease", "--db", kb, "--json").json
    assert contents["standing"] == "version B"
