"""What each MCP session was shown: a ledger for each connection, or each session that a client names."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict

from pincite.agent.withdrawing import WatchedTools
from pincite.server.access import Caller
from pincite.server.tenants import Tenants
from pincite.tools.ledger import Ledger
from pincite.tools.toolbox import Toolbox

_Owner = tuple[str, str]


class Ledgers:
    """Tools with a ledger of their own for each session, for each caller the `most` that were used last."""

    def __init__(self, tenants: Tenants, most: int = 64) -> None:
        self._tenants = tenants
        self._most = most
        self._held: dict[_Owner, OrderedDict[str, WatchedTools]] = {}
        self._lock = threading.Lock()

    def begin(self, caller: Caller, session: str | None = None) -> tuple[str, WatchedTools]:
        """The tools of the connection's session, or of a new one; with its name, which nobody can guess."""
        name = session or secrets.token_urlsafe(18)
        found = self.find(caller, name)
        if found is not None:
            return name, found
        made = self.make(caller)
        with self._lock:
            mine = self._held.setdefault((caller.tenant, caller.owner), OrderedDict())
            tools = mine.setdefault(name, made)
            while len(mine) > self._most:
                mine.popitem(last=False)
        return name, tools

    def find(self, caller: Caller, session: str) -> WatchedTools | None:
        """The tools of a session of this caller, with what they may see now: the rest is withdrawn in it."""
        with self._lock:
            mine = self._held.get((caller.tenant, caller.owner), OrderedDict())
            found = mine.get(session)
            if found is not None:
                mine.move_to_end(session)
        if found is None or found.scope == caller.scope:
            return found
        made = self.make(caller, found.ledger)
        with self._lock:
            if session in mine:
                mine[session] = made
        return made

    def make(self, caller: Caller, ledger: Ledger | None = None) -> WatchedTools:
        """Tools of no session, which go on with a ledger if one is given."""
        ground = self._tenants.ground(caller.tenant)
        seed = secrets.token_hex(16)
        toolbox = Toolbox(ground.index, ground.retriever, caller.scope, ledger, seed=seed)
        return WatchedTools(toolbox, ground.index, caller.scope)
