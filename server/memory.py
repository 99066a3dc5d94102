"""Gives memory that is free inside the process back to the system.

Encoding in many threads leaves the allocator with free pieces in each of its arenas, and glibc gives those
back only when they lie at the end of one: a server's memory would creep up with the questions it answered.
"""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable


def _trim() -> Callable[[int], int] | None:
    """glibc's malloc_trim; None where the C library has none."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        found: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError):
        return None
    return found


class GiveBack:
    """Gives free memory back after every so many questions."""

    def __init__(self, every: int = 32) -> None:
        self._every = every
        self._count = 0
        self._lock = threading.Lock()
        self._trim = _trim()

    def done(self) -> None:
        """A question has ended; called in the thread that answered it."""
        with self._lock:
            self._count += 1
            due = self._count % self._every == 0
        if due and self._trim is not None:
            self._trim(0)
