"""Judges an answer with the check, and keeps of it what may be shown."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Any

from pincite.agent.answer import Citation, Statement, Withheld
from pincite.agent.check.answer import (
    CheckedCitation,
    CheckedStatement,
    Problem,
    ProblemCode,
    check_each,
    check_whole,
)
from pincite.agent.check.conversation import check_conversation
from pincite.agent.check.drafts import AnswerDraft
from pincite.agent.check.numbers import Supply, unsupported_numbers
from pincite.agent.check.open_parts import is_open_part
from pincite.agent.check.repair import explain
from pincite.tools.passage import Passage

_MAX_UNANSWERED, _MAX_UNANSWERED_TEXT = 10, 300


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage as the check reads it: with all that the model was shown beside its text."""

    passage: Passage

    @property
    def handle(self) -> str:
        """The handle."""
        return self.passage.handle

    @property
    def document(self) -> str:
        """Title and id."""
        return f"{self.passage.document_title} {self.passage.document}"

    @property
    def section(self) -> str:
        """Number and heading path."""
        return f"{self.passage.number or ''} {self.passage.heading_path}"

    @property
    def text(self) -> str:
        """The text that quotes must stand in."""
        return self.passage.text


@dataclass(frozen=True, slots=True)
class Judged:
    """A draft after the check. `explanation` is what the model is told about its problems.

    `remark` is what a conversation says beside the documents.
    """

    status: str
    statements: tuple[Statement, ...]
    withheld: tuple[Withheld, ...]
    unanswered: tuple[str, ...]
    problems: tuple[Problem, ...]
    explanation: str
    remark: str = ""

    @property
    def passed(self) -> bool:
        """Whether all of it may be shown."""
        return not self.problems

    @property
    def codes(self) -> tuple[str, ...]:
        """The code of each problem, in order."""
        return tuple(problem.code.value for problem in self.problems)


def judge(
    draft: AnswerDraft,
    asked: str,
    shown: Mapping[str, Passage],
    withdrawn: AbstractSet[str],
    said: str | None = None,
    *,
    question: str | None = None,
) -> Generator[Statement, None, Judged]:
    """Check `draft` against the passages in `shown`; yields each statement as soon as it has passed.

    `asked` is all that the user wrote, `said` all that was said where a conversation is allowed. `question`
    is the last of what was asked (default: `asked`); it stands in for open parts that are not of it.
    """
    evidence = {handle: Evidence(passage) for handle, passage in shown.items()}
    whole = check_conversation(draft, said) if draft.status == "conversation" else check_whole(draft)
    if whole is not None:
        statements: tuple[Statement, ...] = ()
        checked, problems = list(whole.statements), whole.problems
    else:
        checked = []
        passed = []
        for one in check_each(draft, question=asked, shown=evidence, withdrawn=withdrawn):
            checked.append(one)
            if not one.problems:
                passed.append(_statement(one, shown))
                yield passed[-1]
        statements = tuple(passed)
        problems = tuple(problem for one in checked for problem in one.problems)
    unanswered, held_back = _unanswered(draft.unanswered, asked, question or asked)
    talk = whole is not None and draft.status == "conversation" and not problems
    return Judged(
        status=draft.status,
        statements=statements,
        withheld=(*_withheld(checked), *held_back),
        unanswered=unanswered,
        problems=problems,
        explanation=explain([_discreet(problem) for problem in problems], evidence),
        remark=" ".join(one.text.strip() for one in checked if one.text.strip()) if talk else "",
    )


def draft_json(draft: AnswerDraft) -> dict[str, Any]:
    """A draft for the transcript."""
    return draft.model_dump(mode="json")


def problem_json(problem: Problem) -> dict[str, Any]:
    """A problem for the transcript."""
    fields = {
        "statement": problem.statement,
        "code": problem.code.value,
        "passage": problem.passage,
        "found_in": problem.found_in,
        "number": problem.number,
        "detail": problem.detail,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _discreet(problem: Problem) -> Problem:
    """A problem as the model is told it: words of a withdrawn passage are not repeated."""
    if problem.code is ProblemCode.withdrawn_passage:
        return replace(problem, quote=None)
    return problem


def _statement(checked: CheckedStatement, shown: Mapping[str, Passage]) -> Statement:
    unique = dict.fromkeys(checked.citations)
    return Statement(
        text=checked.text, citations=tuple(_citation(citation, shown[citation.handle]) for citation in unique)
    )


def _citation(checked: CheckedCitation, passage: Passage) -> Citation:
    """The citation with the place of the quoted words, as exactly as the passage tells it."""
    start, end = passage.span_of(checked.start, checked.end)
    page, line = passage.place_at(start)
    page_end = passage.place_at(max(start, end - 1))[0] if passage.places else passage.page_end
    return Citation(
        handle=passage.handle,
        document=passage.document,
        document_title=passage.document_title,
        version=passage.version,
        section=passage.section,
        number=passage.number,
        heading_path=passage.heading_path,
        page=page,
        page_end=page_end,
        line=line,
        span=(start, end),
        quote=checked.quote.strip(),
        match=checked.match.value,
        standing=passage.standing,
        current=passage.current,
        page_label=passage.label_of(page),
        page_end_label=passage.label_of(page_end),
        anchor=passage.anchor_at(start),
    )


def _withheld(statements: Sequence[CheckedStatement]) -> list[Withheld]:
    """Each statement that failed, under its first problem."""
    return [
        Withheld(
            text=statement.text,
            code=statement.problems[0].code.value,
            detail=" ".join(dict.fromkeys(problem.detail for problem in statement.problems)),
        )
        for statement in statements
        if statement.problems
    ]


def _unanswered(texts: Sequence[str], asked: str, question: str) -> tuple[tuple[str, ...], list[Withheld]]:
    """Open parts as the model words them where they are the user's words, else the question itself.

    Those that bring numbers the user never wrote are held back.
    """
    supply = Supply.of(asked)
    whole = " ".join(question.split())[:_MAX_UNANSWERED_TEXT]
    kept: dict[str, None] = {}
    held_back = []
    for text in dict.fromkeys(" ".join(text.split())[:_MAX_UNANSWERED_TEXT] for text in texts):
        if not text:
            continue
        if unsupported_numbers(text, supply):
            detail = "An open part of the question held a number that the question does not."
            held_back.append(Withheld(text=text, code="number_not_in_source", detail=detail))
        else:
            kept[text if is_open_part(text, asked) else whole] = None
    return tuple(kept)[:_MAX_UNANSWERED], held_back[:_MAX_UNANSWERED]
