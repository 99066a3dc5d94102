"""A question that is cancelled while an encoder is loaded leaves the session as good as before."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.agent.fault_kinds import Bench

from pincite.agent.budget import Budgets
from pincite.agent.chat import Chat, Ground, open_chat
from pincite.agent.events import Done, Searching
from pincite.agent.extractive.model import ExtractiveModel
from pincite.agent.outcome import Status, StopReason
from pincite.agent.patient import PatientCalls
from pincite.agent.waiting import CancelledError
from pincite.corpus.index import Index
from pincite.tools.ledger import Ledger
from pincite.tools.result import ToolResult
from pincite.tools.retrieve import Retriever

FEE = "What is the annual fee?"


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    bench.write()
    bench.sync()
    yield bench
    bench.put_away()


def chat_over(bench: Bench, loaded: threading.Event, seconds: float | None) -> Chat:
    index = Index.open(bench.db)

    def load() -> Any:
        loaded.wait(30)
        assert bench.encoder is not None
        return bench.encoder()

    retriever = Retriever(index, load)
    return open_chat(Ground(index, retriever, ExtractiveModel(None), Budgets(seconds=seconds)))


@pytest.mark.parametrize("how", ["cancelled", "closed", "late"])
def test_the_next_question_is_answered_once_it_is_loaded(bench: Bench, how: str) -> None:
    loaded = threading.Event()
    chat = chat_over(bench, loaded, 2.0 if how == "late" else None)
    try:
        told = chat.events(FEE)
        for event in told:
            if isinstance(event, Searching) and how == "cancelled":
                threading.Timer(0.3, chat.cancel).start()
            if isinstance(event, Searching) and how == "closed":
                break
            last = event
        if how == "closed":
            told.close()  # type: ignore[attr-defined]
        elif how == "cancelled":
            assert isinstance(last, Done) and last.answer.stop_reason is StopReason.cancelled
        threading.Timer(0.5, loaded.set).start()
        answer = chat.ask(FEE)
        assert answer.status is Status.answered, answer.text
        if how != "late":
            used = [search.used for search in answer.retrieval]
            assert used[0] == "fused", "the load went on, and its end was waited for"
    finally:
        loaded.set()
        chat.close()


class Slow:
    """Tools whose first call hangs until `free`; they note what was called, and how long it might take."""

    def __init__(self) -> None:
        self.free = threading.Event()
        self.called: list[str] = []
        self.limits: list[float | None] = []
        self.ledger = Ledger()

    def limit_time(self, seconds: float | None) -> None:
        self.limits.append(seconds)

    def schemas(self, names: Any) -> Any:
        raise AssertionError("nobody asks")

    def call(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        self.called.append(name)
        if len(self.called) == 1:
            self.free.wait(30)
        return ToolResult(tool=name, text="found")


def _left_behind(tools: Slow, cancelled: threading.Event) -> PatientCalls:
    calls = PatientCalls(tools, cancelled.is_set)
    threading.Timer(0.2, cancelled.set).start()
    with pytest.raises(CancelledError):
        calls.call("first", {}, None)
    cancelled.clear()
    return calls


def test_a_call_that_was_left_behind_is_waited_for() -> None:
    tools = Slow()
    calls = _left_behind(tools, threading.Event())
    threading.Timer(0.5, tools.free.set).start()
    assert calls.call("second", {}, None).error is None
    assert tools.called == ["first", "second"]
    assert tools.limits == [None, 0.0, None], "the first shows nothing, the second has its own time"


def test_a_call_that_hangs_is_waited_for_once_and_by_no_longer_than_half_of_the_time() -> None:
    tools = Slow()
    calls = _left_behind(tools, threading.Event())
    started = time.monotonic()
    refused = calls.call("second", {}, 1.0)
    took = time.monotonic() - started
    assert refused.error is not None and refused.error.code == "search_unavailable"
    assert 0.4 < took < 5
    started = time.monotonic()
    assert calls.call("third", {}, 60.0).error is not None
    assert time.monotonic() - started < 5
    tools.free.set()
    calls._pending.ended(5, lambda: False)  # type: ignore[union-attr]
    assert calls.call("fourth", {}, 1.0).error is None
    assert tools.called == ["first", "fourth"]


def test_waiting_for_it_can_be_cancelled_too() -> None:
    tools, cancelled = Slow(), threading.Event()
    calls = _left_behind(tools, cancelled)
    threading.Timer(0.2, cancelled.set).start()
    with pytest.raises(CancelledError):
        calls.call("second", {}, None)
    tools.free.set()
    cancelled.clear()
    assert calls.call("third", {}, None).error is None
