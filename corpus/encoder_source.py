"""The encoder of one sync: loaded when something has to be cut or embedded, and not before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from pincite.corpus.chunking import Tokenizer
from pincite.corpus.embed import DocumentEncoder
from pincite.corpus.encoder_spec import EncoderSpec, EncoderUnavailableError, require_same_encoder


class SyncEncoder(DocumentEncoder, Tokenizer, Protocol):
    """What a sync needs of an encoder: counting and embedding."""


FindTokenizer = Callable[[], Tokenizer | None]
LoadEncoder = Callable[[], SyncEncoder]


class EncoderSource:
    """Gives the encoder and its tokenizer, or None where there is none; `missing` then says why."""

    def __init__(
        self,
        encoder: SyncEncoder | LoadEncoder | None,
        tokenizer: FindTokenizer | None,
        indexed: EncoderSpec | None,
    ) -> None:
        self._indexed = indexed
        self._load = encoder if callable(encoder) else None
        self._find = tokenizer
        self._encoder: SyncEncoder | None = None
        self._tokenizer: Tokenizer | None = None
        self.missing: EncoderUnavailableError | None = None
        if encoder is not None and not callable(encoder):
            require_same_encoder(indexed, encoder.spec)
            self._encoder = encoder

    @property
    def embeds(self) -> bool:
        """Whether chunks are to get vectors."""
        return self._encoder is not None or self._load is not None

    def spec(self) -> EncoderSpec | None:
        """The encoder for which chunks have to fit; None for none at all."""
        if self._indexed is not None or not self.embeds:
            return self._indexed
        tokenizer = self.tokenizer()
        return tokenizer.spec if tokenizer is not None else None

    def tokenizer(self) -> Tokenizer | None:
        """The encoder's tokenizer, without loading the encoder where that can be helped.

        Raises EncoderMismatchError when chunks are to get vectors and the index was made with another one.
        """
        if self._encoder is not None:
            return self._encoder
        if self._find is not None:
            self._tokenizer, self._find = self._found(self._find), None
        return self._tokenizer or self.encoder()

    def encoder(self) -> SyncEncoder | None:
        """The encoder. Raises EncoderMismatchError when the index was made with another one."""
        if self._load is not None:
            load, self._load = self._load, None
            try:
                encoder = load()
            except EncoderUnavailableError as error:
                self.missing = error
            else:
                require_same_encoder(self._indexed, encoder.spec)
                self._encoder = encoder
        return self._encoder

    def _found(self, find: FindTokenizer) -> Tokenizer | None:
        try:
            tokenizer = find()
            spec = tokenizer.spec if tokenizer is not None else None
        except EncoderUnavailableError:
            return None
        if spec is not None and self.embeds:
            require_same_encoder(self._indexed, spec)
        elif spec is not None and self._indexed is not None and spec.tokenizer != self._indexed.tokenizer:
            return None
        return tokenizer
