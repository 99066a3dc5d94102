"""What a caller may see. It comes from the application, never from a model or a document."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Scope:
    """Groups, documents and date of one caller.

    `groups`: None is the index's owner, who sees every document; otherwise a document is seen when it has
    no groups or shares one with the caller. `documents`: ids, None for all. `as_of`: documents in force on
    that day (`effective_from <= day <= effective_to`, an open end counts as in force); None is today.
    `any_day`: every version, whenever it is or was in force.
    """

    groups: frozenset[str] | None = None
    documents: frozenset[str] | None = None
    as_of: date | None = None
    any_day: bool = False
