"""Writes what a command makes into the file that its user names, and over nothing that it did not make."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import click

from pincite.errors import NothingUsableError, UsageError

# What an earlier file of the same kind begins with as this one does: "<!doctyp", '{"resour'.
_ALIKE = 8
_PAGE, _OURS = "<!doctype", b'<meta name="generator" content="pincite">'
_HEAD = 1024


def write_output(file: Path, text: str) -> None:
    """Write a file that only its owner can read, or print it for "-".

    A file that is there already is replaced when it was made by the same kind of command, and left alone
    otherwise: UsageError. NothingUsableError when it cannot be written.
    """
    if str(file) == "-":
        click.echo(text)
        return
    require_replaceable(file, text)
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(text)
    except OSError as error:
        raise _unwritable(file, error.strerror or str(error)) from error


def require_replaceable(file: Path, text: str) -> None:
    """UsageError when the file is there and is no earlier one of the kind that begins as `text` does.

    NothingUsableError when it cannot be written.
    """
    head = _head(file)
    if not os.access(file if file.exists() else file.absolute().parent, os.W_OK):
        raise _unwritable(file, "it is read-only or its folder is not there")
    if not head:
        return
    same = head.startswith(text[:_ALIKE].encode("utf-8"))
    if text.startswith(_PAGE):
        same = same and _OURS in head
    if not same:
        raise UsageError(
            f"{file} is there already and was not made by this command",
            code="output_exists",
            hint="name another file, or move that one away",
        )


def _head(file: Path) -> bytes:
    """What a file begins with; nothing of a pipe or a terminal, which hold nothing that could be lost."""
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            return b""
        with file.open("rb") as there:
            return there.read(_HEAD)
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise _unwritable(file, error.strerror or str(error)) from error


def _unwritable(file: Path, why: str) -> NothingUsableError:
    return NothingUsableError(
        f"{file} cannot be written: {why}",
        code="output_unwritable",
        hint="name another file",
    )
