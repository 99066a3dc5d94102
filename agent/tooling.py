"""What the loop needs of the tools, so that any set of tools can stand in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Protocol, runtime_checkable

from pincite.agent.messages import ToolSchemaLike
from pincite.tools.passage import Passage
from pincite.tools.result import ToolError, ToolResult

SEARCH = "search"
CONTENTS = "table_of_contents"
READ = "read_section"
ANSWER = "answer"
DEFINE = "define"
WHOLE = "whole_corpus"
READERS = (SEARCH, CONTENTS, READ, DEFINE)


class LedgerLike(Protocol):
    """The passages of the session, as the loop uses them."""

    @property
    def passages(self) -> Mapping[str, Passage]:
        """Every passage ever shown, by handle."""
        ...

    @property
    def cited(self) -> AbstractSet[str]:
        """Handles that an accepted answer cited."""
        ...

    @property
    def withdrawn(self) -> AbstractSet[str]:
        """Handles that may not be used any more."""
        ...

    def compact(self, handles: Iterable[str]) -> None:
        """The text of these no longer stands in the request."""
        ...

    def cite(self, handles: Iterable[str]) -> None:
        """An accepted answer cited these."""
        ...


class Tools(Protocol):
    """Tools over one ledger. `call` never raises: what fails is an error inside its result."""

    @property
    def ledger(self) -> LedgerLike:
        """What was shown."""
        ...

    def schemas(self, names: Sequence[str]) -> Sequence[ToolSchemaLike]:
        """The schemas of these tools, in this order."""
        ...

    def call(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        """Run one tool."""
        ...


@runtime_checkable
class TimeLimited(Protocol):
    """Tools that can be told how long their next call may take, and then find something sooner."""

    def limit_time(self, seconds: float | None) -> None:
        """The next call has so many seconds; None is no limit."""
        ...


def refusal(tool: str, code: str, text: str, near: Sequence[str] = ()) -> ToolResult:
    """The result of a call that the loop itself refused; `text` is what the model reads."""
    error = ToolError(code=code, message=text.partition("\n")[0], near=tuple(near))
    return ToolResult(tool=tool, text=f"Error {code}: {text}", error=error)
