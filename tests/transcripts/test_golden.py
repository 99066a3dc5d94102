"""The recordings beside the code replay the same, and found their answers the way they should."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.agent.replay.strict import replay
from pincite.transcripts.events import AnswerEvent
from pincite.transcripts.reader import read
from pincite.transcripts.route import Lookup, route
from pincite.transcripts.views import citations

GOLDEN = sorted((Path(__file__).parents[2] / "transcripts" / "golden").glob("*.jsonl"))
BOTH = (("keyword", "ok"), ("vector", "ok"), ("fused", "ok"))


def lookups(name: str) -> list[Lookup]:
    return route(read(next(file for file in GOLDEN if file.stem == name)))


def cited(name: str) -> list[str]:
    recording = read(next(file for file in GOLDEN if file.stem == name))
    answers = [event.answer for event in recording.events if isinstance(event, AnswerEvent)]
    return [citation.document.rpartition("/")[2] for answer in answers for citation in citations(answer)]


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_replays_the_same(file: Path) -> None:
    report = replay(read(file))
    said = "if this is as wanted: pincite golden refresh, and look at the difference"
    assert not report.diverged, f"{report.path}: {report.cause}, {report.detail}; {said}"


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_both_searches_answered_every_time(file: Path) -> None:
    searches = [lookup for lookup in route(read(file)) if lookup.tool == "search"]
    assert searches
    assert [lookup.used for lookup in searches] == ["fused"] * len(searches)
    assert all(lookup.legs == BOTH for lookup in searches)


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_names_no_folder_and_no_program_version_but_ours(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert '"transcript":"' not in text
    assert '"python"' not in text
    assert "pincite.git" not in text


def test_one_fact_is_found_where_it_stands() -> None:
    (search,) = lookups("one-fact")
    assert search.documents[0].endswith("tidewater-corporate-bond-fund.md")
    # "Past returns" speaks of the fund and its ongoing charge too; only "Costs" says what it is.
    assert "Costs" in search.sections[:2]
    assert cited("one-fact") == ["tidewater-corporate-bond-fund.md"]


def test_two_parts_are_searched_for_apart() -> None:
    first, second = lookups("two-documents")
    assert any(document.endswith("quayside-money-market-fund.md") for document in first.documents)
    assert second.documents[0].endswith("order-and-dealing-policy.md")
    assert {"quayside-money-market-fund.md", "order-and-dealing-policy.md"} == set(cited("two-documents"))


def test_what_is_not_there_is_not_answered() -> None:
    assert len(lookups("not-in-the-documents")) >= 2
    assert cited("not-in-the-documents") == []
