"""Each fault of docs/faults.md: what the user sees, what the model is told, what is recorded."""

from __future__ import annotations

from functools import cache

import pytest
from tests.agent.fault_kinds import FAULTS, Fault
from tests.agent.faults import DOCUMENT, Seen, document, observe, row

from pincite.agent.budget import Budgets
from pincite.agent.check.quotes import Match, find_quote
from pincite.agent.outcome import StopReason
from pincite.tools.chain import RetrievalSettings
from pincite.transcripts.events import AnswerEvent, ToolResultEvent

pytestmark = pytest.mark.slow
each_fault = pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
seen = cache(observe)


def by_name(part: str) -> Seen:
    (fault,) = [fault for fault in FAULTS if part in fault.name]
    return seen(fault)


@each_fault
def test_the_question_ends_in_order_with_what_is_supported(fault: Fault) -> None:
    answer = seen(fault).answer
    assert answer.stop_reason in set(StopReason)
    if fault.answers:
        assert (answer.status, answer.exit_code) == ("answered", 0)
        assert answer.statements
    else:
        assert (answer.status, answer.exit_code) == ("incomplete", 4), "no failure reads as not found"
        assert answer.stop_reason is StopReason.model_error
        assert "searching failed (keyword search: " in answer.text
    for statement in answer.statements:
        assert statement.citations
        for citation in statement.citations:
            assert find_quote(citation.quote, seen(fault).texts).match is Match.exact


@each_fault
def test_each_leg_is_accounted_for(fault: Fault) -> None:
    one = seen(fault)
    assert one.legs == fault.legs
    assert one.answer.retrieval[0].used == fault.used


@each_fault
def test_the_model_is_told_in_one_line_what_did_not_work(fault: Fault) -> None:
    line = seen(fault).told[0].splitlines()[0]
    if fault.used is None:
        assert line.startswith("Error search_unavailable: ")
        assert "does not mean that nothing is there" in line
    for leg, outcome in fault.legs.items():
        name = {"reranked": "reranking"}.get(leg, f"{leg} search")
        if outcome in {"error", "timeout"} and fault.used is not None:
            assert f"{name} failed ({outcome})" in f"{line[0].lower()}{line[1:]}"
        if outcome == "skipped":
            assert f"{name} left out" in f"{line[0].lower()}{line[1:]}"


@each_fault
def test_what_is_recorded_is_whole_and_says_the_same(fault: Fault) -> None:
    one = seen(fault)
    assert one.warnings == ()
    if one.events is None or not any(isinstance(event, AnswerEvent) for event in one.events):
        assert one.answer.transcript is None
        assert [notice.code for notice in one.notices] == ["transcript_unsaved"]
        return
    first = next(event for event in one.events if isinstance(event, ToolResultEvent))
    assert {attempt["leg"]: attempt["outcome"] for attempt in first.result["attempts"]} == fault.legs
    recorded = next(event for event in one.events if isinstance(event, AnswerEvent))
    assert recorded.answer == one.answer.model_dump(mode="json")
    codes = [event.code for event in one.events if event.kind == "notice"]
    assert codes == [notice.code for notice in one.notices]


def test_an_index_that_is_replaced_is_read_as_it_is_now() -> None:
    assert "260 crowns" in by_name("replaced while it is open").answer.text


def test_an_answer_says_what_was_read_and_of_which_version() -> None:
    changed = by_name("changes after the search").answer
    assert "240 crowns" in changed.text
    replaced = by_name("replaced while it is open").answer
    assert changed.statements[0].citations[0].version != replaced.statements[0].citations[0].version


def test_the_table_in_docs_is_what_the_tests_saw() -> None:
    rows = [row(seen(fault)) for fault in FAULTS]
    assert DOCUMENT.read_text(encoding="utf-8") == document(rows), "run: python -m tests.agent.faults"


def test_loading_that_hangs_leaves_a_question_the_time_to_be_answered_without_it() -> None:
    assert RetrievalSettings().load_deadline <= (Budgets().seconds or 0) / 2
