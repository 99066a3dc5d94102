"""What each MCP session was shown: a ledger for each connection, or each session that a client names."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict

from pincite.agent.withdrawing import WatchedTools
from pincite.server.access import Caller
from pincite.server.tenants import Tenants
from pincite.tools.toolbox import Toolbox

_Key = tuple[str, str, str]


class Ledgers:
    """Tools with a ledger of their own for each session; of too many the longest unused are forgotten."""

    def __init__(self, tenants: Tenants, most: int = 256) -> None:
        self._tenants = tenants
        self._most = most
        self._held: OrderedDict[_Key, WatchedTools] = OrderedDict()
        self._lock = threading.Lock()

    def begin(self, caller: Caller, session: str | None = None) -> tuple[str, WatchedTools]:
        """The tools of the connection's session, or of a new one; with its name, which nobody can guess."""
        name = session or secrets.token_urlsafe(18)
        found = self.find(caller, name)
        if found is not None:
            return name, found
        ground = self._tenants.ground(caller.tenant)
        toolbox = Toolbox(ground.index, ground.retriever, caller.scope, seed=secrets.token_hex(16))
        tools = WatchedTools(toolbox, ground.index, caller.scope)
        with self._lock:
            tools = self._held.setdefault(_key(caller, name), tools)
            while len(self._held) > self._most:
                self._held.popitem(last=False)
        return name, tools

    def find(self, caller: Caller, session: str) -> WatchedTools | None:
        """The tools of a session of this caller, as long as they may see what they could then."""
        key = _key(caller, session)
        with self._lock:
            found = self._held.get(key)
            if found is None:
                return None
            if found.scope != caller.scope:
                del self._held[key]
                return None
            self._held.move_to_end(key)
            return found


def _key(caller: Caller, session: str) -> _Key:
    return caller.tenant, caller.owner, session
