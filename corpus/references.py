"""Cross-references in a text: found when it is synced, resolved inside the document or marked as external."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pincite.corpus.document import Document
from pincite.corpus.references_grammar import ACT_NUMBER, Act, Citation, find_citations
from pincite.corpus.references_locate import Located, Locator
from pincite.corpus.references_names import OwnNames, holds_words, name_key, names_document, own_names
from pincite.corpus.references_tree import Node, Tree
from pincite.corpus.references_words import ATTACHED, RANK, kind_of

# Part of what decides whether a file is read again.
REFERENCES_VERSION = "2"

FOUND, EXTERNAL, MISSING, AMBIGUOUS = "found", "external", "missing", "ambiguous"
_AMENDED = re.compile(
    r"\b(?:(?:is|are)\s+(?:hereby\s+)?amended\s+as\s+follows|(?:wird|werden)\s+wie\s+folgt\s+geändert|(?:est|sont)\s+modifiée?s?\s+comme\s+suit|"
    r"se\s+modifican?\s+como\s+sigue|queda(?:n)?\s+modificad[oa]s?\s+como\s+sigue)",
    re.IGNORECASE,
)
_QUOTE_OPENS = re.compile(r"(?<=:)\s*\n\s*(?P<open>[‘“\"„«])")
_CLOSES = {"‘": "’", "“": "”", '"': '"', "„": "“", "«": "»"}
_MOST_TARGETS = 60
# Of a line that may be a title, in characters.
_LINE = 120


@dataclass(frozen=True, slots=True)
class RefTarget:
    """A place that a reference leads to: a section, or with `unit` a part of it; its own span."""

    section: str
    unit: str | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference in a section's body, `start`..`end` in the document's characters.

    `status`: `found` with its targets in this document; `external` with the act's name where it has one;
    `missing` (this document, but not there); `ambiguous` with the candidates. `href` is where a link leads
    that the source itself holds: "#anchor", "file#anchor".
    """

    start: int
    end: int
    status: str
    targets: tuple[RefTarget, ...] = ()
    act: str | None = None
    href: str | None = None


def find_references(
    document: Document, own: OwnNames | None = None, tree: Tree | None = None
) -> list[tuple[Reference, ...]]:
    """The references in the body of each section, in document order; `tree` is that of the document."""
    sections = document.sections
    tree = tree or document_tree(document)

    def text_of(at: int) -> tuple[str, int]:
        return document.text[sections[at].start : sections[at].end], sections[at].start

    finder = _Finder(document, tree, Locator(tree, text_of), own or own_names(document.title, document.text))
    return [tuple(finder.section(at)) for at in range(len(sections))]


def document_tree(document: Document) -> Tree:
    """The sections and units of a document by number."""
    units = [[(unit.number, unit.start, unit.end) for unit in section.units] for section in document.sections]
    return Tree(document.sections, units)


class _Finder:
    """What stays the same for all references of a document."""

    def __init__(self, document: Document, tree: Tree, locator: Locator, own: OwnNames) -> None:
        self._document = document
        self._tree = tree
        self._locator = locator
        self._own = own

    def section(self, at: int) -> Iterator[Reference]:
        section = self._document.sections[at]
        body = self._document.text[section.start : section.end]
        foreign = _foreign(body)
        before: tuple[Citation, Located] | None = None
        for citation in find_citations(body):
            here = self._tree.at_offset(at, section.start + citation.start)
            inside = any(start <= citation.start < end for start, end in foreign)
            status, located, act = self._follow(citation, here, body, inside, before)
            before = (citation, located)
            if located is None or (status == MISSING and _everyday(citation)):
                continue
            nodes = [
                node
                for node in located.nodes
                if node not in tuple(here.above) or citation.steps[-1].pointing != "this"
            ]
            if status == FOUND and not nodes:
                nodes = located.nodes
            yield Reference(
                section.start + citation.start,
                section.start + citation.end,
                status,
                tuple(self._target(node) for node in nodes[:_MOST_TARGETS]),
                act,
            )

    def _follow(
        self,
        citation: Citation,
        here: Node,
        body: str,
        foreign: bool,
        before: tuple[Citation, Located] | None,
    ) -> tuple[str, Located, str | None]:
        act = citation.act
        if act is not None and act.way == "that":
            return self._that(citation, act, here, body, before)
        if (
            act is not None
            and act.way == "this"
            and kind_of(act.name) is None
            and not self._own.pointed(act.name)
        ):
            return EXTERNAL, Located(), _act_before(body, citation.start, 2_000) or act.name
        if act is not None and act.way == "name":
            if not self._own.means(act.name):
                roots = self._titled(act.name)
                located = self._locator.locate(citation.steps, here, roots) if roots else Located()
                if located.nodes:
                    return self._judged(located, None)
                if not roots and names_document(act.name):
                    return EXTERNAL, Located(), act.name
        elif act is None and citation.thereof and RANK[citation.steps[0].kind] <= RANK["article"]:
            return EXTERNAL, Located(), _act_before(body, citation.start, 160)
        if foreign and (act is None or act.way != "this"):
            return EXTERNAL, Located(), _amended_act(body, citation.start)
        return self._judged(self._locator.locate(citation.steps, here), None)

    def _that(
        self, citation: Citation, act: Act, here: Node, body: str, before: tuple[Citation, Located] | None
    ) -> tuple[str, Located, str | None]:
        """ "of that Directive": the one named before; "of that paragraph": the one cited before."""
        kind = kind_of(act.name)
        if kind is None:
            return EXTERNAL, Located(), _act_before(body, citation.start, 2_000) or f"that {act.name}".strip()
        if before is None or not before[1].nodes:
            return EXTERNAL if before is not None else MISSING, Located(), None
        for root in before[1].nodes[0].above:
            if root.kind == kind or root.unit is not None:
                located = self._locator.locate(citation.steps, here, [root])
                if located.nodes:
                    return self._judged(located, None)
        return MISSING, Located(), None

    def _judged(self, located: Located, act: str | None) -> tuple[str, Located, str | None]:
        if located.missing and not located.nodes:
            return MISSING, located, act
        return (AMBIGUOUS if located.ambiguous else FOUND), located, act

    def _titled(self, name: str) -> list[Node]:
        """The sections of this document whose heading holds a name, the outermost ones."""
        words = re.findall(r"\w+", name.casefold())
        if not words or name_key(name) in self._own.keys:
            return []
        found = [
            node
            for node, title in zip(self._tree.sections, self._tree.titles, strict=True)
            if len(words) > 1
            and (
                (node.kind in ATTACHED and self._headed(node, words))
                or (not node.own and holds_words(title, words))
            )
        ]
        return [node for node in found if node.last > node.order and not any(o.holds(node) for o in found)]

    def _headed(self, node: Node, words: list[str]) -> bool:
        """Whether an attachment is called so: in its heading, in its first line, or in the one above it."""
        section = self._document.sections[node.at]
        text = self._document.text
        above = (
            text[max(0, section.heading_start - _LINE) : section.heading_start].strip().rpartition("\n")[2]
        )
        first = text[section.start : min(section.end, section.start + _LINE)].partition("\n")[0]
        return any(holds_words(line, words) for line in (section.title, above, first))

    def _target(self, node: Node) -> RefTarget:
        return RefTarget(self._document.sections[node.at].id, node.unit, node.start, node.end)


def _foreign(body: str) -> list[tuple[int, int]]:
    """Where a text speaks in the words of another act: what is inserted there, and what is amended there."""
    zones = [(match.end(), len(body)) for match in _AMENDED.finditer(body)][:1]
    for match in _QUOTE_OPENS.finditer(body):
        # A quotation mark inside a word is an apostrophe; one that closes before the line does quotes a term.
        close = re.compile(r"(?<!\w){c}|{c}(?!\w)".replace("{c}", re.escape(_CLOSES[match["open"]])))
        end = close.search(body, match.end())
        if end is not None and re.match(r"[\s.;,]*(?:\n|\Z)", body[end.end() :]):
            zones.append((match.start("open"), end.end()))
    return zones


def _act_before(body: str, at: int, reach: int) -> str | None:
    """The last numbered act that is named in front of a place."""
    named = list(ACT_NUMBER.finditer(body, max(0, at - reach), at))
    return " ".join(named[-1][0].split()) if named else None


def _amended_act(body: str, at: int) -> str | None:
    amended = [match.start() for match in _AMENDED.finditer(body, 0, at)]
    return _act_before(body, amended[-1], 300) if amended else None


def _everyday(citation: Citation) -> bool:
    """Words that are mostly no reference: "the first sentence of a book", "this paragraph" outside of any."""
    return (
        citation.steps[0].pointing is not None
        or not citation.steps[-1].values
        or (
            RANK[citation.steps[0].kind] > RANK["subparagraph"]
            and citation.act is None
            and len(citation.steps) == 1
        )
    )
