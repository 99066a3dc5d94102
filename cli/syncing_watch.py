"""`pincite sync --watch`: one line for each sync, until Ctrl-C."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event

from pincite.cli.options import Setup
from pincite.cli.terminal import Page, complain, counted, print_json, spelled
from pincite.corpus.report import SyncReport
from pincite.corpus.watching import Freshened, News, record_lag, watch


def keep_syncing(setup: Setup, folders: Sequence[Path], once: Callable[[], SyncReport]) -> int:
    """Sync now and after every change. Raises what the first sync raises."""
    first = True
    news = News()

    def tell(done: Freshened) -> None:
        nonlocal first
        if done.error is not None:
            if first:
                raise done.error
            if (error := news.error(done)) is not None:
                complain(error)
            return
        news.error(done)
        first = False
        assert done.report is not None
        if done.lag_s is not None:
            record_lag(setup.settings.db, setup.settings.tenant, done.lag_s)
        if setup.as_json:
            print_json({**done.report.to_json(), "lag_seconds": done.lag_s})
        else:
            Page().line(_line(done.report, done.lag_s))
            for failed in news.unreadable(done):
                Page().line(f"{spelled(failed.file)}: {spelled(failed.message)} ({failed.code})", indent=2)
        sys.stdout.flush()

    try:
        watch(folders, once, Event(), tell)
    except KeyboardInterrupt:
        return 0
    return 0


def _line(report: SyncReport, lag_s: float | None) -> str:
    counts = (
        f"{report.added} added, {report.updated} updated, {report.removed} removed, "
        f"{len(report.failed)} unreadable; {counted(report.documents, 'document')}"
    )
    return counts if lag_s is None else f"{counts}; searchable {lag_s:.1f} s after the change"
