"""An open index while another writes: what it follows, and what it lets go."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

import pytest

from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync


def files_gone_but_open() -> list[str]:
    """Files below an index that were deleted and are still held open by this process."""
    targets = []
    for file in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            targets.append(str(file.readlink()))
    return [target for target in targets if target.endswith(" (deleted)") and ".lance" in target]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="open files are read from /proc")
def test_a_reader_of_many_versions_keeps_no_replaced_index_files_open(tmp_path: Path) -> None:
    docs, kb = tmp_path / "docs", tmp_path / "kb"
    docs.mkdir()
    # A smaller text index is read whole and its file closed.
    for number in range(60):
        (docs / f"{number}.md").write_text(
            f"# Fee {number}\n\nThe fee is {number} euros.\n", encoding="utf-8"
        )
    sync([docs], kb, vectors=False)
    index = Index.open(kb)
    for change in range(8):
        (docs / "changing.md").write_text(f"# Changing\n\nThis is change {change}.\n", encoding="utf-8")
        sync([docs], kb, vectors=False)
        assert [hit.text for hit in index.keyword(f"change {change}", Scope(), 5)][:1] == [
            f"This is change {change}."
        ]
        assert index.outline("docs/changing.md", Scope())
    # Those of the last change may still be held by what answered last.
    assert len(files_gone_but_open()) <= 2


def test_a_reader_that_could_not_open_the_new_table_opens_it_the_next_time(tmp_path: Path) -> None:
    docs, kb = tmp_path / "docs", tmp_path / "kb"
    docs.mkdir()
    (docs / "fees.md").write_text("# Fees\n\nThe fee is 5 euros.\n", encoding="utf-8")
    sync([docs], kb, vectors=False)
    index = Index.open(kb)
    pointer = kb / "default" / "current.json"
    whole = pointer.read_bytes()
    pointer.write_bytes(b"{")
    with pytest.raises(Exception, match="damaged"):
        index.keyword("fee", Scope(), 5)
    pointer.write_bytes(whole)
    assert [hit.text for hit in index.keyword("fee", Scope(), 5)] == ["The fee is 5 euros."]
