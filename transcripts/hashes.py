"""The names under which a transcript refers to what it holds once: hashes of the content."""

from __future__ import annotations

import hashlib
import json
from typing import Any

_DIGITS = 16


def digest(text: str) -> str:
    """The name under which a text is referred to."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def digest_json(value: Any) -> str:
    """That of a JSON value, whatever the order of its keys."""
    return digest(json.dumps(value, sort_keys=True, default=str))
