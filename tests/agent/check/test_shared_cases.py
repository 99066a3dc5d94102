"""The project's case files, when they stand beside the checkout."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pincite.agent.check.answer import AnswerDraft, check_answer
from pincite.agent.check.quotes import find_quote

CASES = Path(__file__).parents[4] / "shared" / "cases"


def _load(name: str) -> list[Any]:
    path = CASES / name
    if not path.is_file():
        reason = f"../shared/cases/{name} is not here"
        return [pytest.param({}, marks=pytest.mark.skip(reason=reason), id=name)]
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    return [pytest.param(record, id=record["id"]) for record in records]


@dataclass(frozen=True, slots=True)
class Shown:
    handle: str
    document: str
    section: str
    text: str


@pytest.mark.parametrize("case", _load("quotes.jsonl"))
def test_quote_case(case: dict[str, Any]) -> None:
    assert find_quote(case["quote"], case["source"]).match == case["expect"], case["why"]


@pytest.mark.parametrize("case", _load("answers.jsonl"))
def test_answer_case(case: dict[str, Any]) -> None:
    shown = {passage["handle"]: Shown(**passage) for passage in case["passages"]}
    draft = AnswerDraft.model_validate(case["answer"])
    check = check_answer(draft, question=case["question"], shown=shown, withdrawn=set(case["withdrawn"]))
    problems = {(p.statement, p.code.value, p.passage, p.found_in) for p in check.problems}
    wanted = case["expect"]["problems"]
    assert problems == {(p["statement"], p["code"], p["passage"], p.get("found_in")) for p in wanted}, case[
        "why"
    ]
    assert check.ok == (case["expect"]["verdict"] == "pass")
    numbers = {p["number"] for p in wanted if "number" in p}
    assert {p.number for p in check.problems if p.number is not None} == numbers
