"""How documents are cut for an encoder, and which ways of cutting an index may mix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from pincite.corpus.chunk import ChunkBudget
from pincite.corpus.encoder import EncoderSpec


class PieceCounter(Protocol):
    """What cutting needs of an encoder: its length, and what a text costs of it."""

    @property
    def spec(self) -> EncoderSpec:
        """Length in word pieces, tokenizer, prefixes."""

    def count(self, text: str) -> int:
        """Word pieces, with the special ones around the text."""


def budget_for(encoder: PieceCounter | None) -> ChunkBudget:
    """The budget within which label and text always fit the encoder; without one, by estimate."""
    if encoder is None:
        return ChunkBudget()
    specials = encoder.count("")
    prefix = encoder.count(encoder.spec.document_prefix) - specials

    def count(text: str) -> int:
        return encoder.count(text) - specials

    def count_many(texts: Sequence[str]) -> list[int]:
        return [count(text) for text in texts]

    return ChunkBudget(limit=encoder.spec.max_length - specials - prefix, count=count, count_many=count_many)


def chunking_of(spec: EncoderSpec | None) -> str:
    """A name for the way of cutting, equal where the chunks would be."""
    default = ChunkBudget()
    way = f"{default.target}/{default.overlap}"
    if spec is None:
        return f"{way}/estimate/{default.limit}"
    return f"{way}/{spec.tokenizer}/{spec.max_length}/{spec.document_prefix}"


def chunkings_that_hold(spec: EncoderSpec | None) -> frozenset[str]:
    """The ways of cutting whose chunks fit this encoder: its own, and the estimate where it is no longer."""
    estimated = chunking_of(None)
    if spec is None:
        return frozenset({estimated})
    own = chunking_of(spec)
    # a prefix has at most as many pieces as characters, and a text two special ones around it
    room = spec.max_length - len(spec.document_prefix) - 2
    return frozenset({own, estimated}) if room >= ChunkBudget().limit else frozenset({own})
