"""The indexes that a server has open, and the sessions that are live in it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from pincite.agent.beginning import Beginning
from pincite.agent.budget import Budgets, Limits, Price
from pincite.agent.chat import Chat, Ground, no_such_session, open_chat, owner_of, recorded, resume_chat
from pincite.agent.model import ChatModel
from pincite.agent.question import read_question
from pincite.agent.session import require_answerable
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.errors import PinciteError
from pincite.server.access import Caller
from pincite.tools.retrieve import Retriever
from pincite.tools.sources import QueryEncoder, Reranker
from pincite.transcripts.otel.live import Tracing

_MOST_SCOPES = 1_000


@dataclass(frozen=True, slots=True)
class Serving:
    """What a server answers from, and with what. `make_model` gives each session a model of its own."""

    db: Path
    make_model: Callable[[Index], ChatModel]
    encoder: Callable[[], QueryEncoder] | None = None
    reranker: Reranker | None = None
    budgets: Budgets | None = None
    session_limits: Limits | None = None
    prices: dict[str, Price] | None = None
    redact: tuple[str, ...] = ()
    beginning: Beginning | None = None
    tracing: Tracing | None = None


@dataclass(slots=True)
class _Open:
    """An open index, and what is known of the version `state` of it."""

    index: Index
    retriever: Retriever
    state: tuple[str, int, date] | None = None
    fingerprint: str = ""
    answerable: set[Scope] = field(default_factory=set)


class Tenants:
    """The index of each tenant with one retriever, opened when it is first asked for."""

    def __init__(self, serving: Serving) -> None:
        self.serving = serving
        self._open: dict[str, _Open] = {}
        self._lock = threading.Lock()

    def ground(self, tenant: str) -> Ground:
        """What a session of this tenant stands on. Raises NoIndexError and other PinciteErrors."""
        held = self._current(tenant)
        serving = self.serving
        return Ground(
            held.index,
            held.retriever,
            serving.make_model(held.index),
            serving.budgets,
            serving.session_limits,
            serving.prices,
            held.fingerprint,
            serving.redact,
            serving.beginning,
            serving.tracing,
        )

    def require_answerable(self, tenant: str, question: str, scope: Scope) -> None:
        """As the function of that name; documents are looked for once in each version of the index."""
        held = self._current(tenant)
        budgets = self.serving.budgets or Budgets()
        if scope in held.answerable:
            read_question(question, budgets.request_tokens)
            return
        require_answerable(question, held.index, scope, budgets)
        if len(held.answerable) < _MOST_SCOPES:
            held.answerable.add(scope)

    def _current(self, tenant: str) -> _Open:
        with self._lock:
            held = self._open.get(tenant)
            if held is None:
                index = Index.open(self.serving.db, tenant)
                retriever = Retriever(index, self.serving.encoder, self.serving.reranker)
                held = self._open[tenant] = _Open(index, retriever)
        state = (held.index.info.table, held.index.version, date.today())
        if state != held.state:
            # Another object: a question that began with the old version keeps what was known of that.
            held = _Open(held.index, held.retriever, state, held.index.fingerprint())
            with self._lock:
                self._open[tenant] = held
        return held


class SessionBusyError(PinciteError):
    """The session is answering another question."""

    default_code = "session_busy"


@dataclass(frozen=True, slots=True)
class _Live:
    chat: Chat
    owner: str


_Key = tuple[str, str]


class Sessions:
    """Sessions that are open in this process, the longest unused of them closed when there are too many.

    A closed one is resumed from its transcript when it is asked for again.
    """

    def __init__(self, tenants: Tenants, most: int) -> None:
        self._tenants = tenants
        self._most = most
        self._live: OrderedDict[_Key, _Live] = OrderedDict()
        self._busy: set[_Key] = set()
        self._lock = threading.Lock()

    @contextmanager
    def begin(self, caller: Caller, scope: Scope, earlier: Sequence[tuple[str, str]] = ()) -> Iterator[Chat]:
        """A new session, for one question."""
        chat = open_chat(self._tenants.ground(caller.tenant), scope, owner=caller.owner, earlier=earlier)
        key = (caller.tenant, chat.session)
        with self._lock:
            self._busy.add(key)
            self._live[key] = _Live(chat, caller.owner)
        try:
            yield chat
        finally:
            self._release(key)

    @contextmanager
    def take(self, caller: Caller, session: str, scope: Scope) -> Iterator[Chat]:
        """A session of the caller for one question, with what `scope` may see now.

        Raises SessionBusyError, and what `resume_chat` raises.
        """
        key = (caller.tenant, session)
        with self._lock:
            held = self._live.get(key)
            if held is not None and caller.owner and held.owner != caller.owner:
                raise no_such_session(session)
            if key in self._busy:
                raise SessionBusyError("the session is answering another question", hint="wait for it")
            self._busy.add(key)
        try:
            if held is None or held.chat.scope != scope:
                held = self._resume(caller, session, scope, held)
            yield held.chat
        finally:
            self._release(key)

    def close(self) -> None:
        """Close all of them."""
        with self._lock:
            live, self._live = list(self._live.values()), OrderedDict()
        for one in live:
            one.chat.cancel()
            one.chat.close()

    def _resume(self, caller: Caller, session: str, scope: Scope, held: _Live | None) -> _Live:
        key = (caller.tenant, session)
        if held is not None:
            # Its record has one writer: it is let go before it is taken up with another scope.
            with self._lock:
                self._live.pop(key, None)
            held.chat.close()
        chat = resume_chat(self._tenants.ground(caller.tenant), session, scope, owner=caller.owner)
        live = _Live(chat, owner_of(recorded(self._tenants.ground(caller.tenant).index, session)))
        with self._lock:
            self._live[key] = live
        return live

    def _release(self, key: _Key) -> None:
        gone: list[_Live] = []
        with self._lock:
            self._busy.discard(key)
            if key in self._live:
                self._live.move_to_end(key)
            idle = [other for other in self._live if other not in self._busy]
            gone = [self._live.pop(other) for other in idle[: max(0, len(self._live) - self._most)]]
        for one in gone:
            one.chat.close()
