"""What a search shows within a number of tokens is measured in both ways, over places known by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pincite.corpus.scope import Scope
from pincite.evals.ablation_sets import Half, first_half
from pincite.evals.beir import BeirDocument
from pincite.evals.bench_index import build_index
from pincite.evals.filling import ROOMS, Figures, compare
from pincite.evals.filling_sets import Asked, asked_of, read_queries
from pincite.evals.questions import Place, Question

LONG = [" ".join(f"The crane at berth {name}{at} lifts boats." for at in range(60)) for name in "ABC"]
SHORT = "One crane stands at the {} quay, which is {} metres long and lies behind the old mole."
DOCUMENTS = [
    BeirDocument(_id=f"long{at}", title="Crane lifts boats", text=text) for at, text in enumerate(LONG)
] + [
    BeirDocument(_id=name, title="Quay", text=SHORT.format(name, 10 + at))
    for at, name in enumerate(("north", "south", "east", "west"))
]


def test_short_places_are_counted_that_the_order_of_the_ranking_leaves_no_room_for(tmp_path: Path) -> None:
    index = build_index(DOCUMENTS, "quays", tmp_path, None)
    asked = [Asked("crane lifts boats", Scope(), frozenset({"long0", "north", "south", "east", "west"}))]
    table = {room: (ranked, worth) for room, ranked, worth in compare(index, asked, None)}
    assert tuple(table) == ROOMS
    assert table[600, 50] == (Figures(0.2, 0.0, 2.0), Figures(1.0, 1.0, 6.0))
    ranked, worth = table[2000, 50]
    assert ranked == worth == Figures(1.0, 1.0, 7.0)


def test_words_of_a_document_count_as_shown_where_a_passage_shows_them(tmp_path: Path) -> None:
    index = build_index(DOCUMENTS, "quays", tmp_path, None)
    places = tuple(
        Place(document="eval/long0", quote=quote)
        for quote in ("The crane at berth A0 lifts boats.", "The crane at berth A59 lifts boats.")
    )
    known = Question(id="1", question="crane", expected=places, answers=(), document="eval/long0")
    unknown = known.model_copy(update={"id": "2", "expected": (Place(document="eval/north", quote="pier"),)})
    [one] = asked_of(index, [known, unknown])
    assert one.scope == Scope(documents=frozenset({"eval/long0"}))
    [(_, ranked, worth), *_] = compare(index, [one], None)
    assert ranked == worth
    assert ranked.places == 0.5


@pytest.mark.parametrize("half", ["tuned", "held"])
def test_policies_and_contracts_are_read_whole_and_each_is_in_one_half(tmp_path: Path, half: Half) -> None:
    def policy(title: str) -> dict[str, Any]:
        question = {"question": " How long? ", "answers": [{"text": "ten days", "answer_start": 8}]}
        parts = ["We keep ten days of it.", "Nothing else is kept."]
        return {"title": title, "paragraphs": [{"context": part, "qas": [question]} for part in parts[:1]]}

    titles = [f"policy {at}" for at in range(6)]
    (tmp_path / "policyqa" / "data").mkdir(parents=True)
    (tmp_path / "policyqa" / "data" / "dev.json").write_text(json.dumps({"data": list(map(policy, titles))}))
    contracts = tmp_path / "cuad" / "full_contract_txt"
    contracts.mkdir(parents=True)
    lines = []
    for at in range(4):
        (contracts / f"c{at}.txt").write_text(f"AGREEMENT {at}\n\nThe term is two years.\n", encoding="utf-8")
        label = {"file": f"c{at}.txt", "category": "Term", "description": None, "present": True}
        lines.append(json.dumps({**label, "spans": [[13, 35]]}))
        lines.append(json.dumps({**label, "spans": []}))
    (tmp_path / "cuad" / "derived_clause_questions.dev.jsonl").write_text("\n".join(lines))
    for name, keys in (("PolicyQA", titles), ("CUAD", [f"c{at}.txt" for at in range(4)])):
        _, asked = read_queries(name, tmp_path, tmp_path / "db", half, None)
        mine = [key for key in keys if first_half(key) == (half == "tuned")]
        assert sorted(name for one in asked for name in one.scope.documents or ()) == [
            f"eval/{key}" for key in mine
        ]
        assert all(len(one.places) == 1 for one in asked)
