"""Fusion by scores and by ranks, by published formulas; a breaker that opens, waits and tries again."""

from __future__ import annotations

import pytest

from pincite.corpus.rows import ChunkHit
from pincite.tools.breaker import Breaker
from pincite.tools.fuse import fuse_hybrid, fuse_ranks, fuse_scores


def hit(document: str, score: float = 1.0) -> ChunkHit:
    return ChunkHit(
        document=document, document_title=document, version="v", section="s", number=None, path=(), page=None,
        page_end=None, line=None, start=0, end=1, text="x", label="", score=score,
    )  # fmt: skip


def test_fusion_adds_reciprocal_ranks() -> None:
    dense = [hit("D2"), hit("D3"), hit("D1")]
    keyword = [hit("D1"), hit("D2"), hit("D3")]
    fused = fuse_ranks([dense, keyword], c=60)
    assert [one.document for one in fused] == ["D2", "D1", "D3"]
    assert [one.score for one in fused] == pytest.approx([0.032522, 0.032266, 0.032002], abs=5e-7)


def test_equal_sums_follow_the_better_rank_in_the_first_ranking() -> None:
    fused = fuse_ranks([[hit("B"), hit("A")], [hit("C"), hit("D")]])
    assert [one.document for one in fused] == ["B", "C", "A", "D"]
    assert fuse_ranks([[], []]) == []


def test_scores_are_normalised_and_weighed() -> None:
    keyword = [hit("A", 8.0), hit("B", 4.0)]
    vector = [hit("C", 0.75), hit("B", 0.5), hit("A", 0.25)]
    fused = fuse_scores(keyword, vector, alpha=0.5)
    # A: (8/8 + 0)/2, B: (4/8 + 1/2)/2, C: no common word, best vector
    assert {one.document: one.score for one in fused} == pytest.approx({"A": 0.5, "B": 0.5, "C": 0.5})
    assert [one.document for one in fused] == ["A", "B", "C"]
    assert [one.document for one in fuse_scores(keyword, vector, alpha=0.8)] == ["C", "B", "A"]


def test_a_clear_lead_by_keyword_survives_a_middling_vector_rank() -> None:
    keyword = [hit("E17", 8.8), hit("E15", 4.3), hit("E24", 4.3)]
    vector = [hit(f"E{24 - rank}", 0.6 - 0.01 * rank) for rank in range(20)]
    assert [one.document for one in vector].index("E17") == 7
    assert fuse_scores(keyword, vector)[0].document == "E17"


def test_beyond_a_full_keyword_ranking_a_chunk_counts_as_its_last() -> None:
    keyword, vector = [hit("A", 4.0), hit("B", 2.0)], [hit("C", 0.9), hit("A", 0.1)]
    scores = {one.document: one.score for one in fuse_scores(keyword, vector, limit=2)}
    assert scores == pytest.approx({"C": 0.75, "A": 0.5})


@pytest.mark.parametrize("empty", [[], [hit("A", 0.0)]])
def test_fusing_with_little_or_nothing_is_no_error(empty: list[ChunkHit]) -> None:
    assert fuse_scores([], []) == []
    assert [one.document for one in fuse_scores(empty, [hit("A", 0.3)])] == ["A"]


def test_a_breaker_opens_after_three_failures_in_a_row_and_lets_one_trial_through() -> None:
    now = [100.0]
    breaker = Breaker(failures=3, seconds=30, clock=lambda: now[0])
    breaker.failure()
    breaker.failure()
    breaker.success()
    for _ in range(3):
        assert breaker.wait() == 0
        breaker.failure()
    assert breaker.wait() == 30
    now[0] += 29
    assert breaker.wait() == 1
    now[0] += 1
    assert breaker.wait() == 0
    assert breaker.wait() == 30, "only one caller makes the trial"
    breaker.failure()
    now[0] += 29
    assert breaker.wait() == 1
    now[0] += 1
    assert breaker.wait() == 0
    breaker.success()
    assert breaker.wait() == 0


def test_without_its_three_parts_the_blend_is_the_weighed_sum() -> None:
    keyword = [hit(f"K{n}", 9.0 - n * n / 20) for n in range(12)]
    vector = [hit(f"K{11 - n}" if n % 2 else f"V{n}", 0.8 - 0.03 * n) for n in range(12)]
    plain = fuse_hybrid(keyword, vector, alpha=0.4, z_weight=0.0, section_share=0.0, flat_weight=0.0)
    assert [one.document for one in plain] == [
        one.document for one in fuse_scores(keyword, vector, alpha=0.4)
    ]
    # a flat keyword ranking gives the vectors more weight
    flat = [hit(f"K{n}", 9.0 - n / 100) for n in range(12)]

    def weighed(flat_weight: float) -> dict[str, float]:
        fused = fuse_hybrid(flat, vector, z_weight=0.0, section_share=0.0, flat_weight=flat_weight)
        return {one.document: one.score for one in fused}

    by_query, always = weighed(2.0), weighed(0.0)
    assert by_query["V0"] > by_query["K0"]
    assert by_query["V0"] - by_query["K0"] > always["V0"] - always["K0"]


def test_a_section_of_which_several_parts_fit_is_lifted_by_its_share() -> None:
    vector = [hit("A", 0.9), hit("B", 0.6), *[hit("C", 0.8)._replace(start=n, end=n + 1) for n in range(3)]]
    low = hit("A", 0.2)._replace(start=5, end=6)
    alone = fuse_hybrid([], [*vector, low], z_weight=0.0, section_share=0.0, flat_weight=0.0)
    shared = fuse_hybrid([], [*vector, low], z_weight=0.0, section_share=1.0, flat_weight=0.0)
    assert alone[0].document == "A"
    assert [one.document for one in shared[:3]] == ["C", "C", "C"]
