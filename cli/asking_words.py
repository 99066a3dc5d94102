"""What happens while a question is answered, in a person's words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pincite.agent.answer import Answer, Withheld
from pincite.agent.budget import LEAST_OUTPUT, Budgets
from pincite.agent.events import ALL_DOCUMENTS, Found, Reading, Rejected, Retrying
from pincite.agent.models import EXTRACTIVE
from pincite.agent.outcome import StopReason
from pincite.cli.terminal import counted, one_line

_FAILURES = {
    "rate_limited": "rate limited",
    "overloaded": "the server is overloaded",
    "server_error": "the server failed",
    "connection": "no connection",
    "bad_response": "the server sent something unreadable",
}
_WHY = {
    "unknown_passage": "it names a passage that was never shown",
    "withdrawn_passage": "its passage may no longer be used",
    "quote_too_short": "its quote is too short to prove anything",
    "misattributed_quote": "its quote stands in another passage than the one it names",
    "quote_not_found": "its quote does not stand in the passage it names",
    "missing_citation": "it names no source",
    "empty_answer": "it is empty",
    "number_not_in_source": "it holds a number that its sources do not",
    "not_found_with_statements": "the model said both that it found nothing and this",
    "conversation_not_allowed": "it comes from no document",
    "conversation_with_citations": "it calls itself conversation and yet cites a document",
}
_WHAT_TO_DO = {
    StopReason.abstained: "ask in other words, or another model",
    StopReason.stalled: "try another model, or --calling json",
    StopReason.budget_model_calls: "allow more with --budget model_calls=N",
    StopReason.budget_tool_calls: "allow more with --budget tool_calls=N",
    StopReason.budget_time: "allow more with --budget seconds=N",
    StopReason.budget_cost: "allow more with --budget cost=N",
    StopReason.model_error: "pincite doctor says what is reachable",
}
_TOOLS = {
    "search": "search",
    "read_section": "reading",
    "table_of_contents": "reading the contents",
    "define": "looking up",
    "whole_corpus": "giving all documents",
}
_MOST = 60


def reason(code: str) -> str:
    """Why a statement did not pass, for a person; the code itself when it is not known."""
    return _WHY.get(code, code)


def ended(answer: Answer) -> str:
    """The stop reason of an answer, with what lies behind it where a part was withheld."""
    if answer.stop_reason is StopReason.stalled and answer.withheld:
        return f"{answer.stop_reason}: the check rejected the model's answer, and it was not mended"
    return str(answer.stop_reason)


def what_to_do(answer: Answer, budgets: Budgets) -> str:
    """What helps after a question that ended without an answer; "" when its text says so already."""
    if answer.text.rstrip(".").endswith(")"):
        return ""
    if answer.stop_reason is StopReason.stalled and answer.model == EXTRACTIVE:
        return "pincite doctor says what works"
    if answer.stop_reason is StopReason.budget_tokens:
        return f"allow more with --budget {' or '.join(f'{name}=N' for name in _too_small(answer, budgets))}"
    return _WHAT_TO_DO.get(answer.stop_reason, "")


def _too_small(answer: Answer, budgets: Budgets) -> list[str]:
    """The budgets of tokens whose rest is smaller than one request may be; else that of a request itself."""
    read, written = answer.usage.input_tokens, answer.usage.output_tokens
    rests = (
        ("tokens", budgets.tokens, read + written, budgets.request_tokens),
        ("input_tokens", budgets.input_tokens, read, budgets.request_tokens),
        ("output_tokens", budgets.output_tokens, written, LEAST_OUTPUT),
    )
    spent = [name for name, limit, used, least in rests if limit is not None and limit - used < least]
    return spent or ["request_tokens"]


def withheld_lines(withheld: Sequence[Withheld]) -> list[str]:
    """How many statements are withheld and why; never what they say, for that is not verified."""
    return [
        f"{counted(times, 'statement')}: {reason(code)} ({code})"
        for code, times in Counter(part.code for part in withheld).items()
    ]


def rejected(event: Rejected) -> str:
    """An answer that failed the check."""
    why = "; ".join(reason(code) for code in dict.fromkeys(event.codes))
    return f"{'rejected, to be repaired' if event.again else 'withheld'}: {why}"


def retrying(event: Retrying) -> str:
    """A call that is made again, such as "rate limited, waiting 3.2 s (2 of 4)"."""
    what = _FAILURES.get(event.code, "")
    said = event.message if event.code not in {"rate_limited", "overloaded"} else ""
    parts = [what, one_line(said, 2 * _MOST)] if said and what.lower() not in said.lower() else [said or what]
    of = f" ({event.attempt + 1} of {event.attempts})" if event.attempts else ""
    return f"{': '.join(part for part in parts if part)}, waiting {event.wait_s:.1f} s{of}"


def searching(query: str) -> str:
    """A search."""
    return f"searching “{one_line(query, _MOST)}”"


def reading(event: Reading) -> str:
    """A section or contents that are read."""
    if event.section is None and event.document == ALL_DOCUMENTS:
        return ALL_DOCUMENTS
    document = one_line(event.document, _MOST) or "the index"
    section = one_line(str(event.section), _MOST) if event.section else "the contents"
    return f"reading {section} of {document}"


def found(event: Found) -> str:
    """What a call brought."""
    if event.error == "no_match":
        return "nothing found"
    if event.error:
        return f"{_TOOLS.get(event.tool, event.tool)} failed: {event.error}"
    how = f", {event.used}" if event.used else ""
    if event.tool == "table_of_contents":
        return ""
    return f"{counted(event.new, 'new passage')}{how}"
