"""Answers one question in a worker thread and passes on what happens to the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncGenerator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from dataclasses import dataclass, field

from pincite.agent.chat import Chat
from pincite.agent.events import Done, Progress
from pincite.agent.session import narrowed
from pincite.corpus.scope import Scope
from pincite.errors import PinciteError
from pincite.server.access import Access, Caller, Narrowing, narrow
from pincite.server.cache import AnswerCache, cache_key
from pincite.server.limits import AtOnce, Rate, ServerLimits
from pincite.server.memory import GiveBack
from pincite.server.tenants import Serving, Sessions, Tenants
from pincite.server.web.continued import Continued
from pincite.server.web.metrics import Metrics

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it came over HTTP, checked for form only.

    `documents` are references as a person writes them. `earlier` is a conversation held elsewhere.
    """

    question: str
    session: str | None = None
    documents: tuple[str, ...] = ()
    narrowing: Narrowing = field(default_factory=Narrowing)
    earlier: Sequence[tuple[str, str]] = ()


@dataclass(slots=True)
class Site:
    """One server: what its routes share."""

    serving: Serving
    access: Access
    limits: ServerLimits
    metrics: Metrics = field(default_factory=Metrics)
    tenants: Tenants = field(init=False)
    sessions: Sessions = field(init=False)
    questions: Rate = field(init=False)
    requests: Rate = field(init=False)
    at_once: AtOnce = field(init=False)
    cache: AnswerCache = field(init=False)
    continued: Continued = field(default_factory=Continued)
    give_back: GiveBack = field(default_factory=GiveBack)
    pool: ThreadPoolExecutor = field(init=False)

    def __post_init__(self) -> None:
        self.tenants = Tenants(self.serving)
        self.sessions = Sessions(self.tenants, self.limits.live_sessions)
        self.questions = Rate(self.limits.questions_per_minute)
        self.requests = Rate(self.limits.requests_per_minute)
        self.at_once = AtOnce(self.limits.questions_at_once)
        self.cache = AnswerCache(self.limits.cached_answers)
        self.pool = ThreadPoolExecutor(self.limits.workers, "pincite-question")

    def close(self) -> None:
        """End what runs, and close the sessions."""
        self.sessions.close()
        self.pool.shutdown(wait=False, cancel_futures=True)

    def scope(self, caller: Caller, wanted: Narrowing, documents: Sequence[str] = ()) -> Scope:
        """What a request may see: the caller's scope and less. Raises PinciteError."""
        return narrowed(self.tenants.ground(caller.tenant).index, narrow(caller, wanted), documents)


Told = Progress | PinciteError


async def answer_events(site: Site, caller: Caller, asked: Asked) -> AsyncGenerator[Progress]:
    """What happens while the question is answered; the last is Done.

    Raises PinciteError, TooManyError among them, before the first event or instead of the next. Closing it
    cancels the question.
    """
    name = f"{caller.tenant}/{caller.owner}"
    site.questions.take(name)
    loop = asyncio.get_running_loop()
    told: asyncio.Queue[Told] = asyncio.Queue()
    running: list[Chat] = []
    gone = False

    def tell(event: Told) -> None:
        # The loop is closed when the server stops while a question is still being answered.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(told.put_nowait, event)

    def work() -> None:
        try:
            for event in _events(site, caller, asked, running):
                tell(event)
                if gone:
                    for chat in running:
                        chat.cancel()
        except PinciteError as error:
            tell(error)
        except Exception as error:
            log.exception("a question failed unexpectedly")
            tell(PinciteError(f"{type(error).__name__}", code="internal"))
        finally:
            site.give_back.done()

    started = time.monotonic()
    with site.at_once.one(name):
        site.metrics.running.inc()
        future = loop.run_in_executor(site.pool, work)
        try:
            first = True
            while True:
                event = await told.get()
                if isinstance(event, PinciteError):
                    raise event
                if first:
                    site.metrics.first_event(time.monotonic() - started)
                    first = False
                if not isinstance(event, Done):
                    yield event
                    continue
                # The session is free for the next question only once the worker has let it go.
                await asyncio.shield(future)
                site.metrics.answered(event.answer, time.monotonic() - started)
                yield event
                return
        finally:
            gone = True
            for chat in running:
                chat.cancel()
            site.metrics.running.dec()


async def begun(events: AsyncGenerator[Progress]) -> AsyncGenerator[Progress]:
    """The same events, once the first is there: what goes wrong before it is raised here."""
    first = await anext(events)

    async def rest() -> AsyncGenerator[Progress]:
        async with aclosing(events):
            yield first
            async for event in events:
                yield event

    return rest()


def _events(site: Site, caller: Caller, asked: Asked, running: list[Chat]) -> Iterator[Progress]:
    """The events of one question, in the thread that answers it."""
    scope = site.scope(caller, asked.narrowing, asked.documents)
    ground = site.tenants.ground(caller.tenant)
    site.tenants.require_answerable(caller.tenant, asked.question, scope)
    alone = asked.session is None and not asked.earlier
    key = cache_key(caller, scope, ground, asked.question) if site.cache.most and alone else None
    kept = site.cache.get(key) if key is not None else None
    if kept is not None:
        site.metrics.cached()
        yield Done(kept)
        return
    if asked.session is not None:
        held = site.sessions.take(caller, asked.session, scope)
    else:
        held = site.sessions.begin(caller, scope, asked.earlier)
    with held as chat:
        running.append(chat)
        for event in chat.events(asked.question):
            if isinstance(event, Done) and key is not None:
                # A cached answer has no session: nobody goes on with the one of another question.
                site.cache.put(key, event.answer.model_copy(update={"session": "", "transcript": None}))
            yield event
