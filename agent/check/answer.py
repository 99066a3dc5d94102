"""Does a draft answer pass? Handles shown and permitted, quotes in their passages, numbers in a source."""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from pincite.agent.check.drafts import AnswerDraft, CitationDraft, StatementDraft
from pincite.agent.check.normalise import fold
from pincite.agent.check.numbers import Supply, unsupported_numbers
from pincite.agent.check.quotes import Match, find_quote, too_short

__all__ = [
    "AnswerCheck",
    "AnswerDraft",
    "CheckedCitation",
    "CheckedStatement",
    "CitationDraft",
    "Problem",
    "ProblemCode",
    "ShownPassage",
    "StatementDraft",
    "check_answer",
    "normalise_handle",
]

_HANDLE = re.compile(r"[Pp][0-9]+")


class ShownPassage(Protocol):
    """A passage as a tool showed it."""

    @property
    def handle(self) -> str:
        """P1, P2 ..."""

    @property
    def document(self) -> str:
        """The document's title."""

    @property
    def section(self) -> str:
        """The heading path, such as "4 Rent > 4.2 Payment"."""

    @property
    def text(self) -> str:
        """The text that quotes must stand in."""


class ProblemCode(StrEnum):
    """Why a draft does not pass."""

    unknown_passage = "unknown_passage"
    withdrawn_passage = "withdrawn_passage"
    quote_too_short = "quote_too_short"
    misattributed_quote = "misattributed_quote"
    quote_not_found = "quote_not_found"
    missing_citation = "missing_citation"
    empty_answer = "empty_answer"
    not_found_with_statements = "not_found_with_statements"
    conversation_not_allowed = "conversation_not_allowed"
    conversation_with_citations = "conversation_with_citations"
    number_not_in_source = "number_not_in_source"


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of a draft.

    `statement` is an index, None for the whole answer. `passage` is the handle, as given where it does not
    read as one; `found_in` the handle of the passage that the quote does stand in; `number` as the statement
    writes it; `detail` one plain sentence.
    """

    statement: int | None
    code: ProblemCode
    passage: str | None
    found_in: str | None = None
    number: str | None = None
    quote: str | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class CheckedCitation:
    """A citation that holds: the quote stands in passage `handle` at text[start:end]."""

    handle: str
    quote: str
    match: Match
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CheckedStatement:
    """A statement with those of its citations that hold, and what is wrong with it."""

    text: str
    citations: tuple[CheckedCitation, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class AnswerCheck:
    """The outcome: all statements in order, and all problems, also those of the answer as a whole."""

    statements: tuple[CheckedStatement, ...]
    problems: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        """No problems."""
        return not self.problems

    @property
    def passed(self) -> tuple[CheckedStatement, ...]:
        """The statements without problems."""
        return tuple(statement for statement in self.statements if not statement.problems)


def normalise_handle(handle: str) -> str:
    """ "[p3]" is "P3"; what does not read P and digits inside its decoration stays as given."""
    letters = [at for at, char in enumerate(handle) if char.isalnum()]
    bare = handle[letters[0] : letters[-1] + 1] if letters else ""
    return bare.upper() if _HANDLE.fullmatch(bare) else handle


def check_answer(
    draft: AnswerDraft, *, question: str, shown: Mapping[str, ShownPassage], withdrawn: Container[str] = ()
) -> AnswerCheck:
    """Check a draft against the passages shown in this run.

    `question` is what the user wrote: its numbers may be repeated. `shown` maps handles to passages,
    `withdrawn` holds handles shown but since deleted or forbidden.
    """
    whole = check_whole(draft)
    if whole is not None:
        return whole
    statements = tuple(check_each(draft, question=question, shown=shown, withdrawn=withdrawn))
    return AnswerCheck(
        statements, tuple(problem for statement in statements for problem in statement.problems)
    )


def check_whole(draft: AnswerDraft) -> AnswerCheck | None:
    """The outcome where it does not depend on single statements, else None."""
    if draft.status == "not_found":
        if not draft.statements:
            return AnswerCheck((), ())
        detail = "The status is not_found, yet there are statements: leave them out or change the status."
        return rejected_whole(draft, ProblemCode.not_found_with_statements, detail)
    if not draft.statements:
        return rejected_whole(draft, ProblemCode.empty_answer, "The answer has no statements.")
    return None


def rejected_whole(draft: AnswerDraft, code: ProblemCode, detail: str) -> AnswerCheck:
    """A draft that fails as a whole, whatever its statements say."""
    whole = Problem(None, code, None, detail=detail)
    return AnswerCheck(tuple(CheckedStatement(s.text, (), (whole,)) for s in draft.statements), (whole,))


def check_each(
    draft: AnswerDraft, *, question: str, shown: Mapping[str, ShownPassage], withdrawn: Container[str] = ()
) -> Iterator[CheckedStatement]:
    """The statements of a draft one by one, each checked when it is asked for."""
    check = _Check(question, shown, withdrawn)
    for index, statement in enumerate(draft.statements):
        yield check.statement(index, statement)


@dataclass(slots=True)
class _Check:
    question: str
    shown: Mapping[str, ShownPassage]
    withdrawn: Container[str]
    supplies: dict[str, Supply] = field(default_factory=dict)

    def statement(self, index: int, draft: StatementDraft) -> CheckedStatement:
        if not fold(draft.text).text.strip():
            blank = Problem(index, ProblemCode.empty_answer, None, detail="The statement has no text.")
            return CheckedStatement(draft.text, (), (blank,))
        if not draft.citations:
            bare = Problem(index, ProblemCode.missing_citation, None, detail="The statement has no citation.")
            return CheckedStatement(draft.text, (), (bare,))
        judged = [self.citation(index, citation) for citation in draft.citations]
        problems = [item for item in judged if isinstance(item, Problem)]
        sources = list(dict.fromkeys(self.usable(draft.citations, problems)))
        if sources:
            problems += self.numbers(index, draft.text, sources)
        good = tuple(item for item in judged if isinstance(item, CheckedCitation))
        return CheckedStatement(draft.text, good, tuple(problems))

    def citation(self, index: int, draft: CitationDraft) -> CheckedCitation | Problem:
        handle = None if draft.passage is None else normalise_handle(draft.passage)
        quote = draft.quote or ""

        def problem(code: ProblemCode, detail: str, found_in: str | None = None) -> Problem:
            return Problem(index, code, handle, found_in=found_in, quote=draft.quote, detail=detail)

        if handle is None or handle not in self.shown:
            return problem(
                ProblemCode.unknown_passage,
                "No passage with this handle was shown; use a handle from the tool results.",
            )
        if handle in self.withdrawn:
            return problem(ProblemCode.withdrawn_passage, "This passage may no longer be used.")
        if too_short(quote):
            return problem(
                ProblemCode.quote_too_short,
                "The quote is too short; copy at least three words of the passage.",
            )
        found = find_quote(quote, self.shown[handle].text)
        if found.start is not None and found.end is not None:
            return CheckedCitation(handle, quote, found.match, found.start, found.end)
        for other, passage in self.shown.items():
            if (
                other != handle
                and other not in self.withdrawn
                and find_quote(quote, passage.text).start is not None
            ):
                detail = f"The quote stands in {other}, not in {handle}."
                return problem(ProblemCode.misattributed_quote, detail, found_in=other)
        return problem(
            ProblemCode.quote_not_found,
            "The quote does not stand in this passage word for word; copy it exactly.",
        )

    def usable(self, citations: Sequence[CitationDraft], problems: Sequence[Problem]) -> Iterator[str]:
        for citation in citations:
            handle = normalise_handle(citation.passage or "")
            if handle in self.shown and handle not in self.withdrawn:
                yield handle
        for problem in problems:
            if problem.found_in is not None:
                yield problem.found_in

    def numbers(self, index: int, text: str, sources: Sequence[str]) -> Iterator[Problem]:
        held = Supply()
        for supplied in (self.from_question(), *map(self.from_passage, sources)):
            held.merge(supplied)
        for number in dict.fromkeys(unsupported_numbers(text, held)):
            detail = (
                "Neither a cited passage nor the question holds this number, or not with this unit; "
                "copy it as it is written there."
            )
            yield Problem(index, ProblemCode.number_not_in_source, None, number=number, detail=detail)

    def from_question(self) -> Supply:
        if "" not in self.supplies:
            self.supplies[""] = Supply.of(self.question)
        return self.supplies[""]

    def from_passage(self, handle: str) -> Supply:
        if handle not in self.supplies:
            passage = self.shown[handle]
            self.supplies[handle] = Supply.of(passage.text, passage.section, passage.document)
        return self.supplies[handle]
