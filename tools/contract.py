"""The JSON that `search --json`, `toc --json` and `read --json` print. Other programs build on it."""

from __future__ import annotations

from datetime import date

from pydantic import BaseModel, ConfigDict, Field

from pincite.tools.passage import Passage
from pincite.tools.result import Attempt, ToolError, ToolResult


class _Json(BaseModel):
    model_config = ConfigDict(frozen=True)


def _absent(value: object) -> bool:
    """What a document does not have is not written down."""
    return not value


class PassageJson(_Json):
    """One passage; `score` is on the scale of the leg that answered.

    `page_label` and `page_end_label` are what is printed on these pages where that is not their number,
    `anchor` is the address that the source gives to the place (an id in HTML), `also_in` are places of other
    documents where the same words stand. These four are there only where there are any.
    """

    handle: str
    document: str
    document_title: str
    version: str
    section: str
    number: str | None
    heading_path: str
    page: int | None
    page_end: int | None
    line: int | None
    text: str
    score: float | None
    references: tuple[str, ...] = ()
    standing: str = ""
    current: bool = True
    page_label: str | None = Field(default=None, exclude_if=_absent)
    page_end_label: str | None = Field(default=None, exclude_if=_absent)
    anchor: str | None = Field(default=None, exclude_if=_absent)
    also_in: tuple[str, ...] = Field(default=(), exclude_if=_absent)

    @classmethod
    def of(cls, passage: Passage) -> PassageJson:
        """The JSON form of a passage."""
        fields = {name: getattr(passage, name) for name in cls.model_fields}
        return cls(**fields)


class SearchJson(_Json):
    """`search --json`."""

    passages: tuple[PassageJson, ...]
    used: str | None
    attempts: tuple[Attempt, ...]
    already_shown: tuple[str, ...]
    next: str | None
    error: ToolError | None


class ContentsEntryJson(_Json):
    """A section in `toc --json`; `tokens` is the estimated size of its own text.

    `tree_page_end` and `tree_tokens` are those of everything down from it, `levels_below` says how much
    deeper its contents go, `sections_below` how many sections that are; `references` are the places and acts
    that its own text refers to.
    """

    section: str
    number: str | None
    title: str
    level: int
    page: int | None
    page_end: int | None
    tokens: int
    tree_page_end: int | None = None
    tree_tokens: int = 0
    levels_below: int = 0
    sections_below: int = 0
    references: tuple[str, ...] = ()
    page_label: str | None = Field(default=None, exclude_if=_absent)
    tree_page_end_label: str | None = Field(default=None, exclude_if=_absent)
    anchor: str | None = Field(default=None, exclude_if=_absent)
    children: tuple[ContentsEntryJson, ...]


class DocumentEntryJson(_Json):
    """A document in `toc --json` without a document."""

    document: str
    title: str
    pages: int | None
    sections: int
    tokens: int
    version_label: str | None = None
    status: str | None = None
    effective_from: date | None = None
    effective_to: date | None = None
    standing: str = ""


class FolderEntryJson(_Json):
    """A folder of documents; its name opens it."""

    folder: str
    documents: int


class ContentsJson(_Json):
    """`toc --json`: the sections of one document, or with `document` null the documents."""

    document: str | None = None
    title: str | None = None
    sections: tuple[ContentsEntryJson, ...] = ()
    documents: tuple[DocumentEntryJson, ...] = ()
    folders: tuple[FolderEntryJson, ...] = ()
    depth: int | None = None
    standing: str = ""
    next: str | None = None
    error: ToolError | None = None


class SectionNameJson(_Json):
    """A neighbour of a section, enough to open it."""

    section: str
    number: str | None
    title: str


class PlaceJson(_Json):
    """Where a reference leads."""

    document: str
    section: str
    number: str | None
    title: str


class ReferenceJson(_Json):
    """A reference in what was read: `start`..`end` in the document's characters.

    `status`: found, external (another act, not at hand), missing (not in this document), ambiguous. `href`
    is where a link of the source leads: "#anchor", "file#anchor".
    """

    text: str
    section: str
    start: int
    end: int
    status: str
    act: str | None
    href: str | None = None
    targets: tuple[PlaceJson, ...]


class TermJson(_Json):
    """A defined term that is used in what was read, and where it is defined."""

    term: str
    section: str
    number: str | None


class ReadJson(_Json):
    """`read --json`; `previous` and `next` are sections, `more` is what to pass as `from` to go on."""

    document: str | None = None
    document_title: str | None = None
    section: str | None = None
    number: str | None = None
    title: str | None = None
    heading_path: str | None = None
    page: int | None = None
    page_label: str | None = Field(default=None, exclude_if=_absent)
    page_end: int | None = None
    page_end_label: str | None = Field(default=None, exclude_if=_absent)
    anchor: str | None = Field(default=None, exclude_if=_absent)
    text: str | None = None
    children: tuple[SectionNameJson, ...] = ()
    previous: SectionNameJson | None = None
    next: SectionNameJson | None = None
    more: str | None = None
    span: tuple[int, int] | None = None
    version: str | None = None
    standing: str = ""
    references: tuple[ReferenceJson, ...] = ()
    terms: tuple[TermJson, ...] = ()
    error: ToolError | None = None


class DefinitionJson(_Json):
    """A definition of a term."""

    term: str
    document: str
    section: str
    number: str | None
    heading_path: str
    page: int | None
    span: tuple[int, int]
    text: str


class DefineJson(_Json):
    """`define --json`; `term` as the documents write it, null when none defines it."""

    term: str | None = None
    definitions: tuple[DefinitionJson, ...] = ()
    error: ToolError | None = None


def json_define(result: ToolResult) -> DefineJson:
    """A definition result in the form of `define --json`."""
    return DefineJson.model_validate({**result.data, "error": result.error})


def json_search(result: ToolResult) -> SearchJson:
    """A search result in the form of `search --json`."""
    return SearchJson(
        passages=tuple(PassageJson.of(passage) for passage in result.passages),
        used=result.used,
        attempts=result.attempts,
        already_shown=result.already_shown,
        next=result.next,
        error=result.error,
    )


def json_toc(result: ToolResult) -> ContentsJson:
    """A contents result in the form of `toc --json`."""
    return ContentsJson.model_validate({**result.data, "error": result.error})


def json_read(result: ToolResult) -> ReadJson:
    """A reading in the form of `read --json`."""
    return ReadJson.model_validate({**result.data, "more": result.next, "error": result.error})
