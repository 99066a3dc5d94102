"""Cutting a section's body into spans that fit a budget: whole sentences, whole table rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import ceil

from pincite.corpus.rows import SectionRow
from pincite.corpus.sentences import sentence_spans
from pincite.corpus.tokens import estimate_tokens

Span = tuple[int, int]
_WORD = re.compile(r"\S+\s*|\s+")
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
# A header longer than this share of the budget would leave no room for its rows.
_HEADER_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Atom:
    """A span that is not cut any further, in the document's characters, with its estimated tokens."""

    start: int
    end: int
    tokens: int


def body(section: SectionRow, start: int, end: int) -> str:
    """The text of a span of a section whose text is at hand; offsets count the document's characters."""
    return (section.text or "")[start - section.start : end - section.start]


def table_header(section: SectionRow, start: int, budget: int) -> str:
    """The header of the table in which a span that begins at `start` begins behind its header, else ""."""
    for table_start, table_end in section.tables:
        if table_start < start < table_end:
            line = body(section, table_start, table_end).split("\n", 1)[0]
            fits = estimate_tokens(line) <= _HEADER_SHARE * budget
            return line if fits and table_start + len(line) < start else ""
    return ""


def shown_text(section: SectionRow, start: int, end: int, budget: int) -> str:
    """The text of a span as it is shown: under its table's header where it begins inside a table."""
    header = table_header(section, start, budget)
    text = body(section, start, end)
    return f"{header}\n{text}" if header else text


def atoms(section: SectionRow, start: int, end: int, budget: int) -> list[Atom]:
    """Sentences and table rows of a span, in order; one over the budget is cut at blanks, or anywhere.

    The tokens of short ones are their share of the section's, which is much faster than each alone.
    """
    rate = section.tokens / max(1, section.end - section.start)
    found: list[Atom] = []
    for left, right in _parts(section, start, end):
        tokens = ceil(rate * (right - left))
        if tokens > budget / 2:
            tokens = tokens_of(body(section, left, right))
        found += _bounded(section, Atom(left, right, tokens), budget)
    return found


def _parts(section: SectionRow, start: int, end: int) -> Iterator[Span]:
    at = start
    for table_start, table_end in section.tables:
        if at < table_end and table_start < end:
            yield from _sentences(section, at, max(at, table_start))
            yield from _rows(section, max(at, table_start), min(end, table_end))
            at = min(end, table_end)
    yield from _sentences(section, at, end)


def pieces(section: SectionRow, start: int, end: int, budget: int) -> Iterator[Span]:
    """The whole span in pieces within the budget, cut between paragraphs where that leaves no small ones."""
    parts = atoms(section, start, end, budget)
    first = 0
    while first < len(parts):
        behind = first + 1
        size = parts[first].tokens + estimate_tokens(table_header(section, parts[first].start, budget))
        while behind < len(parts) and size + parts[behind].tokens <= budget:
            size += parts[behind].tokens
            behind += 1
        if behind < len(parts):
            behind = _between_paragraphs(section, parts, first, behind)
        behind = fitting(section, parts, first, behind, budget)
        yield parts[first].start, parts[behind - 1].end
        first = behind


def fitting(section: SectionRow, parts: list[Atom], first: int, behind: int, budget: int) -> int:
    """How far the atoms from `first` on may reach, at most to `behind`, and one at least."""
    while behind - first > 1:
        over = excess(section, parts, first, behind, budget)
        if over <= 0:
            break
        while over > 0 and behind - first > 1:
            behind -= 1
            over -= parts[behind].tokens
    return behind


def excess(section: SectionRow, parts: list[Atom], first: int, behind: int, budget: int) -> int:
    """By how many tokens the text of the atoms, as it is shown, is over the budget."""
    return tokens_of(shown_text(section, parts[first].start, parts[behind - 1].end, budget)) - budget


@lru_cache(maxsize=64)
def tokens_of(text: str) -> int:
    """`estimate_tokens`, remembered while one call looks at the same texts again."""
    return estimate_tokens(text)


def _between_paragraphs(section: SectionRow, parts: list[Atom], first: int, behind: int) -> int:
    half = sum(part.tokens for part in parts[first:behind]) / 2
    size = 0
    best = behind
    for at in range(first, behind):
        size += parts[at].tokens
        if size >= half and new_paragraph(section, parts, at + 1):
            best = at + 1
    return best


def new_paragraph(section: SectionRow, parts: list[Atom], at: int) -> bool:
    """Whether a blank line stands in front of the atom at `at`, which is not the first."""
    return _BLANK_LINE.search(body(section, parts[at - 1].end, parts[at].start)) is not None


def _sentences(section: SectionRow, start: int, end: int) -> Iterator[Span]:
    return ((start + left, start + right) for left, right in sentence_spans(body(section, start, end)))


def _rows(section: SectionRow, start: int, end: int) -> Iterator[Span]:
    at = start
    for line in body(section, start, end).split("\n"):
        words = line.strip()
        if words:
            left = at + line.index(words)
            yield left, left + len(words)
        at += len(line) + 1


def _bounded(section: SectionRow, atom: Atom, budget: int) -> Iterator[Atom]:
    if atom.tokens <= budget:
        yield atom
        return
    text = body(section, atom.start, atom.end)
    # Half the budget: an estimate of a part may be a little above its share of the whole.
    width = max(1, len(text) * budget // (2 * atom.tokens))
    at = 0
    while at < len(text):
        stop = min(len(text), at + width)
        for match in _WORD.finditer(text, at):
            if match.end() > at + width:
                stop = match.start() if match.start() > at else stop
                break
            stop = match.end()
        part = text[at:stop]
        words = part.strip()
        if words:
            left = atom.start + at + part.index(words)
            yield Atom(left, left + len(words), estimate_tokens(words))
        at = stop
