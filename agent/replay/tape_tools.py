"""Answers tool calls from a tape."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from pydantic import ValidationError

from pincite.agent.answer_tool import answer_schema
from pincite.agent.messages import ToolSchemaLike
from pincite.agent.parse import BadArgumentsError, canonical, fit, read_arguments
from pincite.agent.tooling import ANSWER
from pincite.errors import NothingUsableError
from pincite.tools.passage import Passage
from pincite.tools.result import ToolResult
from pincite.tools.schema import ToolSchema
from pincite.tools.toolbox import own_schemas, tool_schemas
from pincite.transcripts.events import ToolResultEvent
from pincite.transcripts.tape import Tape, call_key

# Called with the tool and its arguments when the tape has no result for them; it raises.
Missing = Callable[[str, dict[str, Any]], ToolResult]


class TapeLedger:
    """The passages of a tape under the handles that they had.

    `leaving` gives the handles that the tape says are withdrawn next.
    """

    def __init__(
        self,
        passages: Mapping[str, Passage] | None = None,
        leaving: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        self._passages: dict[str, Passage] = dict(passages or {})
        self._leaving = leaving
        self._cited: set[str] = set()
        self._withdrawn: set[str] = set()

    @property
    def passages(self) -> Mapping[str, Passage]:
        """Every passage ever shown, by handle."""
        return self._passages

    @property
    def cited(self) -> AbstractSet[str]:
        """Handles that an accepted answer cited."""
        return self._cited

    @property
    def withdrawn(self) -> AbstractSet[str]:
        """Handles that may not be used any more."""
        self.withdraw(handle for handle in self._leaving() if handle in self._passages)
        return self._withdrawn

    def show(self, passages: Iterable[Passage]) -> None:
        """Take in what a recorded result showed."""
        for passage in passages:
            self._passages.setdefault(passage.handle, passage)

    def compact(self, handles: Iterable[str]) -> None:
        """Nothing to remember: the recorded results say what was sent again."""

    def cite(self, handles: Iterable[str]) -> None:
        """An accepted answer cited these."""
        self._cited.update(handles)

    def withdraw(self, handles: Iterable[str]) -> None:
        """These are no longer permitted."""
        self._withdrawn.update(handles)


class TapeTools:
    """The tools' schemas as they are now, their results as they were.

    `call_id` tells the id of the call that is being run, where that is known.
    """

    def __init__(
        self,
        tape: Tape,
        ledger: TapeLedger,
        *,
        schemas: Mapping[str, ToolSchemaLike],
        call_id: Callable[[], str | None],
        missing: Missing,
    ) -> None:
        self.ledger = ledger
        self._tape = tape
        self._schemas = schemas
        self._call_id = call_id
        self._missing = missing

    def schemas(self, names: Sequence[str]) -> Sequence[ToolSchemaLike]:
        """The schemas of these tools, in this order."""
        return [self._schemas[name] for name in names]

    def call(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        """The recorded result of the same call."""
        taped = self._tape.take(call_key(name, canonical(arguments)), self._call_id())
        if taped is None or taped.result is None:
            return self._missing(name, arguments)
        result = as_result(taped.result)
        self.ledger.show(result.passages)
        return result


def as_result(event: ToolResultEvent) -> ToolResult:
    """A recorded result as the loop takes it. NothingUsableError when it is none."""
    try:
        return ToolResult.model_validate(event.result)
    except ValidationError as error:
        raise NothingUsableError(
            f"the transcript holds a tool result that cannot be read (event {event.seq})",
            code="damaged_transcript",
        ) from error


def current_schemas() -> dict[str, ToolSchema]:
    """The schemas of the tools as they are in this version of the program."""
    return {schema.name: schema for schema in tool_schemas()}


def all_schemas(tape: Tape, schemas: Mapping[str, ToolSchemaLike] | None = None) -> dict[str, ToolSchemaLike]:
    """The same, and that of `answer` as the recorded session had it offered."""
    answer = answer_schema(chat=tape.start.config.get("chat") is True)
    return {**(schemas or current_schemas()), ANSWER: answer}


def key_by(schemas: Mapping[str, ToolSchemaLike]) -> Callable[[str, str], str | None]:
    """Gives a raw call's canonical hash, by what the schemas know."""
    own = {schema.name: schema for schema in own_schemas()}

    def key(tool: str, raw: str) -> str | None:
        schema = schemas.get(tool) or own.get(tool)
        if schema is None:
            return None
        try:
            arguments = read_arguments(raw)
        except BadArgumentsError:
            return None
        return call_key(tool, canonical(fit(arguments, schema.parameters)))

    return key
