"""What the MCP tools give back, beside the text that a model reads."""

from __future__ import annotations

from pydantic import BaseModel, Field

from pincite.agent.answer import Statement
from pincite.tools.contract import ContentsJson, ReadJson, SearchJson
from pincite.tools.result import ToolError

_SESSION = Field(description="Name of this session: pass it on where each call is a connection of its own.")


class SearchOut(SearchJson):
    """Passages, each under its handle."""

    session: str = _SESSION


class ContentsOut(ContentsJson):
    """The documents, or the sections of one."""

    session: str = _SESSION


class ReadOut(ReadJson):
    """A section. `handles` are those of the passages that were read."""

    session: str = _SESSION
    handles: tuple[str, ...] = ()


class CitationIn(BaseModel):
    """A passage by its handle and words copied from it."""

    passage: str = Field(max_length=20, description="Handle of a passage that was shown, such as P3.")
    quote: str = Field(max_length=2_000, description="5 to 25 words copied from that passage exactly.")


class StatementIn(BaseModel):
    """One statement of a drafted answer."""

    citations: list[CitationIn] = Field(max_length=20)
    text: str = Field(max_length=5_000, description="One fact that the quotes support.")


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
