"""Retrieval on a real index: fused, reranked, one hit per section, the same every time."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.tools.faulty import ALL, QUERY, LengthReranker, outcomes, places

from pincite.corpus.index import Index
from pincite.corpus.rows import ChunkHit
from pincite.corpus.scope import Scope
from pincite.tools.chain import LegName, RetrievalSettings
from pincite.tools.retrieve import Retriever


def test_both_searches_are_fused_and_give_one_hit_per_section(retriever: Retriever) -> None:
    lease = Scope(documents=frozenset({"club/lease.md"}))
    found = retriever.retrieve(QUERY, lease, k=5)
    assert found.used == "fused"
    assert outcomes(found) == [("keyword", "ok"), ("vector", "ok"), ("fused", "ok")]
    assert "first working day" in found.hits[0].text
    assert len({(hit.document, hit.section) for hit in found.hits}) == len(found.hits) == 5
    assert set(found.sections) == {(hit.document, hit.section) for hit in found.hits}
    assert all(attempt.ms > 0 for attempt in found.attempts[:2])


def test_the_same_question_gives_the_same_hits_every_time(index: Index, encoder: Any) -> None:
    first = Retriever(index, lambda: encoder).retrieve("berth fee metres", ALL, k=12)
    again = Retriever(index, lambda: encoder)
    for k in (12, 12, 7):
        found = again.retrieve("berth fee metres", ALL, k=k)
        assert (places(found), found.used) == (places(first)[:k], first.used)


def test_long_sections_give_a_hit_per_passage_length(retriever: Retriever) -> None:
    found = retriever.retrieve("watch walks along pier mooring line", ALL, k=10)
    watch = [hit for hit in found.hits if hit.path[-1] == "Night watch"]
    section = found.sections["club/handbook.md", watch[0].section]
    assert section.tokens > 800
    middles = sorted((hit.start + hit.end) / 2 for hit in watch)
    gaps = [right - left for left, right in pairwise(middles)]
    assert len(watch) > 2
    assert min(gaps) >= 400 * (section.end - section.start) / section.tokens


@pytest.mark.parametrize("leg", ["keyword", "vector", "fused"])
def test_one_way_can_be_forced(retriever: Retriever, leg: LegName) -> None:
    found = retriever.retrieve(QUERY, ALL, k=3, legs=leg)
    assert found.used == leg
    assert len(found.hits) == 3
    expected = {"keyword": ["keyword"], "vector": ["vector"], "fused": ["keyword", "vector", "fused"]}[leg]
    assert [attempt.leg for attempt in found.attempts] == expected


def test_what_the_reranker_did_not_read_follows_in_its_order(index: Index, encoder: Any) -> None:
    plain = Retriever(index, lambda: encoder).retrieve(QUERY, ALL, k=4)
    settings = RetrievalSettings(rerank=1)
    found = Retriever(index, lambda: encoder, LengthReranker(), settings).retrieve(QUERY, ALL, k=4)
    assert found.used == "reranked"
    assert [hit.key for hit in found.hits] == [hit.key for hit in plain.hits]
    assert [hit.score for hit in found.hits] == sorted((hit.score for hit in found.hits), reverse=True)


def test_the_reranker_orders_the_fused_candidates(index: Index, encoder: Any) -> None:
    reranker = LengthReranker()
    found = Retriever(index, lambda: encoder, reranker).retrieve(QUERY, ALL, k=3)
    assert found.used == "reranked"
    assert [hit.score for hit in found.hits] == sorted((hit.score for hit in found.hits), reverse=True)
    assert all(len(texts) <= 30 for texts in reranker.seen)
    assert all("Lease" in text or "Harbour" in text or "Wages" in text for text in reranker.seen[0])


def test_an_index_without_documents_is_empty_and_so_is_one_outside_the_scope(
    index: Index, encoder: Any
) -> None:
    retriever = Retriever(index, lambda: encoder)
    for scope in (Scope(documents=frozenset()), Scope(documents=frozenset({"club/none.md"}))):
        found = retriever.retrieve(QUERY, scope, k=3)
        assert found.error is not None
        assert found.error.code == "index_empty"


def test_hits_of_a_replaced_version_are_searched_again(db: Path, encoder: Any) -> None:
    """The first keyword search still sees the old version of a document that was replaced just now."""

    class Behind(Index):
        times = 0

        def keyword(self, query: str, scope: Scope, k: int) -> list[ChunkHit]:
            hits = super().keyword(query, scope, k)
            self.times += 1
            return [hit._replace(version="old") for hit in hits] if self.times == 1 else hits

    index = Behind(db / "default")
    found = Retriever(index, lambda: encoder).retrieve(QUERY, ALL, k=3)
    assert index.times == 2
    assert {hit.version for hit in found.hits} == {row.version for row in found.sections.values()}
