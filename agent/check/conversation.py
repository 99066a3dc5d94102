"""Judges a reply that is about no document: a greeting, a question about the conversation itself."""

from pincite.agent.check.answer import (
    AnswerCheck,
    CheckedStatement,
    Problem,
    ProblemCode,
    rejected_whole,
)
from pincite.agent.check.drafts import AnswerDraft
from pincite.agent.check.numbers import Supply, unsupported_numbers

_NOT_ALLOWED = (
    "The status conversation does not exist here: answer from the passages, or use the status not_found."
)
_CITED = "What rests on a passage is no conversation: use the status answered, or leave the citations out."
_NUMBER = "Nobody wrote this number in the conversation: leave it out, or search and cite a passage."


def check_conversation(draft: AnswerDraft, said: str | None) -> AnswerCheck:
    """A reply without citations; its numbers were written by the user or stood in an earlier answer.

    `said` is all of that, None where no conversation is allowed.
    """
    if said is None:
        return rejected_whole(draft, ProblemCode.conversation_not_allowed, _NOT_ALLOWED)
    if any(statement.citations for statement in draft.statements):
        return rejected_whole(draft, ProblemCode.conversation_with_citations, _CITED)
    if not any(statement.text.strip() for statement in draft.statements):
        return rejected_whole(draft, ProblemCode.empty_answer, "The reply has no text.")
    supply = Supply.of(said)
    statements = tuple(
        CheckedStatement(statement.text, (), tuple(_numbers(index, statement.text, supply)))
        for index, statement in enumerate(draft.statements)
    )
    return AnswerCheck(
        statements, tuple(problem for statement in statements for problem in statement.problems)
    )


def _numbers(index: int, text: str, supply: Supply) -> list[Problem]:
    numbers = dict.fromkeys(unsupported_numbers(text, supply))
    return [
        Problem(index, ProblemCode.number_not_in_source, None, number=number, detail=_NUMBER)
        for number in numbers
    ]
