"""Chat: many turns over one ledger, begun, resumed from its transcript, or taken over from elsewhere."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pincite.agent.answer import Answer
from pincite.agent.beginning import Beginning
from pincite.agent.budget import Budgets, Limits, Price
from pincite.agent.clock import EventClock
from pincite.agent.events import Done, Notice, Progress
from pincite.agent.facts import SessionFacts, chances, scope_json
from pincite.agent.loop import Agent
from pincite.agent.model import ChatModel
from pincite.agent.resume import Restored, begun_elsewhere
from pincite.agent.resuming import permitted
from pincite.agent.session import new_session, open_transcript
from pincite.agent.withdrawing import WatchedTools
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.errors import NothingUsableError
from pincite.tools.ledger import Ledger
from pincite.tools.retrieve import Retriever
from pincite.tools.toolbox import Toolbox
from pincite.transcripts.events import SessionStart
from pincite.transcripts.otel.live import Tracing
from pincite.transcripts.reader import Recording, read
from pincite.transcripts.redact import Redactor
from pincite.transcripts.stamp import Stamp
from pincite.transcripts.writer import Transcript

SESSION_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,127}")


@dataclass(frozen=True, slots=True)
class Ground:
    """What the sessions of one index share: index, retriever, model, and the limits of each session.

    `fingerprint` is that of the index where it is known; working it out reads every document's row.
    `redact` are regular expressions of further secrets that records must not hold, `beginning` is what each
    question begins with. `tracing` sends the sessions' spans.
    """

    index: Index
    retriever: Retriever
    model: ChatModel
    budgets: Budgets | None = None
    session_limits: Limits | None = None
    prices: Mapping[str, Price] | None = None
    fingerprint: str | None = None
    redact: tuple[str, ...] = ()
    beginning: Beginning | None = None
    tracing: Tracing | None = None


class Chat:
    """One conversation. Not for two questions at a time; `cancel` may come from another thread."""

    def __init__(self, agent: Agent, tools: WatchedTools, session: str, scope: Scope) -> None:
        self.session = session
        self.scope = scope
        self._agent = agent
        self._tools = tools

    @property
    def ledger(self) -> Ledger:
        """What was shown so far."""
        return self._tools.ledger

    def ask(self, question: str) -> Answer:
        """Answer one turn. Raises UsageError for one that cannot be asked."""
        return next(event.answer for event in self.events(question) if isinstance(event, Done))

    def events(self, question: str) -> Iterator[Progress]:
        """The same, telling what happens; the last event is `Done`. Closing the iterator cancels."""
        gone = self._tools.refresh()
        if gone:
            count = f"{len(gone)} passage{'s' if len(gone) > 1 else ''}"
            yield Notice("withdrawn", f"{count} shown earlier: the document is gone or may no longer be seen")
        yield from self._agent.events(question)

    def cancel(self) -> None:
        """End the current question soon."""
        self._agent.cancel()

    def close(self) -> None:
        """End the session in this process; it can be resumed."""
        self._agent.close()


def open_chat(
    ground: Ground, scope: Scope | None = None, *, owner: str = "", earlier: Sequence[tuple[str, str]] = ()
) -> Chat:
    """A new session, recorded in `sessions/` beside the index. `owner` is recorded with it.

    `earlier` are (question, answer) turns of a conversation held elsewhere: they are known to the model, and
    nothing in them counts as shown.
    """
    session = new_session()
    seed = secrets.token_hex(16)
    begun = begun_elsewhere(session, seed, earlier)
    config: dict[str, object] = {"owner": owner} if owner else {}
    if earlier:
        config["earlier"] = [list(turn) for turn in earlier]
    record = _transcript(ground, session)
    try:
        return _chat(ground, scope or Scope(), begun, record, config)
    except BaseException:
        record[1].close()
        raise


def resume_chat(ground: Ground, session: str, scope: Scope | None = None, *, owner: str = "") -> Chat:
    """The session goes on from its transcript, with what `scope` may see now.

    Raises NothingUsableError `no_such_session` when there is none of that name that belongs to `owner`, and
    `damaged_transcript`; IndexLockedError `session_locked` while another process has it.
    """
    recorded(ground.index, session, owner)
    seen = scope or Scope()
    stamp, transcript = _transcript(ground, session)
    try:
        # Read behind the lock: another process may have gone on meanwhile.
        begun = permitted(recorded(ground.index, session, owner), ground.index, seen)
        return _chat(ground, seen, begun, (stamp, transcript))
    except BaseException:
        transcript.close()
        raise


def recorded(index: Index, session: str, owner: str = "") -> Recording:
    """The transcript of a session that belongs to `owner`; the owner of the index ("") sees every one.

    Raises NothingUsableError `no_such_session`, also for the session of somebody else.
    """
    path = session_path(index, session)
    if path is None or not path.is_file():
        raise no_such_session(session)
    found = read(path)
    if owner and owner_of(found) != owner:
        raise no_such_session(session)
    return found


def owner_of(recording: Recording) -> str:
    """To whom a session belongs; "" is the owner of the index."""
    start = next((event for event in recording.events if isinstance(event, SessionStart)), None)
    return str(start.config.get("owner") or "") if start else ""


def session_path(index: Index, session: str) -> Path | None:
    """Where a session of this name is recorded; None for what cannot be a name."""
    if not SESSION_NAME.fullmatch(session):
        return None
    return sessions_folder(index) / f"{session}.jsonl"


def sessions_folder(index: Index) -> Path:
    """Where the sessions of an index are recorded."""
    return index.info.folder / "sessions"


def no_such_session(session: str) -> NothingUsableError:
    """The same for one that does not exist and for one of somebody else."""
    return NothingUsableError(
        f"there is no session {session[:128]!r}",
        code="no_such_session",
        hint="sessions can be listed; they belong to the one who began them",
    )


def _transcript(ground: Ground, session: str) -> tuple[Stamp, Transcript]:
    stamp = Stamp(session)
    redactor = Redactor(getattr(ground.model, "secrets", ()), ground.redact)
    return stamp, open_transcript(ground.index, stamp, redactor, ground.tracing)


def _chat(
    ground: Ground,
    scope: Scope,
    begun: Restored,
    record: tuple[Stamp, Transcript],
    config: dict[str, object] | None = None,
) -> Chat:
    """The session over an open transcript; with `config` it begins there."""
    stamp, transcript = record
    toolbox = Toolbox(ground.index, ground.retriever, scope, begun.ledger, seed=begun.seed)
    tools = WatchedTools(toolbox, ground.index, scope)
    facts = SessionFacts(
        index=ground.fingerprint or ground.index.fingerprint(),
        scope=scope_json(scope),
        seed=begun.seed,
        config=config or {},
        repaired_bytes=getattr(transcript, "repaired_bytes", 0),
    )
    tools.refresh()
    agent = Agent(
        ground.model,
        tools,
        budgets=ground.budgets,
        session_limits=ground.session_limits,
        prices=ground.prices,
        clock=EventClock(stamp),
        transcript=transcript,
        session=begun.session,
        facts=facts,
        restored=begun if config is None or begun.messages else None,
        chat=True,
        beginning=ground.beginning,
    )
    for event in chances(begun.session, begun.seed):
        transcript.append(event)
    return Chat(agent, tools, begun.session, scope)
