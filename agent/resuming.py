"""Goes on with a recorded session: the same handles, and nothing shown that may not be seen any more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from pincite.agent.beginning import Beginning
from pincite.agent.budget import Budgets, Limits, Price
from pincite.agent.clock import EventClock
from pincite.agent.facts import SessionFacts, chances, scope_json
from pincite.agent.loop import Agent
from pincite.agent.model import ChatModel
from pincite.agent.resume import Restored, restore
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.errors import NothingUsableError
from pincite.tools.ledger import Ledger
from pincite.tools.passage import Passage
from pincite.tools.retrieve import Retriever
from pincite.tools.sources import QueryEncoder, Reranker
from pincite.tools.toolbox import Toolbox
from pincite.transcripts.events import SessionStart
from pincite.transcripts.otel.live import Tracing
from pincite.transcripts.reader import Recording, read
from pincite.transcripts.redact import MARK, Redactor
from pincite.transcripts.stamp import Stamp
from pincite.transcripts.writer import TranscriptWriter


def resume_session(
    path: Path,
    index: Index,
    model: ChatModel,
    *,
    scope: Scope | None = None,
    encoder: Callable[[], QueryEncoder] | None = None,
    reranker: Reranker | None = None,
    budgets: Budgets | None = None,
    session_limits: Limits | None = None,
    prices: Mapping[str, Price] | None = None,
    redact: Iterable[str] = (),
    beginning: Beginning | None = None,
    tracing: Tracing | None = None,
) -> Agent:
    """Go on with the session whose transcript is at `path`; what follows is written behind it.

    `scope` is what the caller may see now, whatever it was: passages outside it, or of documents that are
    gone, are withdrawn. A line that a crash left unfinished is dropped, and a question that it cut off counts
    as not answered. Raises NothingUsableError for a transcript that cannot be gone on with, and
    TranscriptLockedError while another process writes it.
    """
    first = next((event for event in read(path).events if isinstance(event, SessionStart)), None)
    if first is None:
        raise NothingUsableError("the transcript does not say which session it is", code="not_a_transcript")
    stamp = Stamp(first.session)
    redactor = Redactor(getattr(model, "secrets", ()), redact)
    try:
        writer = TranscriptWriter(path, stamp, redactor)
    except OSError as error:
        raise NothingUsableError(
            f"cannot write the transcript {path}: {error.strerror or error}", code="unwritable"
        ) from error
    try:
        # Read behind the lock: another process may have gone on meanwhile.
        recording = read(path)
        seen = scope or Scope()
        restored = permitted(recording, index, seen)
        transcript = writer if tracing is None else tracing.watch(writer, redactor)
        tools = Toolbox(index, Retriever(index, encoder, reranker), seen, restored.ledger, seed=restored.seed)
        agent = Agent(
            model,
            tools,
            budgets=budgets,
            session_limits=session_limits,
            prices=prices,
            clock=EventClock(stamp),
            transcript=transcript,
            session=restored.session,
            facts=SessionFacts(
                index=index.fingerprint(),
                scope=scope_json(seen),
                seed=restored.seed,
                repaired_bytes=writer.repaired_bytes,
            ),
            restored=restored,
            chat=restored.chat,
            beginning=beginning,
        )
    except BaseException:
        writer.close()
        raise
    for event in chances(restored.session, restored.seed):
        transcript.append(event)
    return agent


def permitted(recording: Recording, index: Index, scope: Scope) -> Restored:
    """The session with what may not be shown any more withdrawn."""
    restored = restore(recording)
    gone = _gone(restored.ledger, index, scope)
    passages = [_whole(passage, index, scope) for passage in restored.ledger.passages.values()]
    gone |= {passage.handle for passage in passages if passage.text == MARK}
    restored = restore(recording, frozenset(gone))
    state = restored.ledger.to_json()
    state["passages"] = [passage.model_dump(mode="json") for passage in passages]
    return replace(restored, ledger=Ledger.from_json(state))


def _gone(ledger: Ledger, index: Index, scope: Scope) -> set[str]:
    """Handles of documents that are not there, or not there for this caller."""
    there: dict[str, bool] = {}
    for passage in ledger.passages.values():
        if passage.document not in there:
            found = index.document(passage.document, scope)
            there[passage.document] = found is not None and found.id == passage.document
    return {handle for handle, passage in ledger.passages.items() if not there[passage.document]}


def _whole(passage: Passage, index: Index, scope: Scope) -> Passage:
    """The passage as it was shown. One that a secret was taken out of is read again, or is only the mark."""
    if MARK not in passage.text:
        return passage
    key = (passage.document, passage.section)
    row = index.section_texts([key], scope).get(key)
    if row is not None and row.version == passage.version and row.text and row.starts:
        begin = row.starts[0][0]
        text = row.text[max(0, passage.start - begin) : passage.end - begin]
        if len(text) == passage.end - passage.start:
            return passage.model_copy(update={"text": text})
    return passage.model_copy(update={"text": MARK})
