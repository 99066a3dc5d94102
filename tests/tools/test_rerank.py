"""Reranking within a time: what is read so far counts, the rest follows in its order."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pincite.corpus.rows import ChunkHit
from pincite.tools.rerank import BLOCK, rerank


def hits(number: int) -> list[ChunkHit]:
    """A ranking with falling scores; later texts are longer."""
    return [
        ChunkHit(
            document="d",
            document_title="D",
            version="v",
            section=str(at),
            number=None,
            path=(),
            page=None,
            page_end=None,
            line=1,
            start=0,
            end=9,
            text="x" * at,
            label="l",
            score=1.0 - at / 100,
        )
        for at in range(number)
    ]


class Slow:
    """Longer texts are better; every call takes a second of its own clock."""

    def __init__(self) -> None:
        self.now = 0.0
        self.calls: list[int] = []

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        self.calls.append(len(texts))
        self.now += 1.0
        return [float(len(text)) for text in texts]


def order(ranking: Sequence[ChunkHit]) -> list[int]:
    return [int(hit.section) for hit in ranking]


@pytest.mark.parametrize(("seconds", "blocks"), [(0.0, 1), (1.5, 1), (2.0, 2), (2.9, 2), (99.0, 4)])
def test_reading_stops_before_the_time_is_over(seconds: float, blocks: int) -> None:
    slow = Slow()
    ranking, read = rerank(slow, "q", hits(40), 30, seconds=seconds, clock=lambda: slow.now)
    expected = min(30, blocks * BLOCK)
    assert read == expected == sum(slow.calls)
    assert order(ranking) == [*reversed(range(expected)), *range(expected, 40)]
    scores = [hit.score for hit in ranking]
    assert scores == sorted(scores, reverse=True) and len(set(scores)) == len(scores)


def test_fewer_hits_than_a_block_are_read_at_once() -> None:
    slow = Slow()
    ranking, read = rerank(slow, "q", hits(3), 30, seconds=9.0, clock=lambda: slow.now)
    assert (order(ranking), read, slow.calls) == ([2, 1, 0], 3, [3])


def test_nothing_to_read_is_nothing() -> None:
    assert rerank(Slow(), "q", [], 30, seconds=9.0) == ([], 0)


def test_scores_that_are_not_one_for_each_text_are_an_error() -> None:
    class Short(Slow):
        def score(self, query: str, texts: Sequence[str]) -> list[float]:
            return [1.0]

    with pytest.raises(ValueError, match="1 scores for 3 texts"):
        rerank(Short(), "q", hits(3), 30, seconds=9.0)
