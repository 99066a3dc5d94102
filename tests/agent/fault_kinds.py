"""The faults of the matrix: each arranges a bench so that one thing around the model fails."""

from __future__ import annotations

import math
import os
import resource
import shutil
import signal
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
from tests.corpus.word_encoder import WordEncoder

from pincite.agent.budget import Budgets
from pincite.corpus.encoder import EncoderUnavailableError
from pincite.corpus.index import Index
from pincite.corpus.manage import reindex
from pincite.corpus.rows import ChunkHit
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync
from pincite.tools.chain import RetrievalSettings

Stage = Literal["closed", "open", "asking", "found"]
BYLAWS = """# Bylaws of the harbour club

## 2 Fees

### 2.1 Annual fee

The annual fee of a member is {fee} crowns. It is due on 31 March.

### 2.4 Arrears

A member in arrears for more than sixty days loses the right to vote.
"""
BERTHS = """# Berths

Berths are allotted by the harbour committee in order of application.
"""
NOBODY = 65534


@dataclass
class Bench:
    """What a question is asked with. A fault changes parts of it, or does something `at` a stage:

    `closed` before the index is opened, `open` before the session is, `asking` before the question, `found`
    after the first search. `hangs` shortens what is waited for, `hang` blocks until the bench is put away;
    `undo` is what is done then.
    """

    folder: Path
    encoder: Callable[[], Any] | None = WordEncoder
    reranker: Any = None
    index_class: type[Index] = Index
    usual_session: bool = False
    hangs: bool = False
    actions: dict[Stage, Callable[[], None]] = field(default_factory=dict)
    undo: ExitStack = field(default_factory=ExitStack)
    released: threading.Event = field(default_factory=threading.Event)

    @property
    def db(self) -> Path:
        return self.folder / "kb"

    @property
    def transcript(self) -> Path:
        return self.folder / "session.jsonl"

    @property
    def settings(self) -> RetrievalSettings:
        seconds = 3.0 if self.hangs else 30.0
        return RetrievalSettings(leg_deadline=seconds, load_deadline=seconds)

    @property
    def budgets(self) -> Budgets:
        return Budgets(seconds=15.0 if self.hangs else 60.0)

    def at(self, stage: Stage, action: Callable[[], None]) -> None:
        self.actions[stage] = action

    def reach(self, stage: Stage) -> None:
        self.actions.pop(stage, lambda: None)()

    def hang(self) -> None:
        self.released.wait(60)

    def write(self, *, fee: int = 240) -> None:
        (self.folder / "docs").mkdir(exist_ok=True)
        (self.folder / "docs" / "bylaws.md").write_text(BYLAWS.format(fee=fee), encoding="utf-8")
        (self.folder / "docs" / "berths.md").write_text(BERTHS, encoding="utf-8")

    def sync(self, *, vectors: bool = True) -> None:
        sync([self.folder / "docs"], self.db, vectors=vectors, encoder=WordEncoder())

    def put_away(self) -> None:
        self.released.set()
        self.undo.close()


@dataclass(frozen=True, eq=False)
class Fault:
    """A fault, whether the question is still answered, and by which leg."""

    name: str
    arrange: Callable[[Bench], None]
    used: str | None
    legs: dict[str, str]
    answers: bool = True


class _Encoder(WordEncoder):
    """An encoder that works when it is loaded and gives `vector()` for what it is asked afterwards."""

    def __init__(self, vector: Callable[[], np.ndarray]) -> None:
        super().__init__()
        self._fault = vector

    def encode_query(self, text: str) -> np.ndarray:
        return super().encode_query(text) if text == "warm up" else self._fault()

    def encode_documents(self, texts: Sequence[str], **_: Any) -> np.ndarray:
        return np.stack([self._fault() for _ in texts])


class _Reranker:
    def __init__(self, fault: Callable[[list[float]], list[float]]) -> None:
        self._fault = fault

    def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        scores = [-float(len(text)) for text in texts]
        return scores if query == "warm up" else self._fault(scores)


class _NoVectorLeg(Index):
    def vector(self, vector: np.ndarray, scope: Scope, k: int) -> list[ChunkHit]:
        raise OSError("the disk does not answer")


def _keyword_leg_hangs(bench: Bench) -> None:
    bench.hangs = True

    class Hanging(Index):
        def keyword(self, query: str, scope: Scope, k: int) -> list[ChunkHit]:
            bench.hang()
            return super().keyword(query, scope, k)

    bench.index_class = Hanging


def _fails(error: Exception) -> Any:
    def fail(*_: Any) -> Any:
        raise error

    return fail


def _encoder_missing(bench: Bench) -> None:
    bench.encoder = _fails(EncoderUnavailableError("there is no encoder on this machine"))


def _encoder_load_fails(bench: Bench) -> None:
    bench.encoder = _fails(RuntimeError("the weights do not fit"))


def _encoder_load_hangs(bench: Bench) -> None:
    bench.hangs = True

    def load() -> WordEncoder:
        bench.hang()
        return WordEncoder()

    bench.encoder = load


def _encoder_raises(bench: Bench) -> None:
    bench.encoder = lambda: _Encoder(_fails(RuntimeError("out of memory")))


def _encoder_hangs(bench: Bench) -> None:
    bench.hangs = True

    def vector() -> np.ndarray:
        bench.hang()
        return np.zeros(32, dtype=np.float32)

    bench.encoder = lambda: _Encoder(vector)


def _encoder_gives_no_numbers(bench: Bench) -> None:
    bench.encoder = lambda: _Encoder(lambda: np.full(32, math.nan, dtype=np.float32))


def _vector_leg_raises(bench: Bench) -> None:
    bench.index_class = _NoVectorLeg


def _text_index(bench: Bench) -> Path:
    (folder,) = (bench.db / "default" / "lance").glob("*.lance/_indices")
    return folder


def _text_index_gone(bench: Bench) -> None:
    bench.at("closed", lambda: shutil.rmtree(_text_index(bench)))


def _text_index_corrupt(bench: Bench) -> None:
    def spoil() -> None:
        for file in _text_index(bench).rglob("*.lance"):
            file.write_bytes(b"\x00no index\xff" * 50)

    bench.at("closed", spoil)


def _both_legs_gone(bench: Bench) -> None:
    _text_index_gone(bench)
    _encoder_load_fails(bench)


def _reranker_raises(bench: Bench) -> None:
    bench.reranker = _Reranker(_fails(RuntimeError("out of memory")))


def _reranker_hangs(bench: Bench) -> None:
    bench.hangs = True

    def hang(scores: list[float]) -> list[float]:
        bench.hang()
        return scores

    bench.reranker = _Reranker(hang)


def _reranker_gives_nan(bench: Bench) -> None:
    bench.reranker = _Reranker(lambda scores: [math.nan] * len(scores))


def _reranker_miscounts(bench: Bench) -> None:
    bench.reranker = _Reranker(lambda scores: scores[1:])


def _deleted_while_open(bench: Bench) -> None:
    bench.at("asking", lambda: shutil.rmtree(bench.db))


def _deleted_after_search(bench: Bench) -> None:
    bench.at("found", lambda: shutil.rmtree(bench.db))


def _read_only(bench: Bench) -> None:
    """For root no folder is read-only, so that root becomes nobody for the question."""
    bench.usual_session = True

    def close() -> None:
        paths = [bench.db, *bench.db.rglob("*")]
        for path in paths:
            path.chmod(0o555 if path.is_dir() else 0o444)
        if os.geteuid() == 0:
            os.seteuid(NOBODY)
            bench.undo.callback(os.seteuid, 0)
        else:
            for path in paths:
                bench.undo.callback(path.chmod, 0o755)

    bench.at("open", close)


def _replaced_while_open(bench: Bench) -> None:
    def replace() -> None:
        shutil.rmtree(bench.db)
        bench.write(fee=260)
        bench.sync()

    bench.at("asking", replace)


def _reindexed_after_search(bench: Bench) -> None:
    bench.at("found", lambda: _remake(bench))


def _changed_after_search(bench: Bench) -> None:
    def change() -> None:
        bench.write(fee=260)
        bench.sync()

    bench.at("found", change)


def _disk_full(bench: Bench) -> None:
    def fill() -> None:
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        bench.undo.callback(signal.signal, signal.SIGXFSZ, signal.signal(signal.SIGXFSZ, signal.SIG_IGN))
        bench.undo.callback(resource.setrlimit, resource.RLIMIT_FSIZE, limits)
        resource.setrlimit(resource.RLIMIT_FSIZE, (bench.transcript.stat().st_size + 300, limits[1]))

    bench.at("asking", fill)


def _remake(bench: Bench) -> None:
    reindex(bench.db, WordEncoder())


_WORDS = {"keyword": "ok", "vector": "error"}
_FUSED = {"keyword": "ok", "vector": "ok", "fused": "ok"}
_MEANING = {"keyword": "error", "vector": "ok"}
_NEITHER = {"keyword": "error", "vector": "error"}
_UNRANKED = {**_FUSED, "reranked": "error"}

FAULTS = (
    Fault("no encoder on this machine", _encoder_missing, "keyword", {**_WORDS, "vector": "skipped"}),
    Fault("loading the encoder raises", _encoder_load_fails, "keyword", _WORDS),
    Fault("loading the encoder hangs", _encoder_load_hangs, "keyword", {**_WORDS, "vector": "timeout"}),
    Fault("the encoder raises", _encoder_raises, "keyword", _WORDS),
    Fault("the encoder hangs", _encoder_hangs, "keyword", {**_WORDS, "vector": "timeout"}),
    Fault("the encoder gives NaN", _encoder_gives_no_numbers, "keyword", _WORDS),
    Fault("the vector search raises", _vector_leg_raises, "keyword", _WORDS),
    Fault("the keyword index is missing", _text_index_gone, "vector", _MEANING),
    Fault("the keyword index is corrupt", _text_index_corrupt, "vector", _MEANING),
    Fault("the keyword search hangs", _keyword_leg_hangs, "vector", {"keyword": "timeout", "vector": "ok"}),
    Fault(
        "the keyword index is missing and the encoder cannot be loaded",
        _both_legs_gone, None, _NEITHER, answers=False,
    ),
    Fault("the reranker raises", _reranker_raises, "fused", _UNRANKED),
    Fault("the reranker hangs", _reranker_hangs, "fused", {**_UNRANKED, "reranked": "timeout"}),
    Fault("the reranker gives NaN", _reranker_gives_nan, "fused", _UNRANKED),
    Fault("the reranker gives too few scores", _reranker_miscounts, "fused", _UNRANKED),
    Fault(
        "the index is deleted while it is open",
        _deleted_while_open, None, _NEITHER, answers=False,
    ),
    Fault("the index is deleted after the search", _deleted_after_search, "fused", _FUSED),
    Fault("the index is read-only", _read_only, "fused", _FUSED),
    Fault("the index is replaced while it is open", _replaced_while_open, "fused", _FUSED),
    Fault("the index is made anew after the search", _reindexed_after_search, "fused", _FUSED),
    Fault("the document changes after the search", _changed_after_search, "fused", _FUSED),
    Fault("the disk is full when the transcript is written", _disk_full, "fused", _FUSED),
)  # fmt: skip
