from __future__ import annotations

import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

Program = Callable[..., Any]

ANSWER_KEYS = {
    "status", "stop_reason", "text", "statements", "unanswered", "withheld", "nearest", "retrieval",
    "usage", "model", "session", "transcript",
}  # fmt: skip
CITATION_KEYS = {
    "handle", "document", "document_title", "version", "section", "number", "heading_path", "page",
    "page_end", "line", "span", "quote", "match", "standing", "current",
}  # fmt: skip


def test_an_answer_shows_the_quoted_words_and_where_they_stand(program: Program, db: Path) -> None:
    outcome = program("ask", "What is the working pressure of the boiler?", "--db", db)
    assert outcome.code == 0
    first = outcome.out.splitlines()[0]
    assert "1.5 bar" in first
    assert first.endswith("[1]")
    assert "[1] Boiler manual > Pressure, line 5 (house/manuals/boiler.md)" in outcome.out
    assert '"The working pressure of the boiler is 1.5 bar.' in outcome.out
    assert "model extractive" in outcome.out
    assert "no model is set" in outcome.err


def test_answer_json_is_the_contract_and_quotes_stand_in_the_document(program: Program, db: Path) -> None:
    answer = program("ask", "What is the working pressure of the boiler?", "--db", db, "--json").json
    assert set(answer) == ANSWER_KEYS
    assert (answer["status"], answer["stop_reason"], answer["model"]) == (
        "answered",
        "answered",
        "extractive",
    )
    citation = answer["statements"][0]["citations"][0]
    assert set(citation) == CITATION_KEYS
    assert citation["document"] == "house/manuals/boiler.md"
    section = program("read", citation["document"], citation["section"], "--db", db, "--json").json
    assert citation["quote"] in section["text"]
    assert {attempt["leg"] for found in answer["retrieval"] for attempt in found["attempts"]} >= {"keyword"}


def test_what_is_not_there_is_not_found(program: Program, db: Path) -> None:
    question = "Who won the chess championship of 1972?"
    outcome = program("ask", question, "--db", db)
    assert outcome.code == 0
    assert "The documents do not answer this question." in outcome.out
    answer = program("ask", question, "--db", db, "--json").json
    assert (answer["status"], answer["statements"]) == ("not_found", [])


def test_a_question_can_be_kept_to_a_document(program: Program, db: Path) -> None:
    question = ["ask", "What is the working pressure of the boiler?", "--db", db, "--json"]
    assert program(*question, "--document", "lease.txt").json["status"] == "not_found"
    assert (
        program(*question, "--document", "lease.txt", "--document", "Boiler manual").json["status"]
        == "answered"
    )


def test_the_session_is_recorded_for_its_owner_and_can_be_shown(program: Program, db: Path) -> None:
    answer = program("ask", "When is the rent paid?", "--db", db, "--json").json
    transcript = Path(answer["transcript"])
    assert transcript == db / "default" / "sessions" / f"{answer['session']}.jsonl"
    assert stat.S_IMODE(transcript.stat().st_mode) == 0o600
    for name in (answer["session"], transcript):
        shown = program("show", name, "--db", db)
        assert shown.code == 0
        assert "When is the rent paid?" in shown.out
        assert "question 1 ends: answered" in shown.out
    events = program("show", transcript, "--json").json["events"]
    assert [events[0]["kind"], events[-1]["kind"]] == ["session_start", "session_end"]


def test_show_opens_no_file_outside_the_sessions_by_name(program: Program, db: Path) -> None:
    (db / "default" / "secret.jsonl").write_text("{}\n")
    outcome = program("show", "../secret", "--db", db)
    assert outcome.code == 3
    assert "there is no transcript" in outcome.complaint


def test_sync_says_what_it_did_in_words_and_in_json(program: Program, folder: Path) -> None:
    outcome = program("sync", folder, "--no-vectors")
    assert outcome.code == 0
    assert "4 added, 0 updated, 0 unchanged, 0 removed" in outcome.out
    assert "1 could not be read (empty):" in outcome.out
    assert "empty.md" in outcome.out
    again = program("sync", folder, "--no-vectors", "--json").json
    assert {"added", "updated", "unchanged", "removed", "failed", "documents", "chunks", "seconds"} <= set(
        again
    )
    assert (again["added"], again["unchanged"], again["documents"]) == (0, 4, 4)
    assert {failure["file"].rpartition("/")[2]: failure["code"] for failure in again["failed"]}[
        "empty.md"
    ] == "empty"


def test_groups_decide_who_sees_a_document(program: Program, tmp_path: Path) -> None:
    for name in ("open", "secret"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "note.md").write_text(f"# {name}\n\nThe code word is {name}.\n")
    assert program("sync", "open", "--no-vectors").code == 0
    assert program("sync", "secret", "--no-vectors", "--group", "board").code == 0

    def seen(*flags: str) -> list[str]:
        return sorted(row["document"] for row in program("toc", *flags, "--json").json["documents"])

    assert seen() == seen("--group", "board") == ["open/note.md", "secret/note.md"]
    assert seen("--group", "staff") == ["open/note.md"]
    hidden = program("read", "secret/note.md", "secret", "--group", "staff")
    absent = program("read", "absent/note.md", "secret", "--group", "staff")
    assert hidden.code == absent.code == 3
    assert hidden.complaint.replace("secret/", "absent/") == absent.complaint


def test_a_forgotten_document_is_gone(program: Program, folder: Path) -> None:
    program("sync", folder, "--no-vectors")
    assert program("forget", "Boiler manual", "--json").json == {"forgotten": "house/manuals/boiler.md"}
    assert program("toc", "Boiler manual").code == 3
    assert "forgotten" in program("sync", folder, "--no-vectors").out


def test_doctor_says_what_would_be_used_and_what_is_missing(program: Program, db: Path) -> None:
    findings = {one["what"]: one for one in program("doctor", "--db", db, "--json").json["findings"]}
    assert set(findings) == {"settings", "index", "freshness", "encoder", "tokens", "reranker", "model"}
    assert findings["index"]["state"] == "missing"
    assert "without vector" in findings["index"]["detail"]
    assert "extractive" in findings["model"]["detail"]
    empty = program("doctor", "--db", "nowhere")
    assert empty.code == 3
    assert "no index at nowhere" in empty.out
    dead = program("doctor", "--model", "m", "--base-url", "http://127.0.0.1:9/v1")
    assert "cannot be reached" in dead.out


def test_progress_is_a_line_for_each_phase_where_nobody_watches(program: Program, folder: Path) -> None:
    lines = program("sync", folder, "--no-vectors").err.splitlines()
    assert [line.split()[0] for line in lines] == ["reading", "indexing"]


def test_json_on_stdout_is_nothing_but_json(program: Program, db: Path, folder: Path) -> None:
    for arguments in (
        ["sync", folder, "--no-vectors"],
        ["ask", "When is the rent paid?", "--db", db],
        ["search", "rent", "--db", db],
        ["toc", "--db", db],
        ["read", "Boiler manual", "F28", "--db", db],
        ["list", "--db", db],
        ["doctor", "--db", db],
    ):
        assert isinstance(json.loads(program(*arguments, "--json").out), dict)
