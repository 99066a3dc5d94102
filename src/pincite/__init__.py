"""Answers over a person's own documents, every citation checked.

The names in `__all__` are the public ones. Each is loaded when it is first used: `import pincite` is cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pincite.agent.answer import Answer
    from pincite.agent.budget import Budgets
    from pincite.agent.extractive.model import ExtractiveModel
    from pincite.agent.loop import Agent
    from pincite.agent.openai_model import OpenAIModel
    from pincite.agent.scripted import ScriptedModel
    from pincite.api import ask, open_index, sync
    from pincite.corpus.index import Index
    from pincite.corpus.scope import Scope
    from pincite.corpus.sync import SyncReport
    from pincite.errors import PinciteError

__all__ = [
    "Agent",
    "Answer",
    "Budgets",
    "ExtractiveModel",
    "Index",
    "OpenAIModel",
    "PinciteError",
    "Scope",
    "ScriptedModel",
    "SyncReport",
    "ask",
    "open_index",
    "sync",
]

_HOMES = {
    "Agent": "pincite.agent.loop",
    "Answer": "pincite.agent.answer",
    "Budgets": "pincite.agent.budget",
    "ExtractiveModel": "pincite.agent.extractive.model",
    "Index": "pincite.corpus.index",
    "OpenAIModel": "pincite.agent.openai_model",
    "PinciteError": "pincite.errors",
    "Scope": "pincite.corpus.scope",
    "ScriptedModel": "pincite.agent.scripted",
    "SyncReport": "pincite.corpus.sync",
    "ask": "pincite.api",
    "open_index": "pincite.api",
    "sync": "pincite.api",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
