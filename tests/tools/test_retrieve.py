"""Retrieval on a real index: the best way that works answers, and no failure looks like "nothing there"."""

from __future__ import annotations

import math
import shutil
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pincite.corpus.encoder import EncoderSpec, EncoderUnavailableError
from pincite.corpus.index import Index
from pincite.corpus.rows import ChunkHit
from pincite.corpus.scope import Scope
from pincite.tools.chain import LegName, RetrievalSettings
from pincite.tools.result import Outcome
from pincite.tools.retrieve import Retrieved, Retriever

ALL = Scope()
QUICK = RetrievalSettings(leg_deadline=0.5, load_deadline=0.5)
QUERY = "when is the rent due"


class BrokenEncoder:
    """Loads, and fails or hangs once `broken` is set."""

    def __init__(self, good: Any, fault: Callable[[], np.ndarray]) -> None:
        self._good = good
        self._fault = fault
        self.broken = False
        self.calls = 0

    @property
    def spec(self) -> EncoderSpec:
        spec: EncoderSpec = self._good.spec
        return spec

    def encode_query(self, text: str) -> np.ndarray:
        self.calls += 1
        vector: np.ndarray = self._fault() if self.broken else self._good.encode_query(text)
        return vector


class LengthReranker:
    """Shorter texts first; keeps what it was given."""

    def __init__(self, fault: Callable[[list[float]], Sequence[float]] = lambda scores: scores) -> None:
        self._fault = fault
        self.seen: list[Sequence[str]] = []

    def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        scores = [-float(len(text)) for text in texts]
        if query == "warm up":
            return scores
        self.seen.append(texts)
        return self._fault(scores)


class WithoutKeyword(Index):
    """A real index whose keyword search fails."""

    def keyword(self, query: str, scope: Scope, k: int) -> list[ChunkHit]:
        raise OSError("the disk is gone")


def broken(encoder: Any, fault: Callable[[], np.ndarray]) -> BrokenEncoder:
    return BrokenEncoder(encoder, fault)


def raising() -> np.ndarray:
    raise RuntimeError("no memory for this")


def outcomes(found: Retrieved) -> list[tuple[str, str]]:
    return [(attempt.leg, attempt.outcome.value) for attempt in found.attempts]


def places(found: Retrieved) -> list[tuple[str, str, int]]:
    return [(hit.document, hit.section, hit.start) for hit in found.hits]


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


def test_a_forced_way_that_fails_is_not_replaced(index: Index, encoder: Any) -> None:
    for leg in ("vector", "fused", "reranked"):
        found = Retriever(index, lambda: encoder, fail=[leg]).retrieve(QUERY, ALL, k=3, legs=leg)
        assert (found.hits, found.used) == ((), None)
        assert found.error is not None
        assert found.error.code == "search_unavailable"


@pytest.mark.parametrize(
    ("fail", "used"),
    [
        ([], "reranked"),
        (["reranked"], "fused"),
        (["reranked", "fused"], "vector"),
        (["reranked", "vector"], "keyword"),
        (["keyword", "reranked"], "vector"),
        (["vector"], "reranked"),
    ],
)
def test_each_failure_falls_to_the_next_way(index: Index, encoder: Any, fail: list[str], used: str) -> None:
    found = Retriever(index, lambda: encoder, LengthReranker(), fail=fail).retrieve(QUERY, ALL, k=3)
    assert (found.used, len(found.hits), found.error) == (used, 3, None)
    failed = {attempt.leg for attempt in found.attempts if attempt.outcome is Outcome.error}
    assert failed == set(fail)


def test_when_every_way_fails_it_says_so_and_never_that_nothing_is_there(index: Index, encoder: Any) -> None:
    found = Retriever(index, lambda: encoder, fail=["keyword", "vector"]).retrieve(QUERY, ALL, k=3)
    assert found.error is not None
    assert found.error.code == "search_unavailable"
    assert "does not mean that nothing is there" in found.error.message
    blind = Retriever(index, lambda: encoder, fail=["vector"]).retrieve("zzzunheardof", ALL, k=3)
    assert blind.error is not None
    assert blind.error.code == "search_unavailable", "an empty keyword search beside a failed vector search"


def test_an_encoder_that_fails_leaves_keyword_search(index: Index, encoder: Any) -> None:
    made = broken(encoder, raising)
    retriever = Retriever(index, lambda: made)
    retriever.prepare()
    made.broken = True
    found = retriever.retrieve(QUERY, ALL, k=3)
    assert found.used == "keyword"
    assert ("vector", "error") in outcomes(found)
    assert "no memory for this" in found.attempts[1].reason


@pytest.mark.parametrize(
    "vector",
    [
        np.full(64, math.nan, dtype=np.float32),
        np.zeros(7, dtype=np.float32),
        np.zeros((1, 64), dtype=np.float32),
    ],
)
def test_a_vector_that_is_none_counts_as_a_failure(index: Index, encoder: Any, vector: np.ndarray) -> None:
    made = broken(encoder, lambda: vector)
    retriever = Retriever(index, lambda: made)
    retriever.prepare()
    made.broken = True
    found = retriever.retrieve(QUERY, ALL, k=3)
    assert (found.used, outcomes(found)[1]) == ("keyword", ("vector", "error"))


def test_a_hanging_encoder_neither_hangs_the_search_nor_is_asked_again_at_once(
    index: Index, encoder: Any
) -> None:
    release = threading.Event()

    def hang() -> np.ndarray:
        release.wait(30)
        return np.zeros(64, dtype=np.float32)

    made = broken(encoder, hang)
    now = [0.0]
    retriever = Retriever(index, lambda: made, settings=QUICK, clock=lambda: now[0])
    retriever.prepare()
    made.broken = True
    try:
        for _ in range(3):
            started = time.monotonic()
            found = retriever.retrieve(QUERY, ALL, k=3)
            assert time.monotonic() - started < 3
            assert (found.used, outcomes(found)[1]) == ("keyword", ("vector", "timeout"))
        asked = made.calls
        found = retriever.retrieve(QUERY, ALL, k=3)
        assert outcomes(found)[1] == ("vector", "skipped")
        assert made.calls == asked
    finally:
        release.set()
    made.broken = False
    now[0] = 31.0
    assert retriever.retrieve(QUERY, ALL, k=3).used == "fused"


def test_loading_is_waited_for_and_no_timeout(index: Index, encoder: Any) -> None:
    loads = []

    def load() -> Any:
        loads.append(1)
        time.sleep(0.8)
        return encoder

    settings = RetrievalSettings(leg_deadline=0.5)
    retriever = Retriever(index, load, settings=settings)
    results: list[Retrieved] = []
    threads = [
        threading.Thread(target=lambda: results.append(retriever.retrieve(QUERY, ALL, k=3))) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found.used for found in results] == ["fused"] * 3
    assert len(loads) == 1


def test_loading_that_never_ends_leaves_keyword_search_until_it_does(index: Index, encoder: Any) -> None:
    release = threading.Event()

    def load() -> Any:
        release.wait(30)
        return encoder

    retriever = Retriever(index, load, settings=QUICK)
    found = retriever.retrieve(QUERY, ALL, k=3)
    assert (found.used, outcomes(found)) == ("keyword", [("keyword", "ok"), ("vector", "timeout")])
    release.set()
    end = time.monotonic() + 10
    while retriever.retrieve(QUERY, ALL, k=3).used != "fused":
        assert time.monotonic() < end
        time.sleep(0.05)


def test_without_an_encoder_keyword_search_answers_and_says_why_once(index: Index, plain_db: Path) -> None:
    def missing() -> Any:
        raise EncoderUnavailableError("the encoder is not installed")

    def never() -> Any:
        raise AssertionError("an index without vectors needs no encoder")

    cases = [
        (Retriever(index, None), "no encoder is set up"),
        (Retriever(index, missing), "the encoder is not installed"),
        (Retriever(Index.open(plain_db), never), "this index has no vectors"),
    ]
    for retriever, reason in cases:
        retriever.prepare()
        found = retriever.retrieve(QUERY, ALL, k=3)
        assert (found.used, len(found.hits)) == ("keyword", 3)
        assert [(a.leg, a.outcome.value, a.reason) for a in found.attempts] == [
            ("keyword", "ok", ""),
            ("vector", "skipped", reason),
        ]
        nothing = retriever.retrieve("zzzunheardof", ALL, k=3)
        assert nothing.error is not None
        assert nothing.error.code == "no_match"


def test_another_encoder_than_the_index_was_made_with_is_not_used(index: Index, encoder: Any) -> None:
    other = broken(encoder, raising)
    spec = encoder.spec.model_copy(update={"digest": "1" * 64, "name": "others"})

    class Other(BrokenEncoder):
        @property
        def spec(self) -> EncoderSpec:
            changed: EncoderSpec = spec
            return changed

    found = Retriever(index, lambda: Other(encoder, raising)).retrieve(QUERY, ALL, k=3)
    assert found.used == "keyword"
    assert "reindex" in found.attempts[1].reason
    assert other.calls == 0


def test_the_reranker_orders_the_fused_candidates(index: Index, encoder: Any) -> None:
    reranker = LengthReranker()
    found = Retriever(index, lambda: encoder, reranker).retrieve(QUERY, ALL, k=3)
    assert found.used == "reranked"
    assert [hit.score for hit in found.hits] == sorted((hit.score for hit in found.hits), reverse=True)
    assert all(len(texts) <= 30 for texts in reranker.seen)
    assert all("Lease" in text or "Harbour" in text or "Wages" in text for text in reranker.seen[0])


def test_a_reranker_that_gives_nonsense_is_left_out(index: Index, encoder: Any) -> None:
    def too_few(scores: list[float]) -> list[float]:
        return scores[1:]

    def not_numbers(scores: list[float]) -> list[float]:
        return [math.nan] * len(scores)

    def words(scores: list[float]) -> Any:
        return ["high"] * len(scores)

    fused = places(Retriever(index, lambda: encoder).retrieve(QUERY, ALL, k=3))
    for fault in (too_few, not_numbers, words):
        found = Retriever(index, lambda: encoder, LengthReranker(fault)).retrieve(QUERY, ALL, k=3)
        assert (found.used, outcomes(found)[-1], places(found)) == ("fused", ("reranked", "error"), fused)


def test_a_short_deadline_leaves_time_for_the_fallback(index: Index, encoder: Any) -> None:
    release = threading.Event()

    def slow(scores: list[float]) -> list[float]:
        release.wait(20)
        return scores

    retriever = Retriever(index, lambda: encoder, LengthReranker(slow))
    retriever.prepare()
    started = time.monotonic()
    found = retriever.retrieve(QUERY, ALL, k=3, deadline=1.5)
    release.set()
    assert time.monotonic() - started < 1.5
    assert (found.used, outcomes(found)[-1]) == ("fused", ("reranked", "timeout"))


def test_a_failing_keyword_search_leaves_vector_search(db: Path, encoder: Any) -> None:
    index = WithoutKeyword(db / "default")
    found = Retriever(index, lambda: encoder).retrieve(QUERY, ALL, k=3)
    assert (found.used, outcomes(found)[0]) == ("vector", ("keyword", "error"))


def test_sections_that_cannot_be_read_leave_the_chunks(db: Path, encoder: Any) -> None:
    class WithoutSections(Index):
        def section_texts(self, keys: Any, scope: Scope) -> Any:
            raise OSError("the disk is gone")

    found = Retriever(WithoutSections(db / "default"), lambda: encoder).retrieve(QUERY, ALL, k=3)
    assert (len(found.hits), dict(found.sections), outcomes(found)[-1]) == (3, {}, ("sections", "error"))


def test_an_index_without_documents_is_empty_and_so_is_one_outside_the_scope(
    index: Index, encoder: Any
) -> None:
    retriever = Retriever(index, lambda: encoder)
    for scope in (Scope(documents=frozenset()), Scope(documents=frozenset({"club/none.md"}))):
        found = retriever.retrieve(QUERY, scope, k=3)
        assert found.error is not None
        assert found.error.code == "index_empty"


def test_an_index_that_is_deleted_meanwhile_is_a_plain_error(db: Path, encoder: Any, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(db, copy)
    retriever = Retriever(Index.open(copy), lambda: encoder)
    assert retriever.retrieve(QUERY, ALL, k=3).used == "fused"
    shutil.rmtree(copy)
    found = retriever.retrieve(QUERY, ALL, k=3)
    assert found.error is not None
    assert found.error.code == "search_unavailable"


def test_hits_of_a_replaced_version_are_searched_again(db: Path, encoder: Any) -> None:
    """The first keyword search still sees the old version of a document that was replaced just now."""

    class Behind(Index):
        times = 0

        def keyword(self, query: str, scope: Scope, k: int) -> list[ChunkHit]:
            hits = super().keyword(query, scope, k)
            self.times += 1
            return [replace(hit, version="old") for hit in hits] if self.times == 1 else hits

    index = Behind(db / "default")
    found = Retriever(index, lambda: encoder).retrieve(QUERY, ALL, k=3)
    assert index.times == 2
    assert {hit.version for hit in found.hits} == {row.version for row in found.sections.values()}
