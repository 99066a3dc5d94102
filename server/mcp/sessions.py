"""The tools of an MCP server as its callers use them: each call in a session, each session with a ledger."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from typing import Any

from pincite.agent.answer import Statement
from pincite.agent.answer_tool import answer_schema, read_answer
from pincite.agent.judge import Judged, judge
from pincite.agent.parse import BadArgumentsError
from pincite.agent.withdrawing import WatchedTools
from pincite.errors import PinciteError
from pincite.server.access import Access, Caller, bearer
from pincite.server.mcp.ledgers import Ledgers
from pincite.server.mcp.shapes import CheckOut, ProblemOut
from pincite.server.tenants import Tenants
from pincite.tools.arguments import refuse_unknown
from pincite.tools.failures import ToolFailedError, bad_arguments, from_pincite
from pincite.tools.result import ToolError, ToolResult
from pincite.tools.schema import ToolSchema
from pincite.tools.toolbox import failed

_NO_SESSION = ToolError(
    code="no_such_session", message="There is no such session.", hint="Call without it to begin another."
)
_MOST_QUESTION = 20_000
_EXAMPLE = (
    '{"statements": [{"citations": [{"passage": "P3", "quote": "two months before the end of a quarter"}], '
    '"text": "The notice period is two months."}], "question": "How long is the notice period?"}'
)
CHECK = ToolSchema(
    name="check_answer",
    description=(
        "Compare every handle, quote and number of a drafted answer with what this session was shown.\n\n"
        f"Example: {_EXAMPLE}"
    ),
    parameters={
        "type": "object",
        "properties": {
            "statements": {
                **answer_schema().parameters["properties"]["statements"],
                "description": "The answer, one fact each.",
                "minItems": 1,
            },
            "question": {
                "type": "string",
                "description": "What the user wrote: numbers that stand in it may be repeated.",
                "maxLength": _MOST_QUESTION,
            },
        },
        "required": ["statements"],
        "additionalProperties": False,
    },
)


_CHECKED = tuple(CHECK.parameters["properties"])


class McpTools:
    """The tools of one MCP server. `one_client`: all calls come from one program, as over stdio."""

    def __init__(self, tenants: Tenants, access: Access, *, one_client: bool) -> None:
        self._access = access
        self._ledgers = Ledgers(tenants)
        self._own_session = secrets.token_urlsafe(18) if one_client else None

    def caller(self, headers: Mapping[str, str] | None) -> Caller:
        """Who calls. Raises PinciteError for nobody that is known."""
        found = self._access.caller(bearer((headers or {}).get("authorization", "")))
        if found is None:
            raise PinciteError("a valid bearer token is needed", code="unauthorized")
        return found

    def fresh(self, headers: Mapping[str, str] | None) -> WatchedTools:
        """Tools of no session. Raises PinciteError."""
        return self._ledgers.make(self.caller(headers))

    def call(
        self, headers: Mapping[str, str] | None, tool: str, given: Mapping[str, Any]
    ) -> tuple[str, ToolResult]:
        """Run a tool in its session; with the session's name. What goes wrong is an error in the result."""
        name, tools = self._session(headers, given)
        if isinstance(tools, ToolError):
            return name, failed(tool, tools)
        return name, tools.call(tool, {key: value for key, value in given.items() if key != "session"})

    def check(self, headers: Mapping[str, str] | None, given: Mapping[str, Any]) -> CheckOut:
        """Judge a drafted answer by what its session was shown."""
        name, tools = self._session(headers, given)
        if isinstance(tools, ToolError):
            return CheckOut(session=name, error=tools)
        try:
            refuse_unknown(given, {name: name for name in (*_CHECKED, "session")}, _EXAMPLE)
        except ToolFailedError as failure:
            return CheckOut(session=name, error=failure.error)
        try:
            draft = read_answer({"statements": given.get("statements"), "status": "answered"})
        except BadArgumentsError as error:
            return CheckOut(session=name, error=_bad(str(error)))
        question = given.get("question") or ""
        if not draft.statements:
            return CheckOut(session=name, error=_bad("statements: one at least is needed"))
        if not isinstance(question, str) or len(question) > _MOST_QUESTION:
            return CheckOut(session=name, error=_bad(f"question: a text below {_MOST_QUESTION:,} characters"))
        try:
            tools.refresh()
        except PinciteError as error:
            return CheckOut(session=name, error=from_pincite(error))
        judged = _finished(judge(draft, question, dict(tools.ledger.passages), tools.ledger.withdrawn))
        return CheckOut(
            session=name,
            passed=judged.passed,
            statements=judged.statements,
            problems=tuple(
                ProblemOut(
                    statement=one.statement, code=one.code.value, detail=one.detail, passage=one.passage
                )
                for one in judged.problems
            ),
            advice=judged.explanation,
        )

    def _session(
        self, headers: Mapping[str, str] | None, given: Mapping[str, Any]
    ) -> tuple[str, WatchedTools | ToolError]:
        """The session that a call belongs to, by name; an error for one that is none of the caller's."""
        named = given.get("session")
        shown = named if isinstance(named, str) else ""
        try:
            caller = self.caller(headers)
            if not named:
                return self._ledgers.begin(caller, self._own_session or (headers or {}).get("mcp-session-id"))
            return shown, self._ledgers.find(caller, shown) or _NO_SESSION
        except PinciteError as error:
            return shown, from_pincite(error)


def _bad(problem: str) -> ToolError:
    field, _, what = problem.partition(": ")
    return bad_arguments(field, what or problem, _EXAMPLE).error


def _finished(judging: Iterator[Statement]) -> Judged:
    while True:
        try:
            next(judging)
        except StopIteration as stop:
            judged: Judged = stop.value
            return judged
