"""Keeps a request inside its token budget: old tool results become receipts, in batches near the limit."""

from __future__ import annotations

import json
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import lru_cache

from pincite.agent.messages import Message, ToolSchemaLike
from pincite.corpus.tokens import count_tokens
from pincite.prompts import load

# Shortening begins above the first share of the budget and goes on down to the second: rarely and in
# batches, so that a server's prompt cache is thrown away rarely.
HIGH, LOW = 0.9, 0.55
_MESSAGE_OVERHEAD = 4
_count = lru_cache(maxsize=8192)(count_tokens)


def message_tokens(message: Message) -> int:
    """Tokens of one message, its calls included."""
    calls = sum(_count(call.name) + _count(call.arguments) + 8 for call in message.tool_calls)
    return _MESSAGE_OVERHEAD + _count(message.content) + _count(message.note) + calls


class Sizes:
    """Tokens of the messages of a session; those of the request before are not counted again."""

    def __init__(self) -> None:
        self._before: Sequence[Message] = ()
        self._sizes: list[int] = []

    def total(self, messages: Sequence[Message]) -> int:
        """Tokens of all of them."""
        kept = same_objects(self._before, messages)
        self._sizes[kept:] = map(message_tokens, messages[kept:])
        self._before = tuple(messages)
        return sum(self._sizes)


def same_objects(before: Sequence[Message], messages: Sequence[Message]) -> int:
    """How many messages at the beginning are the very ones of before; to compare them whole takes long."""
    pairs = enumerate(zip(before, messages, strict=False))
    return next((at for at, (old, new) in pairs if old is not new), min(len(before), len(messages)))


def schema_tokens(schemas: Sequence[ToolSchemaLike]) -> int:
    """Tokens of the offered tools."""
    return sum(
        8 + _count(f"{schema.name} {schema.description} {json.dumps(schema.parameters)}")
        for schema in schemas
    )


@dataclass(frozen=True, slots=True)
class Fitted:
    """The messages after shortening, and what was shortened: call ids and the handles they had shown."""

    messages: tuple[Message, ...]
    tokens_before: int
    tokens: int
    calls: tuple[str, ...] = ()
    handles: tuple[str, ...] = ()


def fit(
    messages: Sequence[Message],
    fixed: int,
    limit: int,
    question: Message,
    keep: AbstractSet[str],
    *,
    sizes: Sizes | None = None,
) -> Fitted:
    """Make `messages` plus `fixed` tokens (the tool schemas) fit into `limit` tokens.

    Nothing changes below the high mark. Shortened are, each group only as far as needed:
    results older than the last turn, oldest first; those of them that show a handle in `keep`; questions
    before the current one (`question`), as a whole; results of the last turn, from its end. The system
    message and the question stay. The result can still be above `limit` when these alone are.
    """
    before = fixed + (sizes or Sizes()).total(messages)
    if before <= HIGH * limit:
        return Fitted(tuple(messages), before, before)
    work = _Work(list(messages), before, target=int(LOW * limit))
    last_turn = max((at for at, message in enumerate(messages) if message.role == "assistant"), default=0)
    results = [at for at, message in enumerate(messages) if _is_full_result(message)]
    old = [at for at in results if at < last_turn]
    work.shorten([at for at in old if not _shows(messages[at], keep)])
    work.target = int(HIGH * limit)
    work.shorten([at for at in old if _shows(messages[at], keep)])
    asked_at = next((at for at, message in enumerate(messages) if message is question), 0)
    work.drop_questions(_first_user(messages), asked_at)
    work.shorten([at for at in reversed(results) if at >= last_turn])
    kept = tuple(message for message in work.messages if message is not None)
    return Fitted(kept, before, work.tokens, tuple(work.calls), tuple(work.handles))


class _Work:
    """Messages being shortened; a dropped one is None."""

    def __init__(self, messages: list[Message], tokens: int, target: int) -> None:
        self.messages: list[Message | None] = list(messages)
        self.tokens = tokens
        self.target = target
        self.calls: list[str] = []
        self.handles: list[str] = []

    def shorten(self, places: Sequence[int]) -> None:
        """Turn these results into receipts until the target is reached."""
        for at in places:
            message = self.messages[at]
            if self.tokens <= self.target:
                return
            if message is not None:
                self._put(at, message, receipt(message))

    def drop_questions(self, start: int, end: int) -> None:
        """Drop earlier questions with all that belongs to them, oldest first, until the target is reached."""
        at = start
        while at < end and self.tokens > self.target:
            message = self.messages[at]
            if message is not None:
                self._put(at, message, None)
            at += 1
            following = self.messages[at]
            # A question is dropped up to the next one: a result without its call is refused by servers.
            while at < end and following is not None and following.role != "user":
                self._put(at, following, None)
                at += 1
                following = self.messages[at]

    def _put(self, at: int, old: Message, new: Message | None) -> None:
        self.messages[at] = new
        self.tokens -= message_tokens(old) - (message_tokens(new) if new else 0)
        if _is_full_result(old):
            self.calls.append(old.tool_call_id or "")
            self.handles += [passage.handle for passage in old.result.passages] if old.result else []


def receipt(message: Message) -> Message:
    """A tool result without its passages: which handles it showed, and for what."""
    result = message.result
    what = message.about or str(message.name)
    if result is not None and result.handles:
        text = load("receipt", handles=", ".join(result.handles), what=what).text
    else:
        text = load("receipt_empty", what=what).text
    return replace(message, content=text, note="", shortened=True)


def _is_full_result(message: Message) -> bool:
    found = message.result if message.role == "tool" else None
    return found is not None and found.error is None and not message.shortened


def _shows(message: Message, keep: AbstractSet[str]) -> bool:
    return message.result is not None and not keep.isdisjoint(message.result.handles)


def _first_user(messages: Sequence[Message]) -> int:
    return next((at for at, message in enumerate(messages) if message.role == "user"), len(messages))
