"""Fails when the wheel lacks a file of a room that the program reads, or claims a second top-level name."""

from __future__ import annotations

import sys
from pathlib import Path
from zipfile import ZipFile

ROOMS = ("agent", "cli", "corpus", "evals", "prompts", "server", "tools", "transcripts")
NOT_SHIPPED = {"transcripts/golden", "evals/data"}


def main(wheel: str) -> None:
    """Compare the checkout with the wheel at this path."""
    root = Path(__file__).resolve().parent.parent
    names = set(ZipFile(wheel).namelist())
    top = {name.split("/")[0] for name in names} - {"pincite"}
    if strangers := [name for name in top if not name.startswith("pincite-")]:
        sys.exit(f"the wheel claims other top-level names: {strangers}")
    wanted = {"pincite/py.typed", "pincite/__main__.py", "pincite/errors.py"}
    for room in ROOMS:
        for file in (root / room).rglob("*"):
            name = file.relative_to(root).as_posix()
            if (
                file.is_file()
                and "__pycache__" not in name
                and not any(name.startswith(part) for part in NOT_SHIPPED)
            ):
                wanted.add(f"pincite/{name}")
    if missing := sorted(wanted - names):
        sys.exit(f"the wheel lacks {missing}")
    print(f"the wheel holds all {len(wanted)} files of the rooms")


main(sys.argv[1])
