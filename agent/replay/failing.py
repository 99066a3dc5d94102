"""Retrieval with a leg that is made to fail, to see what a session would have been without it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pincite.corpus.scope import Scope
from pincite.errors import UsageError
from pincite.tools.chain import LEGS, LegName
from pincite.tools.retrieve import Retrieved, Retriever
from pincite.tools.sources import QueryEncoder, Reranker, Searchable

_FAIL = re.compile(r"([a-z]+)(?:@([1-9][0-9]{0,5}))?")


@dataclass(frozen=True, slots=True)
class Failure:
    """This leg fails, the `nth` time it is tried in the session (from 1), or every time with None."""

    leg: str
    nth: int | None = None

    @classmethod
    def parse(cls, text: str) -> Failure:
        """From "vector" or "vector@2". UsageError for anything else."""
        found = _FAIL.fullmatch(text)
        if found is None or found[1] not in LEGS:
            raise UsageError(
                f"--fail {text[:40]!r} names no leg",
                hint="LEG or LEG@N, for example vector@2 for the second time that vector is tried",
                near=LEGS,
            )
        return cls(found[1], int(found[2]) if found[2] else None)


class FailingRetriever(Retriever):
    """A retriever whose legs fail as told; tries are counted over the whole session."""

    def __init__(
        self,
        index: Searchable,
        encoder: Callable[[], QueryEncoder] | None,
        reranker: Reranker | None,
        failures: tuple[Failure, ...],
    ) -> None:
        super().__init__(index, encoder, reranker)
        self._failures = failures
        self._tried: dict[str, int] = dict.fromkeys(LEGS, 0)
        self._variants: dict[frozenset[str], Retriever] = {}
        self._parts = (index, encoder, reranker)

    def retrieve(
        self, query: str, scope: Scope, *, k: int, legs: LegName | None = None, deadline: float | None = None
    ) -> Retrieved:
        """As `Retriever.retrieve`, with the legs failing whose turn it is."""
        failing = frozenset(
            failure.leg
            for failure in self._failures
            if failure.nth is None or failure.nth == self._tried[failure.leg] + 1
        )
        wanted: dict[str, Any] = {"k": k, "legs": legs, "deadline": deadline}
        if failing:
            if failing not in self._variants:
                self._variants[failing] = Retriever(*self._parts, fail=failing)
            found = self._variants[failing].retrieve(query, scope, **wanted)
        else:
            found = super().retrieve(query, scope, **wanted)
        for attempt in found.attempts:
            if attempt.leg in self._tried:
                self._tried[attempt.leg] += 1
        return found
