"""A question that ends without an answer still says what was searched, by whom, and what helps."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))

from tests.agent.scripted_server import Reply, ScriptedServer, call, completion  # noqa: E402

Program = Callable[..., Any]
QUESTION = "What is the working pressure of the boiler?"
SEARCH = Reply(body=completion({"tool_calls": [call("search", {"query": "boiler pressure"})]}, "tool_calls"))


def asked(program: Program, db: Path, *replies: Reply, budget: tuple[str, ...] = ()) -> Any:
    limits = [part for limit in budget for part in ("--budget", limit)]
    with ScriptedServer(list(replies)).running() as server:
        return program("ask", QUESTION, "--db", db, "--model", "m", "--base-url", server.url, *limits)


def test_a_model_that_repeats_its_search(program: Program, db: Path) -> None:
    outcome = asked(program, db, SEARCH)
    assert outcome.code == 4
    assert 'search "boiler pressure"' in outcome.out
    assert "incomplete (stalled), model m, 1 search" in outcome.out and "session " in outcome.out
    assert "it repeated calls" in outcome.complaint and "try another model" in outcome.complaint


def test_too_few_model_calls(program: Program, db: Path) -> None:
    outcome = asked(program, db, SEARCH, budget=("model_calls=2",))
    assert outcome.code == 4 and "session " in outcome.out
    assert "--budget model_calls=N" in outcome.complaint


@pytest.mark.parametrize(
    ("budget", "helps"),
    [
        (("input_tokens=500",), "--budget input_tokens=N"),
        (("tokens=500",), "--budget tokens=N"),
        (("tokens=500", "input_tokens=400"), "--budget tokens=N or input_tokens=N"),
        (("output_tokens=5",), "--budget output_tokens=N"),
    ],
)
def test_the_budget_that_was_too_small_is_named(
    program: Program, db: Path, budget: tuple[str, ...], helps: str
) -> None:
    outcome = asked(program, db, SEARCH, budget=budget)
    assert outcome.code == 4
    assert f"(allow more with {helps})" in outcome.complaint


def test_one_hint_only(program: Program, db: Path) -> None:
    outcome = asked(program, db, Reply(status=401, body={"error": {"message": "no"}}))
    assert outcome.code == 4
    assert "check the API key (OPENAI_API_KEY)" in outcome.complaint and "doctor" not in outcome.complaint


def test_a_rejected_answer_that_is_repeated(program: Program, db: Path) -> None:
    good = {"passage": "P1", "quote": "The working pressure of the boiler is 1.5 bar."}
    statements = [
        {"citations": [good], "text": "The working pressure is 1.5 bar."},
        {"citations": [good], "text": "It is 9.5 bar."},
    ]
    answer = Reply(
        body=completion(
            {"tool_calls": [call("answer", {"statements": statements, "status": "answered"}, "c2")]}
        )
    )
    outcome = asked(program, db, SEARCH, answer)
    assert outcome.code == 0
    assert "partial (stalled: the check rejected the model's answer, and it was not mended)" in outcome.out
