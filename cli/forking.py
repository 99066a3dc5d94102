"""What `--set` and `--model` of `pincite replay` mean."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from pincite.agent.model import ChatModel
from pincite.agent.models import EXTRACTIVE, resolve_model
from pincite.cli.options import Setup
from pincite.cli.terminal import note
from pincite.corpus.encoder import load_encoder
from pincite.corpus.reasons import in_words
from pincite.errors import NothingUsableError, UsageError
from pincite.transcripts.events import RetrievalAttempt, SessionStart
from pincite.transcripts.reader import Recording

_SET = re.compile(r"(model|prompt\.[a-z][a-z0-9_]*|budget\.[a-z_]+)=(.*)", re.DOTALL)
_MOST_BYTES = 1_000_000


@dataclass(slots=True)
class Sets:
    """The changes that `--set` asks for."""

    model: str | None = None
    prompts: dict[str, str] = field(default_factory=dict)
    budgets: dict[str, Any] = field(default_factory=dict)


def read_sets(given: tuple[str, ...]) -> Sets:
    """From "model=NAME", "prompt.system=@FILE" (or the text itself) and "budget.searches=3"."""
    sets = Sets()
    for entry in given:
        found = _SET.fullmatch(entry)
        if found is None:
            raise UsageError(
                f"--set {entry[:60]!r} cannot be read",
                hint="model=NAME, prompt.NAME=@FILE or budget.NAME=NUMBER",
            )
        kind, _, name = found[1].partition(".")
        if kind == "model":
            if not found[2].strip():
                raise UsageError("--set model= names no model", hint="model=NAME, or leave it out")
            sets.model = found[2]
        elif kind == "prompt":
            sets.prompts[name] = _text(found[2])
        else:
            sets.budgets[name] = None if found[2] in {"", "none"} else found[2]
    return sets


def live_model(
    setup: Setup, recording: Recording, named: str | None, *, vectors: bool | None = None
) -> ChatModel:
    """The model that goes on live. A transcript may not choose where text is sent: only its reader may.

    `named` wins over --model and the settings; without any, a session of the built-in model goes on with it.
    `vectors` says whether that compares sentences by meaning, by default as the session did.
    """
    start = next((event for event in recording.events if isinstance(event, SessionStart)), None)
    name = named or setup.settings.model
    if name is None and start is not None and start.model != EXTRACTIVE:
        raise UsageError(
            f"the session was with {start.model[:80]!r}; name the model to go on with",
            hint="--set model=NAME or --model NAME, and --base-url for its endpoint",
        )
    load = partial(load_encoder, setup.settings.encoder, progress=note)
    return resolve_model(
        name,
        base_url=setup.settings.base_url,
        # A session that searched by words alone was with a model that compared by words alone.
        encoder=load if (_had_vectors(recording) if vectors is None else vectors) else None,
        calling=setup.settings.calling,
    )


def _had_vectors(recording: Recording) -> bool:
    tries = [event for event in recording.events if isinstance(event, RetrievalAttempt)]
    return not tries or any(event.leg == "vector" and event.outcome != "skipped" for event in tries)


def _text(value: str) -> str:
    if not value.startswith("@"):
        return value
    try:
        data = Path(value[1:]).read_bytes()[: _MOST_BYTES + 1]
        if len(data) > _MOST_BYTES:
            raise UsageError(f"{value[1:]} is too large for a prompt")
        return data.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise NothingUsableError(f"cannot read {value[1:]}: {in_words(error)}", code="unreadable") from error
