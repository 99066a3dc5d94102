"""An encoder that a person named is used, or its absence is an error: nobody is left with words only."""

from __future__ import annotations

from pincite.corpus.encoder import find_encoder
from pincite.corpus.encoder_spec import require_same_encoder
from pincite.corpus.index import Index
from pincite.errors import NothingUsableError, PinciteError

_HINT = "name a folder or a model on the hub, or leave the encoder out"


def require_named_encoder(named: str | None, index: Index) -> None:
    """Raises NothingUsableError when `named` cannot be found, EncoderMismatchError when it does not fit."""
    if named is None:
        return
    try:
        found = find_encoder(named)
        if found is not None and found.folder is None:
            found = found.fetched()
    except PinciteError as error:
        raise _missing(named, error.message) from error
    if found is None:
        raise _missing(named, "it is not on this machine, and the hub may not be asked")
    if index.info.encoder is not None:
        require_same_encoder(index.info.encoder, found.spec)


def _missing(named: str, why: str) -> NothingUsableError:
    return NothingUsableError(
        f"the encoder {named[:200]!r} cannot be found: {why}", code="encoder_unavailable", hint=_HINT
    )
