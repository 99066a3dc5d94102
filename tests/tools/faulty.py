"""Encoders, rerankers and indexes that fail, and how a retrieval fared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pincite.corpus.encoder import EncoderSpec
from pincite.corpus.index import Index
from pincite.corpus.rows import ChunkHit
from pincite.corpus.scope import Scope
from pincite.tools.chain import RetrievalSettings
from pincite.tools.retrieve import Retrieved

ALL = Scope()


QUICK = RetrievalSettings(leg_deadline=0.5, load_deadline=0.5)


QUERY = "when is the rent of the lease due, within how many days"


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
