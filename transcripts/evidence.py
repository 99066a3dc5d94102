"""What answers cited, and where the quoted words stand in a passage."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from pincite.transcripts import views
from pincite.transcripts.events import AnswerEvent, Event
from pincite.transcripts.views import PassageView


@dataclass(slots=True)
class Evidence:
    """What answers cited: the quotes by handle."""

    quotes: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, events: Iterable[Event]) -> Evidence:
        """The citations of all answers."""
        found = cls()
        for event in events:
            if isinstance(event, AnswerEvent):
                for citation in views.citations(event.answer):
                    quotes = found.quotes.setdefault(citation.handle, [])
                    if citation.quote not in quotes:
                        quotes.append(citation.quote)
        return found

    def parts(self, passage: PassageView) -> list[tuple[str, bool]]:
        """The passage's text in pieces, with whether an answer quoted them."""
        marked = [False] * len(passage.text)
        for quote in self.quotes.get(passage.handle, ()):
            for start, end in _places(passage.text, quote):
                marked[start:end] = [True] * (end - start)
        pieces: list[tuple[str, bool]] = []
        start = 0
        for at in range(1, len(marked) + 1):
            if at == len(marked) or marked[at] != marked[start]:
                pieces.append((passage.text[start:at], marked[start]))
                start = at
        return pieces


def _places(text: str, quote: str) -> list[tuple[int, int]]:
    """Where a quote stands, however its words are spaced."""
    words = quote.split()[:200]
    if not words:
        return []
    return [found.span() for found in re.finditer(r"\s+".join(map(re.escape, words)), text)]
