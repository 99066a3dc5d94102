"""Word pieces: what an encoder's limit is counted in, with its own tokenizer file or by a safe estimate.

`tokenizers` reads the file alone; neither torch nor transformers is imported here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import lru_cache
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_BATCH = 512


class PieceCounter:
    """Counts word pieces with an encoder's tokenizer, never truncating.

    `specials` is how many pieces the tokenizer adds around each text; the counts leave them out.
    """

    def __init__(self, tokenizer: Tokenizer, *, lower_case: bool = False) -> None:
        # Counting is fast enough on one thread, and the pool would compete with the encoder's.
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        self._lower_case = lower_case
        self.specials: int = tokenizer.num_special_tokens_to_add(False)

    @classmethod
    def from_file(cls, file: Path, *, lower_case: bool = False) -> PieceCounter:
        """Read a `tokenizer.json`. Raises OSError or ValueError when it cannot be used."""
        from tokenizers import Tokenizer

        content = file.read_text(encoding="utf-8")
        try:
            return cls(Tokenizer.from_str(content), lower_case=lower_case)
        except Exception as error:  # tokenizers raises nothing narrower
            raise ValueError(f"{file} is not a tokenizer file: {error}") from error

    def count(self, text: str) -> int:
        """Word pieces of one text, without the special ones around it."""
        return self.count_many([text])[0]

    def count_many(self, texts: Sequence[str]) -> list[int]:
        """Word pieces of each text, without the special ones around it."""
        counts: list[int] = []
        for start in range(0, len(texts), _BATCH):
            batch = [clean(text) for text in texts[start : start + _BATCH]]
            if self._lower_case:
                batch = [text.lower() for text in batch]
            encodings = self._tokenizer.encode_batch_fast(batch, add_special_tokens=False)
            counts.extend(len(encoding) for encoding in encodings)
        return counts


def clean(text: str) -> str:
    """`text` as the encoder gets it: half a surrogate pair cannot be encoded."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


_PART = re.compile(r"[^\W_]+|\S")


def estimate_word_pieces(text: str) -> int:
    """At least as many word pieces as BERT's English tokenizer makes of ordinary text, without it.

    Deliberately high (by half for English): a chunk cut by it must still fit an
    encoder that comes later.
    """
    return ceil(sum(map(_part, _PART.findall(text))))


@lru_cache(maxsize=1 << 15)
def _part(part: str) -> float:
    """Word pieces of a run of letters and digits, or of one other sign."""
    n = len(part)
    if part.isascii() and part.isalpha():
        return max(1.0, (0.6 if part.isupper() else 0.4) * n)
    if part.isdecimal():
        return max(1.0, 0.65 * n)
    # Hangul syllables come apart into up to three letters each; ASCII in mixed runs into one or two.
    if part != "_" and part[0].isalnum():
        return 0.4 + sum(3.0 if "\uac00" <= c <= "\ud7a3" else 0.8 if c < "\x80" else 1.0 for c in part)
    return 1.0
