"""A passage: a span of a section's plain text as a tool showed it, under its handle."""

from __future__ import annotations

from bisect import bisect_right

from pydantic import BaseModel, ConfigDict, Field


def _absent(value: object) -> bool:
    """What a document does not have is not written down: recordings of others stay as they are."""
    return not value


class Passage(BaseModel):
    """What was shown, pinned to a document version.

    `start` and `end` count characters of the document's plain text; where a table row is shown apart from
    its header, `text` repeats the header and is longer than the span. `page`..`page_end` and `line` are
    those of the span; `places` are the pages and lines inside it: (offset, page, line), ascending, each
    from its offset on. `references` are the references to other places in the text, as they are worded.
    `standing` names the document's version, and says so when it is not in force: "version 2023, repealed";
    then `current` is False. `labels` are what is printed on pages whose number is another: (page, label);
    `anchors` the addresses that the source gives to places of the span: (offset, name), each from there on.
    `also_in` names places of other documents where the same words stand.
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
    labels: tuple[tuple[int, str], ...] = Field(default=(), exclude_if=_absent)
    anchors: tuple[tuple[int, str], ...] = Field(default=(), exclude_if=_absent)
    also_in: tuple[str, ...] = Field(default=(), exclude_if=_absent)

    @property
    def page_label(self) -> str | None:
        """What is printed on the first page, where that is not its number."""
        return self.label_of(self.page)

    @property
    def page_end_label(self) -> str | None:
        """What is printed on the last page, where that is not its number."""
        return self.label_of(self.page_end)

    @property
    def anchor(self) -> str | None:
        """The address that the source gives to where the span begins."""
        return self.anchor_at(self.start)

    def label_of(self, page: int | None) -> str | None:
        """What is printed on a page, where that is not its number."""
        return dict(self.labels).get(page or 0)

    def anchor_at(self, offset: int) -> str | None:
        """The address that the source gives to the place of a character."""
        at = bisect_right(self.anchors, offset, key=lambda entry: entry[0]) - 1
        return self.anchors[at][1] or None if at >= 0 else None

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
