"""Notices a server that silently cuts prompts: it reports far fewer prompt tokens than it was sent."""

from __future__ import annotations

from collections.abc import Iterable

# Smaller reports are servers that count nothing, or only what their cache did not hold.
_LEAST_REPORT = 256
# No tokenizer in use makes fewer tokens than this of plain text.
_PER_ASCII, _PER_OTHER = 1 / 7.5, 0.4
# A prompt that grew by this much while the report did not is cut, if the report is also low in itself.
_GROWTH, _STANDSTILL, _LOW = 1.15, 1.02, 0.85


def least_tokens(texts: Iterable[str]) -> int:
    """Fewer tokens than this no server can have read of these texts."""
    ascii_signs = other_signs = 0
    for text in texts:
        plain = len(text.encode("ascii", "ignore"))
        ascii_signs += plain
        other_signs += len(text) - plain
    return int(ascii_signs * _PER_ASCII + other_signs * _PER_OTHER)


class PromptWatch:
    """Compares what each request held with what the server says it read."""

    def __init__(self) -> None:
        self.limit: int | None = None
        self._sent = self._reported = 0

    def observe(self, sent: int, least: int, reported: int) -> int | None:
        """The number of tokens that the server seems to read at most, when that is news; else None.

        `sent` is our count, `least` what any tokenizer would count at least. A prompt is cut when the
        report is below `least`, or stands still although the prompt grew.
        """
        if reported < _LEAST_REPORT:
            return None
        grew = self._reported and sent >= _GROWTH * self._sent and reported <= _STANDSTILL * self._reported
        cut = reported < least or (grew and reported < _LOW * sent)
        self._sent, self._reported = sent, reported
        if not cut or (self.limit is not None and reported >= self.limit):
            return None
        self.limit = reported
        return reported
