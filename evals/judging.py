"""A model as judge of answers: do statements follow from their passages, does an answer fit its question?

Its scores are estimates. How far they can be trusted is measured on cases that a person has labelled.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from pincite.agent.messages import Message, ModelRequest
from pincite.agent.model import ChatModel
from pincite.agent.textcalls import without_thoughts
from pincite.errors import PinciteError
from pincite.evals.answer_figures import Asked
from pincite.evals.lines import read_lines, unusable
from pincite.evals.measures import library
from pincite.evals.verdicts import verdict
from pincite.prompts import load
from pincite.tools.render import Nonces, escape

# A verdict: room for a word, also behind a little thinking, and seconds for one verdict.
_FORM = 'a line is {"question": …, "statement": …, "passages": […], "support": true, "relevance": true}'
_MOST_TOKENS, _SECONDS = 512, 120.0


class LabelledCase(BaseModel):
    """A line of the labels' file: a person's verdict on a statement with its passages, or on an answer.

    `support`: the passages say what the statement says. `relevance`: the statement tells what the question
    asks for. A verdict that is left out is not compared.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str = Field(min_length=1)
    statement: str = Field(min_length=1)
    passages: tuple[str, ...] = ()
    support: bool | None = None
    relevance: bool | None = None


class Agreement(BaseModel):
    """The judge against the labels: `kappa` is Cohen's, None where one of both always says the same."""

    model_config = ConfigDict(frozen=True)

    cases: int
    agreement: float | None
    kappa: float | None
    judge_yes: float | None
    labels_yes: float | None
    failures: int


class JudgeFigures(BaseModel):
    """Estimates by a model. `support`: statements that follow from their passages, of `statements` judged;
    `relevance`: answers that address the question, of `answers`. `failures` are verdicts that it did not
    give; they are in no share. `agreement` is by "support" and "relevance", None without labels.
    """

    model_config = ConfigDict(frozen=True)

    model: str
    support: float | None
    statements: int
    relevance: float | None
    answers: int
    failures: int
    tokens: int
    agreement: dict[str, Agreement] | None = None


@dataclass(slots=True)
class Judge:
    """Asks a model for one verdict at a time; what it cannot read it counts."""

    model: ChatModel
    failures: int = 0
    tokens: int = 0
    _nonces: Nonces = field(default_factory=lambda: Nonces("judging"))

    def supports(self, statement: str, passages: Sequence[str]) -> bool | None:
        """Whether the passages say what the statement says; None when the judge gave no verdict."""
        nonce = self._nonces.next([statement, *passages])
        shown = "\n".join(f"⟦{nonce}⟧\n{escape(text)}\n⟦/{nonce}⟧" for text in passages)
        case = load("judge_support_case", passages=shown, statement=" ".join(statement.split()))
        return self._verdict("judge_support", case.text)

    def addresses(self, question: str, answer: str) -> bool | None:
        """Whether the answer tells what the question asks for; None when the judge gave no verdict."""
        return self._verdict(
            "judge_relevance", load("judge_relevance_case", question=question, answer=answer).text
        )

    def _verdict(self, rules: str, case: str) -> bool | None:
        request = ModelRequest(
            (Message("system", load(rules).text), Message("user", case)),
            tool_choice="none",
            max_output_tokens=_MOST_TOKENS,
            timeout_s=_SECONDS,
        )
        try:
            turn = self.model.respond(request)
        except PinciteError:
            self.failures += 1
            return None
        if turn.usage is not None:
            self.tokens += turn.usage.input_tokens + turn.usage.output_tokens
        found = verdict(without_thoughts(turn.content))
        self.failures += found is None
        return found


def judge_answers(
    judge: Judge, asked: Iterable[Asked], tell: Callable[[str], None] = lambda text: None
) -> JudgeFigures:
    """The judge's scores of these answers; its failures are counted and end nothing."""
    support: list[bool] = []
    relevance: list[bool] = []
    before, tokens = judge.failures, judge.tokens
    for one in asked:
        texts = {passage.handle: passage.text for passage in one.shown}
        for statement in one.answer.statements:
            handles = dict.fromkeys(citation.handle for citation in statement.citations)
            support += _given(judge.supports(statement.text, [texts[handle] for handle in handles]))
        if one.answer.statements:
            relevance += _given(judge.addresses(one.question.question, one.answer.text))
        tell(f"judged {one.question.id}")
    return JudgeFigures(
        model=judge.model.name,
        support=_share(support),
        statements=len(support),
        relevance=_share(relevance),
        answers=len(relevance),
        failures=judge.failures - before,
        tokens=judge.tokens - tokens,
    )


def agreement(judge: Judge, cases: Sequence[LabelledCase]) -> dict[str, Agreement]:
    """How the judge's verdicts compare with a person's on the same cases."""
    support = [case for case in cases if case.support is not None and case.passages]
    relevance = [case for case in cases if case.relevance is not None]
    return {
        "support": _agreement(
            [(case.support is True, judge.supports(case.statement, case.passages)) for case in support]
        ),
        "relevance": _agreement(
            [(case.relevance is True, judge.addresses(case.question, case.statement)) for case in relevance]
        ),
    }


def _agreement(pairs: Sequence[tuple[bool, bool | None]]) -> Agreement:
    judged = [(label, verdict) for label, verdict in pairs if verdict is not None]
    labels, verdicts = [label for label, _ in judged], [verdict for _, verdict in judged]
    return Agreement(
        cases=len(pairs),
        agreement=_share([label == verdict for label, verdict in judged]),
        kappa=_kappa(labels, verdicts),
        judge_yes=_share(verdicts),
        labels_yes=_share(labels),
        failures=len(pairs) - len(judged),
    )


def _kappa(labels: Sequence[bool], verdicts: Sequence[bool]) -> float | None:
    """Cohen's kappa; None where either side always says the same: chance alone is then all there is."""
    if len(set(labels)) < 2 or len(set(verdicts)) < 2:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return round(float(library("sklearn.metrics").cohen_kappa_score(labels, verdicts)), 4)


def _given(verdict: bool | None) -> list[bool]:
    return [] if verdict is None else [verdict]


def _share(values: Sequence[bool]) -> float | None:
    return round(sum(values) / len(values), 4) if values else None


def read_labels(path: Path) -> list[LabelledCase]:
    """The cases of a labels' file. Raises NothingUsableError for a file or line that cannot be used."""
    cases = [case for _, case in read_lines(path, LabelledCase, _FORM, "labels_unusable")]
    if not any(case.support is not None or case.relevance is not None for case in cases):
        raise unusable(path, "it holds no label", _FORM, "labels_unusable")
    return cases
