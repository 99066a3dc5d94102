"""Recordings kept as tests: made so that nothing in them changes but what the session did.

Times run in steps of a millisecond from a fixed start, durations are 0, names and seeds follow from the
file's name, and no version or checkout is named: recording the same session again gives the same bytes, so
that a difference between two versions of the file is one that a reviewer should see.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pincite.agent.beginning import Beginning, recorded_beginning
from pincite.agent.budget import Budgets
from pincite.agent.clock import EventClock
from pincite.agent.facts import SessionFacts, chances, scope_from_json, scope_json
from pincite.agent.loop import Agent
from pincite.agent.model import ChatModel
from pincite.agent.replay.ran_with import settings
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.errors import NothingUsableError
from pincite.tools.retrieve import Retriever
from pincite.tools.sources import QueryEncoder, Reranker
from pincite.tools.toolbox import Toolbox
from pincite.transcripts.events import (
    AnswerEvent,
    Event,
    ModelResponseEvent,
    RetrievalAttempt,
    RetryEvent,
    SessionStart,
    ToolResultEvent,
    UserMessage,
)
from pincite.transcripts.hashes import digest
from pincite.transcripts.reader import Recording, read
from pincite.transcripts.redact import Redactor
from pincite.transcripts.stamp import Stamp
from pincite.transcripts.tape import Tape
from pincite.transcripts.writer import TranscriptWriter

_START_S = 1_700_000_000.0


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a recording was made with. `day` is the one that documents in force are chosen by."""

    questions: tuple[str, ...]
    scope: Scope = field(default_factory=Scope)
    budgets: Budgets = field(default_factory=Budgets)
    chat: bool = False
    beginning: Beginning = field(default_factory=Beginning)
    day: date | None = None

    @classmethod
    def of(cls, recording: Recording) -> Recipe:
        """The recipe of a recording, to make it again. NothingUsableError when it cannot be read."""
        tape = Tape(recording, lambda tool, raw: None)
        start = tape.start
        questions = tuple(event.text for event in recording.events if isinstance(event, UserMessage))
        try:
            today = tape.chance("today")
            return cls(
                questions=questions,
                scope=scope_from_json(start.scope),
                budgets=settings(Budgets, start.config.get("budgets")),
                chat=start.config.get("chat") is True,
                beginning=recorded_beginning(start.config),
                day=date.fromisoformat(today) if today else None,
            )
        except ValueError as error:
            raise NothingUsableError(
                f"the transcript's scope cannot be read: {error}", code="damaged_transcript"
            ) from error


def record(
    path: Path,
    recipe: Recipe,
    model: ChatModel,
    index: Index,
    *,
    encoder: Callable[[], QueryEncoder] | None = None,
    reranker: Reranker | None = None,
    redact: Sequence[str] = (),
) -> Recording:
    """Ask the recipe's questions live and write the recording to `path`, replacing what is there."""
    name = path.stem
    seed = digest(name)
    day = recipe.day or date.today()
    stamp = Stamp(name, wall=_ticks(_START_S), monotonic=_ticks(0.0))
    live = replace(recipe.scope, as_of=recipe.scope.as_of or day)
    tools = Toolbox(index, Retriever(index, encoder, reranker), live, seed=seed)
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        file = Path(folder) / path.name
        writer = TranscriptWriter(file, stamp, Redactor(getattr(model, "secrets", ()), redact), fsync="never")
        transcript = _Steady(writer)
        agent = Agent(
            model,
            tools,
            budgets=recipe.budgets,
            clock=EventClock(stamp),
            transcript=transcript,
            session=name,
            facts=SessionFacts(index=index.fingerprint(), scope=scope_json(recipe.scope), seed=seed),
            chat=recipe.chat,
            beginning=recipe.beginning,
        )
        for event in chances(name, seed, day):
            transcript.append(event)
        for question in recipe.questions:
            agent.ask(question)
        agent.close()
        if writer.problem is not None:
            raise NothingUsableError(writer.problem, code="unwritable")
        file.replace(path)
    return read(path)


class _Steady:
    """Takes out of events what differs between two recordings of the same session."""

    # An answer must not name the folder that it was recorded in.
    path = None

    def __init__(self, writer: TranscriptWriter) -> None:
        self._writer = writer

    @property
    def problem(self) -> str | None:
        """Why nothing is written any more."""
        return self._writer.problem

    def append(self, event: Event) -> Event:
        """Record one event."""
        match event:
            case SessionStart():
                kept = {"pincite": version("pincite"), "tokens": event.versions.get("tokens", "")}
                event = event.model_copy(update={"versions": kept, "git": None, "code": {}})
            case ModelResponseEvent():
                event = event.model_copy(update={"ms": 0.0, "chunks": ()})
            case RetryEvent():
                event = event.model_copy(update={"chunks": ()})
            case RetrievalAttempt():
                event = event.model_copy(update={"ms": 0.0})
            case ToolResultEvent():
                event = event.model_copy(update={"ms": 0.0, "result": _without_ms(event.result)})
            case AnswerEvent():
                event = event.model_copy(update={"answer": _without_ms(event.answer)})
            case _:
                pass
        return self._writer.append(event)

    def close(self) -> None:
        """Release the file."""
        self._writer.close()


def _without_ms(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: 0.0 if key == "ms" else _without_ms(item) for key, item in value.items()}
    return [_without_ms(item) for item in value] if isinstance(value, list) else value


def _ticks(start: float) -> Callable[[], float]:
    count = 0

    def tick() -> float:
        nonlocal count
        count += 1
        return start + count / 1000

    return tick
