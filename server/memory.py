"""Keeps a server's memory from creeping up with the questions that it answers.

glibc gives every thread an arena of its own, eight for each processor. Encoding leaves free pieces in all of
them, which go back to the system only when they lie at the end of one. What is large is mapped by itself and
goes back at once, until glibc has seen one freed: then it cuts blocks of up to 32 MB from an arena, too.
Elsewhere nothing is done.
"""

from __future__ import annotations

import ctypes
import sys
import threading

# From glibc's malloc.h.
_M_ARENA_MAX = -8
_M_MMAP_THRESHOLD = -3
_ARENAS = 2
_MAPPED_BYTES = 1 << 20


def bound_arenas() -> None:
    """Threads share two arenas, and blocks from 1 MB on are always mapped by themselves.

    Does something only before the process has started its first thread.
    """
    library = _glibc()
    if library is not None:
        library.mallopt(_M_ARENA_MAX, _ARENAS)
        library.mallopt(_M_MMAP_THRESHOLD, _MAPPED_BYTES)


class GiveBack:
    """Gives free memory back to the system after every so many questions."""

    def __init__(self, every: int = 32) -> None:
        self._every = every
        self._count = 0
        self._lock = threading.Lock()
        self._library = _glibc()

    def done(self) -> None:
        """A question has ended; called in the thread that answered it."""
        with self._lock:
            self._count += 1
            due = self._count % self._every == 0
        if due and self._library is not None:
            self._library.malloc_trim(0)


def _glibc() -> ctypes.CDLL | None:
    if not sys.platform.startswith("linux"):
        return None
    try:
        found = ctypes.CDLL(None)
        known = all(hasattr(found, name) for name in ("gnu_get_libc_version", "mallopt", "malloc_trim"))
    except OSError:
        return None
    return found if known else None
