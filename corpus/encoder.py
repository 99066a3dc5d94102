"""Turns text into vectors with a sentence-transformers model, loaded when it is first needed.

Importing this module imports neither torch nor sentence_transformers.
"""

from __future__ import annotations

import logging
import os
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from pincite.corpus.encoder_find import FoundEncoder, find_encoder
from pincite.corpus.encoder_spec import (
    INSTALL_HINT,
    EncoderDamagedError,
    EncoderSpec,
    EncoderUnavailableError,
)
from pincite.corpus.pieces import clean
from pincite.errors import UsageError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

__all__ = [
    "Encoder",
    "EncoderDamagedError",
    "EncoderSpec",
    "EncoderUnavailableError",
    "FoundEncoder",
    "find_encoder",
    "load_encoder",
]

# Texts are sorted by length within a block, and blocks stay small enough to report progress often.
_BLOCK = 2_048
# On a processor larger batches no longer fit its caches and get slower.
_BATCH_CPU = 16
_BATCH_OTHER = 64

_loading = threading.Lock()
_loaded: dict[tuple[str, EncoderSpec], Encoder] = {}


class Encoder:
    """A loaded encoder: unit-length float32 vectors.

    A question is always encoded alone, so the same question gives the same vector, bit for bit. A document's
    vector depends on its batch in the last bits only (about 1e-7). May be used from several threads.
    """

    def __init__(self, model: SentenceTransformer, found: FoundEncoder) -> None:
        self.spec: EncoderSpec = found.spec
        self._model = model
        self._found = found
        self._lock = threading.Lock()
        self._batch = _BATCH_CPU if model.device.type == "cpu" else _BATCH_OTHER

    def encode_query(self, text: str) -> np.ndarray:
        """The vector of one question, shape (dimension,)."""
        return self._encode([text], self.spec.query_prefix).reshape(-1)

    def encode_documents(
        self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
    ) -> np.ndarray:
        """The vectors of texts, shape (len(texts), dimension); `progress` gets how many are done.

        Questions from other threads get in between two batches.
        """
        vectors = np.empty((len(texts), self.spec.dimension), dtype=np.float32)
        done = 0
        for batch in self._batches(texts):
            vectors[batch] = self._encode([texts[at] for at in batch], self.spec.document_prefix)
            done += len(batch)
            if progress is not None:
                progress(done)
        return vectors

    def count(self, text: str) -> int:
        """The word pieces of a text in this encoder's tokenizer, with the special ones around it."""
        return self._found.count(text)

    def count_many(self, texts: Sequence[str]) -> list[int]:
        """The word pieces of each text, with the special ones around it."""
        return self._found.count_many(texts)

    def _batches(self, texts: Sequence[str]) -> Iterator[list[int]]:
        """Places of texts of about the same length, so that little is spent on padding."""
        for start in range(0, len(texts), _BLOCK):
            counts = self.count_many(texts[start : start + _BLOCK])
            order = sorted(range(len(counts)), key=lambda at: (-counts[at], at))
            for first in range(0, len(order), self._batch):
                yield [start + at for at in order[first : first + self._batch]]

    def _encode(self, texts: list[str], prefix: str) -> np.ndarray:
        with self._lock:
            vectors = self._model.encode(
                [clean(text) for text in texts],
                prompt=prefix or None,
                batch_size=len(texts),
                normalize_embeddings=True,
                show_progress_bar=False,
            )
        return np.asarray(vectors, dtype=np.float32)


def load_encoder(setting: str | None = None, *, progress: Callable[[str], None] | None = None) -> Encoder:
    """The encoder that `find_encoder(setting)` names, loaded once in a process.

    `progress` gets one line before the seconds that loading takes. Raises EncoderUnavailableError when there
    is none, EncoderDamagedError when its files are not what they should be.
    """
    found = find_encoder(setting)
    if found is None:
        raise EncoderUnavailableError("there is no encoder on this machine", hint=INSTALL_HINT)
    with _loading:
        key = (str(found.folder), found.spec) if found.folder is not None else None
        if key in _loaded:
            return _loaded[key]
        if progress is not None:
            what = "loading" if found.folder is not None else "downloading and loading"
            progress(f"{what} the encoder {found.name}")
        found = found.fetched()
        encoder = Encoder(_load(found), found)
        _loaded[str(found.folder), found.spec] = encoder
        return encoder


def _load(found: FoundEncoder) -> SentenceTransformer:
    """The model, from safetensors only and without code of its own."""
    spec, threads = found.spec, _thread_limit()  # what can fail at once, before seconds of importing
    with _quiet():
        try:
            import sentence_transformers
        except ImportError as error:
            raise EncoderUnavailableError(
                f"sentence-transformers cannot be imported: {error}", hint="pip install sentence-transformers"
            ) from error
        _bound_threads(threads)
        with _silent_transformers():
            try:
                model = sentence_transformers.SentenceTransformer(
                    str(found.folder),
                    prompts={"query": "", "document": ""},
                    trust_remote_code=False,
                    local_files_only=True,
                    model_kwargs={"use_safetensors": True, "dtype": "float32"},
                )
            except Exception as error:  # whatever a damaged or foreign folder makes of three libraries
                raise EncoderDamagedError(
                    f"the encoder in {found.folder} cannot be loaded: {error}", hint="choose another encoder"
                ) from error
    dimension, length = model.get_embedding_dimension(), model.max_seq_length
    if (dimension, length) != (spec.dimension, spec.max_length):
        raise EncoderDamagedError(
            f"the encoder in {found.folder} gives {dimension} numbers for {length} pieces, "
            f"its files say {spec.dimension} and {spec.max_length}"
        )
    return model


def _thread_limit() -> int:
    """The processors this process may use, at most PINCITE_THREADS. Raises UsageError for a bad number."""
    asked = os.environ.get("PINCITE_THREADS")
    if asked and not (asked.isdecimal() and int(asked) > 0):
        raise UsageError(f"PINCITE_THREADS is {asked!r}", hint="set it to a number from 1 on")
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, int(asked)) if asked else usable


def _bound_threads(limit: int) -> None:
    """Torch gets `limit` threads, numpy's pool one: two pools that fill the machine slow each other."""
    import torch
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    torch.set_num_threads(min(torch.get_num_threads(), limit))
    threadpool_limits(limits=1, user_api="blas")


@contextmanager
def _quiet() -> Iterator[None]:
    """No warnings from the libraries that are imported and called meanwhile."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@contextmanager
def _silent_transformers() -> Iterator[None]:
    """No log lines and progress bars of transformers and sentence-transformers meanwhile."""
    from transformers.utils import logging as chatter

    level, bars = chatter.get_verbosity(), chatter.is_progress_bar_enabled()
    own: Any = logging.getLogger("sentence_transformers")
    own_level = own.level
    chatter.set_verbosity_error()
    chatter.disable_progress_bar()
    own.setLevel(logging.ERROR)
    try:
        yield
    finally:
        chatter.set_verbosity(level)
        own.setLevel(own_level)
        if bars:
            chatter.enable_progress_bar()
