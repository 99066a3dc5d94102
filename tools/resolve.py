"""Which place of a document a person means: an id, a number, a title, a defined term, a unit in a section."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from pincite.corpus.definitions import same_term
from pincite.corpus.outline import Outline, SectionText, full_number, label
from pincite.corpus.references_grammar import Citation, find_citations
from pincite.corpus.references_locate import Locator
from pincite.corpus.references_names import act_number, names_document
from pincite.corpus.references_numbers import Value
from pincite.corpus.references_tree import Node, number_of
from pincite.corpus.references_units import Named
from pincite.corpus.references_words import INSTRUMENT, KIND
from pincite.corpus.rows import SectionRow
from pincite.tools.asked import (
    ACRONYM,
    BARE_NUMBER,
    BEGINNING,
    DEFINED,
    DEFINED_PLAIN,
    FLUSH,
    HEADED,
    LITTLE,
    REST,
    WITHIN,
    spelled_out,
)
from pincite.tools.naming import name_key
from pincite.tools.target import Target, with_text

__all__ = ["Target", "full_number", "label", "node_of", "resolve"]

Rows = Sequence[SectionRow] | Outline
_WORDS = re.compile(r"\w+")
# More names than any heading path has.
_PARTS = 12


def resolve(
    rows: Rows, reference: str, text: SectionText | None = None, here: Node | None = None
) -> list[Target]:
    """The sections or units that `reference` names: none, one, or all that carry the name.

    Tried in this order: the id; an anchor ("#term"); number and title, headings joined with " > ", title; a
    defined term; a citation in any of the forms that people write; a bare number; a name behind those of
    sections above it; an anchor without its sign.
    `text` gives the words of a section (by default those of the rows), `here` is where a relative reference
    ("this Chapter", "paragraph 2") stands.
    """
    outline = rows if isinstance(rows, Outline) else Outline(rows)
    return _Resolver(outline, text, here).resolve(reference)


class _Resolver:
    def __init__(self, outline: Outline, text: SectionText | None, here: Node | None) -> None:
        self._outline = outline
        self._here = here
        self._locator: Locator = outline.locator(text or (lambda at: outline.rows[at].text or ""))

    def resolve(self, reference: str, depth: int = 0) -> list[Target]:
        reference = " ".join(reference.split()) if "\n" in reference else reference.strip()
        for name in (reference, _bare(reference)):
            if name in self._outline.by_id:
                return [Target(self._outline.by_id[name])]
        reference = spelled_out(reference)
        bare = _bare(reference)
        # A citation and nothing else needs no names of sections, which long documents have many of.
        if bare.startswith("#"):
            return [Target(one.section, one.unit) for one in self._outline.anchored(bare)]
        found = self._cited(bare, plain=True) or self._named(bare)
        if found or depth > _PARTS:
            return with_text(found)
        for way in (self._defined, self._flush, self._cited, self._number, self._labelled):
            found = way(reference)
            if found:
                return with_text(found)
        return self._headed(reference, depth) or self._within(reference, depth) or self._anchored(bare)

    def _anchored(self, bare: str) -> list[Target]:
        """An anchor without its sign, or behind the name of the document's own file."""
        file, sign, anchor = bare.partition("#")
        first = self._outline.rows[0].document if self._outline.rows else ""
        own = bool(sign) and first.rpartition("/")[2] == file.rpartition("/")[2]
        wanted = anchor if own else bare
        return [Target(one.section, one.unit) for one in self._outline.anchored(wanted)]

    def _named(self, name: str) -> list[Target]:
        return with_text([Target(row) for row in self._outline.named(name, name_key)])

    def _defined(self, reference: str) -> list[Target]:
        match = DEFINED.match(reference) or DEFINED_PLAIN.match(reference)
        if match is None:
            return []
        term = match["term"].strip(" \"'“”‘’„«».")
        entries = ((row, one) for row in self._outline.defining for one in row.definitions)
        found = [(row, one) for row, one in entries if same_term(one.term, term)]
        strict = [(row, one) for row, one in found if name_key(one.term) == name_key(term)] or found
        targets = [Target(row, _span_unit(row, one.term, one.start, one.end)) for row, one in strict]
        return targets[:1] if len({target.row.id for target in targets}) == 1 else targets

    def _flush(self, reference: str) -> list[Target]:
        match = FLUSH.match(reference)
        if match is None:
            return []
        nodes = [node for one in self._citations(match["where"]) for node in self._locate(one)]
        return [self._target(part) for node in nodes for part in self._locator.parts.flush(node)]

    def _cited(self, reference: str, *, plain: bool = False) -> list[Target]:
        citations = self._citations(reference)
        if not citations:
            return []
        rest = _outside(reference, citations)
        if plain and rest:
            return []
        nodes = list(dict.fromkeys(node for one in citations for node in self._locate(one, rest)))
        targets = [self._target(node) for node in nodes]
        if rest and not self._fits(rest, targets):
            return []
        return targets

    def _citations(self, reference: str) -> list[Citation]:
        found = find_citations(reference, loose=True)
        if self._here is None:
            found = [one for one in found if one.steps[0].pointing is None or one.steps[0].values]
        return found

    def _locate(self, citation: Citation, rest: str = "") -> list[Node]:
        """The places of a citation; below what the words beside it name, when a heading holds these."""
        for roots in self._titled(rest) if rest else ():
            found = self._locator.locate(citation.steps, None, roots).nodes
            if found:
                return found
        if rest and self._here is None:
            if self._whole(rest):
                return self._locator.anywhere(citation.steps, main=True).nodes
            if names_document(rest) and len(_WORDS.findall(rest)) > 1:
                # of an instrument that is not known: every place with this number may be meant
                return self._locator.anywhere(citation.steps).nodes
        return self._locator.locate(citation.steps, self._here).nodes

    def _whole(self, rest: str) -> bool:
        """Whether words name the document itself: its title, or a heading in front of its first number."""
        words = _WORDS.findall(rest.casefold())
        if len(words) < 2 or not self._outline.rows:
            return False
        front = takewhile(lambda name: name.number is None, self._outline.packed.names())
        return any(
            _holds(name, words) for name in (self._outline.rows[0].document_title, *(r.title for r in front))
        )

    def _titled(self, words: str) -> Iterator[list[Node]]:
        """The sections that words name: with this very name, then those whose number and title hold them."""
        wanted = _WORDS.findall(words.casefold())
        if not wanted or (len(wanted) == 1 and ACRONYM.match(words)):
            return
        exact = self._named(words)
        if exact:
            yield [self._outline.tree.sections[target.row.position] for target in exact]
        if len(wanted) < 2:
            return
        last = self._outline.packed.last
        nodes = [
            self._outline.tree.sections[at]
            for at, name in enumerate(self._outline.packed.names())
            if last[at] > at and _holds(name.label, wanted)
        ]
        if nodes:
            yield [node for node in nodes if not any(other.holds(node) for other in nodes)]

    def _fits(self, rest: str, targets: Sequence[Target]) -> bool:
        """Whether words beside a citation name this document, the place itself, or nothing in particular."""
        if not self._outline.rows or not targets:
            return False
        first = self._outline.rows[0]
        number = act_number(rest)
        if number is not None:
            return number in f"{first.document_title} {first.document}"
        if names_document(rest) or any(self._titled(rest)):
            return True
        words = re.findall(r"\w+", rest.casefold())
        if ACRONYM.match(rest) or re.fullmatch(
            rf"(?:this |the |of )*(?:{INSTRUMENT}|document|lease|law|statute)", rest, re.IGNORECASE
        ):
            return True
        places = " ".join([first.document_title, first.document, *(" ".join(t.row.path) for t in targets)])
        held = set(re.findall(r"[^\W_]+", places.casefold()))
        return sum(word in held for word in words) * 2 >= len(words)

    def _number(self, reference: str) -> list[Target]:
        """A number without a word: "4.2(b)", "6(1)(f)", "IV"."""
        bare = " ".join(reference.split()).rstrip(".:;, ")
        match = BARE_NUMBER.fullmatch(bare)
        if match is None or not bare or (len(bare) == 1 and bare.islower()):
            return []
        _, tokens = number_of(bare)
        _, main = number_of(match["main"] or "")
        value = Value(tokens, 0, len(bare), inner=not main, whole=max(1, len(main)))
        step = Named("section", "", 0, len(bare), (value,))
        return [self._target(node) for node in self._locator.numbered(step)] if tokens else []

    def _labelled(self, reference: str) -> list[Target]:
        """A number of words, "disposición transitoria única" or a lone "Anhang"; the beginning."""
        found = [Target(row) for row in self._outline.printed(reference, name_key)]
        if not found and name_key(reference) in BEGINNING:
            first = next((row for row in self._outline.rows if row.start < row.end), None)
            found = [] if first is None else [Target(first)]
        return found

    def _headed(self, reference: str, depth: int) -> list[Target]:
        """A title in quotation marks behind a word for what it is: section "Feeding" under Behaviour."""
        match = HEADED.match(reference)
        if match is None or match["kind"].lower() not in KIND | {"heading": "", "überschrift": ""}:
            return []
        found = self._named(match["title"])
        above = REST.sub("", match["rest"])
        above = re.sub(r"^(?:under|within|unter|beneath|below)\s+", "", above, flags=re.IGNORECASE)
        return self._below(found, above, depth) if above else found

    def _within(self, reference: str, depth: int) -> list[Target]:
        """The last name of "Chapter IV, Section 1" or the first of "Payment under Rent", below the others."""
        path = [part.strip() for part in re.split(r"\s[>›]\s", reference)]
        parts = path if len(path) > 1 else [part for part in WITHIN.split(reference) if part]
        if not 2 <= len(parts) <= _PARTS:
            return []
        for name, above in ((parts[-1], parts[:-1]), (parts[0], parts[1:])):
            found = self.resolve(name, depth + _PARTS // 2 + 1)
            for part in above:
                found = self._below(found, part, depth + _PARTS // 2) if found else []
            if found:
                return found
        return []

    def _below(self, found: list[Target], name: str, depth: int) -> list[Target]:
        above = {target.row.id for target in self.resolve(name, depth + 1)}
        return [target for target in found if above & set(self._ancestors(target.row))]

    def _ancestors(self, row: SectionRow) -> Iterator[str]:
        above = row.parent
        while above is not None:
            yield above
            above = self._outline.by_id[above].parent if above in self._outline.by_id else None

    def _target(self, node: Node) -> Target:
        row = self._outline.rows[node.at]
        return Target(row, (node.unit, node.start, node.end) if node.unit is not None else None)


def node_of(outline: Outline, target: Target) -> Node:
    """The place of a target in the tree of its outline."""
    section = outline.tree.sections[target.row.position]
    if target.unit is None:
        return section
    return outline.tree.at_offset(section.at, target.unit[1])


def _span_unit(row: SectionRow, term: str, start: int, end: int) -> tuple[str, int, int] | None:
    """The unit that a definition is, or its span under the term's name; None for the whole section."""
    for number, begin, stop in reversed(row.units):
        if begin <= start < stop and start - begin <= 8:
            return number, begin, stop
    return None if (start, end) == (row.start, row.end) else (f'"{term}"', start, end)


def _outside(reference: str, citations: Sequence[Citation]) -> str:
    """The words beside the citations: the name of an act, a title."""
    parts = []
    at = 0
    for one in citations:
        parts.append(reference[at : one.start])
        at = max(at, one.end)
    parts.append(reference[at:])
    words = [REST.sub("", part).strip(" ,;:.\"'“”‘’()") for part in parts]
    return " ".join(word for word in words if word and word.lower() not in LITTLE)


def _bare(reference: str) -> str:
    return reference.strip("\"'“”‘’„«»[]").strip()


def _holds(title: str, wanted: Sequence[str]) -> bool:
    words = _WORDS.findall(title.casefold())
    return all(word in words for word in wanted)
