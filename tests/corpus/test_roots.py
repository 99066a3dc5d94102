"""What can be synced, and that a place is one root under whatever name it is reached."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any

import pytest

from pincite.corpus.index import Index
from pincite.corpus.manage import forget
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync
from pincite.errors import NothingUsableError

A = {"a.md": "# A\n\nApples.\n"}


def ids(kb: Path) -> list[str]:
    return [row.id for row in Index.open(kb).documents(Scope())]


@pytest.mark.parametrize("place", ["kb", "deep/er/other-index", "default"])
def test_another_index_below_the_folder_is_not_read_as_documents(
    tmp_path: Path, write: Any, place: str
) -> None:
    docs = write(tmp_path / "docs", A)
    sync([write(tmp_path / "elsewhere", A)], docs / place, vectors=False)
    (docs / place / "default" / "sessions").mkdir()
    (docs / place / "default" / "sessions" / "s.jsonl").write_text("{}\n")
    report = sync([docs], tmp_path / "kb", vectors=False)
    assert (ids(tmp_path / "kb"), report.failed) == (["docs/a.md"], [])
    assert report.warnings == [f"an index is not read as documents: docs/{place}/default"]


def test_an_index_that_lost_its_pointer_is_no_document_either(tmp_path: Path, write: Any) -> None:
    docs = write(tmp_path / "docs", A)
    sync([write(tmp_path / "elsewhere", A)], docs / "kb", vectors=False)
    (docs / "kb" / "default" / "current.json").unlink()
    sync([docs], tmp_path / "kb", vectors=False)
    assert ids(tmp_path / "kb") == ["docs/a.md"]


def test_a_folder_with_such_names_that_is_no_index_is_read(tmp_path: Path, write: Any) -> None:
    docs = write(
        tmp_path / "docs", {"lance/a.md": "# A\n\nApples.\n", "b/current.json": "x", "b/c.md": "# C\n\nC.\n"}
    )
    sync([docs], tmp_path / "kb", vectors=False)
    assert ids(tmp_path / "kb") == ["docs/b/c.md", "docs/lance/a.md"]


@pytest.mark.parametrize("part", ["", "default", "default/lance", "default/sessions"])
def test_an_index_named_as_documents_is_an_error(tmp_path: Path, write: Any, part: str) -> None:
    docs, kb = write(tmp_path / "docs", A), tmp_path / "kb"
    sync([docs], kb, vectors=False)
    (kb / "default" / "sessions").mkdir()
    for index in (kb, tmp_path / "second"):
        with pytest.raises(NothingUsableError) as caught:
            sync([kb / part], index, vectors=False)
        assert caught.value.code == "is_index"
    assert ids(kb) == ["docs/a.md"]


def test_devices_pipes_and_sockets_are_errors(tmp_path: Path, write: Any) -> None:
    kb = tmp_path / "kb"
    sync([write(tmp_path / "docs", A)], kb, vectors=False)
    os.mkfifo(tmp_path / "pipe.md")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(tmp_path / "socket.md"))
        for path in (Path("/dev/null"), tmp_path / "pipe.md", tmp_path / "socket.md"):
            with pytest.raises(NothingUsableError) as caught:
                sync([path], kb, vectors=False)
            assert caught.value.code == "not_a_file"
    assert [root.name for root in Index.open(kb).info.roots] == ["docs"]


def test_a_link_and_the_folder_it_leads_to_are_one_root(tmp_path: Path, write: Any) -> None:
    docs, kb = write(tmp_path / "docs", {**A, "c/d.md": "# D\n\nDates.\n"}), tmp_path / "kb"
    link = tmp_path / "link"
    link.symlink_to(docs)
    sync([docs], kb, vectors=False)
    report = sync([link, docs, link / "c", link / "a.md"], kb, vectors=False)
    assert (report.added, report.unchanged) == (0, 2)
    assert ids(kb) == ["docs/a.md", "docs/c/d.md"]


def test_a_root_first_named_by_a_link_keeps_that_name(tmp_path: Path, write: Any) -> None:
    docs, kb = write(tmp_path / "release-1", A), tmp_path / "kb"
    link = tmp_path / "current"
    link.symlink_to(docs)
    sync([link], kb, vectors=False)
    sync([docs], kb, vectors=False)
    assert ids(kb) == ["current/a.md"]
    link.unlink()
    link.symlink_to(write(tmp_path / "release-2", {"b.md": "# B\n\nBananas.\n"}))
    report = sync([link], kb, vectors=False)
    assert (report.added, report.removed) == (1, 1)
    assert ids(kb) == ["current/b.md"]


def test_a_folder_above_takes_over_a_root_named_by_a_link(tmp_path: Path, write: Any) -> None:
    top = write(tmp_path / "top", {"docs/a.md": "# A\n\nApples.\n", "docs/b.md": "# B\n\nBananas.\n"})
    kb, link = tmp_path / "kb", tmp_path / "link"
    link.symlink_to(top / "docs")
    sync([link], kb, vectors=False)
    forget(kb, "link/a.md")
    sync([top], kb, vectors=False)
    assert ids(kb) == ["top/docs/b.md"]


def test_what_a_link_inside_a_root_leads_to_is_a_root_of_its_own(tmp_path: Path, write: Any) -> None:
    docs, kb = write(tmp_path / "docs", A), tmp_path / "kb"
    (docs / "more").symlink_to(write(tmp_path / "outside", {"b.md": "# B\n\nBananas.\n"}))
    sync([docs, docs / "more"], kb, vectors=False)
    sync([docs], kb, vectors=False)
    assert ids(kb) == ["docs/a.md", "more/b.md"]


def test_an_empty_folder_called_like_a_document_is_told(tmp_path: Path, write: Any) -> None:
    docs = write(tmp_path / "docs", {"a.md": "Apples.\n", "full.pdf/b.md": "Pears.\n"})
    (docs / "x.pdf").mkdir()
    (docs / "empty").mkdir()
    report = sync([docs], tmp_path / "kb", vectors=False)
    assert [(one.file, one.code) for one in report.failed] == [("docs/x.pdf", "unreadable")]
    assert report.documents == 2
    again = sync([docs], tmp_path / "kb", vectors=False)
    assert [one.file for one in again.failed] == ["docs/x.pdf"] and again.unchanged == 2
