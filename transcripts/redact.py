"""Takes secrets out of what is written. What a model or a user sees is never changed by this."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from typing import Any

from pincite.errors import UsageError
from pincite.transcripts.envelope import written_as
from pincite.transcripts.secret_forms import FORMS, GROUP, is_telling

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
# The shortest that one of the forms matches, and the shortest secret that is looked for.
_LEAST, _LEAST_SECRET = 10, 6
# So many secrets are remembered; a document with more of them is a list of them.
_MOST_LEARNED = 500


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

    `secrets` are taken out wherever they stand, `patterns` are further regular expressions. What was known
    for a secret by the name before it (`password=…`) is taken out from then on wherever it stands. `spared`
    says of what looks like one that it is to stay.
    """

    def __init__(
        self,
        secrets: Iterable[str] = (),
        patterns: Iterable[str] = (),
        *,
        spared: Callable[[str], bool] | None = None,
    ) -> None:
        secrets, patterns = list(secrets), list(patterns)
        self._known = Redactor(secrets, spared=spared) if patterns else self
        known = dict.fromkeys(secret for secret in secrets if len(secret) >= _LEAST_SECRET)
        self._literal: dict[str, re.Pattern[str]] = {one: re.compile(re.escape(one)) for one in known}
        self._own = [_compiled(pattern) for pattern in patterns]
        self._hints = list(dict.fromkeys(hint for hints, _ in FORMS for hint in hints))
        self._least = 0 if self._own else min([_LEAST, *map(len, known)])
        self._spared = spared

    def text(self, text: str) -> tuple[str, int]:
        """The text without secrets, and how many were taken out."""
        if len(text) < self._least:
            return text, 0
        lowered = text.lower()
        found = [pattern for secret, pattern in self._literal.items() if secret in text]
        found += self._own
        if self._suspect(lowered):
            found += [form for hints, form in FORMS if any(hint in lowered for hint in hints)]
        count = 0
        for pattern in found:
            text, taken = self._without(pattern, text)
            count += taken
        return text, count

    def event(self, data: dict[str, Any]) -> tuple[dict[str, Any], int]:
        """The same for an event as JSON.

        The names, hashes and codes by which its parts are found stay, whatever `patterns` say: of them only
        known secrets and what looks like one is taken out.
        """
        found: dict[str, Any]
        if not self._own:
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

    def learn(self, secret: str) -> None:
        """From now on take this out wherever it stands, unless it is like a word."""
        if is_telling(secret) and len(self._literal) < _MOST_LEARNED:
            self._literal.setdefault(secret, re.compile(re.escape(secret)))

    def _without(self, pattern: re.Pattern[str], text: str) -> tuple[str, int]:
        group = GROUP if GROUP in pattern.groupindex else 0
        pieces, last = [], 0
        for match in pattern.finditer(text):
            start, end = match.span(group)
            if self._spared is not None and self._spared(text[start:end]):
                continue
            if group:
                # The same again without its name would not be known for what it is.
                self.learn(text[start:end])
            pieces += [text[last:start], MARK]
            last = end
        return ("".join([*pieces, text[last:]]), len(pieces) // 2) if pieces else (text, 0)

    def _suspect(self, lowered: str) -> bool:
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
