"""No failure stops a search, and none looks like "nothing there"."""

from __future__ import annotations

import math
import shutil
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.tools.faulty import (
    ALL,
    QUERY,
    QUICK,
    BrokenEncoder,
    LengthReranker,
    WithoutKeyword,
    broken,
    outcomes,
    places,
    raising,
)

from pincite.corpus.encoder import EncoderSpec, EncoderUnavailableError
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.tools.chain import RetrievalSettings
from pincite.tools.result import Outcome
from pincite.tools.retrieve import Retrieved, Retriever


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


def test_an_index_that_is_deleted_meanwhile_is_a_plain_error(db: Path, encoder: Any, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(db, copy)
    retriever = Retriever(Index.open(copy), lambda: encoder)
    assert retriever.retrieve(QUERY, ALL, k=3).used == "fused"
    shutil.rmtree(copy)
    found = retriever.retrieve(QUERY, ALL, k=3)
    assert found.error is not None
    assert found.error.code == "search_unavailable"
