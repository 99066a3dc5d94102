"""Finds the statements of an answer in a turn that is still being written."""

from __future__ import annotations

import json
import re
from typing import Any

_START = re.compile(r'"statements"\s*:\s*\[')
_MOST = 200_000
_DECODER = json.JSONDecoder(strict=False)


class StatementStream:
    """Reads the arguments of an `answer` call as they grow; each whole statement comes out once."""

    def __init__(self) -> None:
        self._at: int | None = None
        self._over = False

    def more(self, text: str) -> list[dict[str, Any]]:
        """The statements that have become whole, in `text`, which is all that was written so far."""
        found: list[dict[str, Any]] = []
        if self._at is None:
            start = _START.search(text)
            self._at = start.end() if start else None
        while self._at is not None and not self._over:
            rest = text[self._at :].lstrip(" \t\r\n,")
            at = len(text) - len(rest)
            if not rest.startswith("{") or len(text) > _MOST:
                self._over = bool(rest)
                break
            try:
                value, self._at = _DECODER.raw_decode(text, at)
            except (ValueError, RecursionError):
                break
            found.append(value)
        return found
