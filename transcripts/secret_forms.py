"""The forms in which keys, tokens and passwords are written down.

A form is matched only where one of its hints stands in the text in small letters, which is quickly looked
for. Where it has a group `secret`, only that is taken out, and the name before it stays.
"""

from __future__ import annotations

import re

GROUP = "secret"

# Names that say of the value behind them that it is one.
_NAMES = (
    r"pass(?:word|wd|phrase)|pwd|secret|api[ _-]?key|(?:access|secret|private|account|auth)[ _-]?key"
    r"|(?:access|auth|refresh|api|session|id|secret)[ _-]?token|credentials?"
)
_NAME_HINTS = ("passw", "passphrase", "pwd", "secret", "key", "token", "credential")
# No value: a place to put one, a reference to where it is kept, or what was taken out already.
_NO_VALUE = r"(?!\$|%|<|\{|\[redacted|\*+(?:\W|$)|(?i:null|none|true|false|undefined)\b|(?:self|this|os)\.)"
_SIGNS = r"[^\s\"'`\\<>()\[\]{},;]"
# Not up to the name of a further value: "password=a&user=b".
_VALUE = rf"(?:(?!&[\w-]+=){_SIGNS}){{6,200}}+(?![(\[])"
# Told from a word of a sentence by what it is made of: letters and digits, or more than any word has.
_UNLIKE_WORDS = rf"(?=[^\s\"']*\d)(?=[^\s\"']*[A-Za-z]){_VALUE}|[0-9]{{16,200}}+"

_WRITTEN: tuple[tuple[tuple[str, ...], str], ...] = (
    (("sk-", "pk-", "rk-"), r"\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}"),
    (("bearer",), r"(?i:\bbearer\s+[A-Za-z0-9._~+/=-]{16,})"),
    (
        ("authorization",),
        r"(?i:\bauthorization[\"']?\s*[:=]\s*[\"']?(?:basic|token)\s+(?P<secret>[A-Za-z0-9._~+/=-]{8,}))",
    ),
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
    (
        ("://",),
        rf"[A-Za-z][A-Za-z0-9+.-]{{1,20}}://[^\s/?#@:\"'<>]*:{_NO_VALUE}(?P<secret>[^\s/?#@\"'<>]{{2,200}})@(?=[\w\[])",
    ),
    # password=…, "password": "…", PASSWORD = '…': written as a setting.
    (
        _NAME_HINTS,
        rf"(?i:(?:{_NAMES})(?:=|(?:\\?[\"'])?\s?(?:=|:=|=>)\s?|\\?[\"']\s?:\s?))(?:\\?[\"'])?{_NO_VALUE}(?P<secret>{_VALUE})",
    ),
    # password: … as in a sentence or a YAML file.
    (_NAME_HINTS, rf"(?i:(?:{_NAMES})\s?:\s?)(?:\\?[\"'])?{_NO_VALUE}(?P<secret>{_UNLIKE_WORDS})"),
)
FORMS: tuple[tuple[tuple[str, ...], re.Pattern[str]], ...] = tuple(
    (hints, re.compile(pattern)) for hints, pattern in _WRITTEN
)
_DIGIT, _LETTER = re.compile(r"\d"), re.compile(r"[A-Za-z]")
_LEAST_TELLING = 8


def is_telling(secret: str) -> bool:
    """Whether a secret is like no word, so that it can be told wherever it stands."""
    signs = len(secret) >= _LEAST_TELLING and _DIGIT.search(secret) is not None
    return signs and (_LETTER.search(secret) is not None or len(secret) >= 16)
