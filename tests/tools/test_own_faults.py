"""A fault of one query is no fault of the way that it was looked for, and no reason names a path."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.tools.faulty import ALL, QUERY, BrokenEncoder, LengthReranker, outcomes

from pincite.corpus.encoder_spec import EncoderDamagedError, EncoderUnavailableError
from pincite.corpus.index import Index
from pincite.corpus.pointer import damaged
from pincite.corpus.reasons import without_paths
from pincite.corpus.rows import ChunkHit
from pincite.corpus.scope import Scope
from pincite.tools.chain import RetrievalSettings
from pincite.tools.retrieve import Retriever

BAD = "the query that nothing can take"


class Choosy(Index):
    """A real index that cannot take one query."""

    def keyword(self, query: str, scope: Scope, k: int) -> list[ChunkHit]:
        if query == BAD:
            raise damaged(self.info.folder, "its content is not what it should be")
        return super().keyword(query, scope, k)


class ChoosyEncoder(BrokenEncoder):
    """An encoder that cannot take one query."""

    def encode_query(self, text: str) -> np.ndarray:
        if text == BAD:
            raise RuntimeError("/srv/models/words/model.safetensors: no such word")
        return super().encode_query(text)


class ChoosyReranker(LengthReranker):
    def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        return [math.nan] * len(texts) if query == BAD else super().score(query, texts)


def test_a_query_that_fails_by_itself_takes_no_way_from_the_others(db: Path, encoder: Any) -> None:
    good = ChoosyEncoder(encoder, lambda: np.zeros(64, dtype=np.float32))
    retriever = Retriever(Choosy(db / "default"), lambda: good, ChoosyReranker())
    for _ in range(4):
        found = retriever.retrieve(BAD, ALL, k=3)
        assert outcomes(found)[:2] == [("keyword", "error"), ("vector", "error")]
        assert [attempt.reason for attempt in found.attempts] == [
            "it failed for this query only",
            "RuntimeError: …: no such word",
        ]
        assert found.error is not None and found.error.code == "search_unavailable"
    assert outcomes(retriever.retrieve(QUERY, ALL, k=3)) == [
        (leg, "ok") for leg in ("keyword", "vector", "fused", "reranked")
    ]


def test_a_way_that_fails_for_every_query_is_left_alone(db: Path, encoder: Any) -> None:
    class Damaged(Index):
        def keyword(self, query: str, scope: Scope, k: int) -> list[ChunkHit]:
            raise damaged(self.info.folder, "its content is not what it should be")

    retriever = Retriever(Damaged(db / "default"), lambda: encoder)
    for _ in range(3):
        found = retriever.retrieve(QUERY, ALL, k=3)
        assert found.attempts[0].reason == "NothingUsableError: the index is damaged"
    assert outcomes(retriever.retrieve(QUERY, ALL, k=3))[0] == ("keyword", "skipped")


def test_callers_in_a_hurry_take_no_way_from_the_others(db: Path, encoder: Any) -> None:
    free = threading.Event()

    class Slow(Index):
        def keyword(self, query: str, scope: Scope, k: int) -> list[ChunkHit]:
            if not free.is_set():
                free.wait(30)
            return super().keyword(query, scope, k)

    retriever = Retriever(Slow(db / "default"), lambda: encoder, settings=RetrievalSettings(leg_deadline=5))
    retriever.prepare()
    for _ in range(4):
        assert outcomes(retriever.retrieve(QUERY, ALL, k=3, deadline=0.4))[0] == ("keyword", "timeout")
    free.set()
    assert outcomes(retriever.retrieve(QUERY, ALL, k=3))[0] == ("keyword", "ok")


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (EncoderUnavailableError("there is no encoder at own/words", told="there is no such encoder"), None),
        (EncoderDamagedError("the encoder in own/words cannot be loaded"), None),
        (OSError(13, "Permission denied", "/srv/Own Models/words"), "PermissionError: Permission denied"),
        (RuntimeError("cannot map '/srv/Own Models/words' or C:\\words"), "RuntimeError: cannot map … or …"),
    ],
)
def test_the_reason_of_an_encoder_that_cannot_be_loaded_names_no_path(
    index: Index, error: Exception, reason: str | None
) -> None:
    def load() -> Any:
        raise error

    attempt = Retriever(index, load).retrieve(QUERY, ALL, k=3).attempts[1]
    assert attempt.reason == (reason or getattr(error, "told", ""))
    assert "words" not in attempt.reason and "/" not in attempt.reason


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("the index at /tmp/x/kb is damaged", "the index at … is damaged"),
        ("open '/home/Max Muster/kb': no", "open …: no"),
        ("tmp/x/kb/default/lance/t.lance not found", "… not found"),
        ("~/kb and ../kb and C:\\kb\\x and file:///kb", "… and … and … and …"),
        ("failed, /root/src/index.rs:12:3", "failed, …"),
        ("https://huggingface.co/a/b is down", "https://huggingface.co/a/b is down"),
        ("cross-encoder/small is not on this machine", "cross-encoder/small is not on this machine"),
        ("and/or, 3 of 4", "and/or, 3 of 4"),
    ],
)
def test_paths_are_taken_out_of_the_words_of_libraries(said: str, told: str) -> None:
    assert without_paths(said) == told


def test_a_path_of_great_length_is_taken_out_at_once() -> None:
    started = time.monotonic()
    assert without_paths("at " + "a/" * 100_000) == "at …"
    without_paths("'/" * 20_000)
    assert time.monotonic() - started < 5
