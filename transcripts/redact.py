"""Takes secrets out of what is written. What a model or a user sees is never changed by this."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any

_PATTERNS = (
    r"\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}",
    r"(?i:\bbearer\s+[A-Za-z0-9._~+/=-]{16,})",
    r"\b(?:ghp|gho|ghs|ghu|github_pat|glpat|xox[abprs]|hf)[_-][A-Za-z0-9_-]{16,}",
    r"\bAKIA[0-9A-Z]{16}\b",
    r"\bAIza[0-9A-Za-z_-]{35}",
    r"\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
)
MARK = "[redacted]"
TOO_DEEP = "[nested too deeply]"
# What lies deeper is not written: a reader would refuse the line. Events themselves take a few levels.
_DEEPEST = 100
# The shortest that one of the patterns matches, and the shortest secret that is looked for.
_LEAST, _LEAST_SECRET = 19, 6


class Redactor:
    """Replaces known secrets and what looks like one by `[redacted]`.

    `secrets` are taken out wherever they stand, `patterns` are further regular expressions.
    """

    def __init__(self, secrets: Iterable[str] = (), patterns: Iterable[str] = ()) -> None:
        known = [secret for secret in secrets if len(secret) >= _LEAST_SECRET]
        further = list(patterns)
        parts = (*map(re.escape, known), *further, *_PATTERNS)
        self._pattern = re.compile("|".join(f"(?:{part})" for part in parts))
        self._least = 0 if further else min([_LEAST, *map(len, known)])

    def text(self, text: str) -> tuple[str, int]:
        """The text without secrets, and how many were taken out."""
        return self._pattern.subn(MARK, text) if len(text) >= self._least else (text, 0)

    def value(self, value: Any, depth: int = 0) -> tuple[Any, int]:
        """The same for every text in a JSON-like value, keys included; what JSON cannot hold becomes null."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, float) and not math.isfinite(value):
            return None, 0
        if not isinstance(value, dict | list | tuple):
            return value, 0
        if depth >= _DEEPEST:
            return TOO_DEEP, 0
        if isinstance(value, dict):
            pairs = [(*self.text(str(key)), *self.value(item, depth + 1)) for key, item in value.items()]
            return {key: item for key, _, item, _ in pairs}, sum(a + b for _, a, _, b in pairs)
        items = [self.value(item, depth + 1) for item in value]
        return [item for item, _ in items], sum(count for _, count in items)
