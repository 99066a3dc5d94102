"""The second step: names of the first passages lead to what the question does not name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pincite.corpus.index import Index
from pincite.corpus.rows import ChunkHit
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync
from pincite.tools.chain import RetrievalSettings
from pincite.tools.retrieve import Retriever
from pincite.tools.second_step import names, queries, with_second_step

QUERY = "In which town was the maker of the Argo clock born?"
FILES = {
    "argo.md": "# Argo clock\n\nThe Argo clock was built by Ida Lindqvist in 1921.\n",
    "lindqvist.md": "# A life\n\nIda Lindqvist grew up by the sea. Her birthplace is Visby.\n",
    **{
        f"clock{at}.md": f"# Clock {at}\n\nThe maker of clock {at} was born in a town; the clock was wound.\n"
        for at in range(12)
    },
}


def hit(document: str, text: str, score: float) -> ChunkHit:
    return ChunkHit(
        score, document, document, "v", "s", None, (), None, None, 1, 0, len(text), text, document
    )


def test_names_are_what_has_capitals_or_is_a_year_and_is_not_in_the_query() -> None:
    text = "In 1921 the Bank of England paid Ida Lindqvist. However, Argo was sold by J. R. Blom. DNA?"
    found = ["1921", "Bank of England", "Ida Lindqvist", "However", "J. R. Blom"]
    assert names(text, "Who owned the Argo?") == found
    german = "Der Vertrag der Firma mit Ida Lindqvist ist von der Behörde in Visby und im Amt geprüft."
    assert names(german, "Wer hat den Vertrag?") == ["Ida Lindqvist"]
    assert names("什么是合同 العقد", "x") == []


def test_only_a_passage_with_a_name_of_the_query_that_leaves_words_open_is_followed() -> None:
    argo = hit("argo", "The Argo clock was built by Ida Lindqvist.", 1.0)
    other = hit("other", "A clock was built by Karl Blom.", 0.9)
    [(source, named, wanted)] = queries(QUERY, [argo, other])
    assert (source, named) == (argo, ("Ida Lindqvist",))
    assert wanted.split() == ["town", "maker", "born", "Ida", "Lindqvist"]
    assert queries("argo clock built", [argo]) == []
    assert queries("The maker of the Argo clock was born in a town.", [argo]) == []
    assert queries("what is this about", [argo]) == []


def test_what_is_found_comes_behind_the_passage_that_names_it() -> None:
    argo, other = hit("argo", "by Ida Lindqvist", 1.0), hit("other", "x", 0.7)
    life = hit("life", "Ida Lindqvist was born in Visby", 12.0)
    noise = hit("noise", "born in a town", 11.0)
    ranking = with_second_step([argo, other], [(argo, ("Ida Lindqvist",), [life, noise])])
    assert [one.document for one in ranking] == ["argo", "life", "other"]
    assert ranking[1].score == pytest.approx(0.8)
    assert with_second_step([argo, other], []) == [argo, other]


def test_a_search_finds_what_only_the_first_passage_names(tmp_path: Path, encoder: Any) -> None:
    for name, text in FILES.items():
        (tmp_path / "docs").mkdir(exist_ok=True)
        (tmp_path / "docs" / name).write_text(text, encoding="utf-8")
    sync([tmp_path / "docs"], tmp_path / "kb", encoder=encoder)
    index = Index.open(tmp_path / "kb")
    places = {}
    for second_step in (True, False):
        settings = RetrievalSettings(second_step=second_step)
        found = Retriever(index, lambda: encoder, None, settings).retrieve(QUERY, Scope(), k=20)
        places[second_step] = [one.document for one in found.hits].index("docs/lindqvist.md")
    assert places[True] <= 2 < places[False]


class FailsAtTheSecond(Index):
    """Keyword search works once."""

    calls = 0

    def keyword(self, query: str, scope: Scope, k: int) -> list[ChunkHit]:
        self.calls += 1
        if self.calls > 1:
            raise RuntimeError("the disk is gone")
        return super().keyword(query, scope, k)


def test_a_second_step_that_fails_leaves_the_first(tmp_path: Path, encoder: Any) -> None:
    (tmp_path / "docs").mkdir()
    for name, text in FILES.items():
        (tmp_path / "docs" / name).write_text(text, encoding="utf-8")
    sync([tmp_path / "docs"], tmp_path / "kb", encoder=encoder)
    found = Retriever(FailsAtTheSecond(tmp_path / "kb" / "default"), lambda: encoder).retrieve(
        QUERY, Scope(), k=3
    )
    assert found.used == "fused" and len(found.hits) == 3
    assert [one.reason for one in found.attempts if one.leg == "fused"] == [
        "without a second step: RuntimeError: the disk is gone"
    ]
