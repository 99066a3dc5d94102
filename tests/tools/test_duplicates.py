"""The same words in several documents are shown once, with the other places; what differs is shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync
from pincite.tools.duplicates import repeats, where
from pincite.tools.passage import Passage
from pincite.tools.render import header
from pincite.tools.retrieve import Retriever
from pincite.tools.showing import MANY, ends_first
from pincite.tools.toolbox import Toolbox

CLAUSE = (
    "The supplier shall keep the goods insured against loss and damage from the day on which they leave the "
    "warehouse until the day on which the buyer has paid the price in full, and shall on request show the "
    "policy and the receipt for the last premium within 14 days of the request to the buyer or its agent."
)


def passage(document: str, text: str, **more: Any) -> Passage:
    return Passage(
        handle="", document=document, document_title=document, version="v", section="s", line=3,
        path=("Insurance",), start=0, end=len(text), text=text, **more,
    )  # fmt: skip


def test_case_punctuation_and_line_breaks_do_not_make_a_difference() -> None:
    shown = passage("a.md", f"Insurance. {CLAUSE}")
    torn = CLAUSE.upper().replace(",", "").replace(" WAREHOUSE", " WARE-\nHOUSE")
    assert repeats(passage("b.md", torn), shown)
    assert where(passage("b.md", torn)) == "b.md, Insurance, line 3"


@pytest.mark.parametrize(
    "other",
    [
        CLAUSE.replace("14 days", "30 days"),
        CLAUSE.replace("shall keep", "shall not keep"),
        CLAUSE.replace("until", "after"),
        f"{CLAUSE} This ends with the delivery.",
    ],
)
def test_a_number_a_negation_or_a_word_more_is_no_repetition(other: str) -> None:
    assert not repeats(passage("b.md", other), passage("a.md", CLAUSE))


def test_short_texts_other_versions_and_the_same_document_are_kept() -> None:
    assert not repeats(passage("b.md", "The fee is 2%."), passage("a.md", "The fee is 2%."))
    assert not repeats(passage("a.md", CLAUSE), passage("a.md", CLAUSE))
    replaced = passage("b.md", CLAUSE, standing="version 2023, replaced", current=False)
    assert not repeats(replaced, passage("a.md", CLAUSE))


def test_a_header_names_three_places_and_counts_the_rest() -> None:
    shown = passage("a.md", CLAUSE, also_in=("b.md, line 1", "c.md", "d⟧.md", "e.md", "f.md"))
    assert header(shown.model_copy(update={"handle": "P1"})) == (
        "P1 | a.md | Insurance | line 3 | also in: b.md, line 1; c.md; d].md; 2 more"
    )


def test_a_search_shows_one_of_them_and_the_rest_of_the_room_goes_to_others(
    tmp_path: Path, encoder: Any
) -> None:
    (tmp_path / "docs").mkdir()
    for name in "abc":
        text = f"# Supply {name}\n\n## Insurance\n\n{CLAUSE}\n"
        (tmp_path / "docs" / f"{name}.md").write_text(text, encoding="utf-8")
    changed = CLAUSE.replace("14 days", "30 days")
    text = f"# Supply d\n\n## Insurance\n\n{changed}\n"
    (tmp_path / "docs" / "d.md").write_text(text, encoding="utf-8")
    sync([tmp_path / "docs"], tmp_path / "kb", encoder=encoder)
    index = Index.open(tmp_path / "kb")
    toolbox = Toolbox(index, Retriever(index, lambda: encoder), Scope(), seed="s")
    call = {"query": "must the goods be insured until the buyer has paid", "limit": 4}
    result = toolbox.call("search", call)
    clauses = [one for one in result.passages if "insured" in one.text]
    assert len(result.passages) == 4 and len(clauses) == 2
    assert {one.text.count("30 days") for one in clauses} == {0, 1}
    [kept] = [one for one in clauses if one.also_in]
    assert len(kept.also_in) == 2 and "also in: docs/" in result.text
    again = toolbox.call("search", call)
    assert not any("insured" in one.text for one in again.passages)
    assert {one.handle for one in clauses} <= set(again.already_shown)
    narrow = Scope(documents=frozenset({"docs/a.md", "docs/d.md"}))
    limited = Toolbox(index, Retriever(index, lambda: encoder), narrow, seed="s").call("search", call)
    assert limited.passages and all(not one.also_in for one in limited.passages)


def test_of_many_passages_the_best_stand_at_both_ends() -> None:
    ranked = [passage(f"{at}.md", CLAUSE) for at in range(MANY)]
    shown = [int(one.document.removesuffix(".md")) for one in ends_first(ranked)]
    assert shown == [0, 2, 4, 6, 7, 5, 3, 1]
