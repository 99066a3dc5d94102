"""Choosing among all passages at once, where no search has chosen before."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.agent.extractive.choosing import judge
from pincite.agent.extractive.question import Asked
from pincite.tools.passage import Passage

_NEAREST = 8


def nearest(asked: Asked, passages: Sequence[Passage]) -> list[Passage]:
    """The passages with the best segments by words, best first: as many as a search gives."""
    judged = judge(asked, passages, None).judged
    return list(dict.fromkeys(one.candidate.passage for one in judged))[:_NEAREST]
