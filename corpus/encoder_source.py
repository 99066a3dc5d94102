"""The encoder of one sync: loaded when something has to be cut or embedded, and not before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from pincite.corpus.chunking import PieceCounter
from pincite.corpus.embed import DocumentEncoder, require_same_encoder
from pincite.corpus.encoder import EncoderSpec, EncoderUnavailableError


class SyncEncoder(DocumentEncoder, PieceCounter, Protocol):
    """What a sync needs of an encoder: counting and embedding."""


class EncoderSource:
    """Gives the encoder, or None where there is none; `missing` then says why."""

    def __init__(
        self, given: SyncEncoder | Callable[[], SyncEncoder] | None, indexed: EncoderSpec | None
    ) -> None:
        self._given = given
        self._indexed = indexed
        self._encoder: SyncEncoder | None = None
        self.missing: EncoderUnavailableError | None = None
        if given is not None and not callable(given):
            self._accept(given)

    @property
    def spec(self) -> EncoderSpec | None:
        """The encoder's facts as far as they are known without loading it."""
        return self._encoder.spec if self._encoder is not None else self._indexed

    def get(self) -> SyncEncoder | None:
        """The encoder. Raises EncoderMismatchError when the index was made with another one."""
        if self._encoder is None and callable(self._given) and self.missing is None:
            try:
                self._accept(self._given())
            except EncoderUnavailableError as error:
                self.missing = error
        return self._encoder

    def _accept(self, encoder: SyncEncoder) -> None:
        require_same_encoder(self._indexed, encoder.spec)
        self._encoder = encoder
