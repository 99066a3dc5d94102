"""Live tools over sessions that were gone on with: each part as it was recorded, in its own scope."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.agent.replay.house import DOCUMENTS, SEARCH, answer, index_of, record, turn, write

from pincite.agent.replay.live_model import replay_live_model
from pincite.agent.replay.live_tools import replay_live_tools
from pincite.agent.resuming import resume_session
from pincite.agent.scripted import ScriptedModel, Step
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.transcripts.reader import read

DUE = answer("d2", text="It is due on the first working day.", quote="is due on the first working day")
AGAIN = turn(("e1", "search", '{"query": "rent"}'))


def go_on(path: Path, index: Index, *steps: Step, scope: Scope | None = None) -> None:
    agent = resume_session(path, index, ScriptedModel(steps), scope=scope)
    agent.ask("And when is it due?")
    agent.close()


@pytest.mark.parametrize(
    "parts", [[(DUE,)], [(AGAIN, DUE)], [(AGAIN, DUE), (AGAIN, DUE)], [(AGAIN, AGAIN, DUE)]]
)
def test_a_resumed_session_does_not_drift_on_the_same_index(
    index: Index, parts: list[tuple[Step, ...]]
) -> None:
    path = record(index)
    for steps in parts:
        go_on(path, index, *steps)
    report = replay_live_tools(read(path), index)
    assert (report.diverged, report.drift) == (False, ()), report
    assert [one["status"] for one in report.answers] == ["answered"] * (1 + len(parts))


def test_what_a_part_might_not_see_is_not_searched_for_it(folder: Path, tmp_path: Path) -> None:
    index = index_of(folder, tmp_path / "kb")
    path = record(index)
    narrow = Scope(documents=frozenset({"house/garden.md"}))
    go_on(
        path, index, AGAIN, *[answer(f"f{n}", passage="P2", quote="watered") for n in range(3)], scope=narrow
    )
    report = replay_live_tools(read(path), index)
    assert not report.diverged, report
    write(folder, {"garden.md": DOCUMENTS["garden.md"].replace("watered", "dug")})
    report = replay_live_tools(read(path), index_of(folder, tmp_path / "kb"))
    assert "lease.md" not in str([entry for entry in report.drift if entry["question"] == 2])


def test_a_live_model_is_told_nothing_that_was_withdrawn_where_the_session_was_gone_on_with(
    folder: Path, tmp_path: Path
) -> None:
    index = index_of(folder, tmp_path / "kb")
    path = record(index)
    lost = [answer(f"f{n}") for n in range(3)]
    go_on(path, index, *lost, scope=Scope(documents=frozenset({"house/garden.md"})))
    model = ScriptedModel([SEARCH, answer("c2"), *lost])
    report = replay_live_model(read(path), model)
    assert not report.diverged, report
    told = [message.text for message in model.requests[-1].messages]
    assert "840" not in "\n".join(told)


def test_the_same_model_does_the_same_in_a_resumed_session(index: Index) -> None:
    path = record(index)
    go_on(path, index, AGAIN, DUE)
    report = replay_live_model(read(path), ScriptedModel([SEARCH, answer("c2"), AGAIN, DUE]))
    assert not report.diverged, report
