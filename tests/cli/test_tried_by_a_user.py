"""Faults that a person met: each is one line, the right exit code, and nothing silently dropped."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pincite
from pincite.errors import NothingUsableError, UsageError

Program = Callable[..., Any]


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def in_a_process(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pincite", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=dict(os.environ))


@pytest.mark.parametrize(
    "command", [["toc", "x.md"], ["read", "x.md", "1"], ["search", "kiwi", "--document", "x.md"]]
)
def test_a_name_that_two_documents_carry_is_one_line(
    program: Program, tmp_path: Path, command: list[str]
) -> None:
    for folder in ("a", "b"):
        write(tmp_path / folder / "docs" / "x.md", "# X\n\nKiwi.\n")
    db = str(tmp_path / "kb")
    program("sync", tmp_path / "a" / "docs", tmp_path / "b" / "docs", "--db", db, "--no-vectors")
    done = in_a_process(*command, "--db", db)
    assert done.returncode == 3
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("pincite: ")


def test_an_index_whose_files_are_rubbish_is_one_line(program: Program, tmp_path: Path) -> None:
    write(tmp_path / "docs" / "x.md", "# X\n\nKiwi.\n")
    db = tmp_path / "kb"
    program("sync", tmp_path / "docs", "--db", db, "--no-vectors")
    for path in db.rglob("*.lance"):
        if path.is_file():
            path.write_bytes(b"rubbish" * 100)
    done = in_a_process("search", "kiwi", "--leg", "keyword", "--db", str(db))
    assert done.returncode in (3, 4)
    assert len(done.stderr.splitlines()) == 1


def test_asking_where_nothing_can_be_seen_is_nothing_usable(program: Program, tmp_path: Path) -> None:
    write(tmp_path / "docs" / "x.md", "# X\n\nKiwi.\n")
    db = tmp_path / "kb"
    program("sync", tmp_path / "docs", "--db", db, "--no-vectors", "--group", "staff")
    outcome = program("ask", "What is a kiwi?", "--db", db, "--group", "guests")
    assert outcome.code == 3
    assert len(outcome.err.splitlines()) == 1
    with pytest.raises(NothingUsableError):
        pincite.ask("What is a kiwi?", db=db, groups=["guests"])


@pytest.mark.parametrize("command", [["ask", "What is a kiwi?", "--document"], ["toc"], ["forget"]])
def test_only_names_that_are_near_are_called_so(program: Program, tmp_path: Path, command: list[str]) -> None:
    write(tmp_path / "evil" / "a\nb.md", "# A\n\nKiwi.\n")
    write(tmp_path / "evil" / "lease.md", "# Tenancy\n\nKiwi.\n")
    db = str(tmp_path / "kb")
    program("sync", tmp_path / "evil", "--db", db, "--no-vectors")
    for wrong in ("nope.md", "kb.md", "x.html"):
        assert "close" not in program(*command, wrong, "--db", db).complaint
    for meant in ("leese.md", "lease.mdx", "evil/lese.md"):
        outcome = program(*command, meant, "--db", db)
        assert "evil/lease.md" in outcome.complaint


def test_a_question_without_words_is_wrong_usage(program: Program, db: Path) -> None:
    assert program("ask", "?!", "--db", db).code == 2


def test_a_string_is_not_taken_for_a_list(tmp_path: Path) -> None:
    docs = write(tmp_path / "docs" / "x.md", "# X\n\nKiwi.\n").parent
    with pytest.raises(UsageError, match="groups"):
        pincite.sync(docs, db=tmp_path / "kb", groups="staff", vectors=False)
    pincite.sync(docs, db=tmp_path / "kb", groups=["staff"], vectors=False)
    with pytest.raises(UsageError, match="documents"):
        pincite.ask("What?", db=tmp_path / "kb", documents="x.md")


def test_an_empty_name_stands_for_no_group_and_no_document(tmp_path: Path) -> None:
    docs = write(tmp_path / "docs" / "x.md", "# X\n\nKiwi.\n").parent
    pincite.sync(docs, db=tmp_path / "kb", vectors=False)
    for given in ({"groups": [""]}, {"documents": [" "]}):
        with pytest.raises(UsageError, match="a name is empty"):
            pincite.ask("What?", db=tmp_path / "kb", **given)  # type: ignore[arg-type]


def test_public_and_a_group_contradict_each_other(program: Program, tmp_path: Path) -> None:
    write(tmp_path / "docs" / "x.md", "# X\n\nKiwi.\n")
    options = ["--db", tmp_path / "kb", "--no-vectors", "--public", "--group", "q"]
    assert program("sync", tmp_path / "docs", *options).code == 2


def test_one_wrong_entry_of_documents_toml_leaves_the_others_in_force(
    program: Program, tmp_path: Path
) -> None:
    for name in ("old", "new", "odd"):
        write(tmp_path / "docs" / f"{name}.md", f"# {name}\n\nGherkin {name}.\n")
    write(
        tmp_path / "docs" / "documents.toml",
        '["old.md"]\neffective_to = 2015-01-01\n["new.md"]\ngroups = ["x"]\ntitle = "New rule"\n'
        '["odd.md"]\ntitle = 5\n',
    )
    report = program("sync", tmp_path / "docs", "--db", tmp_path / "kb", "--no-vectors", "--json").json
    assert [failure["code"] for failure in report["failed"]] == ["bad_metadata"]
    assert "odd.md" in report["failed"][0]["message"]
    assert any("new.md: groups is ignored" in warning for warning in report["warnings"])
    found = program("search", "gherkin", "--db", tmp_path / "kb", "--leg", "keyword", "--json").json
    assert {passage["document"] for passage in found["passages"]} == {"docs/new.md", "docs/odd.md"}


def test_a_table_row_is_quoted_without_words_of_another_row(program: Program, tmp_path: Path) -> None:
    table = "# Sums\n\n| Item | Amount |\n|---|---|\n| Rent | EUR 1,250 |\n| Deposit | EUR 3,750 |\n"
    write(tmp_path / "docs" / "sums.md", table)
    program("sync", tmp_path / "docs", "--db", tmp_path / "kb", "--no-vectors")
    answer = program("ask", "How much is the deposit?", "--db", tmp_path / "kb", "--json").json
    quotes = [citation["quote"] for statement in answer["statements"] for citation in statement["citations"]]
    assert quotes
    assert all("1,250" not in quote for quote in quotes)


def test_a_sync_in_which_nothing_could_be_read_is_no_success(program: Program, tmp_path: Path) -> None:
    write(tmp_path / "docs" / "a.docx", "no zip archive")
    outcome = program("sync", tmp_path / "docs", "--db", tmp_path / "kb", "--no-vectors")
    assert outcome.code == 3
    write(tmp_path / "docs" / "b.md", "# B\n\nText.\n")
    assert program("sync", tmp_path / "docs", "--db", tmp_path / "kb", "--no-vectors").code == 0


def test_nearest_places_name_their_document(program: Program, db: Path) -> None:
    outcome = program("ask", "Who won the rent championship of 1972?", "--db", db)
    assert "Nearest places:" in outcome.out
    assert "(house/" in outcome.out.split("Nearest places:")[1].split("search")[0]


def test_a_failing_endpoint_is_said_once(program: Program, db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    options = ["--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--db", db]
    outcome = program("ask", "What is the working pressure?", *options)
    assert outcome.code == 4
    lines = outcome.err.splitlines()
    assert sum(line.startswith("note: ") for line in lines) == 0
    assert sum(line.startswith("pincite: ") for line in lines) == 1


def test_a_reranker_that_is_not_there_is_told_from_python_too(db: Path, tmp_path: Path) -> None:
    with pytest.raises(NothingUsableError, match="no reranker at"):
        pincite.ask("What is a kiwi?", db=db, reranker=str(tmp_path / "missing"))
    assert pincite.ask("What is a kiwi?", db=db, reranker="none").status
