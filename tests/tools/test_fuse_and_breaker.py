"""Rank fusion by the published formula; a breaker that opens, waits and tries again."""

from __future__ import annotations

import pytest

from pincite.corpus.rows import ChunkHit
from pincite.tools.breaker import Breaker
from pincite.tools.fuse import fuse


def hit(document: str, score: float = 1.0) -> ChunkHit:
    return ChunkHit(
        document=document, document_title=document, version="v", section="s", number=None, path=(), page=None,
        page_end=None, line=None, start=0, end=1, text="x", label="", score=score,
    )  # fmt: skip


def test_fusion_adds_reciprocal_ranks() -> None:
    dense = [hit("D2"), hit("D3"), hit("D1")]
    keyword = [hit("D1"), hit("D2"), hit("D3")]
    fused = fuse([dense, keyword], c=60)
    assert [one.document for one in fused] == ["D2", "D1", "D3"]
    assert [one.score for one in fused] == pytest.approx([0.032522, 0.032266, 0.032002], abs=5e-7)


def test_equal_sums_follow_the_better_rank_in_the_first_ranking() -> None:
    fused = fuse([[hit("B"), hit("A")], [hit("C"), hit("D")]])
    assert [one.document for one in fused] == ["B", "C", "A", "D"]
    assert fuse([[], []]) == []


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
