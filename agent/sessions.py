"""The recorded sessions of an index: which there are, and what was asked and answered in one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from pincite.agent.answer import Answer
from pincite.agent.chat import owner_of, sessions_folder
from pincite.corpus.index import Index
from pincite.transcripts.events import AnswerEvent, SessionStart, UserMessage
from pincite.transcripts.reader import Recording, parse

# Enough for the start of a session and its first question.
_HEAD_BYTES = 200_000


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """A session in a list: its name, when it began (UTC, ISO 8601), its model and first question."""

    session: str
    started: str
    model: str
    first: str


@dataclass(frozen=True, slots=True)
class SaidTurn:
    """A question with its answer; None for one that was not answered, or whose record cannot be read."""

    question: str
    time: str
    answer: Answer | None


def list_sessions(index: Index, owner: str = "", *, most: int = 50) -> list[SessionInfo]:
    """The newest sessions of `owner` in which something was asked; the owner of the index ("") sees all."""
    folder = sessions_folder(index)
    files = (
        sorted(folder.glob("*.jsonl"), key=lambda path: path.name, reverse=True) if folder.is_dir() else []
    )
    found: list[SessionInfo] = []
    for path in files:
        info = _info(path, owner)
        if info is not None:
            found.append(info)
        if len(found) == most:
            break
    return found


def _info(path: Path, owner: str) -> SessionInfo | None:
    try:
        with path.open("rb") as file:
            head = parse(file.read(_HEAD_BYTES))
    except OSError:
        return None
    start = next((event for event in head.events if isinstance(event, SessionStart)), None)
    first = next((event for event in head.events if isinstance(event, UserMessage)), None)
    if start is None or first is None or (owner and owner_of(head) != owner):
        return None
    return SessionInfo(path.stem, start.time, start.model, first.text)


def turns_of(recording: Recording) -> list[SaidTurn]:
    """The questions of a session in order."""
    turns: list[SaidTurn] = []
    for event in recording.events:
        if isinstance(event, UserMessage):
            turns.append(SaidTurn(event.text, event.time, None))
        elif isinstance(event, AnswerEvent) and turns and turns[-1].answer is None:
            turns[-1] = SaidTurn(turns[-1].question, turns[-1].time, _answer(event))
    return turns


def _answer(event: AnswerEvent) -> Answer | None:
    try:
        return Answer.model_validate(event.answer)
    except ValidationError:
        return None
