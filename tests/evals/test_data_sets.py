"""Folders of judged data as others make them: what cannot be measured is said before anything is indexed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ir_measures")
pytest.importorskip("scipy")

from pincite.cli.app import run
from pincite.errors import NothingUsableError
from pincite.evals.beir import read_beir
from pincite.evals.retrieval import beir_task

DOCUMENTS: list[dict[str, Any]] = [
    {"_id": "a", "title": "Otters", "text": "Otters swim in cold rivers and eat fish."},
    {"_id": "b", "title": "Kestrels", "text": "Kestrels hover over meadows."},
]
QUERIES: list[dict[str, Any]] = [
    {"_id": "1", "text": "what do otters eat"},
    {"_id": "2", "text": "which birds hover"},
]
GOOD = "query-id\tcorpus-id\tscore\n1\ta\t1\n2\tb\t2\n"


def put(
    root: Path,
    judgements: str = GOOD,
    *,
    documents: Sequence[dict[str, Any]] = DOCUMENTS,
    queries: Sequence[dict[str, Any]] = QUERIES,
    bom: bool = False,
) -> Path:
    (root / "qrels").mkdir(parents=True)
    coding = "utf-8-sig" if bom else "utf-8"
    for name, rows in (("corpus", documents), ("queries", queries)):
        text = "\n".join(json.dumps(row) for row in rows)
        (root / f"{name}.jsonl").write_text(text, encoding=coding)
    (root / "qrels" / "test.tsv").write_text(judgements, encoding=coding)
    return root


@pytest.mark.parametrize(
    ("judgements", "said"),
    [
        ("", "no query of set has a relevant document"),
        ("query-id\tcorpus-id\tscore\n", "no query of set has a relevant document"),
        ("1\ta\t0\n2\tb\t-1\n", "no query of set has a relevant document"),
        ("9\ta\t1\n", "no query of set has a relevant document"),
        ("1\tz\t1\n2\ty\t1\n", "no relevant document of qrels/test.tsv is in corpus.jsonl"),
        ("1\ta\n2\tb\n", "line 1 is no judgement"),
        ("1\ta\thigh\n2\tb\t1\n", "line 1 is no judgement"),
        ("1\t0\ta\t1\tmore\n", "line 1 is no judgement"),
        ("1\ta\t.5\n", "line 1: the grade .5 is no whole number"),
        ("1\ta\tnan\n", "line 1: the grade nan is no whole number"),
        ("1\ta\t1e30\n", "line 1: the grade 1e30 is no whole number"),
        ("1\ta\t1\n1\ta\t2\n", "line 2: '1' and 'a' are judged twice"),
    ],
)
def test_judgements_that_cannot_be_used_end_with_one_line_and_3(
    tmp_path: Path, judgements: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = put(tmp_path / "set", judgements)
    db = tmp_path / "db"
    assert run(["eval", "retrieval", str(folder), "--db", str(db), "--no-vectors"]) == 3
    complaint = capsys.readouterr().err.strip().splitlines()[-1]
    assert said in complaint and complaint.startswith("pincite: ")
    assert not db.exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"documents": []}, "corpus.jsonl cannot be used: it holds no document"),
        ({"queries": []}, "queries.jsonl cannot be used: it holds no query"),
        ({"documents": [*DOCUMENTS, {"_id": "a", "text": "Voles."}]}, "line 3: the id 'a' comes twice"),
        ({"queries": [*QUERIES, {"_id": "2", "text": "voles"}]}, "line 3: the id '2' comes twice"),
        ({"documents": [{"title": "x"}]}, "line 1: _id is missing"),
        ({"queries": [{"_id": "1", "text": None}]}, "line 1: text: "),
    ],
)
def test_documents_and_queries_that_cannot_be_used_are_said(
    tmp_path: Path, change: dict[str, Any], said: str
) -> None:
    with pytest.raises(NothingUsableError) as caught:
        read_beir(put(tmp_path / "set", **change))
    assert said in caught.value.message


@pytest.mark.parametrize(
    "judgements",
    [GOOD, "1\ta\t1\n2\tb\t2\n", "1 0 a 1\n2 0 b 2\n", "qid\titer\tdocno\trel\n1\t0\ta\t1.0\n2\tQ0\tb\t2\n"],
)
def test_judgements_in_the_forms_that_there_are_mean_the_same(tmp_path: Path, judgements: str) -> None:
    folder = put(tmp_path / "set", judgements, bom=True)
    assert read_beir(folder).judgements == {"1": {"a": 1}, "2": {"b": 2}}
    assert len(list(read_beir(folder).documents())) == 2


def test_the_same_line_twice_is_one_document_and_null_is_no_title(tmp_path: Path) -> None:
    documents = [{**DOCUMENTS[0], "title": None}, {**DOCUMENTS[0], "title": None}, {"_id": "b", "text": None}]
    found = list(read_beir(put(tmp_path / "set", documents=documents)).documents())
    assert [(one.id, one.title, one.text[:6]) for one in found] == [("a", "", "Otters"), ("b", "", "")]


def test_a_query_with_nothing_relevant_counts_as_one_without_an_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    queries = [*QUERIES, {"_id": "3", "text": "xylophone"}, {"_id": "4", "text": "nobody judged this"}]
    folder = put(tmp_path / "set", GOOD + "3\ta\t0\n7\ta\t1\n", queries=queries)
    arguments = ["eval", "retrieval", str(folder), "--db", str(tmp_path / "db"), "--no-vectors", "--json"]
    assert run(arguments) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert (found["queries"], found["unjudged"]) == (2, 1)
    assert found["no_answer"] == {"queries": 1, "found_nothing": 1}
    assert "1 judged query is not in queries.jsonl and left out" in err


def test_relevant_documents_that_are_not_there_are_counted_as_missed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = put(tmp_path / "set", GOOD + "1\tz\t1\n")
    assert beir_task(read_beir(folder)).nowhere == 1
    arguments = ["eval", "retrieval", str(folder), "--db", str(tmp_path / "db"), "--no-vectors", "--json"]
    assert run(arguments) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert (found["not_in_index"], found["metrics"]["recall@10"]) == (1, 0.75)
    assert "1 expected place is not in the index" in err


def test_a_document_with_a_title_alone_can_be_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    documents = [*DOCUMENTS, {"_id": "z", "title": "Zebra husbandry", "text": ""}]
    queries = [{"_id": "1", "text": "zebra husbandry"}]
    folder = put(tmp_path / "set", "1\tz\t1\n", documents=documents, queries=queries)
    arguments = ["eval", "retrieval", str(folder), "--db", str(tmp_path / "db"), "--no-vectors", "--json"]
    assert run(arguments) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert found["metrics"]["nDCG@10"] == 1.0
    assert (found["documents"], found["chunks"]) == (3, 3)
    assert "queries searched: 1 of 1" in err
