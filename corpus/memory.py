"""Giving memory back to the system between two blocks of work."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any


def release_memory() -> None:
    """Hand freed memory back: glibc keeps it, in pieces that the next block's other sizes do not fit.

    Does nothing where the C library has no `malloc_trim`.
    """
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> Any:
    try:
        return ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return None
