"""Takes passages out of a running session once their document is deleted or may no longer be seen."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import date
from typing import Any

from pincite.agent.messages import ToolSchemaLike
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.errors import PinciteError
from pincite.tools.ledger import Ledger
from pincite.tools.result import ToolResult
from pincite.tools.toolbox import Toolbox

log = logging.getLogger(__name__)


def still_visible(index: Index, scope: Scope, documents: AbstractSet[str]) -> frozenset[str]:
    """Those of the documents that `scope` may see now."""
    asked = documents if scope.documents is None else documents & scope.documents
    if not asked:
        return frozenset()
    return frozenset(row.id for row in index.documents(replace(scope, documents=frozenset(asked))))


class WatchedTools:
    """The tools of a session, which look before each call whether what was shown may still be seen."""

    def __init__(self, tools: Toolbox, index: Index, scope: Scope) -> None:
        self._tools = tools
        self._index = index
        self.scope = scope
        self._checked: tuple[object, ...] = ()

    @property
    def ledger(self) -> Ledger:
        """What this session was shown."""
        return self._tools.ledger

    def limit_time(self, seconds: float | None) -> None:
        """As the toolbox."""
        self._tools.limit_time(seconds)

    def schemas(self, names: Sequence[str]) -> Sequence[ToolSchemaLike]:
        """As the toolbox."""
        return self._tools.schemas(names)

    def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Run a tool; passages of documents that are gone are withdrawn first."""
        try:
            self.refresh()
        except PinciteError:
            # The tool meets the same index, and says what is wrong with it.
            log.warning("what may still be seen could not be looked up", exc_info=True)
        return self._tools.call(name, arguments)

    def refresh(self) -> tuple[str, ...]:
        """Withdraw what may no longer be seen; the handles. Without a change a look at the version is all."""
        ledger = self._tools.ledger
        state = (self._index.info.table, self._index.version, date.today())
        if state == self._checked:
            return ()
        held = {h: p.document for h, p in ledger.passages.items() if h not in ledger.withdrawn}
        seen = still_visible(self._index, self.scope, frozenset(held.values()))
        gone = tuple(handle for handle, document in held.items() if document not in seen)
        ledger.withdraw(gone)
        self._checked = state
        return gone
