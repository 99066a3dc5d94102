"""What the MCP tools give back, beside the text that a model reads."""

from __future__ import annotations

from pydantic import BaseModel, Field

from pincite.agent.answer import Statement
from pincite.tools.contract import ContentsJson, DefineJson, ReadJson, SearchJson
from pincite.tools.result import ToolError

_SESSION = Field(description="Name of this session: pass it on where each call is a connection of its own.")


class SearchOut(SearchJson):
    """Passages, each under its handle."""

    session: str = _SESSION


class ContentsOut(ContentsJson):
    """The documents, or the sections of one."""

    session: str = _SESSION


class ReadOut(ReadJson):
    """A section. `handles` are those of the passages that were read; `already_shown` likewise."""

    session: str = _SESSION
    handles: tuple[str, ...] = ()
    already_shown: tuple[str, ...] = ()


class DefineOut(DefineJson):
    """Definitions of a term. `handles` are those of the passages that define it, `already_shown` likewise."""

    session: str = _SESSION
    handles: tuple[str, ...] = ()
    already_shown: tuple[str, ...] = ()


class ProblemOut(BaseModel):
    """What is wrong with a statement (counted from 0; null is the whole answer)."""

    statement: int | None
    code: str
    detail: str
    passage: str | None = None


class CheckOut(BaseModel):
    """Whether a drafted answer stands up to what this session was shown.

    `statements` are those that passed, with the places of their quotes; `advice` says how to repair the rest.
    """

    passed: bool = False
    statements: tuple[Statement, ...] = ()
    problems: tuple[ProblemOut, ...] = ()
    advice: str = ""
    error: ToolError | None = None
    session: str = _SESSION
