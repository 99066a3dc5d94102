"""Which document a person means: its id, the path as it was synced, or its title."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pincite.errors import AmbiguousError


@dataclass(frozen=True, slots=True)
class Name:
    """What a document can be called."""

    id: str
    file: str
    title: str


def find_document(reference: str, names: Iterable[Name]) -> str | None:
    """The id of the document that `reference` names, None when none does.

    Ids win over paths, paths over titles; an exact spelling wins over one that differs in case and
    spaces. Raises AmbiguousError when the best kind of match has several.
    """
    known = list(names)
    for spell in (_same, _loose):
        wanted = spell(reference)
        for kind in (_id, _file, _title):
            ids = sorted({name.id for name in known if spell(kind(name)) == wanted})
            if len(ids) == 1:
                return ids[0]
            if ids:
                raise AmbiguousError(
                    f"{len(ids)} documents are called {reference[:200]!r}",
                    hint="name one by its id",
                    near=tuple(ids[:10]),
                )
    return None


def _loose(text: str) -> str:
    return "".join(text.casefold().split())


def _same(text: str) -> str:
    return text


_Kind = Callable[[Name], str]
_id: _Kind = lambda name: name.id  # noqa: E731
_file: _Kind = lambda name: name.file  # noqa: E731
_title: _Kind = lambda name: name.title  # noqa: E731
