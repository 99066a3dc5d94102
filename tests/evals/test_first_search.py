"""Retrieval with the queries that a model words, beside the question alone."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ir_measures")
pytest.importorskip("scipy")

from tests.agent.scripted_server import Reply, ScriptedServer, completion, unused_address

from pincite.agent.messages import ModelTurn, Usage
from pincite.agent.model import ModelError
from pincite.agent.scripted import ScriptedModel, Step
from pincite.cli.app import run
from pincite.corpus.sync import sync
from pincite.errors import ServiceError
from pincite.evals.ablation_sets import read_set
from pincite.evals.beir import read_beir
from pincite.evals.bench_index import build_index
from pincite.evals.first_search import word
from pincite.evals.first_search_table import by_people, conversations, main
from pincite.evals.retrieval import Task, beir_task, evaluate

DOCUMENTS = [
    ("otters", "Otters", "Otters swim in cold rivers and eat fish."),
    ("kestrels", "Kestrels", "Kestrels hover over meadows and catch voles."),
    ("badgers", "Badgers", "Badgers dig setts and sleep by day."),
]
QUESTION = "What do the animals of cold rivers eat, and which birds hover?"
WORDED = "1. What do otters eat?\n2. kestrels hover over meadows"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "animals"
    (root / "qrels").mkdir(parents=True)
    documents = [json.dumps({"_id": i, "title": title, "text": text}) for i, title, text in DOCUMENTS]
    (root / "corpus.jsonl").write_text("\n".join(documents), encoding="utf-8")
    queries = [{"_id": "1", "text": QUESTION}, {"_id": "2", "text": "who sleeps by day"}]
    (root / "queries.jsonl").write_text("\n".join(map(json.dumps, queries)), encoding="utf-8")
    rows = ["query-id\tcorpus-id\tscore", "1\totters\t1", "1\tkestrels\t1", "2\tbadgers\t1"]
    (root / "qrels" / "test.tsv").write_text("\n".join(rows), encoding="utf-8")
    return root


def respond(body: dict[str, Any]) -> Reply:
    asked = str(body["messages"][-1]["content"])
    usage = {"prompt_tokens": 100, "completion_tokens": 20}
    return Reply(body=completion({"content": WORDED if asked == QUESTION else asked}, usage=usage))


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(respond).running() as running:
        yield running


def test_a_models_queries_are_measured_beside_the_question_alone(
    folder: Path, tmp_path: Path, server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [
        "eval", "retrieval", str(folder), "--no-vectors", "--db", str(tmp_path / "db"), "--model", "m",
        "--base-url", server.url, "--first-search", "decompose", "--first-search", "hypothetical",
    ]  # fmt: skip
    assert run([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    decomposed, hypothetical = found["first_searches"]
    assert (decomposed["way"], hypothetical["way"]) == ("decompose", "hypothetical")
    assert (decomposed["model"], decomposed["asked"], decomposed["failures"]) == ("m", 2, 0)
    # the second question came back as it is, which is no query beside it
    assert (decomposed["worded"], decomposed["queries"]) == (1, 1.0)
    assert decomposed["wordings"] == {"1": ["What do otters eat?", "kestrels hover over meadows"]}
    assert (decomposed["input_tokens"]["mean"], decomposed["output_tokens"]["mean"]) == (100, 20)
    assert decomposed["model_seconds"]["count"] == 2
    assert [one["measure"] for one in decomposed["comparison"]] == [
        "nDCG@10", "recall@10", "recall@100", "MRR", "complete@10",
    ]  # fmt: skip
    assert decomposed["comparison"][0]["first"] == found["metrics"]["nDCG@10"]
    assert decomposed["comparison"][0]["second"] == decomposed["report"]["metrics"]["nDCG@10"]
    assert "per_query" not in decomposed["report"]
    assert run(arguments) == 0
    out = capsys.readouterr().out
    assert "compared with the question alone: decompose, worded by m" in out
    assert "1 of 2 questions worded" in out
    assert "100 tokens read, 20 written" in out


def test_the_model_is_asked_what_the_loop_asks(
    folder: Path, tmp_path: Path, server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    model = ["--model", "m", "--base-url", server.url]
    first = ["--first-search", "rewrite"]
    db = ["--db", str(tmp_path / "db")]
    assert run(["eval", "retrieval", str(folder), "--no-vectors", *db, *model, *first]) == 0
    measured = server.requests[0]
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "otters.md").write_text(DOCUMENTS[0][2], encoding="utf-8")
    sync([docs], tmp_path / "loop", vectors=False)
    before = len(server.requests)
    run(["ask", QUESTION, "--db", str(tmp_path / "loop"), "--calling", "native", *model, *first])
    capsys.readouterr()
    assert server.requests[before] == measured


def task_of(folder: Path) -> Task:
    return beir_task(read_beir(folder))


def test_a_question_and_its_queries_take_turns(folder: Path, tmp_path: Path) -> None:
    task = task_of(folder)
    index = build_index(read_beir(folder).documents(), "d", tmp_path / "db", None)
    alone = replace(task, queries={"1": "badgers"})
    plain = evaluate(alone, index, None)
    assert plain.per_query[0].ranks == ()
    both = evaluate(replace(alone, also={"1": ("otters", "kestrels", "badgers sleep")}), index, None)
    assert both.per_query[0].ranks == (2, 3)
    assert both.by_leg["keyword"].metrics == both.metrics
    assert both.tokens_returned.mean > plain.tokens_returned.mean


def test_the_conversation_before_a_question_is_sent_with_it(
    tmp_path: Path, server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "lease.md").write_text("# Lease\n\n## Rent\n\nThe rent is 900 euros.\n", encoding="utf-8")
    sync([docs], tmp_path / "db", vectors=False)
    earlier = [
        {"role": "user", "content": "What is the rent?"},
        {"role": "assistant", "content": "900 euros."},
    ]
    place = {"document": "lease.md", "section": "Rent"}
    row = {"question": "And a year?", "expected": [place], "earlier": earlier}
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    arguments = ["eval", "retrieval", str(path), "--db", str(tmp_path / "db"), "--first-search", "rewrite"]
    arguments += ["--model", "m", "--base-url", server.url]
    assert run(arguments) == 0
    said = [(one["role"], one["content"]) for one in server.requests[0]["messages"][1:]]
    assert said == [("user", "What is the rent?"), ("assistant", "900 euros."), ("user", "And a year?")]
    path.write_text(json.dumps({**row, "earlier": [{"role": "tool", "content": "x"}]}), encoding="utf-8")
    assert run(arguments) == 3
    assert "line 1: earlier.0.role" in capsys.readouterr().err


def test_a_model_that_cannot_be_had_is_said_in_one_line(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_BUDGET", "seconds=6")
    arguments = ["eval", "retrieval", str(folder), "--no-vectors", "--db", str(tmp_path / "db")]
    arguments += ["--first-search", "decompose"]
    assert run(arguments) == 2
    assert "the extractive mode words no queries" in capsys.readouterr().err
    assert run([*arguments, "--model", "m", "--base-url", unused_address()]) == 4
    complaint = capsys.readouterr().err.strip().splitlines()[-1]
    assert complaint.startswith("pincite: m failed on the first 2 questions: ")


def test_a_model_that_fails_later_leaves_those_questions_as_they_are(folder: Path) -> None:
    failing = ModelError("down", code="connection")
    steps: list[Step] = [failing, ModelTurn(content="who rests at noon", usage=Usage(10, 5))]
    found = word(ScriptedModel(steps), "rewrite", task_of(folder), 30.0)
    assert (found.failures, found.asked, dict(found.queries)) == (1, 2, {"2": ("who rests at noon",)})
    assert found.usages == (Usage(10, 5),)
    with pytest.raises(ServiceError, match="failed on the first 2 questions: down"):
        word(ScriptedModel([failing, failing]), "rewrite", task_of(folder), 30.0)


def test_parts_made_by_people_are_searched_for_with_and_without_what_they_build_on(tmp_path: Path) -> None:
    steps = [
        {"question": "Aschenbrödel >> composer", "answer": "Johann Strauss II"},
        {"question": "#1 >> country of citizenship", "answer": "Austria"},
        {"question": "Who ruled #2 before #1 ?", "answer": "Nobody"},
    ]
    (tmp_path / "hipporag_multihop").mkdir()
    file = tmp_path / "hipporag_multihop" / "musique_train.json"
    file.write_text(json.dumps([{"id": "a", "question_decomposition": steps}]), encoding="utf-8")
    filled = ("Aschenbrödel composer", "Johann Strauss II country of citizenship",
              "Who ruled Austria before Johann Strauss II ?")  # fmt: skip
    assert by_people(tmp_path, filled=True) == {"a": filled}
    assert by_people(tmp_path, filled=False)["a"][1:] == ("country of citizenship", "Who ruled before ?")


def test_a_dialogue_is_its_last_turn_with_those_before_it_in_order(tmp_path: Path) -> None:
    (tmp_path / "doc2dial").mkdir()
    said = "user:And then? \tagent:You report it: by mail. \tuser:I moved"
    rows = f'title,context,question\nMoving#1,How to report a move.,"{said}"\nMoving#1,x,user:I moved\n'
    with zipfile.ZipFile(tmp_path / "doc2dial" / "doc2dial_rc_val.csv.zip", "w") as archive:
        archive.writestr("val.csv", rows)
    task = read_set("doc2dial, last turn", tmp_path, "held").task
    assert task.queries == {"q0": "And then?", "q1": "I moved"}
    earlier = [(one.role, one.content) for one in task.earlier["q0"]]
    assert earlier == [("user", "I moved"), ("assistant", "You report it: by mail.")]
    assert conversations(task) == {"q0": ("I moved You report it: by mail. And then?",)}


def test_the_table_says_that_its_data_is_not_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pincite.evals.first_search_table.load_encoder", lambda: None)
    assert main(["--data", str(tmp_path), "--db", str(tmp_path / "db"), "--set", "SciFact"]) == 3
    assert capsys.readouterr().err.startswith("no judgements in ")
