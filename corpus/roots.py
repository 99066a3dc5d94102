"""Which folder a path to sync belongs to, and what its documents' ids begin with.

A synced folder becomes a root. A path below a root is a part of that root, so that a document has one id
however it was named. A file synced by itself belongs to a loose root, its folder, of which only files
that were named are looked at. A folder synced above older roots takes their documents over.

A folder is one root under whatever name it is reached: links on the way to it are followed before it is
compared with the roots that are known. A root keeps the name and the path under which it came first.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pincite.corpus.pointer import Root, index_around
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
    """Find or make the root of each path. Raises NothingUsableError.

    `groups`, when there are any, are from now on those of everything below the paths; `public` takes
    groups away.
    """
    if groups and public:
        raise UsageError("--public and --group contradict each other", hint="name one of the two")
    if any(not group.strip() for group in groups):
        raise UsageError("a group's name is empty", hint="name the group, or leave --group out")
    known = {root.name: root for root in roots}
    absorbed: dict[str, Root] = {}
    chosen: list[Selection] = []
    for path in sorted({_absolute(path) for path in paths}):
        _require_documents(path)
        selection = _select_one(path, list(known.values()))
        if selection.missing and (not allow_missing or selection.root.name not in known):
            raise NothingUsableError(
                f"there is no {path}",
                code="missing_root",
                hint="check the path; to remove its documents from the index, add --allow-empty",
            )
        root = selection.root
        if not root.loose and selection.below == "":
            others = (r for r in known.values() if r.name != root.name)
            inside = [r for r in others if below(r.path, root.path) is not None]
            absorbed.update((r.name, r) for r in inside)
        if groups or public:
            root = root.with_groups(selection.below, () if public else groups)
        known[root.name] = root
        chosen.append(selection)
    latest = [Selection(known[s.root.name], s.below, s.missing) for s in chosen]
    kept = [s for s in latest if s.root.name not in absorbed]
    return Selected(tuple(known.values()), tuple(_outermost(kept)), tuple(absorbed.values()))


def _require_documents(path: Path) -> None:
    """Refuse what cannot hold documents; what is not there is for the caller to judge."""
    mode = _mode(path)
    if mode is not None and not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise NothingUsableError(
            f"{path} is neither a file nor a folder",
            code="not_a_file",
            hint="save what it gives to a file, and sync that",
        )
    index = index_around(Path(_real(path)))
    if index is not None:
        raise NothingUsableError(
            f"{path} holds an index, no documents",
            code="is_index",
            hint="name the folder of your documents; the index is named with --db",
        )


def _select_one(path: Path, roots: Sequence[Root]) -> Selection:
    missing = _mode(path) is None
    real = _real(path)
    holders = [root for root in roots if not root.loose and below(real, root.path) is not None]
    if holders:
        root = max(holders, key=lambda root: len(root.path))
        return Selection(root, _below(real, root), missing)
    folder = path if _is_folder(path) else path.parent
    loose = folder != path
    for root in roots:
        if _real(Path(root.path)) == _real(folder):
            whole = root if loose else root.model_copy(update={"loose": False})
            return Selection(whole, _below(real, root), missing)
    root = Root(name=_free_name(folder.name or "root", roots), path=str(folder), loose=loose)
    return Selection(root, _below(real, root), missing)


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


def _mode(path: Path) -> int | None:
    """What kind of thing it is; None where there is nothing. Raises NothingUsableError."""
    try:
        return path.stat().st_mode
    except PermissionError as error:
        raise NothingUsableError(
            f"{path} cannot be reached: {error.strerror}",
            code="unreadable_root",
            hint="check the permissions of the folders above it",
        ) from error
    except (OSError, ValueError):
        return None


def _is_folder(path: Path) -> bool:
    return stat.S_ISDIR(_mode(path) or 0)


def _real(path: Path) -> str:
    """Where a path leads: all links are followed, but a link to a file stands for itself."""
    if _is_folder(path):
        return os.path.realpath(path)
    return str(Path(os.path.realpath(path.parent), path.name))


def below(path: str, folder: str) -> str | None:
    """`path` relative to `folder` ("" for the folder itself), links followed; None when it is not in it."""
    try:
        relative = Path(_real(Path(path))).relative_to(_real(Path(folder))).as_posix()
    except ValueError:
        return None
    return "" if relative == "." else relative


def _below(path: str, root: Root) -> str:
    found = below(path, root.path)
    assert found is not None
    return found
