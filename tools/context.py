"""What the tools of one session share, and how they find the document that a call names."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher

from pincite.corpus.lookup import Name, bare
from pincite.corpus.rows import DocumentRow
from pincite.corpus.scope import Scope
from pincite.errors import AmbiguousError
from pincite.tools.failures import ToolFailedError
from pincite.tools.ledger import Ledger
from pincite.tools.patience import Patience
from pincite.tools.render import Nonces, one_line, quoted
from pincite.tools.retrieve import Retriever
from pincite.tools.sources import Readable

_LOOKED_THROUGH = 1000
_NEAR = 4
_CLOSE = 0.45


@dataclass(frozen=True, slots=True)
class ToolLimits:
    """Estimated tokens that a passage and a call's text may have."""

    passage_tokens: int = 400
    call_tokens: int = 2400


@dataclass(frozen=True, slots=True)
class Context:
    """The index as this caller may see it, what the session was shown, and how long the caller waits."""

    index: Readable
    retriever: Retriever
    scope: Scope
    ledger: Ledger
    nonces: Nonces
    limits: ToolLimits = field(default_factory=ToolLimits)
    patience: Patience = field(default_factory=Patience)


def within(scope: Scope, document: DocumentRow) -> Scope:
    """The scope narrowed to one document that it holds."""
    return replace(scope, documents=frozenset({document.id}))


def find_document(context: Context, reference: str) -> DocumentRow:
    """The document in scope with this id, path or title.

    ToolFailedError `ambiguous` or `no_such_document`; a document outside the scope is not there.
    """
    reference = reference.strip().strip("\"'")
    try:
        found = context.index.document(reference, context.scope)
    except AmbiguousError as error:
        raise ToolFailedError("ambiguous", f"{error.message}.", "Name one by its id.", error.near) from error
    if found is not None:
        return found
    found_by_name = context.index.named(reference, context.scope)
    if len(found_by_name) == 1:
        return found_by_name[0]
    if found_by_name:
        near = tuple(row.id for row in found_by_name[:_NEAR])
        raise ToolFailedError("ambiguous", "Several documents carry this name.", "Name one by its id.", near)
    wanted = one_line(reference).casefold()
    called = [name.id for name in context.index.names(context.scope) if wanted in _short_names(name)]
    if len(called) == 1:
        return context.index.documents_by_id(called, context.scope)[0]
    if called:
        near = tuple(called[:_NEAR])
        raise ToolFailedError("ambiguous", "Several documents carry this name.", "Name one by its id.", near)
    rows = context.index.documents(context.scope, limit=_LOOKED_THROUGH)
    near = nearest_documents(rows, reference)
    hint = "Take an id from search or from table_of_contents without a document."
    if not near and 0 < len(rows) <= _NEAR:
        hint = f"There are only these: {', '.join(quoted(row.id) for row in rows)}."
    raise ToolFailedError("no_such_document", f"No document is called {quoted(reference)}.", hint, near)


def _short_names(name: Name) -> set[str]:
    """What a model may call a document, as the tools print it: id, title, file with or without suffix."""
    file = name.file.rpartition("/")[2]
    names = (name.id, name.title, file, file.rpartition(".")[0])
    return {one_line(name).casefold() for name in names if name}


def nearest_documents(rows: list[DocumentRow], reference: str) -> tuple[str, ...]:
    """Ids of documents that may have been meant, by id, path, file or title; the closest first."""
    wanted = reference.casefold()[:200]
    scored = sorted((-max(_likeness(wanted, name) for name in _called(row)), row.id) for row in rows)
    close = [document for likeness, document in scored if -likeness >= _CLOSE]
    return tuple(close[:_NEAR])


def _called(row: DocumentRow) -> tuple[str, ...]:
    return row.id, row.path, row.path.rpartition("/")[2], row.title


def _likeness(wanted: str, name: str) -> float:
    name = name.casefold()[:200]
    matcher = SequenceMatcher(None, bare(wanted), bare(name), autojunk=False)
    if wanted and wanted in name:
        return 1.0
    return (
        matcher.ratio() if matcher.real_quick_ratio() >= _CLOSE and matcher.quick_ratio() >= _CLOSE else 0.0
    )
