"""The tools of one session behind one call that never raises."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from pincite.corpus.scope import Scope
from pincite.errors import PinciteError
from pincite.tools.arguments import (
    Arguments,
    ContentsArguments,
    DefineArguments,
    ReadArguments,
    SearchArguments,
    parse,
)
from pincite.tools.contents import contents
from pincite.tools.context import Context, ToolLimits
from pincite.tools.defining import define
from pincite.tools.failures import ToolFailedError, error_text, from_pincite
from pincite.tools.ledger import Ledger
from pincite.tools.reading import read_section
from pincite.tools.render import Nonces
from pincite.tools.result import ToolError, ToolResult
from pincite.tools.retrieve import Retriever
from pincite.tools.schema import ToolSchema, tool_schema
from pincite.tools.search import search
from pincite.tools.sources import Readable
from pincite.tools.whole import WholeArguments, whole_corpus

log = logging.getLogger(__name__)

_MODELS: Mapping[str, type[Arguments]] = {
    model.tool: model for model in (SearchArguments, ContentsArguments, ReadArguments, DefineArguments)
}
TOOL_NAMES = tuple(_MODELS)
# The loop calls these itself; a model is never offered them.
_OWN: Mapping[str, type[Arguments]] = {WholeArguments.tool: WholeArguments}


def tool_schemas(names: Sequence[str] = TOOL_NAMES) -> list[ToolSchema]:
    """The schemas of these tools, in this order. KeyError for a name that is none."""
    return [tool_schema(_MODELS[name]) for name in names]


def own_schemas() -> list[ToolSchema]:
    """The schemas of what the loop itself calls, by which recorded calls are read."""
    return [tool_schema(model) for model in _OWN.values()]


class Toolbox:
    """search, table_of_contents, read_section and define over one index, for one caller and one session.

    `scope` holds for every call. `seed` is the secret behind the nonces of the data regions: a session
    that goes on with its `ledger` takes another seed than before.
    """

    def __init__(
        self,
        index: Readable,
        retriever: Retriever,
        scope: Scope,
        ledger: Ledger | None = None,
        limits: ToolLimits | None = None,
        *,
        seed: str,
    ) -> None:
        self._context = Context(
            index=index,
            retriever=retriever,
            scope=scope,
            ledger=Ledger() if ledger is None else ledger,
            nonces=Nonces(seed),
            limits=limits or ToolLimits(),
        )

    @property
    def ledger(self) -> Ledger:
        """What this session was shown."""
        return self._context.ledger

    def limit_time(self, seconds: float | None) -> None:
        """The next calls have this long in all; one that comes back later shows nothing. None: no limit."""
        self._context.patience.limit(seconds)

    def schemas(self, names: Sequence[str] = TOOL_NAMES) -> list[ToolSchema]:
        """The schemas of these tools, in this order. KeyError for a name that is none."""
        return tool_schemas(names)

    def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Run a tool. What goes wrong is an error in the result; only interrupts are raised."""
        try:
            return self._run(name, arguments)
        except ToolFailedError as failure:
            return failed(name, failure.error)
        except PinciteError as error:
            log.warning("%s failed", name, exc_info=True)
            return failed(name, from_pincite(error))
        except Exception as error:
            log.exception("%s failed unexpectedly", name)
            message = f"The tool failed ({type(error).__name__}). This does not mean that nothing is there."
            return failed(name, ToolError(code="internal", message=message, hint="Go on with another tool."))

    def _run(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        match name:
            case SearchArguments.tool:
                return search(self._context, parse(SearchArguments, arguments))
            case ContentsArguments.tool:
                return contents(self._context, parse(ContentsArguments, arguments))
            case ReadArguments.tool:
                return read_section(self._context, parse(ReadArguments, arguments))
            case DefineArguments.tool:
                return define(self._context, parse(DefineArguments, arguments))
            case WholeArguments.tool:
                return whole_corpus(self._context, parse(WholeArguments, arguments))
            case _:
                raise ToolFailedError(
                    "unknown_tool", "There is no such tool.", "Call one of these.", TOOL_NAMES
                )


def failed(tool: str, error: ToolError) -> ToolResult:
    """The result of a call that failed."""
    return ToolResult(tool=tool, text=error_text(error), error=error)
