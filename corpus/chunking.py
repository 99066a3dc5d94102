"""How documents are cut for an encoder, and which ways of cutting still hold for it."""

from __future__ import annotations

from typing import Protocol

from pincite.corpus.chunk import ChunkBudget
from pincite.corpus.encoder_spec import EncoderSpec


class Tokenizer(Protocol):
    """What cutting needs of an encoder: its length, and what a text costs of it."""

    @property
    def spec(self) -> EncoderSpec:
        """Length in word pieces, tokenizer, prefixes."""

    def count(self, text: str) -> int:
        """Word pieces, with the special ones around the text."""


def budget_for(tokenizer: Tokenizer | None) -> ChunkBudget:
    """The budget within which label and text always fit the encoder; without one, by estimate."""
    if tokenizer is None:
        return ChunkBudget()
    specials = tokenizer.count("")
    prefixed = tokenizer.count(tokenizer.spec.document_prefix)
    return ChunkBudget(
        limit=tokenizer.spec.max_length - prefixed, count=lambda text: tokenizer.count(text) - specials
    )


def chunking_of(spec: EncoderSpec | None) -> str:
    """A name for the way of cutting, equal where the chunks would be."""
    default = ChunkBudget()
    way = f"{default.target}/{default.overlap}"
    if spec is None:
        return f"{way}/estimate/{default.limit}"
    return f"{way}/{spec.tokenizer}/{spec.max_length}/{spec.document_prefix}"


def holds(chunking: str | None, spec: EncoderSpec | None) -> bool:
    """Whether chunks cut in this way fit the encoder; for searching by keyword alone every way will do.

    Chunks by estimate fit where the estimate's limit leaves room for a prefix, which has at most as many
    pieces as characters, and for two special pieces.
    """
    if spec is None or chunking == chunking_of(spec):
        return True
    room = spec.max_length - len(spec.document_prefix) - 2
    return chunking == chunking_of(None) and room >= ChunkBudget().limit
