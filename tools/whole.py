"""All that may be seen at once, where it is little enough to stand in one request."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated

from pydantic import BeforeValidator, Field

from pincite.corpus.rows import DocumentRow
from pincite.corpus.tokens import count_tokens
from pincite.tools.arguments import Arguments, whole_number
from pincite.tools.context import Context, ToolLimits
from pincite.tools.failures import ToolFailedError
from pincite.tools.passage import Passage
from pincite.tools.render import escape, header
from pincite.tools.result import ToolResult
from pincite.tools.showing import Showing, counted, result_text
from pincite.tools.widen import cut

# More documents than this are never looked through.
_MOST_DOCUMENTS = 1_000
# In tokens: the lines around the passages, what delimits one beside its label, and a label on average.
_AROUND, _DELIMITER, _LABEL = 100, 14, 40


class WholeArguments(Arguments):
    """Give everything that may be seen, if it fits. The loop calls it; no model is offered it."""

    tool = "whole_corpus"
    example = '{"tokens": 12000}'

    tokens: Annotated[int, BeforeValidator(whole_number)] = Field(
        ge=0, description="How many tokens there is room for."
    )


def whole_corpus(context: Context, arguments: WholeArguments) -> ToolResult:
    """Every section with text as one passage, document by document.

    Raises ToolFailedError `index_empty`, and `does_not_fit`, after which nothing counts as shown.
    """
    documents = context.index.documents(context.scope, limit=_MOST_DOCUMENTS + 1)
    if not documents:
        raise ToolFailedError("index_empty", "There are no documents.")
    if len(documents) > _MOST_DOCUMENTS:
        raise _too_much(documents, arguments.tokens)
    # What fits is counted here, as the loop counts a request.
    everything = ToolLimits(context.limits.passage_tokens, call_tokens=1 << 40)
    showing = Showing(replace(context, limits=everything))
    room = arguments.tokens - _AROUND
    for passage in _passages(context, documents):
        if context.ledger.named(passage) is None:
            room -= count_tokens(f"{header(passage)}\n{escape(passage.text)}") + _DELIMITER
            if room < 0:
                raise _too_much(documents, arguments.tokens)
        showing.add(passage)
    shown = showing.commit()
    number = len(shown.passages)
    first = f"All that may be seen: {counted(len(documents), 'document')}, {counted(number, 'passage')}."
    if shown.named:
        new = f" {counted(number, 'passage')} of it {'is' if number == 1 else 'are'} new:" if number else ""
        first = f"All that may be seen was shown above.{new}"
    return ToolResult(
        tool=arguments.tool,
        text=result_text(context, first, replace(shown, named=())),
        passages=shown.passages,
        already_shown=shown.named,
        data={"documents": len(documents)},
    )


def _passages(context: Context, documents: list[DocumentRow]) -> Iterator[Passage]:
    for document in documents:
        for row in context.index.sections(document.id, range(0, document.sections), context.scope):
            if (row.text or "").strip():
                yield cut(row, row.start, row.end, max(1, row.tokens))


def _too_much(documents: list[DocumentRow], room: int) -> ToolFailedError:
    tokens = sum(document.tokens for document in documents)
    labels = _LABEL * sum(document.sections for document in documents)
    what = "many documents" if len(documents) > _MOST_DOCUMENTS else "the documents"
    return ToolFailedError(
        "does_not_fit",
        f"with their labels {what} take about {tokens + labels:,} tokens, and there is room for {room:,}",
        "Search them instead.",
    )
