"""A retriever that serves many searches keeps none of them."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from typing import Any

from tests.tools.faulty import ALL, QUERY

from pincite.corpus.encoder import EncoderUnavailableError
from pincite.corpus.index import Index
from pincite.tools.retrieve import Retriever


def legs_held() -> int:
    """How many results of single ways of searching are alive in this process."""
    gc.collect()
    return sum(type(one).__name__ == "LegRun" for one in gc.get_objects())


class Refusing:
    """A reranker that is not installed."""

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        raise EncoderUnavailableError("there is none", hint="install one")


def test_what_cannot_be_loaded_holds_no_search_that_asked_for_it(index: Index, encoder: Any) -> None:
    def refuse() -> Any:
        raise EncoderUnavailableError("there is none", hint="install one")

    for retriever in (Retriever(index, refuse), Retriever(index, lambda: encoder, Refusing())):
        retriever.retrieve(QUERY, ALL, k=3)
        before = legs_held()
        for _ in range(5):
            retriever.retrieve(QUERY, ALL, k=3)
        assert legs_held() <= before
