"""Putting a tool's result together: which passages are sent, which are named, and what the text says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pincite.tools.context import Context
from pincite.tools.duplicates import repeats, where
from pincite.tools.failures import ToolFailedError
from pincite.tools.passage import Passage
from pincite.tools.render import escape, header, render_block
from pincite.tools.spans import tokens_of

# So many passages are put in another order than that of their rank.
MANY = 8
# What a delimiter costs beside its header, with its nonce.
_DELIMITER = 16
# What delimiters and lines around them may take beside the passages' own tokens.
_AROUND = 400


@dataclass(frozen=True, slots=True)
class Shown:
    """Passages as the ledger knows them: those sent with this call, and the handles only named."""

    passages: tuple[Passage, ...]
    named: tuple[str, ...]


class Showing:
    """Collects candidates within the call's tokens; only `commit` changes the ledger."""

    def __init__(self, context: Context) -> None:
        self._ledger = context.ledger
        self._patience = context.patience
        self._planned: list[Passage] = []
        self._ranks: list[int] = []
        self._named: dict[str, None] = {}
        self._room = context.limits.call_tokens
        self._around = _AROUND

    def __len__(self) -> int:
        return len(self._planned) + len(self._named)

    @property
    def room(self) -> int:
        """How many tokens of text there is room for under delimiters of no length."""
        return self._room

    def add(self, candidate: Passage, rank: int = 0) -> bool:
        """Take a candidate in; False when there is no room for it in this call.

        Shown are those of a lower rank first, and of the same rank in the order in which they came.
        """
        if self._ledger.barred(candidate):
            return True
        handle = self._ledger.named(candidate)
        if handle is not None:
            self._named[handle] = None
            return True
        if any(_inside(candidate, other) for other in self._planned) or self._repeated(candidate):
            return True
        cost = tokens_of(escape(candidate.text))
        if cost > self.room_for(candidate) and self._planned:
            return False
        self._room -= cost
        self._around -= _overhead(candidate)
        self._planned.append(candidate)
        self._ranks.append(rank)
        return True

    def _repeated(self, candidate: Passage) -> bool:
        """Whether the candidate's words are shown from another document; then its place is named there."""
        place = where(candidate)
        if any(place in self._ledger.passages[handle].also_in for handle in self._named):
            return True
        for at, other in enumerate(self._planned):
            if repeats(candidate, other):
                if place not in other.also_in:
                    named = other.model_copy(update={"also_in": (*other.also_in, place)})
                    self._around -= _overhead(named) - _overhead(other)
                    self._planned[at] = named
                return True
        return False

    def room_for(self, candidate: Passage) -> int:
        """How many tokens of text there is room for under the candidate's delimiter."""
        return min(self._room, self._room + self._around - _overhead(candidate))

    def commit(self) -> Shown:
        """Give the planned passages their handles. ToolFailedError once nobody waits for them any more."""
        if self._patience.over:
            raise ToolFailedError("timeout", "The time for this call is over.")
        order = sorted(range(len(self._planned)), key=lambda at: self._ranks[at])
        results = [self._ledger.show(self._planned[at]) for at in order]
        shown = [result for result in results if result is not None]
        sent = [result.passage for result in shown if result.sent]
        return Shown(tuple(ends_first(sent) if len(sent) >= MANY else sent), tuple(self._named))


def ends_first(passages: Sequence[Passage]) -> list[Passage]:
    """The best in front and at the end, the worst in the middle; handles go by rank as always.

    Models overlook what stands in the middle of much text: Liu et al., "Lost in the Middle", TACL 2024.
    """
    return [*passages[::2], *reversed(passages[1::2])]


def result_text(
    context: Context, first: str, shown: Shown, *, names: Sequence[str] = (), last: Sequence[str] = ()
) -> str:
    """The text of a result: what happened, the data region, what was shown above, how to go on.

    `names` are lines of document names that stand inside the region, before the passages.
    """
    named = " ".join(f"{handle} was shown above." for handle in shown.named)
    lines = [first, named]
    if shown.passages or names:
        heads = (header(passage) for passage in shown.passages)
        texts = (passage.text for passage in shown.passages)
        nonce = context.nonces.next((*names, *heads, *texts))
        lines.append(render_block(shown.passages, nonce, names))
    return "\n".join(line for line in [*lines, *last] if line)


def counted(number: int, thing: str) -> str:
    """ "1 passage", "2 passages"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _overhead(candidate: Passage) -> int:
    """What the candidate's delimiter costs, in estimated tokens."""
    return tokens_of(header(candidate)) + _DELIMITER


def _inside(candidate: Passage, other: Passage) -> bool:
    same = (candidate.document, candidate.version, candidate.section) == (
        other.document,
        other.version,
        other.section,
    )
    return same and other.start <= candidate.start and candidate.end <= other.end
