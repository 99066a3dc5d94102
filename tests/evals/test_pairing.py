"""Two runs are compared over the same questions with the same labels, and that is known before the second."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ir_measures")
pytest.importorskip("scipy")

from pincite.cli.app import run
from pincite.corpus.sync import sync

LEASE = (
    "# Lease\n\n## Rent\n\nThe rent is 900 euros.\n\n## Pets\n\nDogs are allowed.\n\n"
    "## Notice\n\nThree months' notice is needed.\n"
)
RENT = {"question": "How high is the rent?", "expected": [{"document": "lease.md", "section": "Rent"}]}
PETS = {"question": "Are dogs allowed?", "expected": [{"document": "lease.md", "section": "Pets"}]}
WRONG = {"question": "Are dogs allowed?", "expected": [{"document": "lease.md", "section": "Notice"}]}
NOTICE = {"question": "How much notice?", "expected": [{"document": "lease.md", "section": "Notice"}]}


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("pairing")
    (root / "docs").mkdir()
    (root / "docs" / "lease.md").write_text(LEASE, encoding="utf-8")
    sync([root / "docs"], root / "db", vectors=False)
    return root / "db"


class Runs:
    """Evaluations over one index; what one printed."""

    def __init__(self, db: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._db, self._folder, self._capsys = db, folder, capsys
        self.saved = folder / "saved.json"

    def __call__(self, rows: Sequence[dict[str, Any]], *more: str) -> tuple[int, Any, str]:
        path = self._folder / "mine.jsonl"
        path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
        code = run(["eval", "retrieval", str(path), "--db", str(self._db), "--json", *more])
        out, err = self._capsys.readouterr()
        return code, json.loads(out), err

    def save(self, *rows: dict[str, Any]) -> None:
        assert self(rows, "--save", str(self.saved))[0] == 0

    def compare(self, *rows: dict[str, Any]) -> tuple[int, Any, str]:
        return self(rows, "--compare", str(self.saved))


@pytest.fixture
def runs(db: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Runs:
    return Runs(db, tmp_path, capsys)


def test_a_line_put_in_on_top_shifts_no_pair(runs: Runs) -> None:
    runs.save(RENT, WRONG)
    code, found, err = runs.compare(NOTICE, RENT, WRONG)
    assert code == 0
    first = found["comparison"][0]
    assert (first["queries"], first["difference"], first["better"], first["worse"]) == (2, 0.0, 0, 0)
    assert "not compared: 1 not in the earlier run" in err


def test_other_questions_under_the_same_numbers_are_refused_before_the_run(runs: Runs) -> None:
    runs.save(RENT, PETS)
    code, found, err = runs.compare(NOTICE)
    assert code == 3
    assert found["error"]["code"] == "nothing_to_compare"
    (complaint,) = err.strip().splitlines()
    assert complaint.startswith("pincite: the two runs have no query in common")


def test_a_question_with_other_labels_is_left_out_and_counted(runs: Runs) -> None:
    runs.save(RENT, PETS, NOTICE)
    code, found, err = runs.compare(RENT, WRONG)
    assert code == 0
    assert found["comparison"][0]["queries"] == 1
    assert "not compared: 1 judged otherwise then, 1 only in the earlier run" in err
    code, found, err = runs.compare(WRONG)
    assert code == 3
    assert "1 have the same words and other labels" in found["error"]["message"]


def test_the_same_question_twice_is_two_pairs(runs: Runs) -> None:
    runs.save({**RENT, "id": "a"}, {**RENT, "id": "b"})
    code, found, err = runs.compare({**RENT, "id": "b"}, {**RENT, "id": "c"}, {**RENT, "id": "d"})
    assert code == 0
    assert found["comparison"][0]["queries"] == 2
    assert "1 not in the earlier run" in err


def test_a_run_without_judged_queries_has_nothing_to_compare(runs: Runs) -> None:
    nobody = {"question": "Where is the garage?", "expected": "no answer"}
    runs.save(nobody)
    assert runs.compare(RENT)[0] == 3
    runs.save(RENT)
    assert runs.compare(nobody)[0] == 3


def test_a_file_that_is_no_report_is_refused(runs: Runs) -> None:
    runs.saved.write_text('{"per_query": []}', encoding="utf-8")
    code, found, _ = runs.compare(RENT)
    assert (code, found["error"]["code"]) == (3, "report_unusable")
