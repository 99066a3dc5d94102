"""The LanceDB table of an index: opening, making, its text index, and clearing away what was replaced."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Iterable
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pincite.corpus.pointer import Pointer, damaged, pointer_path, read_pointer, tables_path
from pincite.corpus.reasons import in_words
from pincite.corpus.table import TEXT_COLUMN, added_fields, schema

if TYPE_CHECKING:
    from lancedb import DBConnection
    from lancedb.index import FTS
    from lancedb.table import Table

T = TypeVar("T")
Stamp = tuple[int, int, int]

LANCE_ERRORS = (RuntimeError, OSError, ValueError)
ATTEMPTS = 6
# About 0.1 s per keyword search.
MAX_UNINDEXED = 6_000
# Room for the text index of about 200,000 chunks, and for the descriptions of its files.
_INDEX_CACHE_BYTES = 128 << 20
_METADATA_CACHE_BYTES = 32 << 20


def text_index() -> FTS:
    """How text is cut into words for keyword search, in every language: the one place that says so.

    English endings are cut off, in documents and in queries alike, so words of other languages still meet.
    """
    from lancedb.index import FTS

    return FTS(
        base_tokenizer="icu", stem=True, language="English", remove_stop_words=False, ascii_folding=True
    )


def connect(folder: Path) -> DBConnection:
    """The tables of a tenant's folder; every query looks for a newer version first."""
    import lancedb

    # By default a connection may keep 7 GB of what it has read.
    caches = lancedb.Session(_INDEX_CACHE_BYTES, _METADATA_CACHE_BYTES)
    return lancedb.connect(str(tables_path(folder)), read_consistency_interval=timedelta(0), session=caches)


def open_table(folder: Path, name: str) -> Table:
    """The table `name`. Raises NothingUsableError when it is not there or not readable."""
    try:
        return connect(folder).open_table(name)
    except LANCE_ERRORS as error:
        raise damaged(folder, f"its table cannot be opened ({in_words(error)})") from error


def create_table(folder: Path, name: str, dimension: int | None) -> Table:
    """An empty table with its text index. `dimension` None leaves the vectors for later."""
    table = connect(folder).create_table(name, schema=schema(dimension))
    _make_indices(table)
    return table


def add_vector_column(table: Table, dimension: int) -> None:
    """Make room for vectors, in place of a column that an interrupted call had made."""
    if "vector" in table.schema.names:
        table.drop_columns(["vector"])
    table.add_columns([schema(dimension).field("vector")])


def add_missing_columns(table: Table) -> None:
    """Give a table of an earlier version the columns it lacks; they are filled as files are read again."""
    there = set(table.schema.names)
    missing = [field for field in added_fields() if field.name not in there]
    if missing:
        table.add_columns(missing)


def refresh_text_index(table: Table) -> None:
    """Take new rows into the text index once they are so many that scanning them slows searches down."""
    if any((index.num_unindexed_rows or 0) > MAX_UNINDEXED for index in table.list_indices()):
        table.optimize()


def drop_tables_except(folder: Path, keep: Iterable[str]) -> None:
    """Remove what an interrupted writer left behind, also where it is no whole table."""
    kept = {f"{name}.lance" for name in keep}
    for path in tables_path(folder).iterdir():
        if path.name not in kept and path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)


def tidy(table: Table, folder: Path, name: str) -> None:
    """Merge fragments and remove replaced and deleted text from the disk.

    Afterwards one version is left, no fragment holds a deleted row, and the text index was made from the
    rows that are there. Only for the process that holds the write lock.
    """
    data = tables_path(folder) / f"{name}.lance"
    _prune(table)
    for fragment in _fragments_with_deletions(data):
        first, behind = fragment << 32, (fragment + 1) << 32
        # compaction leaves a fragment with few deletions as it is: moving its last rows removes it
        table.update(where=f"_rowid >= {first} AND _rowid < {behind}", values_sql={"position": "position"})
    # terms of deleted rows stay in an index that is only brought up to date
    _make_indices(table)
    _prune(table)
    _prune(table)


def needs_tidying(table: Table, folder: Path, name: str) -> bool:
    """Whether anything was written since the last `tidy`, by this process or by one that was killed."""
    data = tables_path(folder) / f"{name}.lance"
    if len(table.list_versions()) > 1 or _fragments_with_deletions(data):
        return True
    return any(index.num_unindexed_rows for index in table.list_indices())


def _make_indices(table: Table) -> None:
    """The text index of keyword search, and that of keys, by which single sections are fetched.

    None of what every query asks for (`kind`): a damaged file of it would take all legs away, and the column
    is read in a few milliseconds.
    """
    from lancedb.index import BTree

    table.create_index(TEXT_COLUMN, config=text_index(), replace=True)
    table.create_index("key", config=BTree(), replace=True)


def _prune(table: Table) -> None:
    time.sleep(0.002)  # versions are told apart by milliseconds
    table.optimize(cleanup_older_than=timedelta(milliseconds=1), delete_unverified=True)


def _fragments_with_deletions(data: Path) -> list[int]:
    """Fragments of which some rows are deleted, from the names of Lance's deletion files."""
    folder = data / "_deletions"
    if not folder.is_dir():
        return []
    numbers = {path.name.partition("-")[0] for path in folder.iterdir()}
    return sorted(int(number) for number in numbers if number.isdigit())


class TableReader:
    """Asks the current table; follows the pointer, and survives that old versions are cleared away.

    When indices are made anew the table is opened anew: a connection keeps the replaced ones in memory, and
    their deleted files open, until its caches are full. Safe to use from several threads.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._open()

    @property
    def pointer(self) -> Pointer:
        """The pointer as it stands now."""
        self._follow()
        return self._pointer

    def ask(self, question: Callable[[Table], T]) -> T:
        """The answer of the newest version. Raises NothingUsableError when the index cannot be read."""
        failure: Exception | None = None
        for attempt in range(ATTEMPTS):
            table = self._follow(reopen=failure is not None)
            try:
                return question(table)
            except LANCE_ERRORS as error:
                failure = error
                if not _is_missing_file(error):
                    break
                time.sleep(0.01 * attempt)
        assert failure is not None
        raise damaged(self._folder, in_words(failure)) from failure

    def _follow(self, *, reopen: bool = False) -> Table:
        with self._lock:
            if reopen or self._stamps() != self._seen:
                self._open()
            return self._table

    def _open(self) -> None:
        # Taken before what they are of is read: a change in between is seen the next time.
        pointed = _stamp(pointer_path(self._folder))
        pointer = read_pointer(self._folder)
        indices = tables_path(self._folder) / f"{pointer.table}.lance" / "_indices"
        seen = (pointed, _stamp(indices))
        self._table = open_table(self._folder, pointer.table)
        self._pointer, self._indices, self._seen = pointer, indices, seen

    def _stamps(self) -> tuple[Stamp, Stamp]:
        return _stamp(pointer_path(self._folder)), _stamp(self._indices)


def _stamp(path: Path) -> Stamp:
    """What changes when a file is replaced, or when something is added to or removed from a folder."""
    try:
        status = path.stat()
    except OSError:
        return (0, 0, 0)
    return (status.st_ino, status.st_mtime_ns, status.st_size)


def _is_missing_file(error: Exception) -> bool:
    """A file of a version that was just cleared away, or a table that was just swapped."""
    text = str(error).lower()
    return isinstance(error, FileNotFoundError) or any(
        words in text for words in ("not found", "no such file", "does not exist")
    )
