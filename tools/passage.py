"""A passage: a span of a section's plain text as a tool showed it, under its handle."""

from __future__ import annotations

from bisect import bisect_right

from pydantic import BaseModel, ConfigDict


class Passage(BaseModel):
    """What was shown, pinned to a document version.

    `start` and `end` count characters of the document's plain text; where a table row is shown apart from
    its header, `text` repeats the header and is longer than the span. `page`..`page_end` and `line` are
    those of the span; `places` are the pages and lines inside it: (offset, page, line), ascending, each
    from its offset on. `references` are the references to other places in the text, as they are worded.
    `standing` names the document's version, and says so when it is not in force: "version 2023, repealed";
    then `current` is False. `also_in` names places of other documents where the same words stand.
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
    places: tuple[tuple[int, int | None, int | None], ...] = ()
    start: int
    end: int
    text: str
    score: float | None = None
    references: tuple[str, ...] = ()
    standing: str = ""
    current: bool = True
    also_in: tuple[str, ...] = ()

    @property
    def heading_path(self) -> str:
        """The headings from the top down to the section, joined with " > "."""
        return " > ".join(self.path)

    def span_of(self, start: int, end: int) -> tuple[int, int]:
        """The document's characters behind `text[start:end]`.

        The whole span where they stand in a header that was repeated from elsewhere.
        """
        repeated = len(self.text) - (self.end - self.start)
        if start < repeated:
            return self.start, self.end
        return self.start + start - repeated, self.start + end - repeated

    def place_at(self, offset: int) -> tuple[int | None, int | None]:
        """The page and line on which a character of the span stands, as exactly as is known."""
        at = bisect_right(self.places, offset, key=lambda place: place[0]) - 1
        return self.places[at][1:] if at >= 0 else (self.page, self.line)
