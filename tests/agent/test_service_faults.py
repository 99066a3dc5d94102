from __future__ import annotations

import resource
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.agent.scripted_server import Json, Reply, ScriptedServer, call, completion, unused_address
from tests.agent.stub_tools import StubTools
from tests.agent.worlds import ARREARS, FEE, FEE_STATEMENT, QUESTION

from pincite.agent.budget import Budgets
from pincite.agent.clock import ManualClock
from pincite.agent.events import Done, Notice, Retrying, Thinking
from pincite.agent.loop import Agent
from pincite.agent.openai_model import OpenAIModel
from pincite.agent.outcome import Status, StopReason
from pincite.transcripts.events import (
    AnswerEvent,
    ErrorEvent,
    ModelRequestEvent,
    ModelResponseEvent,
    NoticeEvent,
    RetryEvent,
)
from pincite.transcripts.reader import read
from pincite.transcripts.redact import Redactor
from pincite.transcripts.stamp import Stamp
from pincite.transcripts.writer import MemoryTranscript, TranscriptWriter

KEY = "sk-test-0123456789abcdef"
SEARCH = Reply(
    body=completion({"content": None, "tool_calls": [call("search", {"query": "fee"})]}, "tool_calls")
)
GOOD = Reply(
    body=completion(
        {"tool_calls": [call("answer", {"statements": [FEE_STATEMENT], "status": "answered"}, "call_2")]}
    )
)


class Setup:
    def __init__(self, url: str, transcript: Any = None, **options: Any) -> None:
        self.transcript = transcript or MemoryTranscript()
        self.model = OpenAIModel("m", base_url=url, api_key=KEY, clock=options.get("clock"))
        tools = StubTools({"*": [FEE, ARREARS]}, {}, ["bylaws"])
        self.agent = Agent(self.model, tools, transcript=self.transcript, **options)

    def told(self) -> list[Any]:
        return list(self.agent.events(QUESTION))

    def events(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.transcript.events if isinstance(event, kind)]


@pytest.fixture
def served() -> Iterator[Any]:
    running = []

    def start(*replies: Reply, **options: Any) -> Setup:
        context = ScriptedServer(list(replies)).running()
        one = Setup(context.__enter__().url, **options)
        running.append((one, context))
        return one

    yield start
    for one, context in running:
        one.model.close()
        context.__exit__(None, None, None)


def test_a_retry_is_told_while_it_happens_and_recorded(served: Any) -> None:
    slow_down = Reply(status=429, headers={"retry-after": "0.3"}, body={"error": {"message": "slow down"}})
    one = served(slow_down, SEARCH, GOOD)
    told = []
    times = []
    for event in one.agent.events(QUESTION):
        told.append(event)
        times.append(time.monotonic())
    assert told[-1].answer.status is Status.answered
    retrying = next(at for at, event in enumerate(told) if isinstance(event, Retrying))
    assert isinstance(told[retrying - 1], Thinking)
    assert times[retrying + 1] - times[retrying] >= 0.25
    (recorded,) = one.events(RetryEvent)
    assert (recorded.code, recorded.attempt, recorded.wait_s) == ("rate_limited", 1, 0.3)
    assert recorded.parent == one.events(ModelRequestEvent)[0].id


@pytest.mark.parametrize(
    "reply", [Reply(body={}, sleep=20), Reply(body=completion({"content": "x" * 500}), drip=0.02)]
)
def test_the_deadline_interrupts_a_server_that_hangs_or_drips(served: Any, reply: Reply) -> None:
    one = served(reply, budgets=Budgets(seconds=0.7))
    started = time.monotonic()
    answer = one.told()[-1].answer
    assert time.monotonic() - started < 2.5
    assert (answer.status, answer.stop_reason) == ("incomplete", "budget_time")
    assert [event.code for event in one.events(ErrorEvent)] == ["timeout"]
    assert [event.status for event in one.events(ModelResponseEvent)] == ["error"]


def test_a_cancel_from_elsewhere_does_not_wait_for_the_server(served: Any) -> None:
    one = served(Reply(body={}, sleep=20))
    started = time.monotonic()
    for event in one.agent.events(QUESTION):
        if isinstance(event, Thinking):
            one.agent.cancel()
        last = event
    assert time.monotonic() - started < 2.5
    assert isinstance(last, Done)
    assert last.answer.stop_reason is StopReason.cancelled
    assert [event.status for event in one.events(ModelResponseEvent)] == ["aborted"]


def test_a_dead_endpoint_ends_within_the_deadline_with_what_to_do() -> None:
    one = Setup(unused_address(), clock=ManualClock())
    answer = one.told()[-1].answer
    assert answer.stop_reason is StopReason.model_error
    assert "no connection to 127.0.0.1" in answer.text
    assert "OPENAI_BASE_URL" in answer.text


def test_a_wrong_key_is_one_notice_without_the_key(served: Any) -> None:
    one = served(Reply(status=401, body={"error": {"message": f"invalid key {KEY}"}}))
    told = one.told()
    assert [event.code for event in told if isinstance(event, Notice)] == ["unauthorized"]
    assert told[-1].answer.exit_code == 4
    assert KEY not in repr(told)
    assert KEY not in repr(one.transcript.events)


def test_a_context_length_error_is_asked_again_once_with_less(served: Any) -> None:
    too_long = Reply(status=400, body={"error": {"code": "context_length_exceeded", "message": "too long"}})
    assert served(SEARCH, too_long, GOOD).told()[-1].answer.status is Status.answered
    assert served(SEARCH, too_long, too_long).told()[-1].answer.stop_reason is StopReason.model_error


def test_a_parameter_left_out_is_told_and_recorded(served: Any) -> None:
    refused = Reply(status=400, body={"error": {"message": "'temperature' is not supported"}})
    one = served(refused, SEARCH, GOOD)
    told = one.told()
    assert told[-1].answer.status is Status.answered
    assert "parameter_removed" in [event.code for event in told if isinstance(event, Notice)]
    assert "parameter_removed" in [event.code for event in one.events(NoticeEvent)]


def test_the_servers_own_body_is_in_the_transcript(served: Any) -> None:
    one = served(SEARCH, GOOD)
    one.told()
    bodies: list[Json] = [event.raw for event in one.events(ModelResponseEvent)]
    assert bodies == [SEARCH.body, GOOD.body]


def test_a_full_disk_is_told_once_and_the_answer_still_given(served: Any, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    writer = TranscriptWriter(path, Stamp("s"), Redactor())
    one = served(SEARCH, GOOD, SEARCH, GOOD, transcript=writer)
    size = path.stat().st_size
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 300, limits[1]))
        told = one.told()
        again = one.told()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert told[-1].answer.status is Status.answered
    assert told[-1].answer.transcript is None
    assert [event.code for event in told if isinstance(event, Notice)] == ["transcript_unsaved"]
    assert not any(isinstance(event, Notice) for event in again)
    recording = read(path)
    assert recording.warnings == []
    assert not any(isinstance(event, AnswerEvent) for event in recording.events)


def test_an_answer_names_its_transcript(served: Any, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    one = served(SEARCH, GOOD, transcript=TranscriptWriter(path, Stamp("s"), Redactor()), session="s")
    answer = one.told()[-1].answer
    assert (answer.transcript, answer.session, answer.model) == (str(path), "s", "m")
    one.agent.close()
    recorded = [event for event in read(path).events if isinstance(event, AnswerEvent)]
    assert recorded[0].answer == answer.model_dump(mode="json")
