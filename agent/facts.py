"""What a session ran with, for its transcript."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from pincite.agent.bodies import schema_json
from pincite.agent.messages import ToolSchemaLike
from pincite.agent.program import code_hashes, git_state
from pincite.corpus.scope import Scope
from pincite.corpus.tokens import using_estimate
from pincite.prompts import hashes
from pincite.transcripts.events import Nondeterminism, SessionResume, SessionStart
from pincite.transcripts.hashes import digest_json


@dataclass(frozen=True, slots=True)
class SessionFacts:
    """What the application knows of a session and the loop does not.

    `index` is the index's fingerprint by content, `scope` what the caller may see as JSON, `seed` that of
    the tools' nonces, `config` further settings worth knowing later, `fork_of` the event of another session
    that this one continues. `repaired_bytes` is what a crash had left of an unfinished line.
    """

    index: str | None = None
    scope: dict[str, Any] = field(default_factory=dict)
    seed: str = ""
    config: dict[str, Any] = field(default_factory=dict)
    fork_of: str | None = None
    repaired_bytes: int = 0


def first_event(
    session: str,
    model: str,
    facts: SessionFacts,
    config: dict[str, Any],
    schemas: Sequence[ToolSchemaLike],
) -> SessionStart:
    """The first event of a session. `config` are the loop's own settings."""
    settings = {**facts.config, **config}
    return SessionStart(
        session=session,
        model=model,
        versions=versions(),
        config=settings,
        config_hash=digest_json(settings),
        tools_hash=digest_json([schema_json(schema) for schema in schemas]),
        prompts=hashes(),
        code=code_hashes(),
        index=facts.index,
        scope=facts.scope,
        seed=facts.seed,
        git=git_state(),
        fork_of=facts.fork_of,
    )


def resume_event(
    model: str, facts: SessionFacts, config: dict[str, Any], withdrawn: Iterable[str], left_out: int = 0
) -> SessionResume:
    """The session goes on in this process. `config` are the loop's own settings."""
    return SessionResume(
        model=model,
        versions=versions(),
        config={**facts.config, **config},
        index=facts.index,
        scope=facts.scope,
        withdrawn=tuple(sorted(withdrawn)),
        left_out=left_out,
        repaired_bytes=facts.repaired_bytes,
    )


def chances(session: str, seed: str, today: date | None = None) -> list[Nondeterminism]:
    """What a replay takes from the transcript instead of drawing or looking at it again.

    For a session whose loop goes by an `EventClock`. `today` is the day that scopes are judged by.
    """
    return [
        Nondeterminism(source="random", what="seed", value=seed),
        Nondeterminism(source="ids", what="session", value=session),
        Nondeterminism(source="clock", what="today", value=(today or date.today()).isoformat()),
        Nondeterminism(source="clock", what="loop", value="events"),
    ]


def scope_json(scope: Scope) -> dict[str, Any]:
    """A scope for the transcript."""
    return {
        "groups": None if scope.groups is None else sorted(scope.groups),
        "documents": None if scope.documents is None else sorted(scope.documents),
        "as_of": scope.as_of.isoformat() if scope.as_of else None,
    }


def scope_from_json(data: dict[str, Any]) -> Scope:
    """The scope that a transcript names. ValueError when it does not read as one: never a wider one."""
    groups, documents, as_of = data.get("groups"), data.get("documents"), data.get("as_of")
    for names in (groups, documents):
        if names is not None and not (isinstance(names, list) and all(isinstance(one, str) for one in names)):
            raise ValueError("groups and documents are lists of names")
    if as_of is not None and not isinstance(as_of, str):
        raise ValueError("as_of is a day")
    return Scope(
        groups=None if groups is None else frozenset(groups),
        documents=None if documents is None else frozenset(documents),
        as_of=None if as_of is None else date.fromisoformat(as_of),
    )


def versions() -> dict[str, str]:
    """The versions of what can change an answer, and how tokens are counted."""
    found = {"python": platform.python_version(), "tokens": "estimate" if using_estimate() else "cl100k_base"}
    for name in ("pincite", "openai", "lancedb", "sentence-transformers"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
