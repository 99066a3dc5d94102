"""Sessions of several parts: resumed with other settings, begun elsewhere, with passages withdrawn meanwhile.

Each is replayed strictly, and forked before and behind where it was gone on with.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.agent.replay.house import QUESTION, SEARCH, answer, index_of, record, turn

from pincite.agent.answer import Answer
from pincite.agent.budget import Budgets
from pincite.agent.chat import Ground, open_chat, resume_chat
from pincite.agent.messages import ModelTurn
from pincite.agent.replay.fork import Changes, fork
from pincite.agent.replay.live_model import replay_live_model
from pincite.agent.replay.live_tools import replay_live_tools
from pincite.agent.replay.strict import replay
from pincite.agent.resuming import resume_session
from pincite.agent.scripted import ScriptedModel, Step
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.tools.retrieve import Retriever
from pincite.transcripts.events import (
    AnswerEvent,
    ModelRequestEvent,
    NoticeEvent,
    SessionResume,
    UserMessage,
)
from pincite.transcripts.reader import Recording, read

AGAIN = "And when is it due?"
DUE = answer("d2", text="It is due on the first working day.", quote="is due on the first working day")
QUIET = turn(("q1", "search", '{"query": "quiet"}'))


def go_on(path: Path, index: Index, *steps: Step, name: str = "scripted", **options: Any) -> Answer:
    agent = resume_session(path, index, ScriptedModel(steps, name=name), **options)
    try:
        return agent.ask(AGAIN)
    finally:
        agent.close()


def same(recording: Recording) -> None:
    report = replay(recording)
    assert not report.diverged, report


def child_of(recording: Recording, at: int, model: ScriptedModel, index: Index, **changes: Any) -> Recording:
    """A fork's transcript; it must be replayed as it is, and name where it comes from."""
    child = fork(recording, at, model, index, changed=Changes(**changes))
    assert child.transcript is not None
    found = read(Path(child.transcript))
    assert found.warnings == []
    same(found)
    return found


def asked(events: Recording, kind: type) -> list[Any]:
    return [event for event in events.events if isinstance(event, kind)]


def test_a_part_with_another_model_is_replayed(index: Index) -> None:
    path = record(index)
    go_on(path, index, DUE, name="other")
    same(read(path))


def test_a_part_with_other_budgets_is_replayed(index: Index) -> None:
    path = record(index)
    looks = [turn((f"n{n}", "search", f'{{"query": "due {n}"}}')) for n in range(3)]
    given = go_on(path, index, *looks, budgets=Budgets(model_calls=2))
    assert given.stop_reason == "budget_model_calls"
    recording = read(path)
    same(recording)
    (part,) = asked(recording, SessionResume)
    assert part.config["budgets"]["model_calls"] == 2
    # Those of the first part hold there, those of the second here.
    at = asked(recording, UserMessage)[1].seq
    child = child_of(recording, at, ScriptedModel(looks), index)
    assert [event.answer["stop_reason"] for event in asked(child, AnswerEvent)] == [
        "answered",
        "budget_model_calls",
    ]


def test_a_part_in_another_scope_is_searched_in_that(index: Index) -> None:
    path = record(index)
    go_on(path, index, QUIET, DUE, scope=Scope(documents=frozenset({"house/lease.md", "house/garden.md"})))
    recording = read(path)
    same(recording)
    report = replay_live_tools(recording, index)
    assert not report.diverged, report
    at = asked(recording, UserMessage)[1].seq
    child = child_of(recording, at, ScriptedModel([QUIET, DUE]), index)
    result = [event for event in child.events if event.kind == "tool_result"][-2]
    assert result.result["error"]["code"] == "no_match"


def test_a_question_that_is_gone_on_with_as_a_chat_is_replayed(index: Index) -> None:
    path = record(index)
    chat = resume_chat(Ground(index, Retriever(index, None), ScriptedModel([DUE])), path.stem)
    chat.ask(AGAIN)
    chat.close()
    recording = read(path)
    same(recording)
    part = asked(recording, SessionResume)[0].seq
    for at in (6, part + 6):
        child_of(recording, at, ScriptedModel([SEARCH, answer("n1"), DUE] if at == 6 else [DUE]), index)


def test_a_conversation_held_elsewhere_is_replayed_with_its_turns(index: Index) -> None:
    model = ScriptedModel([SEARCH, answer("c2")])
    chat = open_chat(Ground(index, Retriever(index, None), model), earlier=[("Hello?", "Hi.")])
    transcript = chat.ask(QUESTION).transcript
    chat.close()
    assert transcript is not None
    recording = read(Path(transcript))
    same(recording)
    assert not replay_live_tools(recording, index).diverged
    assert not replay_live_model(recording, ScriptedModel([SEARCH, answer("c2")])).diverged
    live = ScriptedModel([answer("n2")])
    child_of(recording, asked(recording, ModelRequestEvent)[1].seq, live, index)
    assert [message.content for message in live.requests[0].messages[1:4]] == ["Hello?", "Hi.", QUESTION]


@pytest.mark.parametrize("inside", [False, True])
def test_what_was_withdrawn_on_the_way_is_so_in_a_replay(inside: bool, folder: Path, tmp_path: Path) -> None:
    index = index_of(folder, tmp_path / "kb")

    def drop(*_: object) -> ModelTurn:
        (folder / "lease.md").unlink()
        index_of(folder, tmp_path / "kb")
        return QUIET

    steps = (SEARCH, drop if inside else answer("c2"), QUIET, *[answer(f"n{n}") for n in range(3)])
    chat = open_chat(Ground(index, Retriever(index, None), ScriptedModel(steps[:2] + steps[2 + inside :])))
    answers = [chat.ask(QUESTION)]
    if not inside:
        drop()
        answers.append(chat.ask(AGAIN))
    chat.close()
    assert answers[-1].status == "unverified"
    transcript = answers[-1].transcript
    assert transcript is not None
    recording = read(Path(transcript))
    (gone,) = [event for event in asked(recording, NoticeEvent) if event.code == "withdrawn"]
    assert "P1" in gone.handles
    same(recording)
    live = ScriptedModel([answer(f"m{n}") for n in range(3)])
    at = asked(recording, ModelRequestEvent)[-2].seq
    child = child_of(recording, at, live, index)
    assert asked(child, AnswerEvent)[-1].answer["status"] == "unverified"
    assert "840" not in "\n".join(message.text for message in live.requests[0].messages)


def test_a_notice_of_withdrawal_that_nothing_follows_is_a_divergence(index: Index) -> None:
    recording = read(record(index))
    notice = NoticeEvent(code="withdrawn", message="", handles=("P1", "P99"), seq=5, id="x")
    recording.events[5:] = [notice]
    report = replay(recording)
    assert (report.diverged, report.at) == (True, 5)


def resumed_twice(index: Index) -> Recording:
    path = record(index)
    go_on(path, index, DUE)
    go_on(path, index, SEARCH, DUE)
    return read(path)


def crashed(index: Index, kept: int) -> Recording:
    path = record(index)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:kept]))
    go_on(path, index, SEARCH, DUE)
    return read(path)


def stopped(index: Index) -> Recording:
    """Stopped while a tool ran, gone on with in the same process and then in another."""

    def interrupt(_: object) -> ModelTurn:
        raise KeyboardInterrupt

    path = record(index, SEARCH, interrupt, SEARCH, answer("c9"), questions=(QUESTION, QUESTION))
    go_on(path, index, DUE)
    return read(path)


MADE: dict[str, Callable[[Index], Recording]] = {
    "resumed twice": resumed_twice,
    "crashed in a search": lambda index: crashed(index, 8),
    "crashed in a model call": lambda index: crashed(index, 14),
    "crashed after a check": lambda index: crashed(index, 17),
    "stopped": stopped,
}


@pytest.mark.parametrize("made", MADE)
def test_a_session_of_several_parts_is_forked_anywhere(made: str, index: Index) -> None:
    recording = MADE[made](index)
    same(recording)
    questions = len(asked(recording, UserMessage))
    for at in range(1 + len(made) % 3, len(recording.events), 3):
        # As many as any question can need: what is repeated costs none.
        live = ScriptedModel([turn((f"s{n}", "search", f'{{"query": "rent {n}"}}')) if n % 2 == 0
                              else answer(f"a{n}") for n in range(2 * questions + 2)])  # fmt: skip
        child = child_of(recording, at, live, index)
        start = child.events[0]
        assert start.fork_of == recording.events[at].id  # type: ignore[union-attr]
        assert [event.text for event in asked(child, UserMessage)] == [
            event.text for event in asked(recording, UserMessage)
        ]
        kinds = [event.kind for event in recording.events[:at]]
        assert [event.kind for event in child.events[:at]] == kinds
        assert asked(child, AnswerEvent)[-1].answer["status"] == "answered"


def test_a_budget_of_the_fork_holds_where_a_part_begins(index: Index) -> None:
    recording = resumed_twice(index)
    part = asked(recording, SessionResume)[-1].seq
    looks = [turn((f"n{n}", "search", f'{{"query": "due {n}"}}')) for n in range(9)]
    for at in (part, part + 1, part + 2, part + 5, part + 6):
        child = child_of(recording, at, ScriptedModel(looks), index, budgets={"model_calls": 1})
        assert asked(child, AnswerEvent)[-1].answer["usage"]["model_calls"] == 1
