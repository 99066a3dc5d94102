"""The first place where two JSON values differ."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

MISSING = None
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Difference:
    """`path` is a JSONPath; a value that is not there at all is None."""

    path: str
    recorded: Any
    replayed: Any


def first_difference(recorded: Any, replayed: Any, path: str = "$") -> Difference | None:
    """The first difference in the order of `recorded`'s keys, those of `replayed` alone last."""
    if isinstance(recorded, dict) and isinstance(replayed, dict):
        for key in (*recorded, *(key for key in replayed if key not in recorded)):
            here = f"{path}.{key}" if _NAME.fullmatch(key) else f"{path}[{_quoted(key)}]"
            if key not in recorded or key not in replayed:
                return Difference(here, recorded.get(key, MISSING), replayed.get(key, MISSING))
            found = first_difference(recorded[key], replayed[key], here)
            if found is not None:
                return found
        return None
    if isinstance(recorded, list | tuple) and isinstance(replayed, list | tuple):
        for at in range(max(len(recorded), len(replayed))):
            here = f"{path}[{at}]"
            if at >= len(recorded) or at >= len(replayed):
                one = recorded[at] if at < len(recorded) else MISSING
                other = replayed[at] if at < len(replayed) else MISSING
                return Difference(here, one, other)
            found = first_difference(recorded[at], replayed[at], here)
            if found is not None:
                return found
        return None
    same = recorded == replayed and isinstance(recorded, bool) == isinstance(replayed, bool)
    return None if same else Difference(path, recorded, replayed)


def around(recorded: str, replayed: str, width: int = 60) -> tuple[str, str]:
    """Both texts cut to what stands around their first difference."""
    at = next(
        (at for at, (one, other) in enumerate(zip(recorded, replayed, strict=False)) if one != other),
        min(len(recorded), len(replayed)),
    )
    start = max(0, at - width // 2)
    return _cut(recorded, start, width), _cut(replayed, start, width)


def _cut(text: str, start: int, width: int) -> str:
    shown = text[start : start + width]
    return f"{'…' if start else ''}{shown}{'…' if start + width < len(text) else ''}"


def _quoted(key: str) -> str:
    escaped = key.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
