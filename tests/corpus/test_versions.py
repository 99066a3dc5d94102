"""Versions side by side, and indexes that an earlier version of the program made."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from pincite.corpus.index import Index
from pincite.corpus.plan import LINKS_VERSION, Recipe, Stamp
from pincite.corpus.pointer import read_pointer
from pincite.corpus.replaced import Dated, ends
from pincite.corpus.scope import Scope
from pincite.corpus.store import open_table
from pincite.corpus.sync import sync

TEXT = '# Rules\n\n## 1 Terms\n\n"Boat" means a rowing boat, see Section 2.\n\n## 2 Fees\n\nNone.\n'


def test_a_version_ends_the_day_before_the_next_one_of_its_folder_and_title_begins() -> None:
    dated = [
        Dated("a/old.md", "The Lease", (), date(2020, 1, 1)),
        Dated("a/new.md", "the  lease", (), date(2024, 1, 1)),
        Dated("a/other.md", "Rules", (), date(2025, 1, 1)),
        Dated("b/lease.md", "The Lease", (), date(2026, 1, 1)),
        Dated("a/secret.md", "The Lease", ("board",), date(2025, 1, 1)),
    ]
    assert ends(dated) == {"a/old.md": date(2023, 12, 31)}


def test_a_scope_of_any_day_sees_every_version(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    for name in ("old", "new"):
        (tmp_path / "docs" / f"{name}.md").write_text(TEXT, encoding="utf-8")
    (tmp_path / "docs" / "documents.toml").write_text(
        '["old.md"]\neffective_from = 2020-01-01\n["new.md"]\neffective_from = 2024-01-01\n', encoding="utf-8"
    )
    sync([tmp_path / "docs"], tmp_path / "kb", vectors=False)
    index = Index.open(tmp_path / "kb")
    assert [row.id for row in index.documents(Scope())] == ["docs/new.md"]
    assert [row.id for row in index.documents(Scope(as_of=date(2021, 1, 1)))] == ["docs/old.md"]
    every = index.documents(Scope(any_day=True))
    assert [(row.id, row.effective_to) for row in every] == [
        ("docs/new.md", None),
        ("docs/old.md", date(2023, 12, 31)),
    ]
    assert index.documents(Scope(as_of=date(2019, 1, 1))) == []


def test_an_index_of_an_earlier_version_is_read_and_completed(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "rules.md").write_text(TEXT, encoding="utf-8")
    sync([tmp_path / "docs"], tmp_path / "kb", vectors=False)
    folder = tmp_path / "kb" / "default"
    table = open_table(folder, read_pointer(folder).table)
    table.drop_columns(["names", "references", "definitions", "outline_parts"])
    stamp = table.search().where("kind = 'document'").select(["stamp"]).to_list()[0]["stamp"]
    older = stamp.replace(f'"links":"{LINKS_VERSION}"', '"links":""')
    assert older != stamp
    table.update(where="kind = 'document'", values={"stamp": older})
    index = Index.open(tmp_path / "kb")
    assert [row.definitions for row in index.outline("docs/rules.md", Scope())] == [(), (), ()]
    assert index.sections("docs/rules.md", range(3), Scope())[1].references == ()
    assert sync([tmp_path / "docs"], tmp_path / "kb", vectors=False).updated == 1
    rows = index.sections("docs/rules.md", range(3), Scope())
    assert [one.term for one in rows[1].definitions] == ["Boat"]
    assert [one.status for one in rows[1].references] == ["found"]


def test_a_stamp_that_says_nothing_of_references_is_not_that_of_today() -> None:
    raw = '{"size":1,"mtime_ns":1,"seen_ns":1,"digest":"d","recipe":{}}'
    assert Stamp.model_validate_json(raw).recipe != Recipe(links=LINKS_VERSION)
