"""Questions and flags that cannot be used: one line, the right exit code, no session left behind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Program = Callable[..., Any]
QUESTION = "What is the working pressure of the boiler?"
# Nobody listens there; a model that is named must not be asked at all.
NOWHERE = ("--model", "m", "--base-url", "http://127.0.0.1:9/v1")


def sessions(db: Path) -> set[Path]:
    return set((db / "default" / "sessions").glob("*"))


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("", "the question is empty"),
        (" \n\t", "the question is empty"),
        ("?!", "no letter and no digit"),
        ("boiler " * 15_000, "the question is too long"),
        ("x" * 100_000, "the question is too long"),
    ],
)
@pytest.mark.parametrize("more", [(), NOWHERE])
def test_a_question_that_cannot_be_asked_is_one_line(
    program: Program, db: Path, question: str, said: str, more: tuple[str, ...]
) -> None:
    before = sessions(db)
    outcome = program("ask", question, "--db", db, *more)
    assert outcome.code == 2
    assert said in outcome.complaint
    assert len(outcome.err.splitlines()) == 1
    assert outcome.out == ""
    assert sessions(db) == before


@pytest.mark.parametrize("encoder", ["nosuch", "./nosuch", "some/nosuch"])
def test_an_encoder_that_was_named_must_be_there(
    program: Program, db: Path, monkeypatch: pytest.MonkeyPatch, encoder: str
) -> None:
    by_flag = program("ask", QUESTION, "--db", db, "--encoder", encoder)
    monkeypatch.setenv("PINCITE_ENCODER", encoder)
    by_setting = program("ask", QUESTION, "--db", db)
    for outcome in (by_flag, by_setting):
        assert outcome.code == 3
        assert f"the encoder '{encoder}' cannot be found" in outcome.complaint
        assert "leave the encoder out" in outcome.complaint


def test_an_answer_without_vectors_says_why(program: Program, db: Path) -> None:
    assert "vector skipped (this index has no vectors)" in program("ask", QUESTION, "--db", db).out


@pytest.mark.parametrize("name", ["boiler manua", "boilr.md", "manuals/boiler"])
def test_a_document_that_is_not_there_comes_with_near_names(program: Program, db: Path, name: str) -> None:
    outcome = program("ask", QUESTION, "--db", db, "--document", name)
    assert outcome.code == 3
    assert "house/manuals/boiler.md" in outcome.complaint


def test_a_money_budget_without_a_price_is_refused_before_the_first_call(program: Program, db: Path) -> None:
    before = sessions(db)
    outcome = program("ask", QUESTION, "--db", db, *NOWHERE, "--budget", "cost=0.1")
    assert outcome.code == 2
    assert "does not know the model 'm'" in outcome.complaint
    assert sessions(db) == before


def test_budgets_of_flags_variables_and_file_reach_the_question(
    program: Program, db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        '[budget]\nsearches = 7\nseconds = "none"\n[session]\ncost = 3\n[prices.m]\ninput = 1\noutput = 2\n'
    )
    monkeypatch.setenv("PINCITE_BUDGET", "tool_calls=9, model_calls=8")
    asked = program("ask", QUESTION, "--db", db, "--config", file, "--budget", "model_calls=5", "--json")
    shown = program("show", asked.json["transcript"], "--json").json["events"][0]["pincite.config"]
    kept = {name: shown["budgets"].get(name) for name in ("model_calls", "tool_calls", "searches", "seconds")}
    assert kept == {"model_calls": 5, "tool_calls": 9, "searches": 7, "seconds": None}
    assert shown["session"]["cost"] == 3


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--budget", "cots=1"), "unknown setting budget.cots"),
        (("--budget", "cost"), "'cost' is not key=value"),
        (("--budget", "seconds=soon"), "budget.seconds on the command line"),
        (("--budget", "seconds=nan"), "budget.seconds on the command line"),
        (("--budget", "model_calls=0"), "budget.model_calls on the command line"),
        (("--calling", "telepathy"), "telepathy"),
    ],
)
def test_a_budget_that_cannot_be_is_wrong_usage(
    program: Program, db: Path, flags: tuple[str, ...], said: str
) -> None:
    outcome = program("ask", QUESTION, "--db", db, *flags)
    assert outcome.code == 2
    assert said in outcome.complaint
