"""The search tool: retrieval for each query, passages around the hits, one line on how it went."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from pincite.tools.arguments import SearchArguments
from pincite.tools.context import Context, find_document, within
from pincite.tools.continuation import continuation, read_continuation
from pincite.tools.failures import bad_arguments, error_text
from pincite.tools.filling import Collected, collect
from pincite.tools.render import one_line
from pincite.tools.result import Attempt, Outcome, ToolResult
from pincite.tools.retrieve import Retrieved
from pincite.tools.showing import Shown, counted, result_text
from pincite.tools.worth import Hit

_WAYS = {
    "keyword": "keyword search",
    "vector": "vector search",
    "fused": "keyword and vector search",
    "reranked": "search with reranking",
}
_PARTS = {
    "keyword": "keyword search",
    "vector": "vector search",
    "fused": "merging the searches",
    "reranked": "reranking",
    "sections": "reading around the hits",
}
_WEIGHT = {"search_unavailable": 0, "no_match": 1, "index_empty": 2}
# Hits that stand in for those which other documents repeat.
_SPARE = 4
# How many hits behind the first that was passed over are remembered as shown: the bits that `from` can hold.
_REMEMBERED = 29

T = TypeVar("T")


def search(context: Context, arguments: SearchArguments) -> ToolResult:
    """Passages for the queries, those of several queries by turns. Raises ToolFailedError."""
    queries = arguments.parts
    if not queries:
        raise bad_arguments("query", "is missing", arguments.example)
    scope, about = context.scope, ["", *queries]
    if arguments.document is not None:
        document = find_document(context, arguments.document)
        scope, about = within(scope, document), [document.id, *queries]
    first, taken = _start(arguments, about)
    k = first + len(taken) + arguments.limit + 1 + _SPARE
    found = [
        context.retriever.retrieve(query, scope, k=k, deadline=context.patience.left) for query in queries
    ]
    attempts = tuple(attempt for one in found for attempt in one.attempts)
    hits = by_turns([_hits(one) for one in found], lambda hit: hit[0].key)
    if not hits:
        return _nothing(found, attempts)
    collected = collect(context, queries, hits, first, arguments.limit, taken=taken)
    following = _following(about, collected, len(hits))
    shown = collected.showing.commit()
    more = f'More: the same call with "from": "{following}".' if following else ""
    used = next(one.used for one in found if one.used)
    return ToolResult(
        tool=arguments.tool,
        text=result_text(context, _what_happened(found, shown, used), shown, last=[more]),
        passages=shown.passages,
        already_shown=shown.named,
        next=following,
        used=used,
        attempts=attempts,
    )


def _start(arguments: SearchArguments, about: Sequence[str]) -> tuple[int, frozenset[int]]:
    """The hit to go on with, and those behind it that earlier calls have shown."""
    if arguments.start is None:
        return 0, frozenset()
    try:
        first, shown = read_continuation(arguments.start, "s", about)
    except ValueError as error:
        raise bad_arguments("from", str(error), arguments.example) from None
    return first, frozenset(first + 1 + bit for bit in range(_REMEMBERED) if shown >> bit & 1)


def _following(about: Sequence[str], collected: Collected, hits: int) -> str | None:
    """Where the next call goes on, with a bit for each hit behind that is shown already."""
    behind = collected.behind
    ahead = (at - behind - 1 for at in collected.taken if at > behind)
    bits = sum(1 << bit for bit in ahead if bit < _REMEMBERED)
    return continuation("s", about, behind, bits) if behind < hits else None


def _hits(found: Retrieved) -> list[Hit]:
    return [(hit, found.sections.get((hit.document, hit.section))) for hit in found.hits]


def by_turns(parts: Sequence[Sequence[T]], key: Callable[[T], Hashable]) -> list[T]:
    """The first hit of each query, then the second of each, each key once: no query can crowd out another."""
    turns: dict[Hashable, T] = {}
    for at in range(max(map(len, parts), default=0)):
        for part in parts:
            if at < len(part):
                turns.setdefault(key(part[at]), part[at])
    return list(turns.values())


def _nothing(found: Sequence[Retrieved], attempts: tuple[Attempt, ...]) -> ToolResult:
    """The error of a search without hits; one that did not work outweighs those that found nothing."""
    errors = sorted(
        (one.error for one in found if one.error is not None), key=lambda error: _WEIGHT[error.code]
    )
    notes = _notes(attempts)
    text = "\n".join(
        line for line in (error_text(errors[0]), f"{'; '.join(notes)}." if notes else "") if line
    )
    return ToolResult(tool=SearchArguments.tool, text=text, attempts=attempts, error=errors[0])


def _what_happened(found: Sequence[Retrieved], shown: Shown, used: str) -> str:
    """One line: how many passages are new, which way answered, and what did not work."""
    notes = _notes([attempt for one in found for attempt in one.attempts])
    count = counted(len(shown.passages), "passage")
    if not shown.passages:
        count = "Nothing new" if shown.named else "No more passages"
    answered = f"{_WAYS[used]} answered: {count[0].lower() if not shown.passages else count[0]}{count[1:]}"
    parts = [*notes, answered] if notes else [f"{count} ({_WAYS[used]})"]
    if len(found) > 1:
        parts += [f"query {number} found nothing" for number, one in enumerate(found, 1) if one.error]
    line = "; ".join(parts)
    return f"{line[0].upper()}{line[1:]}."


def _notes(attempts: Sequence[Attempt]) -> list[str]:
    """What did not work or found nothing, each once, in our own words.

    A reranker that is not there is no news: it only orders what the searches found.
    """
    notes = []
    for attempt in attempts:
        leg = _PARTS[attempt.leg]
        if attempt.outcome is Outcome.empty and attempt.leg in {"keyword", "vector"}:
            notes.append(f"{leg} found nothing")
        elif attempt.outcome in {Outcome.error, Outcome.timeout}:
            notes.append(f"{leg} failed ({attempt.outcome.value})")
        elif attempt.outcome is Outcome.skipped and attempt.leg != "reranked":
            notes.append(f"{leg} left out ({one_line(attempt.reason)})")
    return list(dict.fromkeys(notes))
