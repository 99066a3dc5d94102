from __future__ import annotations

from pathlib import Path

import pytest
from tests.agent.replay.house import DOCUMENTS, QUESTION, SEARCH, answer, index_of, record, turn, write

from pincite.agent.budget import Budgets
from pincite.agent.extractive.model import ExtractiveModel
from pincite.agent.messages import ModelTurn
from pincite.agent.model import ModelError
from pincite.agent.replay.failing import Failure
from pincite.agent.replay.fork import Changes, fork
from pincite.agent.replay.live_model import replay_live_model
from pincite.agent.replay.live_tools import replay_live_tools
from pincite.agent.replay.strict import replay
from pincite.agent.scripted import ScriptedModel
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.errors import NothingUsableError, UsageError
from pincite.transcripts.events import AnswerEvent, ModelRequestEvent, SessionStart
from pincite.transcripts.reader import read


def synced(folder: Path, db: Path, **documents: str) -> Index:
    write(folder, {f"{name}.md": text for name, text in documents.items()})
    return index_of(folder, db)


def test_on_the_same_index_nothing_drifts(index: Index) -> None:
    report = replay_live_tools(read(record(index)), index)
    assert (report.diverged, report.drift, report.cited_evidence_touched) == (False, (), False)
    assert report.answers[0]["status"] == "answered"


def test_a_change_elsewhere_is_an_index_change_and_no_divergence(
    index: Index, folder: Path, tmp_path: Path
) -> None:
    path = record(index)
    now = synced(folder, tmp_path / "kb", garden="# Garden\n\n## 1 Water\n\nNobody waters it.\n")
    report = replay_live_tools(read(path), now)
    assert (report.diverged, report.cited_evidence_touched) == (False, False)
    assert "index" in {change.what for change in report.changes}


def test_changed_words_of_cited_evidence_are_found(index: Index, folder: Path, tmp_path: Path) -> None:
    path = record(index)
    now = synced(folder, tmp_path / "kb", lease=DOCUMENTS["lease.md"].replace("840", "860"))
    report = replay_live_tools(read(path), now)
    assert (report.diverged, report.cause, report.exit_code) == (True, "index", 5)
    assert report.path == "$['gen_ai.tool.call.result'].passages[0].text"
    assert "840" in report.recorded
    assert "860" in report.replayed
    (entry,) = report.drift
    (changed,) = entry["changed"]
    assert (changed["handle"], changed["cited"], changed["quotes_stand"]) == ("P1", True, False)
    assert entry["touches_cited"] == ["P1"]
    assert report.cited_evidence_touched
    assert report.answers[0]["status"] == "unverified"


def test_changed_words_beside_the_quote_leave_the_answer_standing(
    index: Index, folder: Path, tmp_path: Path
) -> None:
    path = record(index)
    now = synced(folder, tmp_path / "kb", lease=DOCUMENTS["lease.md"].replace("first working", "last"))
    report = replay_live_tools(read(path), now)
    assert report.drift[0]["changed"][0]["quotes_stand"]
    assert report.answers[0]["status"] == "answered"


def test_lost_and_gained_passages_and_moved_ranks_are_named(
    index: Index, folder: Path, tmp_path: Path
) -> None:
    path = record(
        index, turn(("c1", "search", '{"query": "tenant rent notice"}')), answer("c2", passage="P2")
    )
    (folder / "garden.md").unlink()
    more = "# Rent\n\n## 1 Rent\n\nRent, rent and rent of the tenant: tenant, notice, rent, notice.\n"
    now = synced(folder, tmp_path / "kb", rent=more)
    report = replay_live_tools(read(path), now)
    (entry,) = report.drift
    assert {one["document"] for one in entry["gained"]} == {"house/rent.md"}
    assert {one["document"] for one in entry["lost"]} == {"house/garden.md"}
    assert entry["moved"]
    assert all(one["rank"] != one["to"] for one in entry["moved"])
    assert not report.cited_evidence_touched
    # What moved has kept its handle, so the recorded answer still means it.
    assert report.answers[0]["status"] == "answered"


def test_a_deleted_document_touches_what_cites_it(index: Index, folder: Path, tmp_path: Path) -> None:
    path = record(index)
    (folder / "lease.md").unlink()
    report = replay_live_tools(read(path), index_of(folder, tmp_path / "kb"))
    assert report.drift[0]["touches_cited"] == ["P1"]
    assert report.drift[0]["error"] == {"recorded": None, "live": "no_match"}
    assert report.cited_evidence_touched


def test_a_leg_can_be_made_to_fail(index: Index) -> None:
    two = (SEARCH, turn(("c2", "search", '{"query": "quiet"}')), answer("c3"))
    path = record(index, *two)
    report = replay_live_tools(read(path), index, failures=(Failure.parse("keyword@2"),))
    (entry,) = report.drift
    assert entry["arguments"] == '{"query": "quiet"}'
    assert entry["attempts"][0] == {
        "leg": "keyword",
        "recorded": "ok",
        "live": "error",
        "reason": "made to fail",
    }
    assert (report.cause, report.cited_evidence_touched) == ("leg", False)
    both = replay_live_tools(read(path), index, failures=(Failure("keyword"),))
    assert [one["touches_cited"] for one in both.drift] == [["P1"], []]


@pytest.mark.parametrize("text", ["vectors", "vector@0", "vector@x", "@2", "", "keyword@1@2"])
def test_what_names_no_leg_is_wrong_usage(text: str) -> None:
    with pytest.raises(UsageError):
        Failure.parse(text)


def test_the_recorded_scope_holds(folder: Path, tmp_path: Path) -> None:
    index = index_of(folder, tmp_path / "kb")
    path = record(index, scope=Scope(documents=frozenset({"house/lease.md"})))
    write(folder, {"rent.md": "# Rent\n\n## 1 Rent\n\nThe rent of the garage is 90 crowns.\n"})
    assert not replay_live_tools(read(path), index_of(folder, tmp_path / "kb")).diverged


def test_a_live_model_that_does_the_same_is_no_divergence(index: Index) -> None:
    path = record(index, model=ExtractiveModel())
    report = replay_live_model(read(path), ExtractiveModel())
    assert not report.diverged, report


def test_a_live_model_that_asks_something_else_ends_at_the_tape(index: Index) -> None:
    path = record(index)
    other = ScriptedModel([turn(("z", "search", '{"query": "price"}')), answer("y")], name="other")
    report = replay_live_model(read(path), other)
    assert (report.diverged, report.cause, report.kind) == (True, "model", "tool_call")
    assert report.path == "$['gen_ai.tool.call.arguments']"
    assert (report.recorded, report.replayed) == ('{"query": "rent"}', '{"query": "price"}')
    assert "no result for search" in report.detail
    assert report.answers == ()


def test_a_live_model_with_the_same_calls_in_other_words_goes_on(index: Index) -> None:
    path = record(index)
    spaced = turn(("z", "search", '{ "query":"rent" }'))
    report = replay_live_model(read(path), ScriptedModel([spaced, answer("y", text="840 crowns.")], name="b"))
    assert (report.kind, report.cause) == ("answer", "model")
    assert report.path == "$['pincite.answer'].statements[0].text"
    assert report.answers[0]["status"] == "answered"


def test_a_call_more_than_recorded_is_a_difference_of_that_turn(index: Index) -> None:
    path = record(index)
    more = turn(
        ("z1", "search", '{"query": "rent"}'),
        ("z2", "search", '{"query": "price"}'),
        ("z3", "search", '{"query": "fee"}'),
    )
    report = replay_live_model(read(path), ScriptedModel([more, answer("y")], name="other"))
    assert (report.at, report.kind, report.cause) == (7, "model_response", "model")
    assert report.path == "$['pincite.turn'].tool_calls[1]"
    assert (report.recorded, report.replayed) == (None, {"name": "search", "arguments": '{"query": "price"}'})
    both = turn(("c1", "search", '{"query": "rent"}'), ("c3", "search", '{"query": "price"}'))
    path = record(index, both, answer("c2"))
    report = replay_live_model(read(path), ScriptedModel([SEARCH, answer("y")], name="other"))
    assert (report.at, report.path) == (7, "$['pincite.turn'].tool_calls[1]")
    assert report.replayed is None


def test_an_answer_that_is_rejected_differs_where_it_is_checked(index: Index) -> None:
    recording = read(record(index))
    (check,) = [event for event in recording.events if event.kind == "check"]
    wrong = answer("y", quote="The rent is 900 crowns")
    report = replay_live_model(recording, ScriptedModel([SEARCH, wrong, answer("z")], name="other"))
    assert (report.at, report.kind, report.cause) == (check.seq, "check", "model")
    assert (report.path, report.recorded, report.replayed) == ("$['pincite.verdict']", "pass", "reject")


def test_a_model_that_gives_no_turn_is_an_error_and_no_divergence(index: Index) -> None:
    def dead(_: object) -> ModelTurn:
        raise ModelError("no connection to nowhere", code="connection", hint="start it")

    recording = read(record(index))
    for before in ([], [SEARCH]):
        with pytest.raises(ModelError, match="no connection") as caught:
            replay_live_model(recording, ScriptedModel([*before, dead], name="other"))
        assert (caught.value.exit_code, caught.value.hint) == (4, "start it")
    more = turn(("z1", "search", '{"query": "rent"}'), ("z2", "read_section", "{"))
    report = replay_live_model(recording, ScriptedModel([more, dead], name="other"))
    assert (report.at, report.cause) == (7, "model")


def test_a_secret_that_was_taken_out_is_never_told_to_a_model(index: Index) -> None:
    path = record(index, questions=("How much is the rent, sk-abcdefghijklmnop1234?",))
    model = ScriptedModel([])
    with pytest.raises(NothingUsableError, match="secrets"):
        replay_live_model(read(path), model)
    with pytest.raises(NothingUsableError, match="secrets"):
        fork(read(path), 6, model, index)
    assert model.requests == []


def test_a_fork_is_a_session_of_its_own_that_can_be_replayed(index: Index) -> None:
    path = record(index, SEARCH, answer("c2", text="The rent is 900 crowns."), answer("c3"))
    parent = read(path)
    at = [event.seq for event in parent.events if isinstance(event, ModelRequestEvent)][1]
    model = ScriptedModel([answer("n1", text="It is 840 crowns.")], name="new")
    child = fork(parent, at, model, index)
    assert len(model.requests) == 1
    assert child.answers[0].text == "It is 840 crowns."
    assert child.transcript is not None
    recorded = read(Path(child.transcript))
    start = recorded.events[0]
    assert isinstance(start, SessionStart)
    assert start.fork_of == parent.events[at].id
    models = [event.model for event in recorded.events if isinstance(event, ModelRequestEvent)]
    assert models == ["scripted", "new"]
    assert not replay(recorded).diverged
    assert len(path.read_bytes().splitlines()) == len(parent.events)


def test_a_fork_takes_another_prompt_and_budget(index: Index) -> None:
    path = record(index, SEARCH, turn(("c2", "search", '{"query": "notice"}')), answer("c3"))
    parent = read(path)
    at = [event.seq for event in parent.events if isinstance(event, ModelRequestEvent)][1]
    looks = [turn((f"n{n}", "search", f'{{"query": "notice {n}"}}')) for n in range(3)]
    model = ScriptedModel([*looks, answer("last")])
    changed = Changes(prompts={"system": "Only answer from passages."}, budgets={"searches": "2"})
    child = fork(parent, at, model, index, changed=changed)
    assert model.requests[0].messages[0].content == "Only answer from passages."
    assert child.answers[0].usage.searches == 2
    assert child.transcript is not None
    report = replay(read(Path(child.transcript)))
    assert not report.diverged, report


@pytest.mark.parametrize(
    ("at", "changed"),
    [
        (0, Changes()),
        (999, Changes()),
        (6, Changes(budgets={"moon": "1"})),
        (6, Changes(budgets={"searches": "many"})),
        (6, Changes(prompts={"sytem": "x"})),
        (6, Changes(prompts={"repair": "has no variable"})),
    ],
)
def test_a_fork_that_cannot_be_made_is_wrong_usage(index: Index, at: int, changed: Changes) -> None:
    recording = read(record(index))
    with pytest.raises(UsageError):
        fork(recording, at, ScriptedModel([]), index, changed=changed)


@pytest.mark.parametrize("at", range(1, 19))
def test_a_fork_anywhere_ends_in_an_answer(index: Index, at: int) -> None:
    path = record(index)
    model = ScriptedModel([SEARCH, answer("n2")] if at < 13 else [answer("n2")])
    if 8 <= at < 13:
        model = ScriptedModel([answer("n2")])
    child = fork(read(path), at, model, index)
    assert [one.status for one in child.answers] == ["answered"]
    assert child.transcript is not None
    recorded = read(Path(child.transcript))
    assert sum(isinstance(event, AnswerEvent) for event in recorded.events) == 1
    assert not replay(recorded).diverged


def test_budgets_of_the_child_are_those_of_the_parent(index: Index) -> None:
    path = record(index, budgets=Budgets(searches=1))
    child = fork(read(path), 1, ScriptedModel([SEARCH, answer("n2")]), index)
    assert child.transcript is not None
    start = read(Path(child.transcript)).events[0]
    assert isinstance(start, SessionStart)
    assert start.config["budgets"]["searches"] == 1
    assert start.config["fork"]["at"] == 1
    assert QUESTION in Path(child.transcript).read_text(encoding="utf-8")
