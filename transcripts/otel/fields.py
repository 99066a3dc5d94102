"""Attributes of spans from the fields of events: what may be anybody's text is cut, or left out."""

from __future__ import annotations

import re

from pincite.transcripts.events import SessionStart
from pincite.transcripts.otel.span import Attribute

AGENT = "pincite"
# The built-in model runs in this process and is of no provider.
BUILT_IN = "extractive"
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}")
_MOST = 1 << 62


def ran_with(start: SessionStart | None) -> dict[str, Attribute]:
    """What the session ran with."""
    if start is None:
        return {}
    found: dict[str, Attribute] = {}
    if "pincite" in start.versions:
        found["gen_ai.agent.version"] = short(start.versions["pincite"])
    if start.index:
        found["gen_ai.data_source.id"] = short(start.index)
    if start.fork_of:
        found["pincite.fork_of"] = short(start.fork_of)
    return found


def model_named(model: str) -> dict[str, Attribute]:
    """The model, and the provider by the wire format that it is spoken to in."""
    provider = AGENT if model == BUILT_IN else "openai"
    return {"gen_ai.provider.name": provider, "gen_ai.request.model": short(model)}


def count(name: str, number: int | None) -> dict[str, Attribute]:
    """A number, where there is one."""
    return {} if number is None else {name: whole(number)}


def whole(number: int) -> int:
    """A number that OTLP can hold."""
    return max(-_MOST, min(number, _MOST))


def short(text: str) -> str:
    """A name of somebody's, cut."""
    return text[:200]


def word(text: str) -> str:
    """A code or a name of ours; anything else may be what a model or a document says."""
    return text if _WORD.fullmatch(text) else "other"
