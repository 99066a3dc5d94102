"""What measured answers come to: one model's figures, against where and what the answers are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from pincite.agent.answer import Answer, Citation
from pincite.agent.outcome import Status, StopReason
from pincite.evals.answer_metrics import letters, places_of, shares, token_f1
from pincite.evals.places import Located
from pincite.evals.questions import Question
from pincite.tools.passage import Passage


@dataclass(frozen=True, slots=True)
class Asked:
    """One question with its answer, where the answer should stand, and how long it took in seconds.

    `shown` are the passages that the model was shown, `rejected` those of them that an answer cited which the
    check did not let pass. `left_out` says what the question was to begin with and did not: the reason, ""
    for none.
    """

    question: Question
    located: tuple[Located, ...]
    answer: Answer
    seconds: float
    shown: tuple[Passage, ...] = ()
    rejected: tuple[Passage, ...] = ()
    left_out: str = ""

    @property
    def citations(self) -> tuple[Citation, ...]:
        """All citations of the answer."""
        return tuple(one for statement in self.answer.statements for one in statement.citations)

    def stands(self, citation: Citation, place: Located) -> bool:
        """Whether a citation is of an expected place: there, or where another document says the same.

        The model was then told, with "also in", that these words stand at the expected place as well, and
        was given no other handle for them.
        """
        if at_place(place, citation):
            return True
        passage = next((one for one in self.shown if one.handle == citation.handle), None)
        quote = place.place.quote
        return (
            passage is not None
            and place.repeated_by(passage)
            and (quote is None or shares(citation.quote, quote))
        )

    def cites(self, number: int) -> bool:
        """Whether some citation is of this expected place."""
        return any(self.stands(one, self.located[number]) for one in self.citations)

    def shows(self, number: int) -> bool:
        """Whether some passage shows this expected place, or names it with "also in" under the same words."""
        return shown_in(self.located[number], self.shown) or repeated_in(self.located[number], self.shown)

    @property
    def cites_all(self) -> bool:
        """Whether every expected place is cited."""
        return all(self.cites(number) for number in range(len(self.located)))

    @property
    def right(self) -> bool:
        """Whether it ended as it should: not_found where nothing is expected, else with a right answer.

        That is one that holds a short answer, where the file gives any, else one citing an expected place.
        """
        if not self.question.expected:
            return self.answer.status is Status.not_found
        if self.question.answers:
            return best(self, contains) == 1
        return any(self.cites(number) for number in range(len(self.located)))


class AnswerFigures(BaseModel):
    """One model's figures; rates are from 0 to 1, and None where there is nothing to divide by.

    `accuracy`: questions that ended as they should (`Asked.right`). `abstention_precision`: of the questions
    answered with not_found, those without an answer; `abstention_recall`: of those without an answer, the
    ones answered with not_found. `null_rate`: of those with an answer, the ones that got no statement.
    `evidence_shown`: expected places that the model was shown. `quote_validity`: citations whose words stand
    in the section they name. `citation_precision`: citations at an expected place, of those given to
    questions that have one; `citation_recall`: expected places that are cited; `all_cited`: questions all of
    whose expected places are. `answer_*` compare with the short answers, where the file gives them.
    `model_calls`, `tool_calls`, `tokens` and `seconds` are means, `cost` is for all questions. `failed`:
    questions that the model or a service broke off. `left_out`: questions that did not begin as the way of
    answering says. `by_kind` has the main ones for each kind of question.
    """

    model_config = ConfigDict(frozen=True)

    model: str
    way: str = "loop"
    questions: int
    no_answer: int
    statuses: dict[str, int]
    accuracy: float | None
    abstention_precision: float | None
    abstention_recall: float | None
    null_rate: float | None
    evidence_shown: float | None
    quote_validity: float | None
    citation_precision: float | None
    citation_recall: float | None
    all_cited: float | None
    answer_exact: float | None
    answer_contains: float | None
    answer_f1: float | None
    withheld: int
    model_calls: float
    tool_calls: float
    tokens: float
    cost: float | None
    seconds: float
    failed: int
    left_out: int = 0
    by_kind: dict[str, dict[str, float | None]] = {}


def shown_in(located: Located, passages: Iterable[Passage]) -> bool:
    """Whether one of the passages shows an expected place."""
    return any(
        spot.shown_by(one.document, one.section, one.start, one.end)
        for one in passages
        for spot in located.spots
    )


def repeated_in(located: Located, passages: Iterable[Passage]) -> bool:
    """Whether one of the passages, of another document, shows the words of an expected place and names it."""
    return any(located.repeated_by(one) for one in passages)


def at_place(located: Located, citation: Citation) -> bool:
    """Whether a citation's words overlap the expected place."""
    start, end = citation.span
    return any(
        (citation.document, citation.section) == (spot.document, spot.section)
        and start < spot.end
        and spot.start < end
        for spot in located.spots
    )


def figures(asked: Sequence[Asked], valid: Callable[[Citation], bool], way: str = "loop") -> AnswerFigures:
    """The figures of one model over these questions."""
    present = [one for one in asked if one.question.expected]
    absent = [one for one in asked if not one.question.expected]
    not_found = [one for one in asked if one.answer.status is Status.not_found]
    places = [(one, number) for one in present for number in range(len(one.located))]
    cited = [(one, citation) for one in present for citation in one.citations]
    short = [one for one in present if one.question.answers]
    usages = [one.answer.usage for one in asked]
    costs = [usage.cost for usage in usages]
    return AnswerFigures(
        model=asked[0].answer.model if asked else "",
        way=way,
        questions=len(asked),
        no_answer=len(absent),
        statuses=dict(sorted(Counter(str(one.answer.status) for one in asked).items())),
        accuracy=rate([one.right for one in asked]),
        abstention_precision=rate([not one.question.expected for one in not_found]),
        abstention_recall=rate([one.answer.status is Status.not_found for one in absent]),
        null_rate=rate([not one.answer.statements for one in present]),
        evidence_shown=rate([one.shows(number) for one, number in places]),
        quote_validity=rate([valid(citation) for one in asked for citation in one.citations]),
        citation_precision=rate(
            [any(one.stands(citation, place) for place in one.located) for one, citation in cited]
        ),
        citation_recall=rate([one.cites(number) for one, number in places]),
        all_cited=rate([one.cites_all for one in present]),
        answer_exact=rate([best(one, _exact) == 1 for one in short]),
        answer_contains=rate([best(one, contains) == 1 for one in short]),
        answer_f1=_mean([best(one, token_f1) for one in short]),
        withheld=sum(len(one.answer.withheld) for one in asked),
        model_calls=_mean([usage.model_calls for usage in usages]) or 0.0,
        tool_calls=_mean([usage.tool_calls for usage in usages]) or 0.0,
        tokens=_mean([usage.input_tokens + usage.output_tokens for usage in usages]) or 0.0,
        cost=None if None in costs else round(sum(cost or 0.0 for cost in costs), 6),
        seconds=_mean([one.seconds for one in asked]) or 0.0,
        failed=sum(one.answer.stop_reason is StopReason.model_error for one in asked),
        left_out=sum(bool(one.left_out) for one in asked),
        by_kind=_kinds(asked),
    )


def _kinds(asked: Sequence[Asked]) -> dict[str, dict[str, float | None]]:
    """The main figures of each kind of question that the file names."""
    found = {}
    for kind in sorted({one.question.kind for one in asked} - {""}):
        mine = [one for one in asked if one.question.kind == kind]
        present = [one for one in mine if one.question.expected]
        places = [(one, number) for one in present for number in range(len(one.located))]
        found[kind] = {
            "questions": float(len(mine)),
            "accuracy": rate([one.right for one in mine]),
            "evidence_shown": rate([one.shows(number) for one, number in places]),
            "citation_recall": rate([one.cites(number) for one, number in places]),
            "all_cited": rate([one.cites_all for one in present]),
        }
    return found


def best(one: Asked, compare: Callable[[str, str], float]) -> float:
    """The best agreement of a statement, or of all of them, with one of the short answers."""
    given = [statement.text for statement in one.answer.statements]
    texts = [*given, " ".join(given)] if given else []
    return max((compare(text, answer) for text in texts for answer in one.question.answers), default=0.0)


def contains(text: str, answer: str) -> float:
    """1 where the text holds the answer, letter by letter."""
    return float(bool(places_of(answer, letters(text))))


def rate(values: Sequence[bool]) -> float | None:
    """The share of those that hold, to four places; None of none."""
    return _mean([float(value) for value in values])


def _exact(text: str, answer: str) -> float:
    return float(letters(text).text == letters(answer).text)


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 4) if values else None
