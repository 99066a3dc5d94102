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
        text = passage.text
        quotes = self.quotes.get(passage.handle, ())
        pieces: list[tuple[str, bool]] = []
        done = 0
        for start, end in _joined(place for quote in quotes for place in _places(text, quote)):
            pieces += [(text[done:start], False), (text[start:end], True)]
            done = end
        return [piece for piece in [*pieces, (text[done:], False)] if piece[0]]


def _joined(places: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Places that overlap or touch made one, in order."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(places):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _places(text: str, quote: str) -> list[tuple[int, int]]:
    """Where a quote stands, however its words are spaced."""
    words = quote.split()[:200]
    if not words:
        return []
    return [found.span() for found in re.finditer(r"\s+".join(map(re.escape, words)), text)]
