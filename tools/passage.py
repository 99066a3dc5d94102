"""A passage: a span of a section's plain text as a tool showed it, under its handle."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Passage(BaseModel):
    """What was shown, pinned to a document version.

    `start` and `end` count characters of the document's plain text; where a table row is shown apart from
    its header, `text` repeats the header and is longer than the span. `page`..`page_end` and `line` are
    those of the span.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    handle: str
    document: str
    document_title: str
    version: str
    section: str
    number: str | None = None
    path: tuple[str, ...] = ()
    page: int | None = None
    page_end: int | None = None
    line: int | None = None
    start: int
    end: int
    text: str
    score: float | None = None

    @property
    def heading_path(self) -> str:
        """The headings from the top down to the section, joined with " > "."""
        return " > ".join(self.path)
