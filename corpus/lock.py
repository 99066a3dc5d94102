"""One writer at a time: the lock of a tenant's folder, and who holds it."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from pincite.corpus.pointer import TENANT_NAME, damaged, pointer_path, tables_path
from pincite.corpus.reasons import in_words
from pincite.corpus.store import LANCE_ERRORS
from pincite.errors import IndexLockedError, NothingUsableError, PinciteError


@contextlib.contextmanager
def write_lock(folder: Path, doing: str, *, create: bool = False) -> Iterator[None]:
    """Hold the only right to write below `folder`; `doing` is a word such as "sync" that others are told.

    With `create` the folder is made first. Raises IndexLockedError at once when another process holds it,
    NothingUsableError when the folder cannot be written or belongs to something else.
    """
    from filelock import FileLock, Timeout

    if create:
        _make(folder)
    lock = FileLock(folder / "lock", blocking=False, mode=0o644)
    try:
        lock.acquire()
    except Timeout:
        raise IndexLockedError(
            f"another process is writing this index ({_holder(folder)})",
            hint="wait until it has ended, then try again",
        ) from None
    except (OSError, NotImplementedError) as error:
        raise _unwritable(folder, error) from error
    try:
        with contextlib.suppress(OSError):  # only for the message above
            started = datetime.now().astimezone().isoformat(timespec="seconds")
            holder = {"pid": os.getpid(), "doing": doing, "since": started}
            (folder / "writer").write_text(json.dumps(holder), encoding="utf-8")
        yield
    finally:
        lock.release()


@contextlib.contextmanager
def engine_errors(folder: Path) -> Iterator[None]:
    """What the engine and the disk raise while a table is written, as one kind of error."""
    try:
        yield
    except (PinciteError, BrokenPipeError):  # the latter comes from telling how far it is
        raise
    except OSError as error:
        raise _unwritable(folder, error) from error
    except LANCE_ERRORS as error:
        raise damaged(folder, in_words(error)) from error


def _make(folder: Path) -> None:
    """Make the tenant's folder, unless its parent holds something that is no index."""
    db = folder.parent
    try:
        strangers = [path for path in db.iterdir() if not _belongs(path)] if db.exists() else []
        if strangers:
            raise NothingUsableError(
                f"{db} holds something else than an index ({strangers[0].name[:80]!r})",
                code="foreign_folder",
                hint="name an empty or new folder with --db",
            )
        tables_path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(folder, error) from error


def _belongs(path: Path) -> bool:
    if path.name.startswith("."):
        return True
    if not TENANT_NAME.fullmatch(path.name) or not path.is_dir():
        return False
    marks = (pointer_path(path), tables_path(path), path / "lock", path / "sessions")
    return any(mark.exists() for mark in marks) or not any(path.iterdir())


def _holder(folder: Path) -> str:
    try:
        holder = json.loads((folder / "writer").read_bytes())
        return f"{holder['doing']}, process {holder['pid']}, since {holder['since']}"
    except (OSError, ValueError, KeyError, TypeError):
        return "it has only just begun"


def _unwritable(folder: Path, error: Exception) -> NothingUsableError:
    reason = in_words(error, "the system refuses")
    return NothingUsableError(
        f"the index at {folder} cannot be written: {reason}",
        code="index_unwritable",
        hint="check the folder's permissions and the space left on the disk",
    )
