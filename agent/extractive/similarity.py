"""How alike a question and sentences are for an encoder; each text is encoded once."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from pincite.errors import PinciteError
from pincite.tools.legs import Workers, describe

if TYPE_CHECKING:
    import numpy as np

log = logging.getLogger(__name__)

_KEPT = 4_096
_MOST_CHARS = 1_200


class ComparingError(PinciteError):
    """The encoder gives no similarities: it is not there, fails, hangs, or gives no numbers."""

    default_code = "encoder_failed"


class SentenceEncoder(Protocol):
    """What comparing needs of an encoder: unit vectors, float32."""

    def encode_query(self, text: str) -> np.ndarray:
        """Shape (dimension,)."""
        ...

    def encode_documents(self, texts: Sequence[str]) -> np.ndarray:
        """Shape (len(texts), dimension)."""
        ...


class Similarities:
    """Cosine similarities. Encoded texts are kept only to save time: they give the same numbers anyway."""

    def __init__(self, encoder: SentenceEncoder) -> None:
        self._encoder = encoder
        self._questions: dict[str, np.ndarray] = {}
        self._sentences: dict[str, np.ndarray] = {}

    def __call__(self, question: str, texts: Sequence[str]) -> list[float]:
        """The cosine of each text with the question."""
        question, texts = question[:_MOST_CHARS], [_plain(text) for text in texts]
        if question not in self._questions:
            _make_room(self._questions)
            self._questions[question] = self._encoder.encode_query(question)
        _make_room(self._sentences)
        missing = [text for text in dict.fromkeys(texts) if text not in self._sentences]
        if missing:
            vectors = self._encoder.encode_documents(missing)
            self._sentences.update(zip(missing, vectors, strict=True))
        asked = self._questions[question]
        return [float(self._sentences[text] @ asked) for text in texts]


class BoundedSimilarities:
    """Similarities by an encoder that `load` gives at the first comparison.

    No comparison takes longer than `seconds`; whatever goes wrong is a ComparingError.
    """

    def __init__(self, load: Callable[[], SentenceEncoder]) -> None:
        self.seconds = 60.0
        self._load = load
        self._similarities: Similarities | None = None
        self._workers = Workers("comparing")

    def __call__(self, question: str, texts: Sequence[str]) -> list[float]:
        """The cosine of each text with the question."""
        try:
            cosines = self._workers.start(lambda: self._compare(question, texts)).wait(self.seconds)
        except TimeoutError as error:
            raise ComparingError("the encoder does not answer") from error
        except PinciteError as error:
            raise ComparingError(error.message, code=error.code) from error
        except Exception as error:
            log.warning("sentences could not be compared", exc_info=True)
            raise ComparingError(f"the encoder failed ({describe(error)})") from error
        if not all(map(math.isfinite, cosines)):
            raise ComparingError("the encoder gave no finite numbers")
        return cosines

    def _compare(self, question: str, texts: Sequence[str]) -> list[float]:
        if self._similarities is None:
            self._similarities = Similarities(self._load())
        return self._similarities(question, texts)


def _plain(text: str) -> str:
    return " ".join(text.split())[:_MOST_CHARS]


def _make_room(kept: dict[str, np.ndarray]) -> None:
    """Forget the older half once there are many."""
    if len(kept) >= _KEPT:
        for key in list(kept)[: _KEPT // 2]:
            del kept[key]
