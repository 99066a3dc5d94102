"""What a model may call in the next turn, and the one line about the budget that goes with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pincite.agent.budget import Phase
from pincite.agent.messages import ToolSchemaLike
from pincite.agent.run import Run
from pincite.agent.tooling import ANSWER, SEARCH
from pincite.prompts import load

# From here on the rest is worth a line.
_FEW_CALLS, _FEW_SEARCHES, _FEW_SECONDS = 3, 2, 30


@dataclass(frozen=True, slots=True)
class Offer:
    """Tools and how freely to choose among them; `note` is to be added to the request, "" for nothing."""

    tools: tuple[ToolSchemaLike, ...]
    tool_choice: str
    note: str
    phase: Phase


def make_offer(run: Run, schemas: Mapping[str, ToolSchemaLike], stalled_turns: int, at_once: bool) -> Offer:
    """The offer for the next turn.

    `answer` is offered once something was looked up, or `at_once`: before that there is nothing to cite.
    Near the end it is all that is left, and in the last turn it is forced.
    """
    phase = run.phase(stalled_turns)
    searches_spent = any(meter.left("searches") == 0 for meter in run.meters)
    names = [name for name in schemas if name != ANSWER and not (searches_spent and name == SEARCH)]
    if phase is not Phase.open or not names:
        names = [ANSWER]
    elif run.dispatcher.looked or at_once:
        names.append(ANSWER)
    choice = "auto"
    if phase is Phase.last:
        choice = ANSWER
    elif phase is Phase.closing or run.nudged:
        choice = "required"
    return Offer(tuple(schemas[name] for name in names), choice, _note(run, phase), phase)


def budget_left(run: Run) -> dict[str, int | float]:
    """What is left of each budget that is set: the least over question and session."""
    left: dict[str, int | float] = {}
    for meter in run.meters:
        for name in ("model_calls", "tool_calls", "searches"):
            count = meter.left(name)
            if count is not None:
                left[name] = min(count, left.get(name, count))
        for name, rest in meter.amounts_left().items():
            left[name] = min(rest, left.get(name, rest))
        if meter.seconds_left is not None:
            left["seconds"] = round(min(meter.seconds_left, left.get("seconds", meter.seconds_left)), 1)
    return left


def _note(run: Run, phase: Phase) -> str:
    if phase is Phase.last:
        note = load("last_turn").text
    elif phase is Phase.closing:
        note = load("closing").text
    else:
        note = ""
    line = _scarce(run)
    if line and phase is not Phase.last:
        note = f"{load('budget_line', left=line).text} {note}".strip()
    if note == run.told:
        return ""
    run.told = note
    return note


def _scarce(run: Run) -> str:
    """Those budgets that are nearly spent, in words."""
    left = budget_left(run)
    few = {"model_calls": _FEW_CALLS, "tool_calls": _FEW_CALLS, "searches": _FEW_SEARCHES}
    parts = []
    for name, most in few.items():
        count = left.get(name)
        used = int(getattr(run.meter, name))
        if count is not None and count <= most and used > 0:
            word = name.replace("_", " ")
            parts.append(
                f"{count} {word if count != 1 else word.removesuffix('es' if name == 'searches' else 's')}"
            )
    affordable = min(meter.affordable_calls for meter in run.meters)
    if affordable <= _FEW_CALLS:
        parts.append(f"tokens or money for about {max(1, int(affordable))} more")
    seconds = left.get("seconds")
    if seconds is not None and seconds <= _FEW_SECONDS and run.meter.model_calls:
        parts.append(f"{seconds:.0f} seconds")
    return ", ".join(parts)
