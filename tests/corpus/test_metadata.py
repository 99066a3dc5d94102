from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync

EVERYTHING = Scope(as_of=date(2020, 6, 1))
TOML = """
["a.md"]
title = "  Refund policy "
version = "2020-1"
status = "in force"
effective_from = 2020-01-01
effective_to = "2020-12-31"
"""


@pytest.fixture
def folder(tmp_path: Path, write: Any) -> Path:
    made: Path = write(
        tmp_path / "docs",
        {"a.md": "# A\n\nApples.\n", "sub/b.md": "---\ntitle: Own\nstatus: draft\n---\nText.\n"},
    )
    return made


def run(folder: Path) -> tuple[Index, Any]:
    report = sync([folder], folder.parent / "kb", encoder=None, vectors=False)
    return Index.open(folder.parent / "kb"), report


def test_the_folder_says_titles_dates_status_and_versions(folder: Path) -> None:
    (folder / "documents.toml").write_text(TOML)
    index, report = run(folder)
    row = index.document("docs/a.md", EVERYTHING)
    assert row is not None and report.failed == []
    assert (row.title, row.version_label, row.status) == ("Refund policy", "2020-1", "in force")
    assert (row.effective_from, row.effective_to) == (date(2020, 1, 1), date(2020, 12, 31))
    hit = index.keyword("apples", EVERYTHING, 1)[0]
    assert hit.document_title == "Refund policy" and hit.label.startswith("Refund policy")
    section = index.outline("docs/a.md", EVERYTHING)[0]
    assert (section.status, section.version_label) == ("in force", "2020-1")
    assert index.document("docs/a.md", Scope()) is None


def test_changing_what_the_folder_says_updates_only_what_it_says_it_about(folder: Path) -> None:
    (folder / "documents.toml").write_text(TOML)
    run(folder)
    (folder / "documents.toml").write_text(TOML.replace("in force", "superseded"))
    index, report = run(folder)
    assert (report.updated, report.unchanged) == (1, 1)
    row = index.document("docs/a.md", EVERYTHING)
    assert row is not None and row.status == "superseded"
    (folder / "documents.toml").unlink()
    index, report = run(folder)
    row = index.document("docs/a.md", Scope())
    assert row is not None and (row.title, row.status) == ("A", None)


def test_the_nearer_folder_wins_and_the_folder_wins_over_the_file(folder: Path) -> None:
    (folder / "documents.toml").write_text('["sub/b.md"]\ntitle = "Outer"\nversion = "1"\n')
    (folder / "sub/documents.toml").write_text('["b.md"]\ntitle = "Inner"\n')
    index, _ = run(folder)
    row = index.document("docs/sub/b.md", EVERYTHING)
    assert row is not None and (row.title, row.version_label, row.status) == ("Inner", "1", "draft")
    report = sync([folder / "sub" / "b.md"], folder.parent / "kb", encoder=None, vectors=False)
    assert report.unchanged == 1


@pytest.mark.parametrize(
    "text",
    [
        '["a.md"]\ntitle = 3\n',
        '["a.md"]\ntitle = ""\n',
        '["a.md"]\neffective_from = "soon"\n',
        '["a.md"]\neffective_from = 2020-01-02\neffective_to = 2020-01-01\n',
        'title = "x"\n',
        "[[[",
        '["a.md"',
        "x = " + "[" * 5000,
        "\0",
    ],
)
def test_a_file_that_says_what_it_may_not_is_one_failure(folder: Path, text: str) -> None:
    (folder / "documents.toml").write_text(text)
    index, report = run(folder)
    assert [(failed.file, failed.code) for failed in report.failed] == [
        ("docs/documents.toml", "bad_metadata")
    ]
    assert "\n" not in report.failed[0].message and len(report.failed[0].message) < 400
    assert len(index.documents(EVERYTHING)) == 2


@pytest.mark.parametrize("line", ['groups = ["hr"]', 'tenant = "x"'])
def test_who_may_see_a_document_is_never_said_by_a_folder(folder: Path, line: str) -> None:
    (folder / "documents.toml").write_text(f'["a.md"]\n{line}\ntitle = "Given"\n')
    index, report = run(folder)
    assert report.failed == []
    assert any("is ignored" in warning for warning in report.warnings)
    row = index.document("docs/a.md", EVERYTHING)
    assert row is not None and (row.title, row.groups) == ("Given", ())


def test_while_the_file_is_broken_documents_keep_what_they_had(folder: Path) -> None:
    (folder / "documents.toml").write_text(TOML)
    run(folder)
    (folder / "documents.toml").write_text(TOML + "oops")
    index, report = run(folder)
    assert len(report.failed) == 1 and report.unchanged == 2
    assert index.document("docs/a.md", Scope(as_of=date(2021, 6, 1))) is None


def test_a_link_to_metadata_outside_is_not_followed(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "evil.toml").write_text(TOML)
    (folder / "documents.toml").symlink_to(tmp_path / "evil.toml")
    index, report = run(folder)
    assert [failed.code for failed in report.failed] == ["outside_root"]
    row = index.document("docs/a.md", EVERYTHING)
    assert row is not None and row.title == "A"


def test_an_entry_for_a_file_that_is_not_there_is_mentioned(folder: Path) -> None:
    (folder / "documents.toml").write_text('["typo.md"]\ntitle = "x"\n')
    _, report = run(folder)
    assert [warning for warning in report.warnings if "typo.md" in warning]


def test_every_fault_of_an_entry_is_told(folder: Path) -> None:
    faults = 'titel = "A"\nstatus = 3\neffective_from = "soon"\n'
    (folder / "documents.toml").write_text(f'["a.md"]\n{faults}["sub/b.md"]\nstatus = "kept"\n')
    index, report = run(folder)
    (failed,) = report.failed
    assert (failed.file, failed.code) == ("docs/documents.toml", "bad_metadata")
    assert all(word in failed.message for word in ("a.md", "titel", "status", "effective_from"))
    assert "\n" not in failed.message
    row = index.document("docs/sub/b.md", EVERYTHING)
    assert row is not None and row.status == "kept"


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ('["a.md"]\ntitle = ["x"]', "title must be text in quotes"),
        ('["a.md"]\neffective_from = "May"', "effective_from must be a date such as 2024-01-31"),
        ('["a.md"]\nsize = 3', "size is not known"),
        ('[["a.md"]]', "must be a table"),
    ],
)
def test_a_wrong_entry_is_told_in_plain_words(folder: Path, entry: str, fault: str) -> None:
    (folder / "documents.toml").write_text(entry)
    _, report = run(folder)
    assert [one.message for one in report.failed] == [f"a.md: {fault}; this entry is not applied"]
