"""However a question ended, its recording ends the same way again."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.agent.replay.house import DOCUMENTS, QUESTION, SEARCH, answer, index_of, record, turn, write
from tests.agent.scripted_server import ScriptedServer, chunk, part, stream

from pincite.agent.budget import Budgets, Limits, Price
from pincite.agent.events import Done, Searching, Thinking
from pincite.agent.messages import ModelRequest, ModelTurn, Note, Usage
from pincite.agent.model import ModelError
from pincite.agent.openai_model import OpenAIModel
from pincite.agent.replay.strict import replay
from pincite.agent.scripted import ScriptedModel, Step
from pincite.agent.session import open_session
from pincite.corpus.index import Index
from pincite.transcripts.events import ModelResponseEvent
from pincite.transcripts.reader import read


def same(path: Path) -> dict[str, Any]:
    report = replay(read(path))
    assert not report.diverged, report
    return report.answers[-1]


def slow(_: ModelRequest) -> ModelTurn:
    time.sleep(1.5)
    return SEARCH


def test_a_model_that_takes_too_long(index: Index) -> None:
    path = record(index, SEARCH, slow, budgets=Budgets(seconds=0.8))
    assert same(path)["stop_reason"] == "budget_time"


@pytest.mark.parametrize(
    "budgets",
    [
        Budgets(model_calls=2),
        Budgets(tool_calls=1),
        Budgets(searches=1),
        Budgets(tokens=2500),
        Budgets(output_tokens=60),
        Budgets(request_tokens=2000),
        Budgets(stalled_turns=1),
        Budgets(repairs=0),
        Budgets(cost=0.005),
    ],
)
def test_every_budget(index: Index, budgets: Budgets) -> None:
    used = Usage(900, 40)
    steps = [
        turn((f"c{n}", "search", f'{{"query": "{word}"}}'), usage=used)
        for n, word in enumerate(("rent", "quiet", "garden"))
    ]
    bad = answer("b1", text="The rent is 99 crowns.")
    path = record(
        index,
        *steps,
        bad,
        bad,
        answer("b3"),
        *[ModelTurn(content="Well.")] * 4,
        budgets=budgets,
        prices={"scripted": Price(input=1, output=2)},
    )
    same(path)


def test_limits_of_the_session_and_a_price(index: Index) -> None:
    path = record(
        index,
        SEARCH,
        answer("c2"),
        SEARCH,
        answer("c4"),
        questions=(QUESTION, QUESTION),
        session_limits=Limits(model_calls=3, searches=1),
        prices={"scripted": Price(input=1, output=2)},
    )
    assert same(path)["usage"]["cost"] > 0


def test_a_model_that_retries_and_says_so(index: Index) -> None:
    def busy(request: ModelRequest) -> ModelTurn:
        assert request.watch is not None
        request.watch.notify(Note("retry", "rate_limited", "slow down", attempt=1, wait_s=0.5))
        request.watch.notify(Note("notice", "json_mode", "asked for JSON"))
        return SEARCH

    same(record(index, busy, answer("c2")))


def test_a_context_that_is_too_long_for_the_model(index: Index) -> None:
    path = record(index, SEARCH, ModelError("too long", code="context_length"), answer("c2"))
    assert same(path)["status"] == "answered"


@pytest.mark.parametrize("kind", [Thinking, Searching])
def test_a_question_that_was_no_longer_listened_to(index: Index, kind: type) -> None:
    agent = open_session(index, ScriptedModel([SEARCH, answer("c2"), SEARCH, answer("c4")]))
    events = agent.events(QUESTION)
    for event in events:
        if isinstance(event, kind):
            break
    events.close()
    answers = [event.answer for event in agent.events(QUESTION) if isinstance(event, Done)]
    agent.close()
    assert answers[0].transcript is not None
    path = Path(answers[0].transcript)
    report = replay(read(path))
    assert not report.diverged, report
    assert report.answers[0]["stop_reason"] == "cancelled"


def test_a_question_that_was_cancelled_while_the_model_thought(index: Index) -> None:
    agent = open_session(index, ScriptedModel([SEARCH, slow]))
    answers = []
    for number, event in enumerate(agent.events(QUESTION)):
        if number == 3:
            agent.cancel()
        if isinstance(event, Done):
            answers.append(event.answer)
    agent.close()
    assert answers[0].transcript is not None
    assert same(Path(answers[0].transcript))["stop_reason"] == "cancelled"


def test_a_chat(index: Index) -> None:
    talk = turn(
        ("t", "answer", '{"statements": [{"text": "Hello.", "citations": []}], "status": "conversation"}')
    )
    path = record(index, talk, SEARCH, answer("c2"), questions=("Hello!", QUESTION), chat=True)
    same(path)


def test_a_stream_and_the_times_of_its_chunks(index: Index) -> None:
    written = answer("c2").tool_calls[0].arguments
    replies = [
        stream([chunk({"tool_calls": [part(0, "search", '{"query": "rent"}', "c1")]}, "tool_calls")]),
        stream(
            [
                chunk({"tool_calls": [part(0, "answer", written[:40], "c2")]}),
                chunk({"tool_calls": [part(0, None, written[40:])]}, "tool_calls"),
            ]
        ),
    ]
    with ScriptedServer(replies).running() as server:
        model = OpenAIModel("m", base_url=server.url, api_key="key-that-is-secret-1234", stream=True)
        path = record(index, model=model)
    responses = [event for event in read(path).events if isinstance(event, ModelResponseEvent)]
    assert [len(event.chunks) for event in responses] == [1, 2]
    assert all(ms >= 0 and characters > 0 for event in responses for ms, characters in event.chunks)
    assert responses[1].raw is not None
    assert "key-that-is-secret" not in path.read_text(encoding="utf-8")
    assert same(path)["status"] == "answered"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Index:
    folder = tmp_path_factory.mktemp("shared")
    write(folder / "house", DOCUMENTS)
    return index_of(folder / "house", folder / "kb")


WORDS = st.sampled_from(["rent", "quiet hours", "garden", "", "rent\x00", "\ud800", "P1", "x" * 3000])
ARGUMENTS = st.one_of(
    st.builds('{{"query": "{}"}}'.format, st.sampled_from(["rent", "quiet", "zzz"])),
    st.sampled_from(
        ["", "{", "null", '{"query": 5}', '{"document": "lease.md", "section": "1"}', '{"queries": ["rent"]}']
    ),
    WORDS,
)
NAMES = st.sampled_from(["search", "read_section", "table_of_contents", "answer", "nonsense"])
CALLS = st.tuples(st.sampled_from(["c1", "c2", "", "c" * 99]), NAMES, ARGUMENTS)
TURNS: st.SearchStrategy[Step] = st.one_of(
    st.builds(lambda calls, content: turn(*calls, content=content), st.lists(CALLS, max_size=4), WORDS),
    st.just(answer("a1")),
    st.just(answer("a1", text="It is 7.")),
    st.builds(
        ModelError, st.just("it failed"), code=st.sampled_from(["timeout", "connection", "context_length"])
    ),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(TURNS, max_size=7), st.integers(1, 3))
def test_whatever_a_model_does_comes_out_the_same(shared: Index, steps: list[Step], questions: int) -> None:
    path = record(shared, *steps, ModelTurn(content="no more"), questions=(QUESTION,) * questions)
    same(path)
