"""An index opened for writing: the lock is held, leftovers are gone, the table is there."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.corpus.lock import engine_errors, write_lock
from pincite.corpus.pointer import Pointer, read_pointer, write_pointer
from pincite.corpus.store import (
    add_missing_columns,
    create_table,
    drop_tables_except,
    needs_tidying,
    open_table,
    tidy,
)
from pincite.errors import NoIndexError

if TYPE_CHECKING:
    from lancedb.table import Table


@dataclass(slots=True)
class Writing:
    """What the one writer works on."""

    folder: Path
    pointer: Pointer
    table: Table

    def update(self, **changes: object) -> None:
        """Change the pointer, on disk too, when that makes a difference."""
        pointer = self.pointer.model_copy(update=changes)
        if pointer != self.pointer:
            with engine_errors(self.folder):
                write_pointer(self.folder, pointer)
            self.pointer = pointer

    def tidy(self) -> None:
        """Clear away replaced and removed text, unless nothing was written since the last time."""
        with engine_errors(self.folder):
            if needs_tidying(self.table, self.folder, self.pointer.table):
                tidy(self.table, self.folder, self.pointer.table)


@contextlib.contextmanager
def open_for_writing(folder: Path, doing: str, *, create: bool = False) -> Iterator[Writing]:
    """Lock a tenant's index and open it; with `create` an empty one is made where there is none.

    Raises IndexLockedError, NoIndexError, NothingUsableError.
    """
    if not create:
        read_pointer(folder)
    with write_lock(folder, doing, create=create):
        try:
            pointer = read_pointer(folder)
        except NoIndexError:
            pointer = _make(folder)
        with engine_errors(folder):
            drop_tables_except(folder, [pointer.table])
        table = open_table(folder, pointer.table)
        with engine_errors(folder):
            add_missing_columns(table)
        yield Writing(folder, pointer, table)


def new_table_name() -> str:
    """A name that no table has."""
    return f"t{secrets.token_hex(6)}"


def _make(folder: Path) -> Pointer:
    pointer = Pointer(table=new_table_name())
    with engine_errors(folder):
        drop_tables_except(folder, [])
        create_table(folder, pointer.table, None)
        write_pointer(folder, pointer)
    return pointer
