"""What a session that was gone on with says of itself: its costs in all, and what is not told any more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.agent.replay.house import QUESTION, SEARCH, answer, record, turn

from pincite.agent.budget import Price
from pincite.agent.events import Notice
from pincite.agent.messages import Usage
from pincite.agent.replay.strict import replay
from pincite.agent.resuming import resume_session
from pincite.agent.scripted import ScriptedModel, Step
from pincite.corpus.index import Index
from pincite.transcripts.events import AnswerEvent, SessionEnd, SessionResume
from pincite.transcripts.reader import read
from pincite.transcripts.show import lines

DUE = answer("d2", text="It is due on the first working day.", quote="is due on the first working day")
PRICES = {"scripted": Price(input=1000.0, output=1000.0)}
NAMES = ("model_calls", "tool_calls", "searches", "input_tokens", "output_tokens", "cost")


def go_on(path: Path, index: Index, *steps: Step) -> list[Any]:
    agent = resume_session(path, index, ScriptedModel(steps), prices=PRICES)
    events = list(agent.events("And when is it due?"))
    agent.close()
    return events


def used(path: Path) -> dict[str, float]:
    answers = [event.answer["usage"] for event in read(path).events if isinstance(event, AnswerEvent)]
    return {name: sum(one[name] for one in answers) for name in NAMES}


def totals(path: Path) -> dict[str, Any]:
    return [event.totals for event in read(path).events if isinstance(event, SessionEnd)][-1]


def test_the_totals_are_those_of_the_whole_session(index: Index) -> None:
    spent = turn(("c1", "search", '{"query": "rent"}'), usage=Usage(100, 10))
    path = record(index, spent, answer("c2"), prices=PRICES)
    go_on(path, index, SEARCH, DUE)
    go_on(path, index, answer("e2", text="It is due on the first working day.", quote="due on the first"))
    found = totals(path)
    assert found["questions"] == 3
    assert {name: pytest.approx(found[name]) for name in NAMES} == used(path)
    assert found["model_calls"] == 5
    report = replay(read(path))
    assert not report.diverged, report


@pytest.mark.parametrize("kept", [9, 14, 19])
def test_a_question_in_which_the_process_ended_counts_with_its_calls(index: Index, kept: int) -> None:
    path = record(index)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:kept]))
    go_on(path, index, SEARCH, DUE)
    found, second = totals(path), [e.answer for e in read(path).events if isinstance(e, AnswerEvent)][-1]
    before = {9: (1, 1), 14: (1, 1), 19: (2, 1)}[kept]
    assert found["model_calls"] - second["usage"]["model_calls"] == before[0]
    assert found["tool_calls"] - second["usage"]["tool_calls"] == before[1]
    assert not replay(read(path)).diverged


def test_questions_that_are_not_told_any_more_are_told_of(index: Index) -> None:
    asked = (QUESTION, "How much is the rent, sk-abcdefghijklmnop1234?")
    path = record(index, SEARCH, answer("c2"), answer("c3"), questions=asked)
    told = [event for event in go_on(path, index, DUE) if isinstance(event, Notice)]
    words = "1 earlier question is not told to the model any more: secrets were taken out of it or its answer"
    assert [(event.code, event.message) for event in told] == [("left_out", words)]
    recording = read(path)
    (part,) = [event for event in recording.events if isinstance(event, SessionResume)]
    assert part.left_out == 1
    assert words in [line.text for line in lines(recording)]
    assert not replay(recording).diverged


def test_a_session_without_secrets_leaves_nothing_out(index: Index) -> None:
    path = record(index)
    assert not [event for event in go_on(path, index, DUE) if isinstance(event, Notice)]
