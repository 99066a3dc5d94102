"""Turns text into vectors with a sentence-transformers model, loaded when it is first needed.

Importing this module imports neither torch nor sentence_transformers.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from pincite.corpus.encoder_find import FoundEncoder, find_encoder
from pincite.corpus.encoder_load import bound_threads, load_model, one_thread, workers
from pincite.corpus.encoder_spec import (
    INSTALL_HINT,
    EncoderDamagedError,
    EncoderSpec,
    EncoderUnavailableError,
)
from pincite.corpus.pieces import clean

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
_BATCH_CPU = 8
_BATCH_OTHER = 64

_loading = threading.Lock()
_loaded: dict[tuple[str, EncoderSpec], Encoder] = {}


class Encoder:
    """A loaded encoder: unit-length float32 vectors.

    A question is always encoded alone, so the same question gives the same vector, bit for bit. A document's
    vector depends on its batch in the last bits only (about 1e-7). May be used from several threads.
    """

    def __init__(self, model: SentenceTransformer, found: FoundEncoder, *, threads: int) -> None:
        self.spec: EncoderSpec = found.spec
        self._model = model
        self._found = found
        on_processor = model.device.type == "cpu"
        self._batch = _BATCH_CPU if on_processor else _BATCH_OTHER
        self._workers = threads if on_processor else 1
        self._tokenizing = threading.Lock()

    def encode_query(self, text: str) -> np.ndarray:
        """The vector of one question, shape (dimension,)."""
        with one_thread():
            return self._encode([text], self.spec.query_prefix).reshape(-1)

    def encode_documents(
        self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
    ) -> np.ndarray:
        """The vectors of texts, shape (len(texts), dimension); `progress` gets how many are done.

        Batches go to as many workers as there are processors, each on one thread: workers that wait for
        nobody keep their speed on a busy machine, where threads that share one batch lose most of it.
        """
        vectors = np.empty((len(texts), self.spec.dimension), dtype=np.float32)
        batches = self._batches(texts)

        def encode(batch: list[int]) -> int:
            vectors[batch] = self._encode([texts[at] for at in batch], self.spec.document_prefix)
            return len(batch)

        with one_thread(), workers(min(self._workers, len(batches))) as run:
            for done in accumulate(run(encode, batches)):
                if progress is not None:
                    progress(done)
        return vectors

    def count(self, text: str) -> int:
        """The word pieces of a text in this encoder's tokenizer, with the special ones around it."""
        return self._found.count(text)

    def count_many(self, texts: Sequence[str]) -> list[int]:
        """The word pieces of each text, with the special ones around it."""
        return self._found.count_many(texts)

    def _batches(self, texts: Sequence[str]) -> list[list[int]]:
        """Places of texts of about the same length, so that little is spent on padding."""
        batches = []
        for start in range(0, len(texts), _BLOCK):
            counts = self.count_many(texts[start : start + _BLOCK])
            order = sorted(range(len(counts)), key=lambda at: (-counts[at], at))
            for first in range(0, len(order), self._batch):
                batches.append([start + at for at in order[first : first + self._batch]])
        return batches

    def _encode(self, texts: list[str], prefix: str) -> np.ndarray:
        import torch
        from sentence_transformers.util import batch_to_device

        # The tokenizer is changed when padding is set, which must not happen while another thread uses it.
        with self._tokenizing:
            features = self._model.preprocess([clean(text) for text in texts], prompt=prefix or None)
        with torch.inference_mode():
            vectors = self._model(batch_to_device(features, self._model.device))["sentence_embedding"]
            unit = torch.nn.functional.normalize(vectors.float(), p=2, dim=1)
        return np.asarray(unit.cpu().numpy(), dtype=np.float32)


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
        encoder = Encoder(load_model(found), found, threads=bound_threads())
        _loaded[str(found.folder), found.spec] = encoder
        return encoder
