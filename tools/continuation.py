"""The values of `from` and `next`: opaque to a model, checked when they come back."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from hashlib import blake2b

_FORM = re.compile(r"([a-z])(\d{1,9})(?:\.(\d{1,9}))?-([0-9a-f]{8})")


def continuation(kind: str, about: Sequence[str], at: int, within: int = 0) -> str:
    """Where to go on: position `at` (and `within` it) of what `about` names. `kind` is one letter."""
    place = f"{kind}{at}.{within}" if within else f"{kind}{at}"
    return f"{place}-{_check(kind, about)}"


def read_continuation(text: str, kind: str, about: Sequence[str]) -> tuple[int, int]:
    """(at, within). ValueError when `text` was not given out for this call."""
    match = _FORM.fullmatch(text.strip().strip("\"'"))
    if match is None or match[1] != kind or match[4] != _check(kind, about):
        raise ValueError("is not a value that this tool gave for this call")
    return int(match[2]), int(match[3] or 0)


def _check(kind: str, about: Sequence[str]) -> str:
    named = json.dumps([kind, *about]).encode()
    return blake2b(named, digest_size=4).hexdigest()
