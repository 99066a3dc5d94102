"""The legs of one search and the order in which they answer: reranked, fused, vector, keyword."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Literal, TypeVar

from pincite.corpus.encoder_spec import require_same_encoder
from pincite.corpus.rows import ChunkHit
from pincite.corpus.scope import Scope
from pincite.errors import PinciteError
from pincite.tools.breaker import Breaker
from pincite.tools.fuse import fuse_hybrid
from pincite.tools.legs import Begun, Job, Leg, LegRun, Standing, Workers, describe
from pincite.tools.loading import Once
from pincite.tools.mentions import raise_adjacent, raise_exact, raise_mentioned
from pincite.tools.rerank import rerank
from pincite.tools.result import Outcome
from pincite.tools.second_step import queries, with_second_step
from pincite.tools.sources import QueryEncoder, Reranker, Searchable

if TYPE_CHECKING:
    import numpy as np

log = logging.getLogger(__name__)

T = TypeVar("T")
LegName = Literal["keyword", "vector", "fused", "reranked"]
LEGS: tuple[LegName, ...] = ("keyword", "vector", "fused", "reranked")
# What is looked at of a second search for what a passage names.
STEP_CANDIDATES = 50
# What a reranker may take of the time it is waited for.
_SHARE = 0.7
# A query that no leg has trouble with.
_PLAIN = "warm up"


@dataclass(frozen=True, slots=True)
class RetrievalSettings:
    """Sizes and times, in seconds.

    `fusion_alpha` is the vector leg's weight, `rerank` how many candidates the reranker reads, and
    `rerank_seconds` for how long: what it has not read by then follows behind. `second_step` also looks
    up what the first passages name.
    """

    candidates: int = 200
    fusion_alpha: float = 0.5
    rerank: int = 30
    rerank_seconds: float = 2.0
    second_step: bool = True
    leg_deadline: float = 3.0
    load_deadline: float = 60.0
    breaker_failures: int = 3
    breaker_seconds: float = 30.0


@dataclass(frozen=True, slots=True)
class Ranking:
    """What the chain found, best first, which leg answered, and how each leg fared, in order."""

    hits: tuple[ChunkHit, ...]
    used: LegName | None
    runs: tuple[LegRun, ...]


class Chain:
    """Runs the legs over one index. Safe to use from several threads."""

    def __init__(
        self,
        index: Searchable,
        settings: RetrievalSettings,
        *,
        encoder: Callable[[], QueryEncoder] | None,
        reranker: Reranker | None,
        fail: Iterable[str],
        clock: Callable[[], float],
    ) -> None:
        self._index = index
        self._settings = settings
        fails = frozenset(fail)
        self._legs = {name: Leg(name, self._breaker(clock), fail=name in fails) for name in LEGS}
        self._steps = Workers("step")
        self._encoder = None if encoder is None else self._once(lambda: _warm_encoder(encoder()), clock)
        self._reranker = None if reranker is None else self._once(lambda: _warm_reranker(reranker), clock)

    def prepare(self) -> None:
        """Load what this index can use and wait for it."""
        self._ready_encoder()
        self._ready_reranker()

    def run(self, query: str, scope: Scope, legs: LegName | None, end: float = math.inf) -> Ranking:
        """Both searches at the same time, then the best that can be made of them.

        `legs` allows one way and no other. `end`, on `time.monotonic()`, is when the caller stops waiting.
        """
        encoder = self._ready_encoder(end) if legs != "keyword" else None
        reranker = self._ready_reranker(legs, end) if legs in {None, "reranked"} else None
        runs: dict[LegName, LegRun] = {}
        begun: dict[LegName, Begun | LegRun] = {}
        if legs != "vector":
            plain = self._keyword(_PLAIN, Scope())
            begun["keyword"] = self._legs["keyword"].start(self._keyword(query, scope), plain)
        if encoder is not None:
            begun["vector"] = self._begin_vector(encoder, query, scope)
        limit = limited(self._settings.leg_deadline, end)
        whole = limit >= self._settings.leg_deadline
        for name, leg in begun.items():
            runs[name] = self._legs[name].finish(leg, limit, whole=whole)
        hits, used = self._best(query, scope, runs, legs, end)
        if reranker is not None and (hits or legs == "reranked"):
            runs["reranked"] = self._rerank(reranker, query, hits, limited(self._settings.leg_deadline, end))
            if runs["reranked"].hits:
                hits, used = runs["reranked"].hits, "reranked"
        if legs is not None and used != legs:
            hits, used = (), None
        return Ranking(hits, used, tuple(runs.values()))

    def _keyword(self, query: str, scope: Scope) -> Callable[[], Sequence[ChunkHit]]:
        return lambda: self._index.keyword(query, scope, self._settings.candidates)

    def _begin_vector(self, encoder: QueryEncoder | LegRun, query: str, scope: Scope) -> Begun | LegRun:
        if isinstance(encoder, LegRun):
            return encoder

        def search(query: str, scope: Scope) -> Sequence[ChunkHit]:
            vector = _checked(encoder, encoder.encode_query(query))
            return self._index.vector(vector, scope, self._settings.candidates)

        return self._legs["vector"].start(partial(search, query, scope), partial(search, _PLAIN, Scope()))

    def _best(
        self,
        query: str,
        scope: Scope,
        runs: dict[LegName, LegRun],
        legs: LegName | None,
        end: float,
    ) -> tuple[tuple[ChunkHit, ...], LegName | None]:
        """The fused hits where both searches found something, else those of the one that did."""
        vector = runs["vector"].hits if "vector" in runs else ()
        keyword = runs["keyword"].hits if "keyword" in runs else ()
        answered = [run for run in runs.values() if run.standing is Standing.answered]
        if (vector and keyword) or (legs == "fused" and len(answered) == len(LEGS[:2])):
            started = time.perf_counter()
            fused, failure = self._fused(query, scope, keyword, vector, end)
            leg, ms = self._legs["fused"], 1000 * (time.perf_counter() - started)
            runs["fused"] = leg.forced() or leg.answered(tuple(fused), ms, failure)
            if runs["fused"].hits:
                return runs["fused"].hits, "fused"
        elif legs == "fused":
            runs["fused"] = self._legs["fused"].failed(Outcome.skipped, "it needs both searches")
        if vector:
            return vector, "vector"
        return keyword, "keyword" if keyword else None

    def _fused(
        self,
        query: str,
        scope: Scope,
        keyword: Sequence[ChunkHit],
        vector: Sequence[ChunkHit],
        end: float,
    ) -> tuple[list[ChunkHit], str]:
        """Both rankings as one with what its first passages lead to, and why that was left out."""
        settings, failure = self._settings, ""
        ranking = fuse_hybrid(keyword, vector, alpha=settings.fusion_alpha, limit=settings.candidates)
        ranking = raise_adjacent(query, ranking)
        if settings.second_step:
            try:
                ranking = self._second_step(query, scope, ranking, limited(settings.leg_deadline, end))
            except Exception as error:
                log.warning("the second step failed", exc_info=True)
                failure = f"without a second step: {describe(error)}"
        return raise_exact(query, raise_mentioned(ranking))[: settings.candidates], failure

    def _second_step(
        self, query: str, scope: Scope, ranking: list[ChunkHit], seconds: float
    ) -> list[ChunkHit]:
        def search(wanted: str) -> Job[Sequence[ChunkHit]]:
            return self._steps.start(lambda: self._index.keyword(wanted, scope, STEP_CANDIDATES))

        begun = [(source, named, search(wanted)) for source, named, wanted in queries(query, ranking)]
        found = [(source, named, job.wait(seconds)) for source, named, job in begun]
        return with_second_step(ranking, found)

    def _rerank(
        self, reranker: Reranker | LegRun, query: str, hits: tuple[ChunkHit, ...], seconds: float
    ) -> LegRun:
        if isinstance(reranker, LegRun):
            return reranker
        wanted = min(self._settings.rerank, len(hits))
        # what is waited for is longer than what is allowed: a block begun in time may end late
        allowed = min(self._settings.rerank_seconds, _SHARE * seconds)
        read = wanted

        def score() -> Sequence[ChunkHit]:
            nonlocal read
            ranking, read = rerank(reranker, query, hits, wanted, seconds=allowed)
            return ranking

        leg = self._legs["reranked"]
        whole = seconds >= self._settings.leg_deadline
        run = leg.finish(leg.start(score, lambda: _warm_reranker(reranker)), seconds, whole=whole)
        if run.hits and read < wanted:
            return replace(run, attempt=run.attempt.model_copy(update={"reason": f"read {read} of {wanted}"}))
        return run

    def _ready_encoder(self, end: float = math.inf) -> QueryEncoder | LegRun:
        """The encoder that fits this index, or why there is no vector search."""
        leg = self._legs["vector"]
        if self._encoder is None:
            return leg.absent("no encoder is set up")
        try:
            spec = self._index.info.encoder
        except PinciteError as error:
            return leg.failed(Outcome.error, describe(error))
        if spec is None:
            return leg.absent("this index has no vectors")
        encoder = self._loaded(leg, self._encoder, end)
        if isinstance(encoder, LegRun):
            return encoder
        try:
            require_same_encoder(spec, encoder.spec)
        except PinciteError as error:
            return leg.absent(f"{error.told}; {error.hint}")
        return encoder

    def _ready_reranker(self, legs: LegName | None = None, end: float = math.inf) -> Reranker | LegRun | None:
        leg = self._legs["reranked"]
        if self._reranker is None:
            return leg.failed(Outcome.skipped, "no reranker is set up") if legs == "reranked" else None
        return self._loaded(leg, self._reranker, end)

    def _loaded(self, leg: Leg, once: Once[T], end: float) -> T | LegRun:
        try:
            return once.get(limited(math.inf, end))
        except PinciteError as error:
            return leg.absent(describe(error, kind=False))
        except TimeoutError:
            return leg.failed(Outcome.timeout, "loading it takes too long")
        except Exception as error:
            log.warning("what the %s leg needs could not be loaded", leg.name, exc_info=True)
            return leg.failed(Outcome.error, describe(error))

    def _once(self, load: Callable[[], T], clock: Callable[[], float]) -> Once[T]:
        return Once(load, self._breaker(clock), self._settings.load_deadline)

    def _breaker(self, clock: Callable[[], float]) -> Breaker:
        return Breaker(self._settings.breaker_failures, self._settings.breaker_seconds, clock)


def limited(seconds: float, end: float) -> float:
    """Seconds for the next step: no more than half of what is left, so that its fallback has its time."""
    return min(seconds, max(0.0, (end - time.monotonic()) / 2))


def _warm_encoder(encoder: QueryEncoder) -> QueryEncoder:
    """The first encoding takes longer than later ones; it belongs to loading."""
    _checked(encoder, encoder.encode_query(_PLAIN))
    return encoder


def _warm_reranker(reranker: Reranker) -> Reranker:
    """A reranker loads its model at its first use, which must not count against a search."""
    reranker.score(_PLAIN, [_PLAIN])
    return reranker


def _checked(encoder: QueryEncoder, vector: np.ndarray) -> np.ndarray:
    import numpy as np

    if vector.shape != (encoder.spec.dimension,):
        raise ValueError(f"a vector of shape {vector.shape} from an encoder of {encoder.spec.dimension}")
    if not bool(np.isfinite(vector).all()):
        raise ValueError("a vector that holds no finite numbers")
    return vector
