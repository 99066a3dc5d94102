from __future__ import annotations

from typing import Any

import pytest
from tests.agent.worlds import FEE_STATEMENT, GOOD, QUESTION, World, answer, many, search, statement

from pincite.agent.budget import Budgets
from pincite.agent.context import fit, message_tokens, schema_tokens
from pincite.agent.events import Notice
from pincite.agent.messages import Message, ModelRequest, ModelTurn, ToolCall, Usage
from pincite.agent.model import ModelError
from pincite.agent.outcome import Status, StopReason
from pincite.agent.promptwatch import PromptWatch, least_tokens
from pincite.agent.scripted import calls
from pincite.tools.passage import Passage
from pincite.tools.result import ToolResult
from pincite.transcripts.events import CompactionEvent, ModelRequestEvent, ToolResultEvent


def tokens(request: ModelRequest) -> int:
    return schema_tokens(request.tools) + sum(map(message_tokens, request.messages))


def long_world(*more: Any, limit: int = 6_000, **options: Any) -> World:
    """Eight searches with about 1,200 tokens each, after one for the fee."""
    steps = [search("fee"), *(search(f"q{number}") for number in range(8)), *more]
    budgets = Budgets(request_tokens=limit, model_calls=40, searches=20)
    return World(*steps, results=many(12, 400), budgets=budgets, **options)


def test_a_request_never_exceeds_its_budget_and_old_results_become_receipts() -> None:
    world = long_world(answer(FEE_STATEMENT))
    assert world.ask().status is Status.answered
    assert max(map(tokens, world.model.requests)) <= 6_000
    last = [message.content for message in world.model.requests[-1].messages if message.role == "tool"]
    assert last[0].startswith("[Shortened to save room] P1 shown for fee.")
    assert "clause399" in last[-1]


def test_what_became_a_receipt_can_still_be_cited() -> None:
    world = long_world(answer(FEE_STATEMENT))
    result = world.ask()
    assert result.statements[0].citations[0].handle == "P1"
    assert "240 crowns" not in "".join(message.content for message in world.model.requests[-1].messages)


def test_shortening_happens_in_batches() -> None:
    world = long_world(answer(FEE_STATEMENT))
    world.ask()
    compactions = world.events(CompactionEvent)
    assert 1 <= len(compactions) <= 3
    for event in compactions:
        assert event.tokens_before > 0.9 * 6_000
        assert event.tokens_after <= 0.6 * 6_000
    unchanged = 0
    for before, after in zip(world.model.requests, world.model.requests[1:], strict=False):
        unchanged += after.messages[: len(before.messages)] == before.messages
    assert unchanged >= len(world.model.requests) - 1 - len(compactions)


def test_a_receipts_passage_is_shown_again_under_its_handle_and_may_be_asked_for_again() -> None:
    world = long_world(search("fee"), answer(FEE_STATEMENT))
    assert world.ask().status is Status.answered
    results = [event.result for event in world.events(ToolResultEvent) if event.name == "search"]
    assert results[-1]["error"] is None
    assert [passage["handle"] for passage in results[-1]["passages"]] == ["P1"]


def test_results_with_cited_passages_are_kept_longest() -> None:
    world = long_world(search("q9"), search("q10"), GOOD)
    world.model._steps.insert(1, GOOD)
    world.ask()
    world.ask("And what do the rules say about the berths and the harbour?")
    last = world.model.requests[-1].messages
    kept = [message for message in last if message.role == "tool" and "240 crowns" in message.content]
    assert len(kept) == 1
    assert any(message.content.startswith("[Shortened") for message in last)


def test_earlier_questions_are_dropped_whole_when_receipts_are_not_enough() -> None:
    def steps(number: int) -> Any:
        quote = f"Rule {number} says clause0 clause1"
        return search(f"q{number}"), answer(statement("It holds.", f"P{number + 1}", quote))

    script = [step for number in range(30) for step in steps(number)]
    world = World(*script, results=many(30, 150), budgets=Budgets(request_tokens=3_000))
    for number in range(30):
        result = world.ask(f"What does rule {number} say about clause0, in so many words?")
        assert result.status is Status.answered
    assert max(map(tokens, world.model.requests)) <= 3_000
    last = world.model.requests[-1].messages
    asked = [message.content for message in last if message.role == "user"]
    assert asked[-1].startswith("What does rule 29 say")
    assert not any("rule 0 say" in text for text in asked)
    waiting = [call.id for message in last for call in message.tool_calls]
    assert [message.tool_call_id for message in last if message.role == "tool"] == waiting


def test_many_results_in_one_turn_are_cut_from_the_end() -> None:
    wide = calls(*((("search"), {"query": f"q{number}"}) for number in range(8)))
    world = World(wide, GOOD, results=many(8, 400), budgets=Budgets(request_tokens=6_000))
    world.ask()
    results = [message.content for message in world.model.requests[1].messages if message.role == "tool"]
    assert tokens(world.model.requests[1]) <= 6_000
    assert "clause399" in results[0]
    assert results[-1].startswith("[Shortened")


def test_a_model_that_takes_less_is_asked_once_more_with_less() -> None:
    too_long = ModelError("too long", code="context_length")
    world = long_world(too_long, answer(FEE_STATEMENT), limit=20_000)
    told = list(world.agent.events(QUESTION))
    assert told[-1].answer.status is Status.answered  # type: ignore[union-attr]
    before, after = (tokens(request) for request in world.model.requests[-2:])
    assert after <= 0.6 * before
    assert "context_length" in [event.code for event in told if isinstance(event, Notice)]


def test_a_model_that_never_takes_it_ends_as_a_model_error() -> None:
    too_long = ModelError("too long", code="context_length")
    assert long_world(too_long, too_long).ask().stop_reason is StopReason.model_error


def test_a_server_that_cuts_prompts_is_noticed_once_and_gets_shorter_ones() -> None:
    def turn(number: int) -> Any:
        def respond(request: ModelRequest) -> ModelTurn:
            read = min(4_096, tokens(request))
            return ModelTurn(tool_calls=search(f"q{number}").tool_calls, usage=Usage(read, 10))

        return respond

    world = World(
        *map(turn, range(10)), GOOD, results=many(12, 400), budgets=Budgets(searches=20, model_calls=20)
    )
    told = list(world.agent.events(QUESTION))
    cut = [event for event in told if isinstance(event, Notice) and event.code == "prompt_cut"]
    assert len(cut) == 1
    assert "4,096" in cut[0].message
    sizes = [tokens(request) for request in world.model.requests]
    first = next(at for at, size in enumerate(sizes) if size > 4_096)
    assert max(sizes[first + 2 :]) <= 4_096


@pytest.mark.parametrize("factor", [0.75, 1.0, 1.4])
def test_another_tokenizer_is_not_taken_for_a_cut(factor: float) -> None:
    watch = PromptWatch()
    for sent in (800, 2_000, 4_500, 9_000, 15_000, 15_500, 23_000):
        assert watch.observe(sent, int(sent * 0.55), int(factor * sent)) is None


def test_servers_that_count_only_what_is_new_are_not_taken_for_cutting() -> None:
    watch = PromptWatch()
    assert [watch.observe(sent, sent // 2, 40) for sent in (800, 4_000)] == [None, None]


def test_no_tokenizer_makes_fewer_tokens_than_the_least() -> None:
    assert least_tokens(["annual fee of the boat club"]) <= 4
    assert least_tokens(["会员应在每年春季参加一次安全培训。"]) <= 9


def test_the_history_is_linear_in_the_transcript() -> None:
    world = long_world(answer(FEE_STATEMENT))
    world.ask()
    requests = world.events(ModelRequestEvent)
    bodies = [name for event in requests for name in event.bodies]
    assert len(bodies) == len(set(bodies))
    assert sum(len(event.messages) for event in requests) < 3 * len(bodies)


def test_the_system_message_and_the_question_always_stay() -> None:
    question = Message("user", "question")
    passage = Passage(
        handle="P1", document="d", document_title="d", version="v", section="s", start=0, end=1, text="x"
    )
    result = ToolResult(tool="search", text="long " * 3_000, passages=(passage,))
    messages = [
        Message("system", "rules"),
        question,
        Message("assistant", tool_calls=(ToolCall("c", "search", "{}"),)),
        Message("tool", result.text, tool_call_id="c", name="search", result=result, about="x"),
    ]
    fitted = fit(messages, 0, 1_000, question, set())
    assert [message.role for message in fitted.messages] == ["system", "user", "assistant", "tool"]
    assert (fitted.calls, fitted.handles) == (("c",), ("P1",))
    assert fitted.tokens == sum(map(message_tokens, fitted.messages))
