"""Watched folders: what changes is found soon after, and how soon is measured."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from pathlib import Path

from pincite.corpus.index import Index
from pincite.corpus.report import SyncReport
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync
from pincite.corpus.watching import Freshened, read_lag, record_lag, watch
from pincite.errors import IndexLockedError


def watched(
    folder: Path, once: Callable[[], SyncReport], steps: Callable[[queue.Queue[Freshened]], None]
) -> None:
    told: queue.Queue[Freshened] = queue.Queue()
    stop = threading.Event()
    thread = threading.Thread(target=watch, args=([folder], once, stop, told.put), daemon=True)
    thread.start()
    try:
        steps(told)
    finally:
        stop.set()
        thread.join(10)
    assert not thread.is_alive()


def test_a_new_a_changed_and_a_removed_file_are_taken_in_with_their_lag(tmp_path: Path) -> None:
    folder, db = tmp_path / "texts", tmp_path / "kb"
    folder.mkdir()
    (folder / "a.md").write_text("# A\n\nThe first text.\n", encoding="utf-8")

    def steps(told: queue.Queue[Freshened]) -> None:
        first = told.get(timeout=30)
        assert first.report is not None and (first.report.added, first.lag_s) == (1, None)
        (folder / "b.md").write_text("# B\n\nA walrus on the quay.\n", encoding="utf-8")
        second = told.get(timeout=30)
        assert second.report is not None and second.report.added == 1
        assert second.lag_s is not None and 0 < second.lag_s < 20
        assert Index.open(db).keyword("walrus", Scope(), 3)
        (folder / "b.md").unlink()
        third = told.get(timeout=30)
        assert third.report is not None and third.report.removed == 1
        assert not Index.open(db).keyword("walrus", Scope(), 3)

    watched(folder, lambda: sync([folder], db, vectors=False), steps)


def test_a_sync_that_fails_is_told_and_tried_again(tmp_path: Path) -> None:
    folder, db = tmp_path / "texts", tmp_path / "kb"
    folder.mkdir()
    (folder / "a.md").write_text("# A\n\nThe first text.\n", encoding="utf-8")
    failures = [IndexLockedError("another process is writing")]

    def once() -> SyncReport:
        if failures:
            raise failures.pop()
        return sync([folder], db, vectors=False)

    def steps(told: queue.Queue[Freshened]) -> None:
        assert isinstance(told.get(timeout=30).error, IndexLockedError)
        again = told.get(timeout=30)
        assert again.error is None and again.report is not None and again.report.added == 1

    watched(folder, once, steps)


def test_the_last_lag_is_kept_beside_the_index(tmp_path: Path) -> None:
    (tmp_path / "default").mkdir()
    assert read_lag(tmp_path, "default") is None
    record_lag(tmp_path, "default", 1.5)
    found = read_lag(tmp_path, "default")
    assert found is not None and found[0] == 1.5
    (tmp_path / "default" / "freshness.json").write_text("[]", encoding="utf-8")
    assert read_lag(tmp_path, "default") is None
