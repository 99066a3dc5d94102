"""Which folder a path to sync belongs to, and what its documents' ids begin with.

A synced folder becomes a root. A path below a root is a part of that root, so that a document has one id
however it was named. A file synced by itself belongs to a loose root, its folder, of which only files
that were named are looked at. A folder synced above older roots takes their documents over.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pincite.corpus.pointer import Root
from pincite.errors import NothingUsableError, UsageError


@dataclass(frozen=True, slots=True)
class Selection:
    """A part of a root: everything below `below` ("" for all of it), or the one file it names."""

    root: Root
    below: str
    missing: bool = False

    @property
    def path(self) -> Path:
        """Where it lies."""
        return Path(self.root.path, self.below)

    @property
    def is_file(self) -> bool:
        """Whether one file was named."""
        return self.below != "" and self.path.is_file()

    def holds(self, root: str, file: str) -> bool:
        """Whether the document `file` of the root named `root` is part of this."""
        return root == self.root.name and is_below(file, self.below)


@dataclass(frozen=True, slots=True)
class Selected:
    """What a call to sync names: all roots from now on, the parts to look at, the roots taken over."""

    roots: tuple[Root, ...]
    selections: tuple[Selection, ...]
    absorbed: tuple[Root, ...]


def is_below(file: str, folder: str) -> bool:
    """Whether the relative path `file` is `folder` or lies in it."""
    return folder in {"", file} or file.startswith(folder + "/")


def select(
    paths: Iterable[Path],
    roots: Sequence[Root],
    *,
    groups: Sequence[str] = (),
    public: bool = False,
    allow_missing: bool = False,
) -> Selected:
    """Find or make the root of each path. Raises NothingUsableError (`missing_root`).

    `groups`, when there are any, are from now on those of everything below the paths; `public` takes
    groups away.
    """
    if groups and public:
        raise UsageError("--public and --group contradict each other", hint="name one of the two")
    known = {root.name: root for root in roots}
    absorbed: dict[str, Root] = {}
    chosen: list[Selection] = []
    for path in sorted({_absolute(path) for path in paths}):
        selection = _select_one(path, list(known.values()))
        if selection.missing and (not allow_missing or selection.root.name not in known):
            raise NothingUsableError(
                f"there is no {path}",
                code="missing_root",
                hint="check the path; to remove its documents from the index, add --allow-empty",
            )
        root = selection.root
        if not root.loose and selection.below == "":
            inside = [r for r in known.values() if r.name != root.name and _within(r.path, root.path)]
            absorbed.update((r.name, r) for r in inside)
        if groups or public:
            root = root.with_groups(selection.below, () if public else groups)
        known[root.name] = root
        chosen.append(selection)
    latest = [Selection(known[s.root.name], s.below, s.missing) for s in chosen]
    kept = [s for s in latest if s.root.name not in absorbed]
    return Selected(tuple(known.values()), tuple(_outermost(kept)), tuple(absorbed.values()))


def _select_one(path: Path, roots: Sequence[Root]) -> Selection:
    missing = not path.exists()
    holders = [root for root in roots if not root.loose and _within(str(path), root.path)]
    if holders:
        root = max(holders, key=lambda root: len(root.path))
        return Selection(root, _below(path, root), missing)
    folder = path if path.is_dir() else path.parent
    loose = folder != path
    for root in roots:
        if root.path == str(folder):
            whole = root if loose else root.model_copy(update={"loose": False})
            return Selection(whole, _below(path, root), missing)
    root = Root(name=_free_name(folder.name or "root", roots), path=str(folder), loose=loose)
    return Selection(root, _below(path, root), missing)


def _free_name(name: str, roots: Sequence[Root]) -> str:
    taken = {root.name for root in roots}
    number = 1
    free = name = readable(name)
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    return free


def readable(name: str) -> str:
    """A file name that UTF-8 can hold: undecodable bytes are written as \\xNN."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _outermost(selections: Sequence[Selection]) -> list[Selection]:
    """Without the parts that another one includes."""
    kept: list[Selection] = []
    for selection in sorted(selections, key=lambda s: (s.root.name, s.below)):
        if not any(other.holds(selection.root.name, selection.below) for other in kept):
            kept.append(selection)
    return kept


def _absolute(path: Path) -> Path:
    return Path(os.path.normpath(path.expanduser().absolute()))


def _within(path: str, folder: str) -> bool:
    return Path(path).is_relative_to(folder)


def _below(path: Path, root: Root) -> str:
    relative = path.relative_to(root.path).as_posix()
    return "" if relative == "." else relative
