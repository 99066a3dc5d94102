"""What changed in a section between two versions of a document."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync
from pincite.errors import PinciteError
from pincite.tools.differing import difference

RENT = "The rent is 100 crowns. It is due on Monday.\n\n(a) Cash is fine."
OLD = f"# Lease\n\n## 1 Rent\n\n{RENT}\n\n## 2 Pets\n\nNone.\n"
NEW = OLD.replace("100", "120").replace("## 2 Pets", "## 2 Dogs").replace("(a) Cash is fine.", "(a) No cash.")
TOML = """["old.md"]
version = "first"
effective_from = 2020-01-01
["new.md"]
version = "second"
effective_from = 2024-01-01
"""


@pytest.fixture
def index(tmp_path: Path) -> Index:
    (tmp_path / "docs").mkdir()
    for name, text in {"old.md": OLD, "new.md": NEW, "documents.toml": TOML}.items():
        (tmp_path / "docs" / name).write_text(text, encoding="utf-8")
    sync([tmp_path / "docs"], tmp_path / "kb", vectors=False)
    return Index.open(tmp_path / "kb")


@pytest.mark.parametrize(
    ("earlier", "later"),
    [("first", "second"), ("2021-07-01", "2024-01-01"), ("docs/old.md", "new.md"), ("FIRST", "2025-05-05")],
)
def test_versions_go_by_label_day_or_id(index: Index, earlier: str, later: str) -> None:
    found = difference(index, Scope(), "Lease", "1", earlier=earlier, later=later)
    assert [(change.kind, change.text) for change in found.changes] == [
        ("removed", "The rent is 100 crowns."),
        ("added", "The rent is 120 crowns."),
        ("same", "It is due on Monday."),
        ("removed", "(a) Cash is fine."),
        ("added", "(a) No cash."),
    ]


def test_a_unit_and_a_whole_document_can_be_compared(index: Index) -> None:
    unit = difference(index, Scope(), "Lease", "1(a)", earlier="first", later="second")
    assert (unit.earlier.text, unit.later.text) == ("(a) Cash is fine.", "(a) No cash.")
    whole = difference(index, Scope(), "Lease", earlier="first", later="second")
    assert ("added", "2 Dogs") in [(change.kind, change.text.split("\n")[-1]) for change in whole.changes]
    assert difference(index, Scope(), "Lease", "2", earlier="first", later="first").same


def test_a_section_that_only_one_version_has_is_all_added_or_removed(index: Index) -> None:
    gone = difference(index, Scope(), "Lease", "Pets", earlier="first", later="second")
    assert [change.kind for change in gone.changes] == ["removed"]
    assert (gone.later.number, gone.later.title) == (None, None)


@pytest.mark.parametrize(
    ("document", "section", "earlier", "code"),
    [
        ("Loan", "1", "first", "no_such_document"),
        ("Lease", "1", "third", "no_such_version"),
        ("Lease", "9", "first", "no_such_section"),
        ("Lease", "1", "2019-01-01", "no_such_version"),
    ],
)
def test_what_is_not_there_is_said(
    index: Index, document: str, section: str, earlier: str, code: str
) -> None:
    with pytest.raises(PinciteError) as failure:
        difference(index, Scope(), document, section, earlier=earlier, later="second")
    assert failure.value.code == code


def test_a_version_outside_the_scope_is_not_there(index: Index) -> None:
    narrow = Scope(documents=frozenset({"docs/new.md"}), as_of=date(2020, 1, 1))
    with pytest.raises(PinciteError):
        difference(index, narrow, "Lease", "1", earlier="first", later="second")
