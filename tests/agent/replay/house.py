"""A small index of real documents and sessions recorded on it, for the tests of replays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pincite.agent.messages import ModelTurn, ToolCall, Usage
from pincite.agent.model import ChatModel
from pincite.agent.scripted import ScriptedModel, Step
from pincite.agent.session import open_session
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync
from pincite.transcripts.reader import Recording, read

DOCUMENTS = {
    "lease.md": (
        "# Lease\n\n## 1 Rent\n\nThe rent is 840 crowns a month and is due on the first working day.\n\n"
        "## 2 Notice\n\nThe tenant can end the lease with three months of notice in writing.\n"
    ),
    "rules.md": (
        "# House rules\n\n## 1 Quiet\n\nQuiet hours last from ten in the evening to six in the morning.\n\n"
        "## 2 Bicycles\n\nBicycles stand in the yard and never in the stairwell.\n"
    ),
    "garden.md": "# Garden\n\n## 1 Water\n\nThe garden is watered by the tenant of the ground floor.\n",
}
QUESTION = "How much is the rent?"
QUOTE = "The rent is 840 crowns a month"


def write(folder: Path, documents: dict[str, str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in documents.items():
        (folder / name).write_text(text, encoding="utf-8")


def index_of(folder: Path, db: Path) -> Index:
    sync([folder], db, vectors=False, encoder=None)
    return Index.open(db)


def turn(*named: tuple[str, str, str], content: str = "", usage: Usage | None = None) -> ModelTurn:
    """A turn of calls (id, name, arguments)."""
    calls = tuple(ToolCall(*call) for call in named)
    return ModelTurn(content=content, tool_calls=calls, finish_reason="tool_calls", usage=usage)


def answer(
    call_id: str, text: str = "The rent is 840 crowns.", passage: str = "P1", quote: str = QUOTE
) -> ModelTurn:
    citation = {"passage": passage, "quote": quote}
    written = {"statements": [{"citations": [citation], "text": text}], "status": "answered"}
    return turn((call_id, "answer", json.dumps(written)))


SEARCH = turn(("c1", "search", '{"query": "rent"}'))
STEPS: tuple[Step, ...] = (SEARCH, answer("c2"))


def record(
    index: Index,
    *steps: Step,
    questions: tuple[str, ...] = (QUESTION,),
    model: ChatModel | None = None,
    scope: Scope | None = None,
    **options: Any,
) -> Path:
    """Record a session and give its transcript."""
    agent = open_session(index, model or ScriptedModel(steps or STEPS), scope=scope, **options)
    answers = [agent.ask(question) for question in questions]
    agent.close()
    assert answers[-1].transcript is not None
    return Path(answers[-1].transcript)


def edited(path: Path, old: str, new: str, *, times: int = -1) -> Recording:
    """The recording with a text in its file replaced."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    other = path.with_name(f"{path.stem}-edited.jsonl")
    other.write_text(text.replace(old, new, times), encoding="utf-8")
    return read(other)
