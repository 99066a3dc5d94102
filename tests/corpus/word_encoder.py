"""An encoder for tests that is quick and always the same: hashed words, no model."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Sequence

import numpy as np

from pincite.corpus.encoder_spec import EncoderSpec


class WordEncoder:
    """Each word adds to one of `dimension` numbers; `delay` seconds a text make it as slow as is wanted.

    `length` is how many word pieces it takes.
    """

    def __init__(
        self, name: str = "words", *, dimension: int = 32, delay: float = 0.0, length: int = 256
    ) -> None:
        self.spec = EncoderSpec(
            name=name,
            digest=name,
            dimension=dimension,
            query_prefix="",
            document_prefix="",
            max_length=length,
            tokenizer="words",
        )
        self.encoded: list[str] = []
        self._delay = delay

    def count(self, text: str) -> int:
        return 2 + len(re.findall(r"\w+|[^\w\s]", text))

    def count_many(self, texts: Sequence[str]) -> list[int]:
        return [self.count(text) for text in texts]

    def encode_query(self, text: str) -> np.ndarray:
        return self._vector(text)

    def encode_documents(
        self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
    ) -> np.ndarray:
        rows = []
        for text in texts:
            rows.append(self._vector(text))
            self.encoded.append(text)
            if self._delay:
                time.sleep(self._delay)
            if progress is not None:
                progress(len(rows))
        return np.stack(rows)

    def _vector(self, text: str) -> np.ndarray:
        numbers = np.zeros(self.spec.dimension, dtype=np.float32)
        for word in re.findall(r"\w+", text.casefold()) or ["nothing"]:
            digest = hashlib.blake2b(word.encode(), digest_size=4).digest()
            numbers[digest[0] % self.spec.dimension] += 1 + digest[1] / 256
        return numbers / np.linalg.norm(numbers)
