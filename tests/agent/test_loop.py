from __future__ import annotations

from typing import Any

import pytest
from tests.agent.worlds import (
    BAD_STATEMENT,
    FEE_STATEMENT,
    GOOD,
    NOT_FOUND,
    QUESTION,
    SEARCH,
    World,
    answer,
    search,
    statement,
)

from pincite.agent.budget import Budgets
from pincite.agent.events import Checking, Done, Found, Rejected, Searching, Thinking, Verified
from pincite.agent.messages import ModelTurn, ToolCall
from pincite.agent.model import ModelError
from pincite.agent.outcome import Status, StopReason
from pincite.errors import UsageError
from pincite.transcripts.events import ToolCallEvent

TOOLS = ["search", "table_of_contents", "read_section", "define"]


def last_result(world: World) -> str:
    return str(world.model.requests[-1].messages[-1].content)


def test_an_answer_carries_places_quotes_and_how_they_were_found() -> None:
    world = World(SEARCH, GOOD)
    result = world.ask()
    world.model.assert_exhausted()
    assert (result.status, result.stop_reason, result.exit_code) == ("answered", "answered", 0)
    assert result.text == "The fee is 240 crowns."
    (citation,) = result.statements[0].citations
    assert (citation.handle, citation.document, citation.section, citation.page) == ("P1", "bylaws", "2.1", 2)
    assert (citation.quote, citation.match) == ("an annual fee of 240 crowns", "exact")
    passage = world.tools.ledger.passages["P1"]
    assert citation.span == (passage.start + 12, passage.start + 39)
    assert [(one.tool, one.query, one.used) for one in result.retrieval] == [
        ("search", "annual fee", "keyword")
    ]
    assert (result.usage.model_calls, result.usage.tool_calls, result.usage.searches) == (2, 1, 1)
    assert world.tools.ledger.cited == {"P1"}


def test_a_citation_has_the_page_and_line_of_its_quote_not_of_its_passage() -> None:
    text = "The pier opens at dawn. The gate opens at noon every day. The bar opens at dusk."
    pier = {
        "document": "bylaws",
        "section": "5",
        "page": 1,
        "text": text,
        "pages": [(0, 1, 7), (24, 2, 9), (58, 3, 12)],
    }
    good = answer(statement("The gate opens at noon.", "P1", "The gate opens at noon"))
    result = World(search("gate"), good, results={"*": [pier]}).ask("When does the gate open?")
    (citation,) = result.statements[0].citations
    assert (citation.page, citation.page_end, citation.line) == (2, 2, 9)


def test_the_json_of_an_answer_is_the_contract() -> None:
    data = World(SEARCH, GOOD).ask().model_dump(mode="json")
    assert ",".join(data) == (
        "status,stop_reason,text,statements,unanswered,withheld,nearest,retrieval,usage,model,session,transcript"
    )
    assert ",".join(data["statements"][0]["citations"][0]) == (
        "handle,document,document_title,version,section,number,heading_path,page,page_end,line,span,quote,match,standing,current"
    )
    assert ",".join(data["usage"]) == (
        "model_calls,tool_calls,searches,input_tokens,output_tokens,seconds,cost"
    )
    assert ",".join(data["retrieval"][0]) == "tool,query,used,attempts"


def test_progress_comes_in_order_and_statements_only_once_checked() -> None:
    world = World(SEARCH, answer(BAD_STATEMENT), GOOD)
    told = list(world.agent.events(QUESTION))
    assert [type(event) for event in told] == [
        *(Thinking, Searching, Found),
        *(Thinking, Checking, Rejected),
        *(Thinking, Checking),
        *(Verified, Done),
    ]
    assert "250" not in repr(told)


def test_answer_is_offered_once_something_was_looked_up() -> None:
    world = World(SEARCH, GOOD)
    world.ask()
    assert world.offered() == [(TOOLS, "auto"), ([*TOOLS, "answer"], "auto")]


def test_not_found_without_a_search_that_worked_is_no_finding() -> None:
    result = World(NOT_FOUND).ask()
    assert (result.status, result.stop_reason, result.exit_code) == ("incomplete", "abstained", 4)
    assert result.nearest == ()


def test_not_found_lists_the_searches_and_the_nearest_places() -> None:
    result = World(search("parking"), NOT_FOUND).ask("Where may I park?")
    assert (result.status, result.stop_reason, result.exit_code) == ("not_found", "abstained", 0)
    assert [(place.document, place.section) for place in result.nearest] == [
        ("bylaws", "2.1"),
        ("bylaws", "2.4"),
    ]
    assert [one.query for one in result.retrieval] == ["parking"]


def test_open_parts_make_an_answer_partial_and_bring_no_numbers() -> None:
    parts = ["when it is due", "the fee of 999 crowns"]
    result = World(SEARCH, answer(FEE_STATEMENT, unanswered=parts)).ask()
    assert result.status is Status.partial
    assert result.unanswered == ("when it is due",)
    assert [held.code for held in result.withheld] == ["number_not_in_source"]


@pytest.mark.parametrize("status", ["not_found", "answered", "partial"])
def test_what_a_model_says_in_place_of_an_open_part_is_not_shown(status: str) -> None:
    said = "The charge is really high, go to http://evil.example and pay"
    statements = [] if status == "not_found" else [FEE_STATEMENT]
    result = World(SEARCH, answer(*statements, status=status, unanswered=[said])).ask()
    assert result.unanswered == (QUESTION,)
    assert "evil" not in result.model_dump_json()


def test_what_still_fails_after_the_repair_is_withheld_and_the_rest_shown() -> None:
    result = World(SEARCH, answer(FEE_STATEMENT, BAD_STATEMENT), answer(FEE_STATEMENT, BAD_STATEMENT)).ask()
    assert (result.status, result.stop_reason, result.exit_code) == ("partial", "stalled", 0)
    assert [one.text for one in result.statements] == ["The fee is 240 crowns."]
    assert [(held.text, held.code) for held in result.withheld] == [
        ("The fee is 250 crowns.", "quote_not_found")
    ]
    assert "250" not in result.text


def test_nothing_that_survives_is_unverified() -> None:
    result = World(SEARCH, answer(BAD_STATEMENT), answer(BAD_STATEMENT)).ask()
    assert (result.status, result.stop_reason, result.exit_code) == ("unverified", "stalled", 4)
    assert result.statements == ()
    assert "250" not in result.text


def test_the_repair_says_what_is_wrong_and_gives_the_closest_words() -> None:
    world = World(SEARCH, answer(BAD_STATEMENT), GOOD)
    world.ask()
    told = last_result(world)
    assert "answer_rejected" in told
    assert "quote_not_found" in told
    assert "an annual fee of 240 crowns" in told


def test_supported_statements_survive_a_budget_that_ends_the_question() -> None:
    world = World(SEARCH, answer(FEE_STATEMENT, BAD_STATEMENT), budgets=Budgets(model_calls=2))
    result = world.ask()
    assert (result.status, result.stop_reason) == ("partial", "budget_model_calls")
    assert [one.text for one in result.statements] == ["The fee is 240 crowns."]


def test_a_quote_with_the_escapes_of_the_passage_block_is_read_as_the_passage_has_it() -> None:
    passage = {"document": "bylaws", "section": "8", "text": "The mark ⟦x⟧ is put on every berth."}
    good = answer(statement("Berths are marked.", "P1", "The mark ⟦·x⟧ is put on"))
    result = World(search("mark"), good, results={"*": [passage]}).ask("How are berths marked?")
    assert result.statements[0].citations[0].quote == "The mark ⟦x⟧ is put on"


def test_a_model_error_says_what_to_do() -> None:
    world = World(ModelError("no connection to x", code="connection", hint="is it running?"))
    result = world.ask()
    assert (result.status, result.stop_reason, result.exit_code) == ("incomplete", "model_error", 4)
    assert result.text == "No answer: no connection to x (is it running?)."


def test_any_exception_of_a_model_ends_as_a_model_error() -> None:
    def broken(_: Any) -> ModelTurn:
        raise ZeroDivisionError("oops")

    result = World(broken).ask()
    assert result.stop_reason is StopReason.model_error
    assert "ZeroDivisionError" in result.text


def test_a_refusal_is_no_answer() -> None:
    result = World(ModelTurn(refusal="I will not say that it is 240.")).ask()
    assert (result.status, result.stop_reason) == ("incomplete", "abstained")
    assert "240" not in result.text


def test_text_beside_calls_is_kept_from_the_user_and_calls_are_run() -> None:
    turn = ModelTurn(content="It is 240, I think.", tool_calls=SEARCH.tool_calls)
    result = World(turn, GOOD).ask()
    assert result.status is Status.answered
    assert "think" not in result.text


def test_a_turn_without_a_call_is_answered_by_a_reminder_and_asks_for_a_call() -> None:
    world = World(
        ModelTurn(content="It is 240."), ModelTurn(content="Well", finish_reason="length"), SEARCH, GOOD
    )
    assert world.ask().status is Status.answered
    assert "nobody saw it" in world.model.requests[1].messages[-1].content
    assert "cut off" in world.model.requests[2].messages[-1].content
    assert world.offered()[1][1] == "required"


@pytest.mark.parametrize("question", ["", "  \n", "x" * 100_000, "word " * 30_000])
def test_a_question_that_cannot_be_asked_is_a_usage_error(question: str) -> None:
    world = World(SEARCH, GOOD)
    with pytest.raises(UsageError):
        world.ask(question)
    assert world.ask().status is Status.answered


def test_ids_stay_unique_when_a_model_uses_the_same_in_every_turn() -> None:
    first = ModelTurn(tool_calls=(ToolCall("0", "search", '{"query": "a"}'),))
    second = ModelTurn(tool_calls=(ToolCall("0", "search", '{"query": "berths"}'),))
    world = World(first, second, GOOD)
    assert world.ask().status is Status.answered
    ids = [event.call_id for event in world.events(ToolCallEvent)]
    assert len(set(ids)) == len(ids)


def test_a_withdrawn_passage_is_neither_cited_nor_sent_again() -> None:
    world = World(SEARCH, GOOD, NOT_FOUND, withdrawn=("P1",))
    assert world.ask().stop_reason is StopReason.abstained
    sent = [message.content for request in world.model.requests[1:] for message in request.messages]
    assert not any("240 crowns" in text for text in sent)
