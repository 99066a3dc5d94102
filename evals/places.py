"""Where the expected places of a question stand in an index: document, section, span of the quote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pincite.corpus.index import Index
from pincite.corpus.rows import ChunkHit, SectionRow
from pincite.corpus.scope import Scope
from pincite.errors import AmbiguousError, NothingUsableError
from pincite.evals.answer_metrics import Letters, letters, places_of, shares
from pincite.evals.questions import Place, Question
from pincite.tools.duplicates import where
from pincite.tools.passage import Passage
from pincite.tools.resolve import resolve

# Sections up to this many tokens are shown whole: what is found of them shows every place in them.
WHOLE = 400
# How a page or a line begins behind a section's name.
_SPOTS = (", p. ", ", line ")


@dataclass(frozen=True, slots=True)
class Spot:
    """One stretch of the index where an expected place stands; offsets count characters of the document.

    `named` is what "also in" calls its section where the same words were shown from another document.
    """

    document: str
    section: str
    start: int
    end: int
    whole: bool
    named: str = ""

    def shown_by(self, document: str, section: str, start: int, end: int) -> bool:
        """Whether a span of a section shows at least half of this stretch."""
        if (document, section) != (self.document, self.section):
            return False
        return self.whole or 2 * (min(end, self.end) - max(start, self.start)) >= self.end - self.start

    def named_by(self, passage: Passage) -> bool:
        """Whether a passage of another document says that the same words stand in this section."""
        others = (name.removeprefix(self.named) for name in passage.also_in if name.startswith(self.named))
        return bool(self.named) and any(not rest or rest.startswith(_SPOTS) for rest in others)


@dataclass(frozen=True, slots=True)
class Located:
    """An expected place and every spot where it stands; without a spot it is not in the index, `why` says."""

    place: Place
    spots: tuple[Spot, ...]
    why: str = ""

    def repeated_by(self, passage: Passage) -> bool:
        """Whether a passage of another document shows the words of this place and names it with "also in"."""
        return any(spot.named_by(passage) for spot in self.spots) and (
            self.place.quote is None or shares(self.place.quote, passage.text)
        )


class Locator:
    """Finds expected places in one index; reads each document once."""

    def __init__(self, index: Index, scope: Scope) -> None:
        self._index = index
        self._scope = scope
        self._sections: dict[str, list[SectionRow]] = {}
        self._letters: dict[tuple[str, str], Letters] = {}

    def locate(self, question: Question) -> tuple[Located, ...]:
        """The expected places of a question, each with its spots."""
        return tuple(self._find(place) for place in question.expected)

    def document(self, reference: str) -> str | None:
        """The id of the document with this id, path or title, also where the file's folder is left out."""
        try:
            row = self._index.document(reference, self._scope)
        except AmbiguousError:
            return None
        return row.id if row is not None else None

    def _find(self, place: Place) -> Located:
        name = self.document(place.document)
        if name is None:
            return Located(place, (), "no such document")
        rows = self._rows(name)
        if place.section is not None:
            targets = resolve(rows, place.section)
            if not targets:
                return Located(place, (), "no such section")
            rows = [row for target in targets for row in _tree(rows, target.row)]
        if place.quote is None:
            return Located(
                place, tuple(Spot(name, row.id, row.start, row.end, True, _named(row)) for row in rows)
            )
        spots = [spot for row in rows for spot in self._quoted(row, place.quote)]
        return Located(place, tuple(spots), "" if spots else "the quote does not stand there")

    def _quoted(self, row: SectionRow, quote: str) -> list[Spot]:
        key = (row.document, row.id)
        if key not in self._letters:
            self._letters[key] = letters(row.text or "")
        whole = row.tokens <= WHOLE
        return [
            Spot(row.document, row.id, row.start + start, row.start + end, whole, _named(row))
            for start, end in places_of(quote, self._letters[key])
        ]

    def _rows(self, document: str) -> list[SectionRow]:
        if document not in self._sections:
            every = range(0, 1 << 30)
            self._sections[document] = self._index.sections(document, every, self._scope)
        return self._sections[document]


def narrowed(questions: Sequence[Question], locator: Locator) -> dict[str, str]:
    """The id of the document that a question is asked of, by the question's id, for those that name one.

    Raises NothingUsableError for one that is not in the index: such a question would be asked of everything.
    """
    found = {}
    for question in questions:
        if question.document is not None:
            document = locator.document(question.document)
            if document is None:
                raise NothingUsableError(
                    f"question {question.id}: there is no document {question.document[:200]!r}",
                    code="no_such_document",
                    hint="pincite list shows the documents",
                )
            found[question.id] = document
    return found


def nowhere(questions: Sequence[Question], locator: Locator) -> int:
    """How many expected places are not in the index."""
    return sum(not place.spots for question in questions for place in locator.locate(question))


def shows(located: Sequence[Located], hit: ChunkHit) -> tuple[int, ...]:
    """Which of the expected places a hit shows, by number: a short section shows all that stand in it."""
    return tuple(
        number
        for number, one in enumerate(located)
        if any(spot.shown_by(hit.document, hit.section, hit.start, hit.end) for spot in one.spots)
    )


def _named(row: SectionRow) -> str:
    return where(
        Passage(
            handle="",
            document=row.document,
            document_title=row.document_title,
            version=row.version,
            section=row.id,
            path=row.path,
            start=row.start,
            end=row.end,
            text="",
        )
    )


def _tree(rows: Sequence[SectionRow], top: SectionRow) -> list[SectionRow]:
    return [row for row in rows if top.position <= row.position <= top.tree_last]
