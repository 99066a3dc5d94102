"""What a model had written when its stream broke stands in the transcript, and a replay has it too."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.agent.scripted_server import Reply, ScriptedServer, call, chunk, completion, part, stream

from pincite.agent.budget import Budgets
from pincite.agent.openai_model import OpenAIModel
from pincite.agent.replay.strict import replay
from pincite.agent.session import open_session
from pincite.corpus.index import Index
from pincite.corpus.sync import sync
from pincite.transcripts.events import ModelResponseEvent, RetryEvent
from pincite.transcripts.reader import Recording, read
from pincite.transcripts.show import lines

KEY = "sk-test-0123456789abcdef"
CUT = stream(
    [chunk({"content": "Let me see"}), chunk({"tool_calls": [part(0, "search", '{"query": "re', "c1")]})],
    done=False,
)
SEARCH = Reply(body=completion({"tool_calls": [call("search", {"query": "rent"}, "c2")]}, "tool_calls"))
CITATION = {"passage": "P1", "quote": "The rent is 840 crowns"}
ANSWER = {"statements": [{"citations": [CITATION], "text": "It is 840 crowns."}], "status": "answered"}
GOOD = Reply(body=completion({"tool_calls": [call("answer", ANSWER, "c3")]}))


@pytest.fixture
def index(tmp_path: Path) -> Index:
    (tmp_path / "house").mkdir()
    (tmp_path / "house" / "lease.md").write_text("# Lease\n\nThe rent is 840 crowns a month.\n")
    sync([tmp_path / "house"], tmp_path / "kb", vectors=False, encoder=None)
    return Index.open(tmp_path / "kb")


def recorded(index: Index, *replies: Reply, stop: Callable[[Any], None] | None = None, **options: Any) -> Any:
    """(the recording, the answer) of a session with a server that replies so."""
    with ScriptedServer(replies).running() as server:
        model = OpenAIModel("m", base_url=server.url, api_key=KEY, stream=True)
        agent = open_session(index, model, **options)
        if stop is not None:
            stop(agent)
        answer = agent.ask("How much is the rent?")
        agent.close()
    assert answer.transcript is not None
    return read(Path(answer.transcript)), answer


def written(event: Any) -> tuple[str, list[tuple[str, str]]]:
    assert event.turn is not None
    return event.turn["content"], [(one["name"], one["arguments"]) for one in event.turn["tool_calls"]]


def of(recording: Recording, kind: type[Any]) -> list[Any]:
    return [event for event in recording.events if isinstance(event, kind)]


PARTIAL = ("Let me see", [("search", '{"query": "re')])


def test_an_attempt_that_broke_and_was_made_again(index: Index) -> None:
    recording, answer = recorded(index, CUT, SEARCH, GOOD)
    assert answer.status == "answered"
    (retry,) = of(recording, RetryEvent)
    assert written(retry) == PARTIAL
    assert len(retry.chunks) == 2
    shown = [line.text for line in lines(recording)]
    assert "had written, unchecked: Let me see" in shown
    assert 'was writing search {"query": "re' in shown
    assert not replay(recording).diverged


def test_a_call_of_which_every_attempt_broke(index: Index) -> None:
    recording, answer = recorded(index, CUT)
    assert answer.stop_reason == "model_error"
    (response,) = of(recording, ModelResponseEvent)
    assert (response.status, written(response), len(response.chunks)) == ("error", PARTIAL, 2)
    assert response.raw is not None
    assert len(of(recording, RetryEvent)) == 3
    shown = [line.text for line in lines(recording)]
    assert "writes, unchecked: Let me see" in shown
    assert 'was writing search {"query": "re' in shown
    report = replay(recording)
    assert not report.diverged, report


@pytest.mark.parametrize("why", ["cancelled", "deadline"])
def test_a_call_that_was_waited_for_no_longer_while_it_wrote(index: Index, why: str) -> None:
    # Its import takes long the first time, and this is about time.
    pytest.importorskip("openai")
    slow = Reply(raw=CUT.raw, content_type=CUT.content_type, drip=0.016)

    def cancel(agent: Any) -> None:
        timer = threading.Timer(4.0, agent.cancel)
        timer.daemon = True
        timer.start()

    budgets = Budgets(seconds=120.0 if why == "cancelled" else 4.0)
    recording, answer = recorded(index, slow, stop=cancel if why == "cancelled" else None, budgets=budgets)
    assert answer.stop_reason == ("cancelled" if why == "cancelled" else "budget_time")
    (response,) = of(recording, ModelResponseEvent)
    assert response.status == ("aborted" if why == "cancelled" else "error")
    assert written(response)[0] == "Let me see"
    report = replay(recording)
    assert not report.diverged, report


def test_nothing_written_is_nothing_recorded(index: Index) -> None:
    recording, _ = recorded(index, Reply(drop=True))
    assert [event.turn for event in recording.events if isinstance(event, RetryEvent)] == [None] * 3
    assert [event.turn for event in of(recording, ModelResponseEvent)] == [None]
    assert not replay(recording).diverged
