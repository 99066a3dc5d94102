"""Remembers how each model calls tools, so that finding it out happens once."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Literal

Mode = Literal["tools", "json"]

_known: dict[str, Mode] = {}


def recall(address: str, model: str) -> Mode | None:
    """What was found out about the model of that name at that server, in this process or an earlier one."""
    key = _key(address, model)
    if key in _known:
        return _known[key]
    found = _read().get(key)
    return "json" if found == "json" else "tools" if found == "tools" else None


def remember(address: str, model: str, mode: Mode) -> None:
    """Keep it; a cache folder that cannot be written is no reason to fail."""
    key = _key(address, model)
    if _known.get(key) == mode:
        return
    _known[key] = mode
    stored = _read()
    if stored.get(key) != mode:
        with suppress(OSError):
            _write({**stored, key: mode})


def _key(address: str, model: str) -> str:
    return f"{address} {model}"


def _file() -> Path:
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "pincite" / "model-modes.json"


def _read() -> dict[str, str]:
    try:
        data = json.loads(_file().read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError, RuntimeError):
        return {}
    return {str(key): str(value) for key, value in data.items()} if isinstance(data, dict) else {}


def _write(stored: dict[str, str]) -> None:
    """Replace the file in one step, so that another process never reads half of it."""
    path = _file()
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile("w", dir=path.parent, encoding="utf-8", delete=False) as file:
        json.dump(stored, file, indent=1, sort_keys=True)
    Path(file.name).replace(path)
