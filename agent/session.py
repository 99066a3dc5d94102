"""Puts a session together: tools over an index, a model, and a transcript beside the index."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from pincite.agent.beginning import Beginning
from pincite.agent.budget import Budgets, Limits, Price, price_for
from pincite.agent.clock import EventClock
from pincite.agent.facts import SessionFacts, chances, scope_json
from pincite.agent.loop import Agent
from pincite.agent.model import ChatModel
from pincite.agent.question import read_question
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.corpus.unseen import nothing_in_scope
from pincite.errors import NothingUsableError
from pincite.tools.context import nearest_documents
from pincite.tools.retrieve import Retriever
from pincite.tools.sources import QueryEncoder, Reranker
from pincite.tools.toolbox import Toolbox
from pincite.transcripts.otel.live import Tracing
from pincite.transcripts.redact import Redactor
from pincite.transcripts.stamp import Stamp
from pincite.transcripts.writer import MemoryTranscript, Transcript, TranscriptWriter

_LOOKED_THROUGH = 1000


def open_session(
    index: Index,
    model: ChatModel,
    *,
    scope: Scope | None = None,
    encoder: Callable[[], QueryEncoder] | None = None,
    reranker: Reranker | None = None,
    budgets: Budgets | None = None,
    session_limits: Limits | None = None,
    prices: Mapping[str, Price] | None = None,
    chat: bool = False,
    redact: Iterable[str] = (),
    beginning: Beginning | None = None,
    tracing: Tracing | None = None,
) -> Agent:
    """A new session over `index`, recorded in `sessions/` beside it where that can be written.

    `scope` is what the caller may see, by default everything in force today. `encoder` loads the encoder
    when it is first needed; without it search goes by words. `budgets` hold for each question,
    `session_limits` for all of them; `prices` are by the model's name, and a limit on money without the
    model's price is a UsageError. With `chat` a question may be about the conversation itself. `redact` are
    regular expressions of further secrets that the record must not hold. `beginning` is what each question
    begins with, `tracing` sends the session's spans. Close the agent when the session is over.
    """
    price_for(model, prices or {}, budgets or Budgets(), session_limits or Limits())
    seen = scope or Scope()
    seed = secrets.token_hex(16)
    session = new_session()
    tools = Toolbox(index, Retriever(index, encoder, reranker), seen, seed=seed)
    facts = SessionFacts(index=index.fingerprint(), scope=scope_json(seen), seed=seed)
    stamp = Stamp(session)
    redactor = Redactor(getattr(model, "secrets", ()), redact)
    transcript = open_transcript(index, stamp, redactor, tracing)
    agent = Agent(
        model,
        tools,
        budgets=budgets,
        session_limits=session_limits,
        prices=prices,
        clock=EventClock(stamp),
        transcript=transcript,
        session=session,
        facts=facts,
        chat=chat,
        beginning=beginning,
    )
    for event in chances(session, seed):
        transcript.append(event)
    return agent


def new_session() -> str:
    """The name of a new session: the time (UTC) and some chance."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"


def require_answerable(question: str, index: Index, scope: Scope, budgets: Budgets | None = None) -> None:
    """Raises UsageError for a question that cannot be asked, NothingUsableError where no document is seen."""
    read_question(question, (budgets or Budgets()).request_tokens)
    if not index.documents(scope, limit=1):
        raise nothing_in_scope(index, scope)


def narrowed(index: Index, scope: Scope, documents: Iterable[str]) -> Scope:
    """`scope` with only the documents named by id, path or title; with none named, as it is.

    Raises NothingUsableError (`no_such_document`) and AmbiguousError.
    """
    ids = frozenset(_document_id(index, scope, reference) for reference in documents)
    return replace(scope, documents=ids) if ids else scope


def _document_id(index: Index, scope: Scope, reference: str) -> str:
    found = index.document(reference, scope)
    if found is not None:
        return found.id
    rows = index.documents(scope, limit=_LOOKED_THROUGH)
    raise NothingUsableError(
        f"there is no document {reference[:200]!r}",
        code="no_such_document",
        hint="pincite list shows the documents",
        near=nearest_documents(rows, reference[:200]),
    )


def open_transcript(
    index: Index, stamp: Stamp, redactor: Redactor, tracing: Tracing | None = None
) -> Transcript:
    """A new transcript in `sessions/` beside the index; one in memory that says why where it cannot be."""
    transcript = _recorded(index, stamp, redactor)
    return transcript if tracing is None else tracing.watch(transcript, redactor)


def _recorded(index: Index, stamp: Stamp, redactor: Redactor) -> Transcript:
    path = index.info.folder / "sessions" / f"{stamp.session}.jsonl"
    why = os.strerror(errno.EACCES)
    if _writable(path.parent):
        try:
            return TranscriptWriter(path, stamp, redactor)
        except OSError as error:
            why = error.strerror or str(error)
    problem = f"this session is not recorded: {path.parent}: {why}"
    return MemoryTranscript(stamp.session, stamp, problem=problem)


def _writable(folder: Path) -> bool:
    there = folder if folder.exists() else folder.parent
    return os.access(there, os.W_OK | os.X_OK)
