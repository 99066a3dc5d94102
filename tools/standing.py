"""Which version of a document a text is of, and whether that version is in force."""

from __future__ import annotations

import re
from datetime import date
from typing import Protocol

# How a section itself says that it holds no more.
_GONE = re.compile(
    r"\W*(?P<word>repealed|revoked|superseded|deleted|intentionally\s+(?:deleted|omitted)|aufgehoben|weggefallen|gestrichen|abrogée?|"
    r"supprimée?|derogad[oa]|suprimid[oa])\b",
    re.IGNORECASE,
)
_IN_FORCE = re.compile(
    r"(?:(?:now )?in force|current|effective|active|valid|gültig|in kraft|en vigueur|vigente)", re.IGNORECASE
)
# A status that says none of these may be any word for a document that holds: final, approved, published.
_NOT_IN_FORCE = re.compile(
    r"\b(?:(?:not|no|non|nicht|old|sin)\b|draft|propos|pending|planned|future|repeal|revok|"
    r"supersed|replac|withdr|expir|archiv|obsolet|deprecat|cancel|void|annul|terminat|inactive|invalid|outdated|histor|laps|former|previous|"
    r"retired|deleted|ungültig|veraltet|außer|aufgehoben|abgelöst|ersetzt|entwurf|weggefallen|gestrichen|"
    r"abrog|supprim|projet|remplac|périm|caduc|derog|suprimid|borrador|sustituid)",
    re.IGNORECASE,
)

# A text longer than this says more than that it is gone.
_SHORT = 200


class Versioned(Protocol):
    """What every row of an index says of its document's version."""

    @property
    def version_label(self) -> str | None:
        """The version's name."""

    @property
    def status(self) -> str | None:
        """In force, repealed, superseded, draft ..."""

    @property
    def effective_from(self) -> date | None:
        """The first day in force."""

    @property
    def effective_to(self) -> date | None:
        """The last day in force."""


def standing(row: Versioned, today: date | None = None) -> str:
    """The version's label, its status unless it says "in force", its dates where today is not within them.

    Empty for a document that says nothing of this.
    """
    day = today or date.today()
    parts = []
    if row.version_label:
        label = row.version_label
        parts.append(label if label.lower().startswith("version") else f"version {label}")
    if row.status and not _IN_FORCE.fullmatch(_words(row.status)):
        parts.append(row.status.strip())
    if not current(row, day):
        if row.effective_to and row.effective_to < day:
            parts.append(f"in force until {row.effective_to.isoformat()}")
        if row.effective_from and row.effective_from > day:
            parts.append(f"in force from {row.effective_from.isoformat()}")
    return ", ".join(parts)


def section_standing(title: str, text: str) -> str:
    """The word with which a section says that it is repealed or deleted; empty for one that does not."""
    found = _GONE.match(title) or (_GONE.match(text) if len(text) < _SHORT else None)
    return f"this section: {' '.join(found['word'].lower().split())}" if found is not None else ""


def current(row: Versioned, today: date | None = None) -> bool:
    """Whether a version is in force: by its status, and by its dates."""
    day = today or date.today()
    if row.status and _NOT_IN_FORCE.search(_words(row.status)):
        return False
    return (row.effective_from or day) <= day <= (row.effective_to or day)


def _words(status: str) -> str:
    """The status as people write it in a table or in code: in_force, in-force, In Force."""
    return " ".join(re.split(r"[\s_-]+", status.strip()))
