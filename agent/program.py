"""Which program ran: a hash of each room's code, and the state of its checkout when it runs from one."""

from __future__ import annotations

import hashlib
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pincite

_DIGITS = 16
_GIT_SECONDS = 2.0


@cache
def code_hashes() -> dict[str, str]:
    """The first 16 hex digits of a SHA-256 over the code of each room, by its name."""
    package = Path(str(pincite.__file__)).parent
    rooms = {folder.name: folder for folder in package.iterdir() if (folder / "__init__.py").is_file()}
    return {name: _folder_hash(rooms[name]) for name in sorted(rooms)}


@cache
def git_state() -> dict[str, Any] | None:
    """{commit, changed} of the checkout that this program runs from; None for an installed one."""
    root = Path(str(pincite.__file__)).resolve().parents[2]
    if not (root / ".git").exists() or not (root / "src" / "pincite").is_dir():
        return None
    commit = _git(root, "rev-parse", "HEAD")
    changed = _git(root, "status", "--porcelain", "--untracked-files=no")
    return None if commit is None else {"commit": commit, "changed": bool(changed)}


def _folder_hash(folder: Path) -> str:
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*.py")):
        data = file.read_bytes()
        digest.update(f"{file.relative_to(folder).as_posix()} {len(data)}\n".encode())
        digest.update(data)
    return digest.hexdigest()[:_DIGITS]


def _git(root: Path, *arguments: str) -> str | None:
    try:
        run = subprocess.run(  # noqa: S603 - fixed arguments
            ["git", "-C", str(root), *arguments],  # noqa: S607 - the git that is on the path
            capture_output=True,
            text=True,
            timeout=_GIT_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return run.stdout.strip()
