"""An answer as a person reads it: statements with numbered citations, the places, how they were found."""

from __future__ import annotations

from collections import Counter

from pincite.agent.answer import Answer, Citation, Near, Retrieval
from pincite.agent.outcome import Status
from pincite.cli.asking_words import ended, withheld_lines
from pincite.cli.terminal import Page, counted, one_line, place, spelled
from pincite.tools.reranker import NOT_HERE

_MOST_NEAR = 5


def print_answer(page: Page, answer: Answer) -> None:
    """Print everything of an answer that a person needs to judge it."""
    numbers: dict[Citation, int] = {}
    if answer.status is Status.conversation:
        page.line("(not from your documents)")
    if not answer.statements:
        page.line(answer.text, style="bold")
    for statement in answer.statements:
        marks = "".join(f"[{numbers.setdefault(c, len(numbers) + 1)}]" for c in statement.citations)
        page.line(f"{statement.text} {marks}", style="bold")
    for citation, number in numbers.items():
        page.line()
        page.line(f"[{number}] {where(citation)}")
        page.line(f'"{citation.quote}"', indent=4, style="italic")
    _print_shortfalls(page, answer)
    page.line()
    print_origin(page, answer)


def print_origin(page: Page, answer: Answer) -> None:
    """Print how an answer was found, or was looked for, and by what; in any outcome."""
    for how, times in Counter(how_found(retrieval) for retrieval in answer.retrieval).items():
        page.line(how if times == 1 else f"{how}, {times} times", style="dim")
    page.line(_cost(answer), style="dim")


def citations_of(answer: Answer) -> list[Citation]:
    """The citations of an answer in the order of their numbers, which begin at 1."""
    return list(dict.fromkeys(one for statement in answer.statements for one in statement.citations))


def where(citation: Citation) -> str:
    """The place of a citation on one line."""
    spot = place(
        citation.page, citation.page_end, citation.line, citation.page_label, citation.page_end_label
    )
    path = one_line(f"{citation.document_title} > {citation.heading_path}")
    where = f"{path}, {spot}" if spot else path
    version = one_line(citation.standing)
    if version:
        where += f" [{version}]" if citation.current else f" [NOT IN FORCE: {version}]"
    return f"{where} ({spelled(citation.document)})"


def _print_shortfalls(page: Page, answer: Answer) -> None:
    if answer.unanswered:
        page.line()
        page.line("Not answered:")
        for missing in answer.unanswered:
            page.line(f"- {one_line(missing)}", indent=2)
    if answer.withheld:
        page.line()
        page.line("Withheld, because the check did not pass:")
        for line in withheld_lines(answer.withheld):
            page.line(f"- {line}", indent=2)
    if answer.nearest and not answer.statements:
        page.line()
        page.line("Nearest places:")
        for near in answer.nearest[:_MOST_NEAR]:
            page.line(f"- {_near(near)}", indent=2)


def _near(near: Near) -> str:
    spot = place(near.page, None, near.line, near.page_label)
    path = near.heading_path
    if not path.startswith(near.document_title):
        path = f"{near.document_title} > {path}"
    where = f"{one_line(path)}, {spot}" if spot else one_line(path)
    return f"{where} ({spelled(near.document)})"


def how_found(retrieval: Retrieval) -> str:
    """One search or reading: what was asked for and which ways were tried."""
    # That the default reranker is not here is for the JSON and doctor, not for under every answer.
    tried = [attempt for attempt in retrieval.attempts if attempt.reason != NOT_HERE]
    legs = ", ".join(
        f"{attempt.leg} {attempt.outcome}" + (f" ({one_line(attempt.reason)})" if attempt.reason else "")
        for attempt in tried
    )
    how = f": {retrieval.used or 'nothing'}" if tried else ""
    asked = f' "{one_line(retrieval.query, 100)}"' if retrieval.query else ""
    return f"{retrieval.tool}{asked}{how}" + (f" [{legs}]" if legs else "")


def _cost(answer: Answer) -> str:
    usage = answer.usage
    parts = [f"model {one_line(answer.model)}", counted(usage.searches, "search"), f"{usage.seconds:.1f} s"]
    if usage.input_tokens:
        parts.append(f"{usage.input_tokens} + {usage.output_tokens} tokens")
    if usage.cost:
        parts.append(f"cost {usage.cost:.4f}")
    if answer.status not in {Status.answered, Status.conversation}:
        parts.insert(0, f"{answer.status} ({ended(answer)})")
    return ", ".join(parts) + f"; session {one_line(answer.session)}"
