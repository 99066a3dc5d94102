"""Keeps an index fresh: syncs when something below the paths changes, and measures how long that takes."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from pincite.corpus.pointer import tenant_folder
from pincite.corpus.report import SyncReport
from pincite.corpus.walk import FailedFile
from pincite.errors import PinciteError

_FILE = "freshness.json"
_SETTLE_MS = 300
_RETRY_S = 2.0


@dataclass(frozen=True, slots=True)
class Freshened:
    """One sync of a watch. `lag_s`: from the oldest change that it took in until all of it can be found.

    `lag_s` is None for the first sync, which no change set off, and when nothing came of the change for a
    search, such as a file that cannot be read. `error` says why it failed; it is tried again.
    """

    report: SyncReport | None
    error: PinciteError | None
    lag_s: float | None


def watch(
    paths: Sequence[Path],
    sync_once: Callable[[], SyncReport],
    stop: Event,
    tell: Callable[[Freshened], None],
) -> None:
    """Sync at once and then whenever something changes, until `stop` is set."""
    from watchfiles import watch as changes_of

    done = _sync(sync_once, None)
    tell(done)
    failed = done.error is not None
    since: float | None = None
    found = changes_of(
        *paths,
        stop_event=stop,
        debounce=_SETTLE_MS,
        rust_timeout=int(1000 * _RETRY_S),
        yield_on_timeout=True,
        ignore_permission_denied=True,
    )
    for batch in found:
        if not batch and not failed:
            continue
        if batch:
            oldest = _oldest(Path(path) for _, path in batch)
            since = oldest if since is None else min(since, oldest)
        done = _sync(sync_once, since)
        tell(done)
        failed = done.error is not None
        if not failed:
            since = None


def _sync(sync_once: Callable[[], SyncReport], since: float | None) -> Freshened:
    try:
        report = sync_once()
    except PinciteError as error:
        return Freshened(None, error, None)
    came = report.added + report.updated + report.removed
    return Freshened(report, None, max(0.0, time.time() - since) if since is not None and came else None)


def _oldest(paths: Iterable[Path]) -> float:
    """When the first of these changed; what is gone changed just now, and so did what was moved here long
    after it was written.
    """
    now = time.time()
    times = [now]
    for path in paths:
        with suppress(OSError):
            status = path.stat()
            # Moving a file leaves the time of its content alone.
            changed = max(status.st_mtime, status.st_ctime)
            if now - changed < 60:
                times.append(changed)
    return min(times)


class News:
    """What of a watch's syncs a person has not been told yet: a state that lasts is told once."""

    def __init__(self) -> None:
        self._error: PinciteError | None = None
        self._unreadable: set[FailedFile] = set()

    def error(self, done: Freshened) -> PinciteError | None:
        """Why the sync failed, unless the one before failed in the same way."""
        before, self._error = self._error, done.error
        same = before is not None and done.error is not None and before.to_json() == done.error.to_json()
        return None if same else done.error

    def unreadable(self, done: Freshened) -> list[FailedFile]:
        """The files that cannot be read, without those of which that was said before."""
        if done.report is None:
            return []
        failed = set(done.report.failed)
        new = sorted(failed - self._unreadable, key=lambda file: file.file)
        self._unreadable = failed
        return new


def record_lag(db: Path, tenant: str, lag_s: float) -> None:
    """Keep the last lag beside the index, for `read_lag`."""
    folder = tenant_folder(db, tenant)
    with suppress(OSError):
        fresh = folder / f"{_FILE}.new"
        fresh.write_text(json.dumps({"lag_s": round(lag_s, 3), "at": time.time()}), encoding="utf-8")
        fresh.replace(folder / _FILE)


def read_lag(db: Path, tenant: str) -> tuple[float, float] | None:
    """(seconds of lag, when it was measured in seconds since 1970) of the last watched change."""
    try:
        found = json.loads((tenant_folder(db, tenant) / _FILE).read_text(encoding="utf-8"))
        return float(found["lag_s"]), float(found["at"])
    except (OSError, ValueError, TypeError, KeyError):
        return None
