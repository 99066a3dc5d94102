"""Which document a person means: its id, the path as it was synced, or its title."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher

from pincite.corpus.references_names import act_number, family, name_key
from pincite.errors import AmbiguousError

# The share of equal letters from which a name is offered.
_CLOSE = 0.6
_ENDING = re.compile(r"(?<=[^./\\])\.[A-Za-z][A-Za-z0-9]{0,4}\s*$")


@dataclass(frozen=True, slots=True)
class Name:
    """What a document can be called."""

    id: str
    file: str
    title: str
    names: tuple[str, ...] = ()


def named_like(wanted: str, names: Iterable[Name]) -> list[str]:
    """The ids of the documents that a reference in a text means by a name: "Regulation (EU) 2016/679".

    A numbered act by its number; else a title, a short title or an abbreviation, whole or, of three words
    and more, as a part of a title.
    """
    number = act_number(wanted)
    key = name_key(wanted)
    if number is not None:
        kind = family(wanted.split(maxsplit=1)[0]) if wanted.split() else None
        return [
            name.id
            for name in names
            if any(act_number(own) == number and kind in {None, family(own.split()[0])} for own in name.names)
        ]
    known = list(names)
    same = [name.id for name in known if key and key in {name_key(own) for own in (name.title, *name.names)}]
    if same or len(wanted.split()) < 3:
        return same
    return [name.id for name in known if key in name_key(name.title)]


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


def nearest(reference: str, names: Iterable[Name], limit: int = 5) -> tuple[str, ...]:
    """Ids of the documents whose id, path, file name or title is closest to `reference`, best first."""
    wanted = _loose(bare(reference[:200]))
    likeness: dict[str, float] = {}
    matcher = SequenceMatcher(None, "", wanted, autojunk=False)
    for name in names:
        for spelling in {name.id, name.file, name.file.rpartition("/")[2], name.title}:
            matcher.set_seq1(_loose(bare(spelling[:200])))
            if matcher.real_quick_ratio() >= _CLOSE and matcher.quick_ratio() >= _CLOSE:
                likeness[name.id] = max(likeness.get(name.id, 0.0), matcher.ratio())
    close = sorted((-ratio, document) for document, ratio in likeness.items() if ratio >= _CLOSE)
    return tuple(document for _, document in close[:limit])


def bare(name: str) -> str:
    """A name without the ending of a file: ".md" on both makes no two names alike."""
    return _ENDING.sub("", name)


def _loose(text: str) -> str:
    return "".join(text.casefold().split())


def _same(text: str) -> str:
    return text


_Kind = Callable[[Name], str]
_id: _Kind = lambda name: name.id  # noqa: E731
_file: _Kind = lambda name: name.file  # noqa: E731
_title: _Kind = lambda name: name.title  # noqa: E731
