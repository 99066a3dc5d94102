"""Which section of a document a person means: its id, its number, its title, or a unit inside it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from pincite.corpus.labels import KIND_OF, roman
from pincite.corpus.rows import SectionRow
from pincite.tools.render import one_line

# Kinds of numbers that people use for one another when a document has only one of them.
_LIKE = frozenset({"section", "article", "clause", "paragraph", "item", "rule"})
_NUMBER = re.compile(
    rf"(?:(?P<word>{'|'.join(sorted(KIND_OF, key=len, reverse=True))})\b\.?\s*|(?P<sign>§+)\s*)?"
    r"(?P<rest>[(\[]?[0-9A-Za-z][0-9A-Za-z.\-–()\[\]\s]{0,60})",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"\d+|[^\W\d_]+")
_NEAR = 5
# More names than any heading path has.
_PARTS = 12


@dataclass(frozen=True, slots=True)
class Target:
    """What a reference opens: a section, or the unit (number, start, end) inside it."""

    row: SectionRow
    unit: tuple[str, int, int] | None = None


@dataclass(frozen=True, slots=True)
class Number:
    """A number taken apart: "Article 6(1)(f)" is kind "article", tokens 6, 1, f."""

    kind: str | None
    tokens: tuple[str, ...]


def resolve(rows: Sequence[SectionRow], reference: str) -> list[Target]:
    """The sections or units that `reference` names: none, one, or all that carry the name.

    Tried in this order: the id; number and title, title, headings joined with " > "; a number; a name
    behind those of sections above it ("Chapter IV, Section 1").
    """
    reference = reference.strip().strip("\"'“”‘’„«»[]").strip()
    by_id = [Target(row) for row in rows if row.id == reference]
    if by_id:
        return by_id
    wanted = _key(reference)
    names: tuple[Callable[[SectionRow], str], ...] = (
        label,
        lambda row: " > ".join(row.path),
        lambda row: row.title,
    )
    for name in names:
        found = _with_text([Target(row) for row in rows if wanted and _key(name(row)) == wanted])
        if found:
            return found
    number = parse_number(reference)
    if number is not None:
        found = _with_text([target for target, _ in _numbered(rows, number)])
        if found:
            return found
    return _qualified(rows, reference)


def _with_text(found: list[Target]) -> list[Target]:
    """Of several, those that hold something: an empty one is mostly a line of a printed contents."""
    full = [
        one
        for one in found
        if one.unit or one.row.start < one.row.end or one.row.position < one.row.tree_last
    ]
    return full or found


def nearest(rows: Sequence[SectionRow], reference: str) -> tuple[str, ...]:
    """Names of what stands next to where the reference would be; the closest titles otherwise."""
    number = parse_number(reference)
    if number is not None:
        near = _neighbours(rows, number)
        if near:
            return near
    labels = {_key(label(row)): label(row) for row in rows}
    titles = {_key(row.title): label(row) for row in rows}
    close = get_close_matches(_key(reference)[:200], [*labels, *titles], n=_NEAR, cutoff=0.5)
    found = dict.fromkeys({**titles, **labels}[key] for key in close)
    return tuple(found) or _top(rows)


def _top(rows: Sequence[SectionRow]) -> tuple[str, ...]:
    """The first names of the highest level that has several."""
    levels: dict[int, dict[str, None]] = {}
    for row in rows:
        levels.setdefault(row.level, {})[label(row)] = None
    several = [level for level in sorted(levels) if len(levels[level]) > 1]
    return tuple(levels[several[0] if several else min(levels)])[:_NEAR] if levels else ()


def label(row: SectionRow) -> str:
    """How a section is printed: number and title."""
    return f"{row.number} {row.title}".strip() if row.number else row.title


def addresses(rows: Sequence[SectionRow]) -> dict[str, str]:
    """For each section id the shortest reference that opens it: label, headings joined, or the id."""
    labels = Counter(_key(label(row)) for row in rows)
    paths = Counter(_key(" > ".join(row.path)) for row in rows)
    found = {}
    for row in rows:
        path = " > ".join(row.path)
        if labels[_key(label(row))] == 1 and row.has_heading:
            found[row.id] = label(row)
        else:
            found[row.id] = path if paths[_key(path)] == 1 and row.has_heading else row.id
    return found


def parse_number(text: str) -> Number | None:
    """The number that `text` is; None when it is a name. Roman numerals count like figures."""
    text = " ".join(text.split()).rstrip(".:;, ")
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    kind = "section" if match["sign"] else KIND_OF.get((match["word"] or "").lower())
    tokens = _TOKEN.findall(match["rest"])
    plain = kind is None and not any(token.isdigit() for token in tokens)
    if not tokens or (plain and not (len(tokens) == 1 and (len(tokens[0]) == 1 or tokens[0].isupper()))):
        return None
    if any(len(token) > 4 and not token.isdigit() and roman(token) is None for token in tokens):
        return None
    value = roman(tokens[0]) if tokens[0].isupper() and len(tokens[0]) + bool(kind) > 1 else None
    if value is not None:
        tokens[0] = str(value)
    while len(tokens) > 1 and tokens[-1].strip("0") == "":
        tokens.pop()
    return Number(kind, tuple(token.lstrip("0") or "0" if token.isdigit() else token for token in tokens))


def _numbered(rows: Sequence[SectionRow], wanted: Number) -> list[tuple[Target, Number]]:
    """Every section or unit with this number, of this kind where the document tells kinds apart."""
    everything = list(_addressable(rows))
    for fold in (str, str.lower):
        tokens = [fold(token) for token in wanted.tokens]
        same = [entry for entry in everything if [fold(token) for token in entry[1].tokens] == tokens]
        found = _of_kind(same, wanted.kind, {number.kind for _, number in everything})
        if found:
            # A section wins over a unit of the same number inside another one.
            return [entry for entry in found if entry[0].unit is None] or found
    return []


def _of_kind(
    entries: list[tuple[Target, Number]], kind: str | None, kinds: set[str | None]
) -> list[tuple[Target, Number]]:
    plain = [entry for entry in entries if entry[1].kind is None]
    if kind is None:
        return plain or entries
    same = [entry for entry in entries if entry[1].kind == kind]
    if same or plain or kind in kinds or kind not in _LIKE:
        return same or plain
    return [entry for entry in entries if entry[1].kind in _LIKE]


def _addressable(rows: Sequence[SectionRow]) -> Iterator[tuple[Target, Number]]:
    """Sections and units with their full numbers; a lettered section's number starts above it."""
    full: dict[str, Number] = {}
    for row in rows:
        own = parse_number(row.number) if row.number else None
        above = full.get(row.parent or "")
        if own is not None and above is not None and _is_part(row.number or ""):
            own = Number(above.kind, above.tokens + own.tokens)
        if own is not None:
            full[row.id] = own
            yield Target(row), own
        for unit in row.units:
            tokens = tuple(_TOKEN.findall(unit[0]))
            if unit[0][:1].isdigit() and "." in unit[0].split("(")[0].rstrip("."):
                yield Target(row, unit), Number(None, tokens)
            elif own is not None:
                yield Target(row, unit), Number(own.kind, own.tokens + tokens)


def _is_part(number: str) -> bool:
    return number.startswith("(") or (len(number.rstrip(".)")) == 1 and number[0].isalpha())


def _qualified(rows: Sequence[SectionRow], reference: str) -> list[Target]:
    """The last name of a reference such as "Chapter IV, Section 1", below what the names before it mean."""
    parts = [part for part in re.split(r"\s*[>›,]\s*", reference) if part]
    if not 2 <= len(parts) <= _PARTS:
        return []
    found = resolve(rows, parts[-1])
    for part in parts[:-1]:
        above = {target.row.id for target in resolve(rows, part)}
        found = [target for target in found if above & set(_ancestors(rows, target.row))]
    return found


def _ancestors(rows: Sequence[SectionRow], row: SectionRow) -> Iterator[str]:
    parents = {other.id: other.parent for other in rows}
    above = row.parent
    while above is not None:
        yield above
        above = parents.get(above)


def _neighbours(rows: Sequence[SectionRow], wanted: Number) -> tuple[str, ...]:
    """The numbers before and behind the wanted one on its level, else the nearest level above it."""
    entries = list(_addressable(rows))
    kinds = {number.kind for _, number in entries}
    entries = (
        _of_kind(entries, wanted.kind, kinds) if wanted.kind in kinds or wanted.kind is None else entries
    )
    for depth in range(len(wanted.tokens), 0, -1):
        stem, last = wanted.tokens[: depth - 1], wanted.tokens[depth - 1]
        level = [entry for entry in entries if entry[1].tokens[:-1] == stem and len(entry[1].tokens) == depth]
        exact = [entry for entry in level if entry[1].tokens[-1] == last]
        if exact:
            return tuple(_names(exact))
        if level:
            ordered = sorted(level, key=lambda entry: _rank(entry[1].tokens[-1]))
            below = [entry for entry in ordered if _rank(entry[1].tokens[-1]) < _rank(last)]
            above = [entry for entry in ordered if _rank(entry[1].tokens[-1]) > _rank(last)]
            return tuple(_names([*below[-2:], *above[:2]]))
    return ()


def _rank(token: str) -> tuple[int, int, str]:
    return (0, int(token), "") if token.isdigit() else (1, len(token), token)


def _names(entries: Iterable[tuple[Target, Number]]) -> list[str]:
    names = (
        f"{target.row.number or ''}{target.unit[0]}" if target.unit else label(target.row)
        for target, _ in entries
    )
    return list(dict.fromkeys(names))[:_NEAR]


def _key(text: str) -> str:
    """Names are compared without case, spaces and the signs that lists of contents cannot print."""
    return "".join(one_line(text, 1000).casefold().split())
