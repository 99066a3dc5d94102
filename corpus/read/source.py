"""Getting the bytes of one file, without being led out of the folder or hung by what is no file."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from pincite.corpus.read.failure import failure

FILE_BYTES = 256 * 1024 * 1024
BLOCK = 1 << 20


def load(path: Path, root: Path | None = None, *, limit: int = FILE_BYTES) -> bytes:
    """The bytes of a regular file of at most `limit` bytes.

    Links are followed, but with `root` only to files below it. Raises `ReadError`: `outside_root`,
    `unreadable` (no file, a folder, a pipe, a device, a link to nothing or to itself), `too_large`.
    """
    real = _resolve(path, root)
    try:
        # A pipe must not even be opened, so its kind is asked first.
        _require_file(real.lstat(), limit)
        flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(real, flags)
    except OSError as error:
        raise failure("unreadable", _reason(error)) from error
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        try:
            _require_file(os.fstat(descriptor), limit)
            data = bytearray()
            while block := file.read(BLOCK):
                data += block
                if len(data) > limit:
                    raise failure("too_large", f"the file grew beyond {limit:,} bytes while it was read")
            return bytes(data)
        except OSError as error:
            raise failure("unreadable", _reason(error)) from error


def _resolve(path: Path, root: Path | None) -> Path:
    try:
        real = path.resolve(strict=True)
        base = root.resolve(strict=True) if root is not None else None
    except (OSError, RuntimeError, ValueError) as error:
        raise failure("unreadable", _reason(error)) from error
    if base is not None and not real.is_relative_to(base):
        raise failure("outside_root", "the link leads to a file outside the synced folder")
    return real


def _require_file(status: os.stat_result, limit: int) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise failure("unreadable", "this is a folder, not a file")
    if not stat.S_ISREG(status.st_mode):
        raise failure("unreadable", "this is a pipe, a device or a socket, not a file")
    if status.st_size > limit:
        raise failure("too_large", f"the file has {status.st_size:,} bytes; at most {limit:,} are read")


def _reason(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"the file cannot be opened: {error.strerror}"
    if isinstance(error, RuntimeError):
        return "the file cannot be opened: the link leads to itself"
    return "the file cannot be opened: its name is not valid here"
