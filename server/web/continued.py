"""Finds the session of a conversation that a client sends in full each time."""

from __future__ import annotations

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Sequence

from pincite.server.access import Caller

_MOST_KNOWN = 4_096


class Continued:
    """Which session a conversation sent in full belongs to, by what was said in it so far.

    Clients of this API send all messages each time and no session. One whose earlier messages are exactly
    those of a session goes on with it, so that its passages are not shown again and keep their handles.
    """

    def __init__(self) -> None:
        self._sessions: OrderedDict[str, str] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, caller: Caller, options: str, messages: Sequence[tuple[str, str]]) -> str | None:
        """The session that ended with these messages."""
        with self._lock:
            return self._sessions.pop(_digest(caller, options, messages), None)

    def remember(
        self, caller: Caller, options: str, messages: Sequence[tuple[str, str]], session: str
    ) -> None:
        """The session has said all of these."""
        with self._lock:
            self._sessions[_digest(caller, options, messages)] = session
            while len(self._sessions) > _MOST_KNOWN:
                self._sessions.popitem(last=False)


def _digest(caller: Caller, options: str, messages: Sequence[tuple[str, str]]) -> str:
    said = json.dumps([caller.tenant, caller.owner, options, *messages])
    return hashlib.sha256(said.encode("utf-8", "replace")).hexdigest()
