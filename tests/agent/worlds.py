"""A small world for the tests of the loop, and short ways to write what a model does in it."""

from __future__ import annotations

from typing import Any

from tests.agent.stub_tools import StubTools

from pincite.agent.budget import Budgets
from pincite.agent.clock import ManualClock
from pincite.agent.loop import Agent
from pincite.agent.scripted import ScriptedModel, Step, calls
from pincite.transcripts.events import Event
from pincite.transcripts.writer import MemoryTranscript

FEE = {
    "document": "bylaws",
    "section": "2.1",
    "page": 2,
    "text": "Members pay an annual fee of 240 crowns by 31 March.",
}
ARREARS = {
    "document": "bylaws",
    "section": "2.4",
    "page": 3,
    "text": "A member in arrears for more than sixty days loses the right to vote.",
}
BERTHS = {
    "document": "berths",
    "section": "1",
    "page": 1,
    "text": "Berths are allotted by the harbour committee in order of application.",
}
QUESTION = "When is the annual fee due and how much is it?"
SEARCH = calls(("search", {"query": "annual fee"}))
NOT_FOUND = calls(("answer", {"status": "not_found", "statements": []}))


def statement(text: str, passage: str, quote: str) -> dict[str, Any]:
    return {"citations": [{"passage": passage, "quote": quote}], "text": text}


FEE_STATEMENT = statement("The fee is 240 crowns.", "P1", "an annual fee of 240 crowns")
BAD_STATEMENT = statement("The fee is 250 crowns.", "P1", "an annual fee of 250 crowns")


def answer(*statements: dict[str, Any], status: str = "answered", **more: Any) -> Any:
    return calls(("answer", {"statements": list(statements), "status": status, **more}))


GOOD = answer(FEE_STATEMENT)


def search(query: str) -> Any:
    return calls(("search", {"query": query}))


def many(count: int, words: int) -> dict[str, list[dict[str, Any]]]:
    """Search results "q0", "q1", …, each with one long passage of its own."""
    filler = " ".join(f"clause{number}" for number in range(words))
    return {
        f"q{number}": [
            {"document": "bylaws", "section": f"9.{number}", "text": f"Rule {number} says {filler}."}
        ]
        for number in range(count)
    } | {"fee": [FEE], "*": []}


class World:
    """An agent over the stub tools with everything at hand that a test looks at."""

    def __init__(
        self,
        *steps: Step,
        results: dict[str, list[dict[str, Any]]] | None = None,
        delays: tuple[float, ...] = (),
        withdrawn: tuple[str, ...] = (),
        **options: Any,
    ) -> None:
        self.clock = ManualClock()
        self.model = ScriptedModel(steps, clock=self.clock, delays=delays)
        found = {"berths": [BERTHS], "*": [FEE, ARREARS]} if results is None else results
        sections = {"bylaws": {"2.1": [FEE], "2.4": [ARREARS]}, "berths": {"1": [BERTHS]}}
        self.tools = StubTools(found, sections, ["bylaws", "berths"], withdrawn)
        self.transcript = MemoryTranscript()
        options.setdefault("budgets", Budgets())
        self.agent = Agent(self.model, self.tools, clock=self.clock, transcript=self.transcript, **options)

    def ask(self, question: str = QUESTION) -> Any:
        return self.agent.ask(question)

    def events(self, kind: type[Event]) -> list[Any]:
        return [event for event in self.transcript.events if isinstance(event, kind)]

    def offered(self) -> list[tuple[list[str], str]]:
        """For each model call the tools it was offered and the tool choice."""
        return [
            ([tool.name for tool in request.tools], request.tool_choice) for request in self.model.requests
        ]
