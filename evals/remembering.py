"""An encoder for measurements: each query is encoded once, and timed."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from pincite.tools.sources import QueryEncoder

if TYPE_CHECKING:
    import numpy as np


class Remembering:
    """An encoder that encodes each query once, and knows how long that took."""

    def __init__(self, encoder: QueryEncoder) -> None:
        self._encoder = encoder
        self.spec = encoder.spec
        self._vectors: dict[str, np.ndarray] = {}
        self.ms: list[float] = []

    def encode_query(self, text: str) -> np.ndarray:
        """The vector, as the encoder gives it; `ms` gets the time of one that is new."""
        if text not in self._vectors:
            started = time.perf_counter()
            self._vectors[text] = self._encoder.encode_query(text)
            self.ms.append(1000 * (time.perf_counter() - started))
        return self._vectors[text]
