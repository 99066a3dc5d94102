"""Takes out of live results what was taken out of the recorded ones, so that only real changes differ.

What a recording redacts must not be told by its replay either, whether or not the settings of then are those
of today: a secret is known by the settings, by its form, or by the words that stood around its mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from pincite.tools.passage import Passage
from pincite.transcripts.envelope import Json, written_as
from pincite.transcripts.redact import MARK, Redactor
from pincite.transcripts.tape import Tape
from pincite.transcripts.views import items, text

# Characters on each side of a mark by which its place is found again, how many there must be at least, and
# how long a secret can be.
_AROUND, _LEAST_AROUND, _LONGEST = 40, 12, 4000
_MOST_PLACES = 2000
_RESULT = written_as("result")


class Mask:
    """The live side as it would have been recorded. `redact` are the patterns of the settings."""

    def __init__(self, tape: Tape, redact: Iterable[str] = ()) -> None:
        shown = list(_shown(tape))
        recorded = "\n".join(shown)
        # What the recording holds in the clear, because its settings were others, is no secret of it.
        self._redactor = Redactor(patterns=redact, spared=lambda found: found in recorded)
        self._recorded = recorded
        places = dict.fromkeys(place for words in shown if MARK in words for place in _places(words))
        self._places = [re.compile(place) for place in list(places)[:_MOST_PLACES]]

    def text(self, words: str) -> str:
        """The words without what was taken out of the recording."""
        return self._redactor.text(self._without_places(words))[0]

    def passage(self, passage: Passage) -> Passage:
        """The passage, its text so."""
        words = self.text(passage.text)
        return passage if words == passage.text else passage.model_copy(update={"text": words})

    def value(self, value: Json) -> Json:
        """A result or an answer so; the names in it stay, as they do on writing."""
        found: Json = self._redactor.event({_RESULT: self._placed(value)})[0][_RESULT]
        return found

    def _placed(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._without_places(value)
        if isinstance(value, dict):
            return {key: self._placed(item) for key, item in value.items()}
        return [self._placed(item) for item in value] if isinstance(value, list | tuple) else value

    def _without_places(self, words: str) -> str:
        for place in self._places:
            words = place.sub(self._taken, words)
        return words

    def _taken(self, match: re.Match[str]) -> str:
        whole, start = match.group(), match.start()
        begin, end = match.span(1)
        secret = match.group(1)
        if secret != MARK and secret not in self._recorded:
            self._redactor.learn(secret)
        return f"{whole[: begin - start]}{MARK}{whole[end - start :]}"


def _shown(tape: Tape) -> Iterator[str]:
    """The texts of recorded results and of their passages."""
    for call in tape.lookups():
        result: Json = call.result.result if call.result else {}
        yield text(result, "text")
        yield from (text(passage, "text") for passage in items(result, "passages"))


def _places(words: str) -> Iterator[str]:
    """For each mark a regular expression that finds what stands there in the live text, as its group 1."""
    at = words.find(MARK)
    while at >= 0:
        behind = at + len(MARK)
        before = words[max(0, at - _AROUND) : at].rpartition(MARK)[2].rpartition("⟧")[2]
        after = words[behind : behind + _AROUND].partition(MARK)[0].partition("⟦")[0]
        first = r"\A" if at <= _AROUND and words[:at] == before else ""
        last = r"\Z" if words[behind:] == after else ""
        known = len(before) + len(after)
        if known >= _LEAST_AROUND or (known and first and last):
            yield f"{first}{re.escape(before)}([\\s\\S]{{1,{_LONGEST}}}?){re.escape(after)}{last}"
        at = words.find(MARK, behind)
