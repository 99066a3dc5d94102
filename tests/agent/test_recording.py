from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.agent.stub_tools import StubTools
from tests.agent.worlds import (
    ARREARS,
    BAD_STATEMENT,
    BERTHS,
    FEE,
    GOOD,
    QUESTION,
    SEARCH,
    answer,
    search,
    statement,
)

from pincite.agent.facts import SessionFacts
from pincite.agent.loop import Agent
from pincite.agent.openai_wire import message_json
from pincite.agent.outcome import Status
from pincite.agent.resume import restore
from pincite.agent.scripted import ScriptedModel
from pincite.errors import NothingUsableError
from pincite.tools.ledger import Ledger
from pincite.transcripts.events import ModelRequestEvent, SessionResume, SessionStart, ToolResultEvent
from pincite.transcripts.reader import Recording, read
from pincite.transcripts.show import render
from pincite.transcripts.stamp import Stamp
from pincite.transcripts.writer import TranscriptWriter

RESULTS = {"berths": [BERTHS], "*": [FEE, ARREARS]}


def tools() -> StubTools:
    return StubTools(RESULTS, {}, ["bylaws", "berths"])


def record(path: Path, *steps: object, questions: int = 1) -> ScriptedModel:
    model = ScriptedModel(steps)  # type: ignore[arg-type]
    writer = TranscriptWriter(path, Stamp("s1"))
    facts = SessionFacts(index="abc", scope={"groups": ["staff"]}, seed="seed")
    agent = Agent(model, tools(), transcript=writer, session="s1", facts=facts)
    for _ in range(questions):
        agent.ask(QUESTION)
    agent.close()
    return model


def test_a_session_is_recorded_from_start_to_end(tmp_path: Path) -> None:
    path = tmp_path / "s1.jsonl"
    record(path, SEARCH, answer(BAD_STATEMENT), GOOD)
    recording = read(path)
    assert recording.warnings == []
    turn = ["model_request", "model_response"]
    assert [event.kind for event in recording.events] == [
        *("session_start", "user_message"),
        *(*turn, "tool_call", "tool_result"),
        *(*turn, "tool_call", "check", "tool_result"),
        *(*turn, "tool_call", "check", "tool_result"),
        *("answer", "session_end"),
    ]
    start = recording.events[0]
    assert isinstance(start, SessionStart)
    assert (start.session, start.model, start.index, start.scope) == (
        "s1",
        "scripted",
        "abc",
        {"groups": ["staff"]},
    )
    assert {"python", "pincite"} <= set(start.versions)
    assert {"system", "repair"} <= set(start.prompts)
    assert start.config["budgets"]["model_calls"] == 12


def test_names_stand_as_the_genai_conventions_have_them(tmp_path: Path) -> None:
    path = tmp_path / "s1.jsonl"
    record(path, SEARCH, GOOD)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    by_kind = {line["kind"]: line for line in lines}
    assert by_kind["model_response"]["gen_ai.request.model"] == "scripted"
    assert by_kind["tool_call"]["gen_ai.tool.name"] == "answer"
    assert by_kind["tool_result"]["gen_ai.tool.call.id"] == "call_2"


def test_every_request_can_be_put_together_again(tmp_path: Path) -> None:
    path = tmp_path / "s1.jsonl"
    model = record(path, SEARCH, answer(BAD_STATEMENT), GOOD, search("berths"), GOOD, questions=2)
    recorded = [messages for _, messages in read(path).requests()]
    assert len(recorded) == len(model.requests) == 5
    for request, messages in zip(model.requests, recorded, strict=True):
        sent = [message_json(message) for message in request.messages]
        assert [message["role"] for message in messages] == [message["role"] for message in sent]
        texts = [message["content"] for message in messages]
        assert texts == [message.content for message in request.messages]


def test_bodies_are_written_once(tmp_path: Path) -> None:
    path = tmp_path / "s1.jsonl"
    record(path, SEARCH, search("x"), GOOD, SEARCH, GOOD, questions=2)
    text = path.read_text(encoding="utf-8")
    assert text.count("using only passages that your tools show you") == 1
    # In the text that the model read; the passage only says where in it.
    assert text.count("Members pay an annual fee of 240 crowns by 31 March.") == 1


def test_a_result_is_recorded_with_its_passages_and_attempts(tmp_path: Path) -> None:
    path = tmp_path / "s1.jsonl"
    record(path, SEARCH, GOOD)
    result = next(event for event in read(path).events if isinstance(event, ToolResultEvent))
    assert [passage["handle"] for passage in result.result["passages"]] == ["P1", "P2"]
    assert result.fresh


def test_a_session_goes_on_from_its_transcript_with_the_same_handles(tmp_path: Path) -> None:
    path = tmp_path / "s1.jsonl"
    record(path, SEARCH, GOOD)
    restored = restore(read(path))
    assert restored.asked == (QUESTION,)
    assert restored.ledger.cited == {"P1"}
    assert list(restored.ledger.passages) == ["P1", "P2"]
    again = tools()
    again.ledger = restored.ledger
    cites = answer(statement("The fee is 240 crowns.", "P1", "an annual fee of 240 crowns"))
    model = ScriptedModel([search("berths"), SEARCH, cites])
    writer = TranscriptWriter(path, Stamp(restored.session))
    agent = Agent(model, again, transcript=writer, session=restored.session, restored=restored)
    result = agent.ask("And again, how much?")
    agent.close()
    assert result.status is Status.answered
    assert result.statements[0].citations[0].handle == "P1"
    recording = read(path)
    assert recording.warnings == []
    assert sum(isinstance(event, SessionResume) for event in recording.events) == 1
    results = [event.result for event in recording.events if isinstance(event, ToolResultEvent)]
    handles = [[passage["handle"] for passage in result["passages"]] for result in results]
    assert handles == [["P1", "P2"], [], ["P3"], ["P1", "P2"], []]
    first = next(iter(model.requests)).messages
    assert [(message.role, message.content) for message in first[1:]] == [
        ("user", QUESTION),
        ("assistant", "The fee is 240 crowns."),
        ("user", "And again, how much?"),
    ]


def test_a_resumed_ledger_equals_the_one_that_was(tmp_path: Path) -> None:
    path = tmp_path / "s1.jsonl"
    record(path, SEARCH, search("berths"), GOOD)
    state = restore(read(path)).ledger.to_json()
    assert [passage["handle"] for passage in state["passages"]] == ["P1", "P2", "P3"]
    assert (state["standing"], state["cited"]) == ([], ["P1"])
    assert Ledger.from_json(state).to_json() == state


def test_a_crash_in_the_middle_of_a_question_can_be_resumed(tmp_path: Path) -> None:
    path = tmp_path / "s1.jsonl"
    record(path, SEARCH, GOOD)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:6]) + lines[6][:40])
    recording = read(path)
    assert recording.torn == 40
    restored = restore(recording)
    assert list(restored.ledger.passages) == ["P1", "P2"]
    assert [message.role for message in restored.messages] == ["user", "assistant"]


def test_a_transcript_that_lacks_passages_is_not_resumed(tmp_path: Path) -> None:
    path = tmp_path / "s1.jsonl"
    record(path, SEARCH, search("berths"), GOOD)
    recording = read(path)
    first = next(event for event in recording.events if isinstance(event, ToolResultEvent))
    events = [event for event in recording.events if event is not first]
    with pytest.raises(NothingUsableError, match="P1, P2"):
        restore(Recording(path, events=events))


@pytest.mark.parametrize(
    "passage", [{"handle": "P1"}, {"text": 3}, None, {"handle": "Px", "text": "x", "start": 0, "end": 1}]
)
def test_a_passage_that_cannot_be_read_is_a_plain_failure(tmp_path: Path, passage: object) -> None:
    path = tmp_path / "s1.jsonl"
    record(path, SEARCH, GOOD)
    recording = read(path)
    result = next(event for event in recording.events if isinstance(event, ToolResultEvent))
    broken = result.model_copy(update={"result": {**result.result, "passages": [passage]}})
    events = [broken if event is result else event for event in recording.events]
    with pytest.raises(NothingUsableError, match="passage"):
        restore(Recording(path, events=events))


def test_what_is_shown_of_a_session_has_no_control_characters(tmp_path: Path) -> None:
    path = tmp_path / "s1.jsonl"
    nasty = search("\x1b[2J\u202e fee \u2066")
    record(path, nasty, answer(BAD_STATEMENT), GOOD)
    lines = list(render(read(path)))
    text = "\n".join(lines)
    assert not any(ord(sign) < 32 and sign not in "\n\t" for sign in text)
    assert "\\u001b[2J\\u202e fee" in text
    assert any("answer checked: reject" in line for line in lines)
    assert any("question 1 ends: answered (answered)" in line for line in lines)
    assert any("P1 bylaws" in line for line in lines)


def test_a_long_session_grows_linearly(tmp_path: Path) -> None:
    def size(turns: int) -> tuple[int, int]:
        path = tmp_path / f"{turns}.jsonl"
        record(path, *[step for _ in range(turns) for step in (SEARCH, GOOD)], questions=turns)
        events = read(path).events
        hashes = sum(len(event.messages) for event in events if isinstance(event, ModelRequestEvent))
        return path.stat().st_size, hashes

    (small, few), (large, many) = size(20), size(80)
    assert large < 4.4 * small
    assert many < 4.4 * few
