"""`current.json`: which table of a tenant's folder counts, and what the index knows about itself.

<db>/<tenant>/current.json    this pointer, replaced in one step
<db>/<tenant>/lance/          the tables; those the pointer does not name are leftovers
<db>/<tenant>/lock, writer    held, and described, by the one process that writes
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pincite.corpus.encoder_spec import EncoderSpec
from pincite.errors import NoIndexError, NothingUsableError, UsageError

FORMAT = 1
_NO_INDEX = "there is no index"
TENANT_NAME = re.compile(r"[a-z0-9_-]{1,64}")
DEFAULT_TENANT = "default"


class Root(BaseModel):
    """A synced folder: the first part of its documents' ids, its absolute path, who may see what is in it.

    `groups` holds what was said for parts of it, by path below the root ("" for all of it); the longest
    path that fits counts. `loose`: only single files of it were synced.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    path: str
    loose: bool = False
    groups: dict[str, tuple[str, ...]] = Field(default_factory=dict)

    def groups_of(self, file: str) -> tuple[str, ...]:
        """The groups of the document at `file`, a path below the root; none means everyone."""
        fitting = [part for part in self.groups if part in {"", file} or file.startswith(part + "/")]
        return self.groups[max(fitting, key=len)] if fitting else ()

    def with_groups(self, part: str, groups: Iterable[str]) -> Root:
        """The root after `groups` were given to everything below `part`."""
        kept = {
            other: said
            for other, said in self.groups.items()
            if part not in {"", other} and not other.startswith(part + "/")
        }
        return self.model_copy(update={"groups": {**kept, part: tuple(sorted(set(groups)))}})


class Pointer(BaseModel):
    """What `current.json` holds. `forgotten`: ids of documents that a sync must not bring back."""

    model_config = ConfigDict(frozen=True)

    format: int = FORMAT
    table: str = Field(pattern=r"^[a-z0-9_]+$")
    encoder: EncoderSpec | None = None
    roots: tuple[Root, ...] = ()
    forgotten: tuple[str, ...] = ()
    created: datetime = Field(default_factory=lambda: datetime.now(UTC))


def tenant_folder(db: Path, tenant: str) -> Path:
    """Where a tenant's index lives. Raises UsageError for a name that is not [a-z0-9_-]{1,64}, and
    NoIndexError when `db` is a file.
    """
    if not TENANT_NAME.fullmatch(tenant):
        raise UsageError(
            f"not a tenant's name: {tenant[:80]!r}", hint="use up to 64 of: a-z, 0-9, '-' and '_'"
        )
    if _is_no_folder(db):
        raise NoIndexError(
            f"{db} is a file, and an index is a folder",
            told="there is a file where the index should be",
            code="not_a_folder",
            hint="name the index's folder, or a new one, with --db",
        )
    return db / tenant


def _is_no_folder(path: Path) -> bool:
    try:
        return path.exists() and not path.is_dir()
    except OSError:
        return False


def pointer_path(folder: Path) -> Path:
    """The pointer's file in a tenant's folder."""
    return folder / "current.json"


def tables_path(folder: Path) -> Path:
    """The folder of LanceDB tables in a tenant's folder."""
    return folder / "lance"


def is_index(folder: Path) -> bool:
    """Whether this is a tenant's folder of some index, also of one that has lost its pointer."""
    marks = (pointer_path(folder), folder / "writer")
    try:
        return tables_path(folder).is_dir() and any(mark.is_file() for mark in marks)
    except OSError:
        return False


def index_around(path: Path) -> Path | None:
    """The index that `path` is, lies in, or consists of; None for a place where documents can be."""
    for folder in (path, *path.parents):
        if is_index(folder):
            return folder
    try:
        below = [entry for entry in path.iterdir() if not entry.name.startswith(".")]
    except OSError:
        return None
    return path if below and all(is_index(entry) for entry in below) else None


def read_pointer(folder: Path) -> Pointer:
    """The pointer of a tenant's folder. Raises NoIndexError or NothingUsableError."""
    path = pointer_path(folder)
    try:
        raw = json.loads(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        if _holds_rows(folder):
            raise _lost(folder, f"{path.name} is missing") from None
        raise _no_index(folder) from None
    except OSError as error:
        raise NothingUsableError(
            f"the index cannot be read: {path}: {error.strerror or error}",
            told="the index cannot be read",
            code="index_unreadable",
            hint="check that the folder belongs to you and can be read",
        ) from error
    except (ValueError, RecursionError) as error:
        raise _lost(folder, f"{path.name} is not JSON") from error
    number = raw.get("format") if isinstance(raw, dict) else None
    if isinstance(number, int) and number > FORMAT:
        raise NothingUsableError(
            f"the index at {folder} comes from a newer pincite (format {number}, this one reads {FORMAT})",
            told="the index comes from a newer pincite",
            code="newer_format",
            hint="upgrade pincite, or name another --db",
        )
    try:
        return Pointer.model_validate(raw)
    except ValidationError as error:
        raise _lost(folder, f"{path.name} does not describe an index") from error


def write_pointer(folder: Path, pointer: Pointer) -> None:
    """Replace the pointer in one step; it is on disk when this returns."""
    path = pointer_path(folder)
    beside = path.with_suffix(".new")
    with beside.open("wb") as file:
        file.write(pointer.model_dump_json(indent=1).encode())
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    with contextlib.suppress(OSError):  # not every file system lets a folder be synced
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def damaged(folder: Path, what: str) -> NothingUsableError:
    """The error for an index whose files are not as they were written."""
    return NothingUsableError(
        f"the index at {folder} is damaged: {what}",
        code="index_damaged",
        hint=f"move {folder} away and sync again",
        told="the index is damaged",
    )


def _lost(folder: Path, what: str) -> NothingUsableError:
    """The error for a pointer that cannot be used: it alone knew the folders and who may see them."""
    return NothingUsableError(
        f"the index at {folder} is damaged: {what}",
        code="index_damaged",
        told="the index is damaged",
        hint=f"restore that file, or move {folder} away and sync every folder again with its --group",
    )


def _holds_rows(folder: Path) -> bool:
    """Whether anything was written to a table: not so when the index was only about to be made."""
    try:
        return any(tables_path(folder).glob("*.lance/data/*"))
    except OSError:
        return False


def _no_index(folder: Path) -> NoIndexError:
    db, tenant = folder.parent, folder.name
    others: tuple[str, ...] = ()
    with contextlib.suppress(OSError):
        others = tuple(sorted(p.name for p in db.iterdir() if pointer_path(p).is_file()))
    if others and tenant not in others:
        return NoIndexError(
            f"no index for tenant {tenant!r} at {db}", hint="name one of those", near=others, told=_NO_INDEX
        )
    hint = "make one with: pincite sync PATH --db DIR"
    return NoIndexError(f"no index at {db}", hint=hint, told=_NO_INDEX)
