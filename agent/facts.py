"""What a session ran with, for its transcript."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from pincite.agent.messages import ToolSchemaLike
from pincite.agent.record import digest, schema_json
from pincite.prompts import hashes
from pincite.transcripts.events import SessionResume, SessionStart


@dataclass(frozen=True, slots=True)
class SessionFacts:
    """What the application knows of a session and the loop does not.

    `index` is the index's fingerprint by content, `scope` what the caller may see as JSON, `seed` that of
    the tools' nonces, `config` further settings worth knowing later.
    """

    index: str | None = None
    scope: dict[str, Any] = field(default_factory=dict)
    seed: str = ""
    config: dict[str, Any] = field(default_factory=dict)


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
        config_hash=digest(json.dumps(settings, sort_keys=True, default=str)),
        tools_hash=digest(json.dumps([schema_json(schema) for schema in schemas], sort_keys=True)),
        prompts=hashes(),
        index=facts.index,
        scope=facts.scope,
        seed=facts.seed,
    )


def resume_event(facts: SessionFacts, withdrawn: Iterable[str]) -> SessionResume:
    """The session goes on in this process."""
    return SessionResume(versions=versions(), index=facts.index, withdrawn=tuple(sorted(withdrawn)))


def versions() -> dict[str, str]:
    """The versions of what can change an answer."""
    found = {"python": platform.python_version()}
    for name in ("pincite", "openai", "lancedb", "sentence-transformers"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
