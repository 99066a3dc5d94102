"""Tools that show the expected places and nothing else: what a model makes of perfect retrieval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pincite.agent.messages import ToolSchemaLike
from pincite.agent.tooling import READ, WHOLE
from pincite.evals.places import Spot
from pincite.tools.ledger import Ledger
from pincite.tools.passage import Passage
from pincite.tools.result import ToolResult
from pincite.tools.toolbox import Toolbox

# Of a long section at most so many results are read.
_MOST_RESULTS = 8


class OracleTools:
    """For a question that begins with the whole corpus: that is then the sections of these spots."""

    def __init__(self, tools: Toolbox, spots: Sequence[Spot]) -> None:
        self._tools = tools
        self._sections = dict.fromkeys((spot.document, spot.section) for spot in spots)

    @property
    def ledger(self) -> Ledger:
        """What was shown."""
        return self._tools.ledger

    def schemas(self, names: Sequence[str]) -> Sequence[ToolSchemaLike]:
        """As the toolbox."""
        return self._tools.schemas(names)

    def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        """The expected sections for all documents; any other call as the toolbox."""
        if name != WHOLE:
            return self._tools.call(name, arguments)
        passages: list[Passage] = []
        texts = []
        for document, section in self._sections:
            following: str | None = None
            for _ in range(_MOST_RESULTS):
                given = {"document": document, "section": section} | (
                    {"from": following} if following else {}
                )
                result = self._tools.call(READ, given)
                passages += result.passages
                texts.append(result.text)
                following = result.next
                if following is None:
                    break
        return ToolResult(tool=WHOLE, text="\n".join(texts), passages=tuple(passages))
