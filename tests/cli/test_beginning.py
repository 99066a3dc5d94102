"""--whole-corpus and --first-search: flags, settings, the library and the server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import pincite
from pincite.agent.beginning import Beginning
from pincite.agent.extractive.model import ExtractiveModel
from pincite.cli.app import run
from pincite.corpus.sync import sync
from pincite.server.tenants import Serving, Tenants

QUESTION = "How high is the rent?"


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("beginning")
    (folder / "docs").mkdir()
    (folder / "docs" / "lease.md").write_text("# Lease\n\nThe rent is 900 euros a month.\n", encoding="utf-8")
    sync([folder / "docs"], folder / "db", vectors=False)
    return folder / "db"


def looked_up(db: Path, capsys: pytest.CaptureFixture[str], *flags: str) -> list[str]:
    assert run(["ask", QUESTION, "--db", str(db), "--json", *flags]) == 0
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert answer["status"] == "answered"
    return [one["tool"] for one in answer["retrieval"]]


def test_a_flag_wins_over_the_environment(
    db: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert looked_up(db, capsys) == ["search"]
    assert looked_up(db, capsys, "--whole-corpus") == ["whole_corpus"]
    monkeypatch.setenv("PINCITE_WHOLE_CORPUS", "true")
    assert looked_up(db, capsys) == ["whole_corpus"]
    assert looked_up(db, capsys, "--no-whole-corpus") == ["search"]


def test_how_it_was_found_says_that_all_documents_were_given(
    db: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ask", QUESTION, "--db", str(db), "--whole-corpus"]) == 0
    out = capsys.readouterr().out
    assert "\nwhole_corpus\n" in out
    assert "0 searches" in out


def test_an_unknown_first_search_is_wrong_usage(
    db: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ask", QUESTION, "--db", str(db), "--first-search", "guess"]) == 2
    monkeypatch.setenv("PINCITE_FIRST_SEARCH", "guess")
    assert run(["ask", QUESTION, "--db", str(db)]) == 2
    assert "PINCITE_FIRST_SEARCH in the environment" in capsys.readouterr().err


def test_the_library_takes_both(db: Path) -> None:
    whole = pincite.ask(QUESTION, db=db, whole_corpus=True)
    assert [one.tool for one in whole.retrieval] == ["whole_corpus"]
    searched = pincite.ask(QUESTION, db=db, first_search="question")
    assert [one.tool for one in searched.retrieval] == ["search"]


def test_a_server_begins_the_questions_of_its_sessions_so(db: Path) -> None:
    begins = Beginning(whole_corpus=True)
    serving = Serving(db, lambda index: ExtractiveModel(), beginning=begins)
    assert Tenants(serving).ground("default").beginning == begins
