"""Watched folders: what changes is found soon after, and how soon is measured."""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path

from pincite.corpus.index import Index
from pincite.corpus.report import SyncReport
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync
from pincite.corpus.walk import FailedFile
from pincite.corpus.watching import Freshened, News, read_lag, record_lag, watch
from pincite.errors import IndexLockedError, NothingUsableError


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


def test_the_lag_of_a_renamed_file_counts_from_its_renaming(tmp_path: Path) -> None:
    folder, db = tmp_path / "texts", tmp_path / "kb"
    folder.mkdir()
    file = folder / "a.md"
    file.write_text("# A\n\nThe first text.\n", encoding="utf-8")
    written = time.time() - 40
    os.utime(file, (written, written))

    def steps(told: queue.Queue[Freshened]) -> None:
        told.get(timeout=30)
        file.rename(folder / "b.md")
        renamed = told.get(timeout=30)
        assert renamed.report is not None and renamed.report.added == 1
        assert renamed.lag_s is not None and renamed.lag_s < 30

    watched(folder, lambda: sync([folder], db, vectors=False), steps)


def test_a_change_of_which_nothing_came_has_no_lag(tmp_path: Path) -> None:
    folder, db = tmp_path / "texts", tmp_path / "kb"
    folder.mkdir()
    (folder / "a.md").write_text("# A\n\nThe first text.\n", encoding="utf-8")

    def steps(told: queue.Queue[Freshened]) -> None:
        told.get(timeout=30)
        (folder / "b.pdf").write_bytes(b"no pdf \x00\xff")
        done = told.get(timeout=30)
        assert done.report is not None and [one.file for one in done.report.failed] == ["texts/b.pdf"]
        assert done.lag_s is None

    watched(folder, lambda: sync([folder], db, vectors=False), steps)


def test_what_lasts_is_news_once() -> None:
    news, away = News(), NothingUsableError("the folder is away", code="missing_root")
    failed = [FailedFile("texts/b.pdf", "damaged", "it is none")]
    wrong = Freshened(None, away, None)
    assert [news.error(wrong), news.error(wrong)] == [away, None]
    well = Freshened(SyncReport(failed=failed), None, None)
    assert (news.error(well), news.error(wrong)) == (None, away)
    assert [news.unreadable(well), news.unreadable(wrong), news.unreadable(well)] == [failed, [], []]
    mended = Freshened(SyncReport(), None, None)
    assert [news.unreadable(mended), news.unreadable(well)] == [[], failed]
