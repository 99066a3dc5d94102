"""The difference of a section, or of a whole document, between two versions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from difflib import SequenceMatcher

from pincite.corpus.replaced import title_key
from pincite.corpus.rows import DocumentRow, SectionRow
from pincite.corpus.scope import Scope
from pincite.corpus.sentences import sentence_spans
from pincite.errors import NothingUsableError, UsageError
from pincite.tools.nearby import nearest
from pincite.tools.resolve import Target, label, resolve
from pincite.tools.sources import Readable
from pincite.tools.standing import standing

_NEAR = 10


@dataclass(frozen=True, slots=True)
class Version:
    """One side of a comparison: the document, and the place in it; no place where the version lacks it."""

    document: DocumentRow
    number: str | None
    title: str | None
    text: str

    @property
    def name(self) -> str:
        """How the version is called: its label or dates, else its id."""
        row = self.document
        dated = f"from {row.effective_from.isoformat()}" if row.effective_from else ""
        return standing(row) or row.version_label or dated or row.id


@dataclass(frozen=True, slots=True)
class Change:
    """A run of sentences: `kind` is "same", "removed" (only in the earlier), or "added"."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Difference:
    """What changed between two versions of a place."""

    earlier: Version
    later: Version
    changes: tuple[Change, ...]

    @property
    def same(self) -> bool:
        """Whether both versions say the same there."""
        return all(change.kind == "same" for change in self.changes)


def difference(
    index: Readable, scope: Scope, document: str, section: str | None = None, *, earlier: str, later: str
) -> Difference:
    """Compare two versions of a document, or of one section of it.

    `document` is an id, path, title or short name; `earlier` and `later` are each a version's label, a day on
    which it was in force (YYYY-MM-DD), or a document's id. Raises NothingUsableError with `no_such_document`,
    `no_such_version`, `no_such_section` or `ambiguous`.
    """
    anywhen = replace(scope, any_day=True, as_of=None)
    family = versions(index, anywhen, document)
    sides = [
        _side(index, anywhen, _version(index, anywhen, family, wanted), section)
        for wanted in (earlier, later)
    ]
    if section is not None and all(side.number is None and side.title is None for side in sides):
        raise NothingUsableError(
            f"neither version has a section {section!r}",
            code="no_such_section",
            near=_near(index, anywhen, sides, section),
        )
    return Difference(sides[0], sides[1], tuple(_changes(sides[0].text, sides[1].text)))


def versions(index: Readable, scope: Scope, document: str) -> list[DocumentRow]:
    """The versions of a document that the scope may see, oldest first: those with its title in its folder."""
    names = index.names(scope)
    exact = [name for name in names if document in {name.id, name.file}]
    wanted = title_key(document)
    found = exact or [
        name for name in names if title_key(name.title) == wanted or title_key(name.file) == wanted
    ]
    ids = {name.id for name in found} | (
        {row.id for row in index.named(document, scope)} if not found else set()
    )
    if not ids:
        raise NothingUsableError(f"no document is called {document[:200]!r}", code="no_such_document")
    homes = {(name.id.rpartition("/")[0], title_key(name.title)) for name in names if name.id in ids}
    family = [
        name.id
        for name in names
        if (name.id.rpartition("/")[0], title_key(name.title)) in homes or name.id in ids
    ]
    rows = index.documents_by_id(family, scope)
    return sorted(rows, key=lambda row: (row.effective_from or date.min, row.version_label or "", row.id))


def _version(index: Readable, scope: Scope, family: Sequence[DocumentRow], wanted: str) -> DocumentRow:
    """The version that a label, a day or an id names."""
    plain = wanted.strip().casefold()
    same = [
        row
        for row in family
        if plain in {row.id.casefold(), row.path.casefold()} or plain == (row.version_label or "").casefold()
    ]
    if not same:
        same = _on_day(family, plain)
    if len(same) == 1:
        return same[0]
    if same:
        near = tuple(row.id for row in same[:_NEAR])
        raise NothingUsableError(f"{len(same)} versions are called {wanted!r}", code="ambiguous", near=near)
    other = index.document(wanted, scope) if "/" in wanted or "." in wanted else None
    if other is not None:
        return other
    near = tuple(row.version_label or str(row.effective_from or row.id) for row in family[:_NEAR])
    raise NothingUsableError(f"there is no version {wanted!r}", code="no_such_version", near=near)


def _on_day(family: Sequence[DocumentRow], wanted: str) -> list[DocumentRow]:
    try:
        day = date.fromisoformat(wanted)
    except ValueError:
        return []
    fitting = [row for row in family if (row.effective_from or day) <= day <= (row.effective_to or day)]
    latest = max((row.effective_from or date.min for row in fitting), default=None)
    return [row for row in fitting if (row.effective_from or date.min) == latest]


def _side(index: Readable, scope: Scope, document: DocumentRow, section: str | None) -> Version:
    outline = index.outline_of(document.id, scope)
    if section is None:
        rows = index.sections(document.id, range(len(outline.rows)), scope)
        return Version(document, None, document.title, _joined(rows))
    whole = {row.position: row for row in index.sections(document.id, range(len(outline.rows)), scope)}
    found = resolve(outline, section, lambda at: (whole[at].text or "") if at in whole else "")
    if not found:
        return Version(document, None, None, "")
    if len(found) > 1:
        raise UsageError(
            f"{section!r} names {len(found)} places in {document.id}",
            hint="name one of them",
            near=tuple(one.number or label(one.row) for one in found[:_NEAR]),
        )
    return Version(document, found[0].number, found[0].row.title, _text(whole, found[0]))


def _text(rows: dict[int, SectionRow], target: Target) -> str:
    row = rows.get(target.row.position, target.row)
    if target.unit is not None:
        _, start, end = target.unit
        return (row.text or "")[start - row.start : end - row.start]
    return _joined([rows[at] for at in range(row.position, row.tree_last + 1) if at in rows], first=False)


def _joined(rows: Sequence[SectionRow], *, first: bool = True) -> str:
    parts = [
        "\n\n".join(
            part for part in (label(row) if row.has_heading and (first or at) else "", row.text or "") if part
        )
        for at, row in enumerate(rows)
    ]
    return "\n\n".join(part for part in parts if part)


def _changes(earlier: str, later: str) -> list[Change]:
    """Runs of sentences that both have, or that only one has, in reading order."""
    old, new = _sentences(earlier), _sentences(later)
    matcher = SequenceMatcher(
        None, [_plain(one) for one in old], [_plain(one) for one in new], autojunk=False
    )
    changes = []
    for way, a, b, c, d in matcher.get_opcodes():
        if way == "equal":
            changes.append(Change("same", "\n".join(new[c:d])))
            continue
        if b > a:
            changes.append(Change("removed", "\n".join(old[a:b])))
        if d > c:
            changes.append(Change("added", "\n".join(new[c:d])))
    return changes


def _sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


def _plain(sentence: str) -> str:
    return " ".join(sentence.split())


def _near(index: Readable, scope: Scope, sides: Sequence[Version], section: str) -> tuple[str, ...]:
    return nearest(index.outline_of(sides[-1].document.id, scope), section)
