"""Takes secrets out of what is written. What a model or a user sees is never changed by this."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any

from pincite.errors import UsageError
from pincite.transcripts.secret_forms import FORMS, GROUP, is_telling

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
    for a secret by the name before it (`password=…`) is taken out from then on wherever it stands.
    """

    def __init__(self, secrets: Iterable[str] = (), patterns: Iterable[str] = ()) -> None:
        patterns = list(patterns)
        known = dict.fromkeys(secret for secret in secrets if len(secret) >= _LEAST_SECRET)
        self._known: dict[str, re.Pattern[str]] = {secret: re.compile(re.escape(secret)) for secret in known}
        self._own = [_compiled(pattern) for pattern in patterns]
        self._hints = list(dict.fromkeys(hint for hints, _ in FORMS for hint in hints))
        self._least = min([_LEAST, *map(len, known)])

    def text(self, text: str) -> tuple[str, int]:
        """The text without secrets, and how many were taken out."""
        count = 0
        if len(text) >= self._least:
            lowered = text.lower()
            for secret, pattern in self._known.items():
                if secret in text:
                    text, found = pattern.subn(MARK, text)
                    count += found
            for pattern in self._own:
                text, found = pattern.subn(MARK, text)
                count += found
            if self._suspect(lowered):
                text, found = self._forms(text, lowered)
                count += found
        elif self._own:
            for pattern in self._own:
                text, found = pattern.subn(MARK, text)
                count += found
        return text, count

    def _forms(self, text: str, lowered: str) -> tuple[str, int]:
        count = 0
        for hints, form in FORMS:
            if not any(hint in lowered for hint in hints):
                continue
            if GROUP not in form.groupindex:
                text, found = form.subn(MARK, text)
                count += found
                continue
            pieces, last = [], 0
            for match in form.finditer(text):
                start, end = match.span(GROUP)
                self._learn(text[start:end])
                pieces += [text[last:start], MARK]
                last = end
                count += 1
            text = "".join([*pieces, text[last:]]) if pieces else text
        return text, count

    def _learn(self, secret: str) -> None:
        """The same again without its name would not be known for what it is."""
        if is_telling(secret) and len(self._known) < _MOST_LEARNED:
            self._known.setdefault(secret, re.compile(re.escape(secret)))

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
