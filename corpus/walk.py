"""The files below what was named, in order, and what the folders say about them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pincite.corpus.metadata import FILE_NAME, BadMetadataError, Entry, Listed, merge, read_entries
from pincite.corpus.pointer import Root, is_index
from pincite.corpus.read.kinds import BY_SUFFIX
from pincite.corpus.roots import Selection, is_below, readable
from pincite.errors import ReadError

_NOTHING = Listed({}, {})
_DOCUMENTS = frozenset({".txt", *BY_SUFFIX})


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to be read. `file` is its path below the root, `id` what its document is called."""

    path: Path
    root: Root
    file: str
    size: int
    mtime_ns: int

    @property
    def id(self) -> str:
        """The document's id."""
        return f"{self.root.name}/{self.file}"

    @property
    def root_path(self) -> Path:
        """The folder that reading must not leave."""
        return Path(self.root.path)


@dataclass(frozen=True, slots=True)
class FailedFile:
    """A file that sync could not use: its document's id, a stable code, one line."""

    file: str
    code: str
    message: str


@dataclass(slots=True)
class Walk:
    """What was found. `unseen`: folders that could not be listed, as (root name, path below it)."""

    files: list[SourceFile] = field(default_factory=list)
    failed: list[FailedFile] = field(default_factory=list)
    unseen: list[tuple[str, str]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    _entries: dict[tuple[str, str], Listed | None] = field(default_factory=dict)

    def entry(self, file: SourceFile) -> tuple[Entry | None, bool]:
        """What the folders above a file say about it, and whether all of them could be understood."""
        said: Entry | None = None
        understood = True
        for folder in _folders_above(file.file):
            listed = self._entries.get((file.root.name, folder), _NOTHING)
            below = file.file[len(folder) + 1 :] if folder else file.file
            if listed is None or below in listed.wrong:
                understood = False
                continue
            said = merge(said, listed.entries.get(below))
        return said, understood

    def hides(self, root: str, file: str) -> bool:
        """Whether a document may still be there, in a folder that could not be listed."""
        return any(root == name and is_below(file, folder) for name, folder in self.unseen)

    def read_entries(self, root: Root, folder: str) -> None:
        """Take in a folder's `documents.toml`, if there is one."""
        path = Path(root.path, folder, FILE_NAME)
        key = (root.name, folder)
        if key in self._entries or not os.path.lexists(path):
            return
        name = f"{root.name}/{folder}/{FILE_NAME}" if folder else f"{root.name}/{FILE_NAME}"
        self._entries[key] = None
        try:
            listed = self._entries[key] = read_entries(path, Path(root.path))
        except BadMetadataError as error:
            self.failed.append(FailedFile(name, "bad_metadata", str(error)))
        except ReadError as error:
            self.failed.append(FailedFile(name, error.code, error.message))
        else:
            self.warnings += [f"{name}: {remark}" for remark in listed.remarks]
            self.failed += [
                FailedFile(name, "bad_metadata", f"{problem}; this entry is not applied")
                for problem in listed.wrong.values()
            ]
            for file in listed.entries:
                if not Path(root.path, folder, file).exists():
                    self.warnings.append(f"{name} names a file that is not there: {file}")


def walk(selections: tuple[Selection, ...], db: Path) -> Walk:
    """Look through the selections, by path. Leaves out hidden files, Office's lock files and every index.

    Links to folders are not followed: what they lead to is synced by naming it.
    """
    found = Walk()
    own = os.path.realpath(db)
    for selection in selections:
        if selection.missing:
            continue
        for folder in _folders_above(selection.below):
            found.read_entries(selection.root, folder)
        if selection.is_file:
            path = selection.path
            found.files.append(_source(path, selection.root, selection.below))
        else:
            _walk_folder(selection, own, found)
    return found


def _walk_folder(selection: Selection, own: str, found: Walk) -> None:
    root = selection.root
    pending = [selection.path]
    while pending:
        folder = pending.pop()
        below = _readable_below(folder, root)
        found.read_entries(root, below)
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            reason = f"the folder cannot be listed: {error.strerror or error}"
            found.failed.append(FailedFile(f"{root.name}/{below}", "unreadable", reason))
            found.unseen.append((root.name, below))
            continue
        folders = []
        for entry in entries:
            if entry.name.startswith((".", "~$")) or entry.name == FILE_NAME:
                continue
            path = Path(entry.path)
            if entry.is_dir(follow_symlinks=False):
                if os.path.realpath(path) == own:
                    continue
                if is_index(path):
                    name = f"{root.name}/{_readable_below(path, root)}"
                    found.warnings.append(f"an index is not read as documents: {name}")
                elif _empty_in_place_of_a_file(path):
                    name = f"{root.name}/{_readable_below(path, root)}"
                    found.failed.append(FailedFile(name, "unreadable", "it is an empty folder, not a file"))
                else:
                    folders.append(path)
            elif path.is_dir():
                found.warnings.append(
                    f"a link to a folder is not followed: {root.name}/{_readable_below(path, root)}"
                )
            else:
                found.files.append(_source(path, root, _readable_below(path, root)))
        pending += reversed(folders)


def _empty_in_place_of_a_file(path: Path) -> bool:
    """Whether a folder is called like a document and holds nothing: most likely a failed copy."""
    if path.suffix.lower() not in _DOCUMENTS:
        return False
    try:
        with os.scandir(path) as entries:
            return next(entries, None) is None
    except OSError:
        return False


def _source(path: Path, root: Root, file: str) -> SourceFile:
    try:
        status = path.stat()
    except OSError:
        return SourceFile(path, root, file, -1, -1)
    return SourceFile(path, root, file, status.st_size, status.st_mtime_ns)


def _readable_below(path: Path, root: Root) -> str:
    relative = path.relative_to(root.path).as_posix()
    return "" if relative == "." else readable(relative)


def _folders_above(file: str) -> Iterator[str]:
    """The root ("") and every folder on the way to `file`, from the top."""
    yield ""
    parts = file.split("/")
    for count in range(1, len(parts)):
        yield "/".join(parts[:count])
