"""A citation opened: the section as it stands now, with the quoted words marked where they still stand."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pincite.agent.answer import Citation
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.errors import NothingUsableError


@dataclass(frozen=True, slots=True)
class Opened:
    """A section. `mark` is where in `text` the quoted words stand, None when they are no longer there.

    `changed`: the document was replaced since it was cited.
    """

    document: str
    document_title: str
    section: str
    number: str | None
    heading_path: str
    page: int | None
    text: str
    mark: tuple[int, int] | None
    changed: bool
    page_label: str | None = None


def open_citation(index: Index, scope: Scope, citation: Citation) -> Opened:
    """The cited section with its own text.

    Raises NothingUsableError `withdrawn_passage` when the document is gone or may no longer be seen, and
    `no_such_section` when it has no such section any more.
    """
    seen = (
        scope if scope.documents is None else replace(scope, documents=scope.documents & {citation.document})
    )
    rows = index.sections(citation.document, [citation.section], seen)
    if not rows:
        row = index.document(citation.document, seen)
        if row is None or row.id != citation.document:
            raise NothingUsableError(
                "the document is gone or may no longer be seen",
                code="withdrawn_passage",
                hint="the answer stays as it was given; ask again for what there is now",
            )
        raise NothingUsableError("the document has no such section any more", code="no_such_section")
    found = rows[0]
    text = found.text or ""
    page = citation.page if citation.page is not None else found.page
    return Opened(
        document=found.document,
        document_title=found.document_title,
        section=found.id,
        number=found.number,
        heading_path=" > ".join(found.path),
        page=page,
        text=text,
        mark=_mark(text, found.start, citation, same=found.version == citation.version),
        changed=found.version != citation.version,
        page_label=dict(found.labels).get(page or 0),
    )


def _mark(text: str, start: int, citation: Citation, *, same: bool) -> tuple[int, int] | None:
    """By the recorded span in the same version, else by the words."""
    begin, end = citation.span[0] - start, citation.span[1] - start
    if same and 0 <= begin < end <= len(text):
        return begin, end
    at = text.find(citation.quote)
    return (at, at + len(citation.quote)) if at >= 0 and citation.quote else None
