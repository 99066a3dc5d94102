"""`serve --sync`: a thread that keeps the index up to date while the server answers."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pincite.corpus.report import SyncReport
from pincite.corpus.watching import Freshened, News, record_lag, watch
from pincite.server.web.running import Site

log = logging.getLogger(__name__)


@contextmanager
def kept_fresh(site: Site, paths: Sequence[Path], sync_once: Callable[[], SyncReport]) -> Iterator[None]:
    """Watch the paths meanwhile; with none, nothing happens."""
    if not paths:
        yield
        return
    stop = threading.Event()
    news = News()

    def tell(done: Freshened) -> None:
        site.metrics.syncs.labels("error" if done.error else "ok").inc()
        if (error := news.error(done)) is not None:
            log.warning("the sync failed: %s", error.message)
        for failed in news.unreadable(done):
            log.warning("%s cannot be read: %s", failed.file, failed.message)
        if done.lag_s is not None:
            site.metrics.lag.set(done.lag_s)
            record_lag(site.serving.db, site.access.tenant, done.lag_s)

    thread = threading.Thread(
        target=watch, args=(paths, sync_once, stop, tell), daemon=True, name="pincite-sync"
    )
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(5)
