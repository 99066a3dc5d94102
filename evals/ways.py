"""The loop and simpler ways to answer, over the same tools, limits, model and check."""

from __future__ import annotations

from enum import StrEnum

from pincite.agent.beginning import Beginning
from pincite.agent.budget import Budgets


class Way(StrEnum):
    """How a question is answered. All but the loop look up once, and then only an answer is left."""

    loop = "loop"
    one_search = "one search, then answer"
    rewritten = "rewritten, one search, then answer"
    decomposed = "decomposition, one search, then answer"
    hypothetical = "hypothetical answer, one search, then answer"
    whole = "whole corpus in the request"


# Those for which a model has to word something.
WORDED = frozenset({Way.rewritten, Way.decomposed, Way.hypothetical})
_BEGINNINGS = {
    Way.one_search: Beginning(first_search="question"),
    Way.rewritten: Beginning(first_search="rewrite"),
    Way.decomposed: Beginning(first_search="decompose"),
    Way.hypothetical: Beginning(first_search="hypothetical"),
    # Where the corpus does not fit, the question is searched for once.
    Way.whole: Beginning(whole_corpus=True, first_search="question"),
}


def arranged(way: Way, budgets: Budgets, loop: Beginning) -> tuple[Beginning, Budgets]:
    """What a question begins with and its limits; `loop` is the loop's own beginning."""
    if way is Way.loop:
        return loop, budgets
    return _BEGINNINGS[way], budgets.model_copy(update={"tool_calls": 1})
