"""A question as it may be asked: not empty, and short enough to be sent along with passages."""

from __future__ import annotations

from pincite.agent.parse import clean_text
from pincite.corpus.tokens import count_tokens
from pincite.corpus.typed import typed
from pincite.errors import UsageError

# A question takes at most one part in this many of a request.
_SHARE = 4
# Counting a long text takes long: a token is hardly ever longer than this many characters.
_LONGEST_TOKEN = 100


def read_question(text: str, request_tokens: int) -> str:
    """The question in `text`, without what nobody sees; a `UsageError` says why it cannot be asked."""
    question = clean_text(typed(text)).strip()
    if not question:
        raise UsageError("the question is empty", hint="ask in a sentence or a few words")
    if not any(map(str.isalnum, question)):
        raise UsageError("the question holds no letter and no digit", hint="ask in a few words")
    most = request_tokens // _SHARE
    if len(question) > _LONGEST_TOKEN * most or count_tokens(question) > most:
        raise UsageError(
            f"the question is too long: {len(question):,} characters, about {most:,} tokens fit",
            code="question_too_long",
            hint="shorten it, or put long text into a document and sync that",
        )
    return question
