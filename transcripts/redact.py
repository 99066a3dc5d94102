"""Takes secrets out of what is written. What a model or a user sees is never changed by this."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any

from pincite.errors import UsageError
from pincite.transcripts.envelope import written_as

# One of these must stand in a text, in small letters, for the pattern to match: that is quickly looked for.
_PATTERNS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("sk-", "pk-", "rk-"), r"\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}"),
    (("bearer",), r"(?i:\bbearer\s+[A-Za-z0-9._~+/=-]{16,})"),
    (
        ("ghp", "gho", "ghs", "ghu", "github_pat", "glpat", "xox", "hf_", "hf-"),
        r"\b(?:ghp|gho|ghs|ghu|github_pat|glpat|xox[abprs]|hf)[_-][A-Za-z0-9_-]{16,}",
    ),
    (("akia",), r"\bAKIA[0-9A-Z]{16}\b"),
    (("aiza",), r"\bAIza[0-9A-Za-z_-]{35}"),
    (("eyj",), r"\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"),
    (
        ("-----begin",),
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
    ),
)
# By these an event and its parts are found: a pattern of somebody's that hits one must not take it away.
# Within them, the same holds for what looks like a name.
_OURS = frozenset(
    {"v", "kind", "seq", "id", "parent", "time", "mono_us"}
    | {
        written_as(name)
        for name in (
            *("session", "model", "versions", "config_hash", "tools_hash", "prompts", "index", "scope"),
            *("seed", "git", "fork_of", "source", "what", "value", "withdrawn", "of", "messages", "tools"),
            *("tool_bodies", "tool_choice", "status", "finish_reasons", "call_id", "name", "text_ref", "leg"),
            *("outcome", "used", "passages", "already_shown", "failed", "verdict", "action", "where", "code"),
            *("calls", "handles", "owner"),
        )
    }
    | {"pincite.code"}
)
_OURS_WITHIN = frozenset(
    {"id", "name", "role", "tool", "tool_call_id", "content_ref", "finish_reason", "handle", "passage"}
    | {"section", "version", "used", "already_shown", "next", "leg", "outcome", "code", "match"}
    | {"status", "stop_reason", "model", "session", "owner"}
)
_NAME = re.compile(r"[A-Za-z0-9_.:/-]{1,128}")
_KEY = re.compile(r"[a-z_]{1,40}")
_BY_HASH = written_as("bodies")
MARK = "[redacted]"
TOO_DEEP = "[nested too deeply]"
# What lies deeper is not written: a reader would refuse the line. Events themselves take a few levels.
_DEEPEST = 100
# The shortest that one of the patterns matches, and the shortest secret that is looked for.
_LEAST, _LEAST_SECRET = 19, 6


def _compiled(pattern: str) -> re.Pattern[str]:
    """A pattern from the settings. UsageError for one that is none, or that matches nothing at all."""
    try:
        compiled = re.compile(pattern)
    except (re.error, RecursionError) as error:
        raise UsageError(f"redact: {pattern[:80]!r} is no regular expression: {error}") from error
    if compiled.search(""):
        raise UsageError(f"redact: {pattern[:80]!r} matches where nothing stands")
    return compiled


class Redactor:
    """Replaces known secrets and what looks like one by `[redacted]`.

    `secrets` are taken out wherever they stand, `patterns` are further regular expressions.
    """

    def __init__(self, secrets: Iterable[str] = (), patterns: Iterable[str] = ()) -> None:
        patterns = list(patterns)
        secrets = list(secrets)
        self._known = Redactor(secrets) if patterns else self
        known = [secret for secret in secrets if len(secret) >= _LEAST_SECRET]
        self._patterns: list[tuple[tuple[str, ...], re.Pattern[str]]] = [
            ((secret.lower(),), re.compile(re.escape(secret))) for secret in known
        ]
        self._patterns += [((), _compiled(pattern)) for pattern in patterns]
        self._always = bool(patterns)
        self._patterns += [(hints, re.compile(pattern)) for hints, pattern in _PATTERNS]
        self._hints = list(dict.fromkeys(hint for hints, _ in self._patterns for hint in hints))
        self._least = min([_LEAST, *map(len, known)])

    def text(self, text: str) -> tuple[str, int]:
        """The text without secrets, and how many were taken out."""
        if not self._always and (len(text) < self._least or not self._suspect(text)):
            return text, 0
        count = 0
        for _, pattern in self._patterns:
            text, found = pattern.subn(MARK, text)
            count += found
        return text, count

    def event(self, data: dict[str, Any]) -> tuple[dict[str, Any], int]:
        """The same for an event as JSON.

        The names, hashes and codes by which its parts are found stay, whatever `patterns` say: of them only
        known secrets and what looks like one is taken out.
        """
        found: dict[str, Any]
        if not self._always:
            found, count = self.value(data)
            return found, count
        found, count = {}, 0
        for name, value in data.items():
            rules = self._known if name in _OURS else self
            within = self._within(value, name, 1) if rules is self else rules.value(value, 1)
            found[name], taken = within
            count += taken
        return found, count

    def _within(self, value: Any, name: str, depth: int) -> tuple[Any, int]:
        if isinstance(value, dict) and depth < _DEEPEST:
            made: dict[str, Any] = {}
            count = 0
            for key, item in value.items():
                ours = name == _BY_HASH or _KEY.fullmatch(str(key)) is not None
                kept, one = (self._known if ours else self).text(str(key))
                made[kept], other = self._within(item, str(key), depth + 1)
                count += one + other
            return made, count
        if isinstance(value, list | tuple) and depth < _DEEPEST:
            items = [self._within(item, name, depth + 1) for item in value]
            return [item for item, _ in items], sum(taken for _, taken in items)
        ours = isinstance(value, str) and name in _OURS_WITHIN and _NAME.fullmatch(value) is not None
        return (self._known if ours else self).value(value, depth)

    def _suspect(self, text: str) -> bool:
        lowered = text.lower()
        for hint in self._hints:  # noqa: SIM110 - runs for every text that is written
            if hint in lowered:
                return True
        return False

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
