"""What passes the answer check, and which problem is named where it does not."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from pincite.agent.check.answer import AnswerCheck, AnswerDraft, ProblemCode, check_answer, normalise_handle
from pincite.agent.check.quotes import Match
from pincite.agent.check.repair import explain


@dataclass(frozen=True, slots=True)
class Shown:
    handle: str
    document: str
    section: str
    text: str


SHOWN = {
    "P1": Shown(
        "P1", "House rules 2019", "2 Noise > 2.1 Nights", "Music stops at 22:00. Drums are never allowed."
    ),
    "P2": Shown("P2", "House rules 2019", "3 Waste", "Glass is collected every fourteen days, on a Friday."),
    "P3": Shown("P3", "Garage list", "B Level", "Bay 17 is kept free for the fire brigade at all times."),
    "P12": Shown("P12", "House rules 2019", "3 Waste", "Paper is collected once a month by the caretaker."),
}
MUSIC = {"passage": "P1", "quote": "Music stops at 22:00"}
GLASS = {"passage": "P2", "quote": "Glass is collected every fourteen days"}


def judge(
    *statements: Any, status: str = "answered", question: str = "", withdrawn: tuple[str, ...] = ()
) -> AnswerCheck:
    draft = AnswerDraft.model_validate({"status": status, "statements": list(statements)})
    return check_answer(draft, question=question, shown=SHOWN, withdrawn=withdrawn)


def codes(check: AnswerCheck) -> list[tuple[int | None, str, str | None]]:
    return [(problem.statement, problem.code.value, problem.passage) for problem in check.problems]


def stated(text: str, *citations: Mapping[str, str | None]) -> dict[str, Any]:
    return {"text": text, "citations": list(citations)}


def test_a_good_answer_passes_with_the_place_of_each_quote() -> None:
    check = judge(stated("Music ends at 22:00.", MUSIC), stated("Glass goes every 14 days.", GLASS))
    assert check.ok and check.passed == check.statements
    citation = check.statements[0].citations[0]
    assert (citation.handle, citation.match) == ("P1", Match.exact)
    assert SHOWN["P1"].text[citation.start : citation.end] == "Music stops at 22:00"


def test_a_normalized_quote_passes_and_says_so() -> None:
    check = judge(stated("No drums.", {"passage": "P1", "quote": "\u201cdrums are never allowed.\u201d"}))
    citation = check.statements[0].citations[0]
    assert citation.match is Match.normalized
    assert SHOWN["P1"].text[citation.start : citation.end] == "Drums are never allowed."


@pytest.mark.parametrize(
    ("given", "reported"),
    [
        ("P3", "P3"),
        ("p3", "P3"),
        ("[P3]", "P3"),
        (" (p12). ", "P12"),
        ("\u3010P3\u3011", "P3"),
        ("**P3**", "P3"),
        ("\u200bP3", "P3"),
        ("P1, P4", "P1, P4"),
        ("P 3", "P 3"),
        ("Passage P3", "Passage P3"),
        ("3", "3"),
        ("[3]", "[3]"),
        ("P", "P"),
        ("9.1 Notice", "9.1 Notice"),
        ("P3b", "P3b"),
        ("P\u00b3", "P\u00b3"),
        ("", ""),
    ],
)
def test_handles_are_read_without_their_decoration(given: str, reported: str) -> None:
    assert normalise_handle(given) == reported


def test_a_handle_that_was_never_shown() -> None:
    cited = {"passage": "[p9]", "quote": "Music stops at 22:00"}
    assert codes(judge(stated("Music ends at 23:00.", cited))) == [(0, "unknown_passage", "P9")]
    assert codes(judge(stated("Music ends.", {**MUSIC, "passage": "P1, P2"}))) == [
        (0, "unknown_passage", "P1, P2")
    ]
    assert codes(judge(stated("Music ends.", {**MUSIC, "passage": None}))) == [(0, "unknown_passage", None)]
    assert codes(judge(stated("Music ends.", {**MUSIC, "passage": "P01"}))) == [(0, "unknown_passage", "P01")]


def test_a_withdrawn_passage_comes_before_every_fault_of_the_quote() -> None:
    check = judge(stated("Music ends.", {"passage": "p1", "quote": "x"}), withdrawn=("P1",))
    assert codes(check) == [(0, "withdrawn_passage", "P1")]


@pytest.mark.parametrize("quote", [None, "", "Music stops", "\u2026 at 22:00 \u2026"])
def test_a_quote_that_is_too_short(quote: str | None) -> None:
    assert codes(judge(stated("Music ends.", {"passage": "P1", "quote": quote}))) == [
        (0, "quote_too_short", "P1")
    ]


def test_a_quote_from_another_passage_names_it_and_supplies_its_numbers() -> None:
    check = judge(stated("Glass goes every 14 days.", {**GLASS, "passage": "P1"}))
    assert codes(check) == [(0, "misattributed_quote", "P1")]
    assert check.problems[0].found_in == "P2"


def test_a_withdrawn_passage_is_never_pointed_to() -> None:
    check = judge(stated("Glass is collected.", {**GLASS, "passage": "P1"}), withdrawn=("P2",))
    assert codes(check) == [(0, "quote_not_found", "P1")]
    assert check.problems[0].found_in is None


@pytest.mark.parametrize(
    "quote",
    [
        "Music stops at 23:00",
        "2 Noise > 2.1 Nights",
        "House rules 2019 for all",
        "Music stops ... never allowed",
    ],
)
def test_words_that_are_not_in_the_text(quote: str) -> None:
    assert codes(judge(stated("Music ends.", {"passage": "P1", "quote": quote}))) == [
        (0, "quote_not_found", "P1")
    ]


def test_every_citation_must_be_good_and_good_ones_are_kept() -> None:
    check = judge(stated("Music ends.", MUSIC, {"passage": "P2", "quote": "Glass is never collected"}, MUSIC))
    assert codes(check) == [(0, "quote_not_found", "P2")]
    assert [citation.handle for citation in check.statements[0].citations] == ["P1", "P1"]
    assert check.passed == ()


@pytest.mark.parametrize(
    "statement", [{"text": "Music ends at 9."}, {"text": "It ends.", "citations": None}, stated("It ends.")]
)
def test_a_statement_needs_a_citation(statement: dict[str, Any]) -> None:
    assert codes(judge(stated("Music ends.", MUSIC), statement)) == [(1, "missing_citation", None)]


@pytest.mark.parametrize("text", ["", " \n", "\u200b\ufeff", None])
def test_a_blank_statement_is_empty_and_nothing_else(text: str | None) -> None:
    assert codes(judge({"text": text, "citations": [{"passage": "P9", "quote": "x"}]})) == [
        (0, "empty_answer", None)
    ]
    assert codes(judge({"text": text})) == [(0, "empty_answer", None)]


@pytest.mark.parametrize("status", ["answered", "partial"])
def test_an_answer_needs_statements(status: str) -> None:
    assert codes(judge(status=status)) == [(None, "empty_answer", None)]


def test_not_found_stands_alone() -> None:
    assert judge(status="not_found").ok
    check = judge(stated(" "), {"text": "Music ends.", "citations": []}, status="not_found")
    assert codes(check) == [(None, "not_found_with_statements", None)]
    assert check.passed == () and len(check.statements) == 2


@pytest.mark.parametrize(
    "text", ["Rule 2.1 sets it.", "Since 2019 it ends at 22:00.", "Part 2 sets it, as P3 and [p12] do not."]
)
def test_numbers_may_come_from_section_and_title(text: str) -> None:
    assert judge(stated(text, MUSIC)).ok


def test_numbers_may_come_from_the_question() -> None:
    assert judge(stated("At 23:30 music has ended.", MUSIC), question="May we play at 23:30?").ok
    assert judge(stated("For 5 guests music ends.", MUSIC), question="There are five of us.").ok
    assert codes(judge(stated("At 23:30 music has ended.", MUSIC))) == [(0, "number_not_in_source", None)] * 2


def test_numbers_of_passages_that_are_not_cited_do_not_count() -> None:
    check = judge(stated("Bay 17 is loud.", MUSIC))
    assert [(p.code, p.number) for p in check.problems] == [(ProblemCode.number_not_in_source, "17")]


def test_numbers_of_a_passage_with_a_bad_quote_count() -> None:
    check = judge(stated("Bay 17 is kept free.", {"passage": "P3", "quote": "Bay 17 is kept open"}))
    assert codes(check) == [(0, "quote_not_found", "P3")]
    check = judge(stated("Bay 18 is kept free.", {"passage": "P3", "quote": "Bay 17 is kept open"}))
    assert codes(check) == [(0, "quote_not_found", "P3"), (0, "number_not_in_source", None)]


def test_numbers_are_left_alone_when_no_cited_passage_is_usable() -> None:
    check = judge(
        stated("Bay 99 is free.", {"passage": "P9", "quote": "Bay 99 is free"}, MUSIC), withdrawn=("P1",)
    )
    assert codes(check) == [(0, "unknown_passage", "P9"), (0, "withdrawn_passage", "P1")]


def test_a_good_citation_beside_a_withdrawn_one_still_brings_the_number_check() -> None:
    check = judge(
        stated("Bay 17 is loud at 22:00.", {"passage": "P3", "quote": "Bay 17 is kept free"}, MUSIC),
        withdrawn=("P3",),
    )
    assert codes(check) == [(0, "withdrawn_passage", "P3"), (0, "number_not_in_source", None)]


def test_statements_keep_their_own_problems() -> None:
    check = judge(stated("Music ends.", MUSIC), stated("Bay 4 is free."), stated("Seven drums.", MUSIC))
    assert codes(check) == [(1, "missing_citation", None), (2, "number_not_in_source", None)]
    assert [statement.text for statement in check.passed] == ["Music ends."]


def test_a_flat_statement_becomes_one_citation() -> None:
    assert judge({"text": "Music ends.", **MUSIC}).ok
    assert judge({"text": "Music ends.", "citations": None, **MUSIC}).ok
    assert judge({"text": "Music ends.", "citations": [], **MUSIC}).ok
    assert codes(judge({"text": "Music ends.", "passage": None, "quote": None})) == [
        (0, "missing_citation", None)
    ]
    assert codes(judge({"text": "Music ends.", "passage": "P1", "quote": None})) == [
        (0, "quote_too_short", "P1")
    ]


@pytest.mark.parametrize(
    "draft",
    [
        {"statements": []},
        {"status": "complete", "statements": []},
        {"status": "answered", "statements": "Music ends."},
        {"status": "answered", "statements": [{"citations": [MUSIC]}]},
        {"status": "answered", "statements": [{"text": "Music ends.", "citations": ["P1"]}]},
        {"status": "answered", "statements": [{"text": "Music ends.", "citations": [{"passage": "P1"}]}]},
        {"status": "answered", "statements": [{"text": "Music ends.", "quote": "Music stops at 22:00"}]},
        {"status": "answered", "statements": [{"text": 5, "citations": [MUSIC]}]},
    ],
)
def test_a_draft_of_the_wrong_shape_is_refused(draft: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        AnswerDraft.model_validate(draft)


def test_null_lists_are_empty_lists() -> None:
    draft = AnswerDraft.model_validate({"status": "not_found", "statements": None, "unanswered": None})
    assert (draft.statements, draft.unanswered) == ([], [])


TEXTS = st.text(max_size=30)
CITATIONS = st.fixed_dictionaries(
    {
        "passage": st.one_of(st.none(), TEXTS, st.sampled_from(["P1", "[p2]", "P3", "P9"])),
        "quote": st.one_of(st.none(), TEXTS, st.sampled_from([MUSIC["quote"], GLASS["quote"]])),
    }
)
STATEMENTS = st.fixed_dictionaries(
    {"text": TEXTS, "citations": st.one_of(st.none(), st.lists(CITATIONS, max_size=3))}
)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(["answered", "partial", "not_found"]), st.lists(STATEMENTS, max_size=3), TEXTS)
def test_no_draft_breaks_the_check(status: str, statements: list[dict[str, Any]], question: str) -> None:
    check = judge(*statements, status=status, question=question, withdrawn=("P3",))
    assert len(check.statements) == len(statements)
    assert check.ok == (not check.problems)
    assert check.ok or set(check.passed) != set(check.statements) or not statements
    message = explain(check.problems, SHOWN)
    assert len(message.splitlines()) == len(check.problems)
    message.encode("utf-8")
    for statement in check.passed:
        assert statement.citations
        assert all(citation.handle in SHOWN and citation.handle != "P3" for citation in statement.citations)
