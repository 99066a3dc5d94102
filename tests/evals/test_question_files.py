"""Files of questions as people write them: what cannot be used is said in one line, before any is asked."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from pincite.cli.app import run
from pincite.corpus.sync import sync
from pincite.errors import NothingUsableError
from pincite.evals.judging import read_labels
from pincite.evals.questions import read_questions

pytest.importorskip("ir_measures")
GOOD = {"question": "How high is the rent?", "expected": [{"document": "lease.md"}]}


def put(path: Path, *rows: object) -> Path:
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], "it holds no question"),
        (["", "   "], "it holds no question"),
        (["How high is the rent?"], "line 1: it is no JSON object"),
        ([[GOOD]], "line 1: it is no JSON object"),
        ([GOOD, "", '{"question": '], "line 3: it is no JSON object"),
        ([{"expected": []}], "line 1: question is missing"),
        ([{"question": "x?"}], "line 1: expected is missing"),
        ([{"question": " ? ", "expected": []}], "line 1: question: holds no letter and no digit"),
        ([{"question": "x?", "expected": "yes"}], "line 1: expected: "),
        ([{"question": "x?", "expected": [{"section": "1"}]}], "line 1: expected.0.document is missing"),
        ([{"question": "x?", "expected": [], "answers": [{}]}], "line 1: answers.0: "),
        ([{**GOOD, "id": "a"}, {**GOOD, "id": "a"}], "the id 'a' comes twice"),
        ([{**GOOD, "id": "2"}, GOOD], "the id '2' comes twice"),
        (
            [{**GOOD, "expected": [{"document": "lease.md", "sectoin": "Rent"}]}],
            "line 1: expected.0.sectoin: there is no such key, 'section' is near",
        ),
        ([{**GOOD, "answer": "900"}], "line 1: answer: there is no such key, 'answers' is near"),
        ([{"qestion": "x?", "expected": []}], "line 1: qestion: there is no such key, 'question' is near"),
        ([{**GOOD, "zzz": 1}], "line 1: zzz: there is no such key"),
    ],
)
def test_what_is_wrong_with_a_line_is_said(tmp_path: Path, rows: list[object], said: str) -> None:
    with pytest.raises(NothingUsableError) as caught:
        read_questions(put(tmp_path / "mine.jsonl", *rows))
    assert caught.value.message.startswith(f"mine.jsonl cannot be used: {said}")
    assert "\n" not in caught.value.message
    assert caught.value.exit_code == 3


def test_a_misspelt_key_of_a_label_is_said(tmp_path: Path) -> None:
    case = {"question": "x?", "statement": "y", "suport": True}
    with pytest.raises(NothingUsableError, match="line 1: suport: there is no such key, 'support' is near"):
        read_labels(put(tmp_path / "labels.jsonl", case))


def test_bytes_that_are_no_text_are_said(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(NothingUsableError, match="it is not UTF-8"):
        read_questions(path)
    with pytest.raises(NothingUsableError, match="it is not UTF-8"):
        read_labels(path)


def test_the_same_question_may_come_twice_and_one_answer_needs_no_list(tmp_path: Path) -> None:
    found = read_questions(put(tmp_path / "mine.jsonl", GOOD, {**GOOD, "answers": "900 euros", "id": 7}))
    assert [question.id for question in found] == ["1", "7"]
    assert found[1].answers == ("900 euros",)


def test_many_questions_are_read_in_seconds(tmp_path: Path) -> None:
    path = put(tmp_path / "mine.jsonl", *[GOOD] * 30_000)
    started = time.process_time()
    assert len(read_questions(path)) == 30_000
    assert time.process_time() - started < 10


@pytest.fixture
def db(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "lease.md").write_text("# Lease\n\nThe rent is 900 euros.\n", encoding="utf-8")
    sync([tmp_path / "docs"], tmp_path / "db", vectors=False)
    return tmp_path / "db"


@pytest.mark.parametrize("command", ["retrieval", "answers", "locate"])
def test_a_question_about_an_unknown_document_is_no_question_about_all(
    db: Path, tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = put(tmp_path / "mine.jsonl", GOOD, {**GOOD, "document": "annex.md"})
    assert run(["eval", command, str(path), "--db", str(db)]) == 3
    (complaint,) = capsys.readouterr().err.strip().splitlines()
    assert complaint == (
        "pincite: question 2: there is no document 'annex.md' (pincite list shows the documents)"
    )


@pytest.mark.parametrize("command", ["answers", "locate"])
def test_a_question_that_is_too_long_is_said_before_the_first_is_asked(
    db: Path, tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = put(tmp_path / "mine.jsonl", GOOD, {"question": "rent " * 9_000, "expected": []})
    assert run(["eval", command, str(path), "--db", str(db)]) == 2
    (complaint,) = capsys.readouterr().err.strip().splitlines()
    assert complaint.startswith("pincite: question 2: the question is too long")


def test_expected_places_that_are_not_in_the_index_are_counted(
    db: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = put(
        tmp_path / "mine.jsonl", {**GOOD, "expected": [{"document": "annex.md"}, {"document": "lease.md"}]}
    )
    assert run(["eval", "retrieval", str(path), "--db", str(db), "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["not_in_index"] == 1
    assert "1 expected place is not in the index" in err


def test_a_report_that_cannot_be_written_is_said_before_the_work(
    db: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = put(tmp_path / "mine.jsonl", GOOD)
    missing = tmp_path / "no" / "report.html"
    assert run(["eval", "retrieval", str(path), "--db", str(db), "--html", str(missing)]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"pincite: {missing} cannot be written")


@pytest.mark.parametrize("command", ["retrieval", "answers", "locate"])
def test_without_an_index_or_file_there_is_one_line(
    tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = put(tmp_path / "mine.jsonl", GOOD)
    assert run(["eval", command, str(path), "--db", str(tmp_path / "none")]) == 3
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
    assert run(["eval", command, str(tmp_path / "gone.jsonl"), "--db", str(tmp_path / "none")]) == 2
