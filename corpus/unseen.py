"""Why a caller sees no document, without saying more than the caller may know."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from pincite.corpus.index import Index
from pincite.corpus.lookup import Name, find_document
from pincite.corpus.rows import DocumentRow
from pincite.corpus.scope import Scope
from pincite.errors import NothingUsableError


def nothing_in_scope(index: Index, scope: Scope) -> NothingUsableError:
    """The error (`index_empty`) for a scope that holds no document.

    Only the index's owner is told that there are documents outside of it.
    """
    held = index.counts().documents if scope.groups is None else 0
    if scope.groups is None and not held:
        return NothingUsableError(
            "the index holds no documents", code="index_empty", hint="pincite sync PATH adds documents"
        )
    if scope.groups is None and scope.documents is None:
        some = "the one document" if held == 1 else f"none of the {held} documents"
        verb = "is not" if held == 1 else "is"
        return NothingUsableError(
            f"{some} {verb} in force on {_day(scope)}",
            code="index_empty",
            hint="pincite list says when each is in force, --as-of names another day",
        )
    return NothingUsableError(
        f"there are no documents {narrowing(scope)}",
        code="index_empty",
        hint="pincite sync PATH adds documents; --group, --as-of and --document narrow what is looked at",
    )


def narrowing(scope: Scope) -> str:
    """The narrowing in words: "for group staff, in force on 2026-01-31, among those named"."""
    parts = []
    if scope.groups is not None:
        names = ", ".join(sorted(scope.groups))
        parts.append(f"for {'group' if len(scope.groups) == 1 else 'groups'} {names or '(none)'}")
    parts.append(f"in force on {_day(scope)}")
    if scope.documents is not None:
        parts.append("among those named")
    return ", ".join(parts)


def out_of_force(reference: str, documents: Iterable[DocumentRow], scope: Scope) -> str:
    """That a document of this name is there, on other days only; empty when none is.

    `documents` are all of the index, so this is for its owner. Raises AmbiguousError.
    """
    rows = {row.id: row for row in documents}
    found = rows.get(
        find_document(reference, (Name(row.id, row.path, row.title) for row in rows.values())) or ""
    )
    day = scope.as_of or date.today()
    if found is not None and found.effective_from is not None and found.effective_from > day:
        return f"{found.id} is in force from {found.effective_from} on"
    if found is not None and found.effective_to is not None and found.effective_to < day:
        return f"{found.id} was in force until {found.effective_to}"
    return ""


def _day(scope: Scope) -> str:
    return f"{scope.as_of or date.today()}{'' if scope.as_of else ' (today)'}"
