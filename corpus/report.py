"""What a sync tells while it runs, and what it says when it is done."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from pincite.corpus.walk import FailedFile


@dataclass(frozen=True, slots=True)
class SyncProgress:
    """How far a phase is: `done` of `total` in `unit`s, and the file at hand."""

    phase: Literal["reading", "embedding", "indexing"]
    done: int
    total: int
    unit: str
    current: str | None = None


@dataclass(slots=True)
class SyncReport:
    """What a sync did, in documents; `documents` and `chunks` are what the index holds now.

    `forgotten` counts files passed over because their document was forgotten.
    """

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    removed: int = 0
    failed: list[FailedFile] = field(default_factory=list)
    forgotten: int = 0
    documents: int = 0
    chunks: int = 0
    seconds: float = 0.0
    warnings: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """The report for `sync --json`."""
        return asdict(self)
