"""Answers kept for questions that are asked again, word for word, over the same index."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from datetime import date

from pincite.agent.answer import Answer
from pincite.agent.chat import Ground
from pincite.agent.facts import scope_json
from pincite.agent.outcome import Status
from pincite.corpus.scope import Scope
from pincite.prompts import hashes
from pincite.server.access import Caller

Key = tuple[str, ...]


def cache_key(caller: Caller, scope: Scope, ground: Ground, question: str) -> Key:
    """All that an answer depends on: who asks, what they may see, the index as it is, model and prompts.

    The tenant comes first.
    """
    info = ground.index.info
    return (
        caller.tenant,
        caller.owner,
        json.dumps(scope_json(scope), sort_keys=True),
        str(date.today()),
        info.table,
        str(ground.index.version),
        info.encoder.digest if info.encoder else "",
        ground.model.name,
        json.dumps(hashes(), sort_keys=True),
        ground.budgets.model_dump_json() if ground.budgets else "",
        " ".join(question.split()).casefold(),
    )


class AnswerCache:
    """The newest `most` answers of each tenant; none with 0.

    Each tenant has its own, so that no tenant's answers leave because of what another one asks.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._kept: dict[str, OrderedDict[Key, Answer]] = {}
        self._lock = threading.Lock()

    def get(self, key: Key) -> Answer | None:
        """The answer to the same question under the same circumstances."""
        with self._lock:
            kept = self._kept.get(key[0], OrderedDict())
            found = kept.get(key)
            if found is not None:
                kept.move_to_end(key)
            return found

    def put(self, key: Key, answer: Answer) -> None:
        """Keep an answer that a repetition would give again."""
        if self.most == 0 or answer.status not in {Status.answered, Status.partial, Status.not_found}:
            return
        with self._lock:
            kept = self._kept.setdefault(key[0], OrderedDict())
            kept[key] = answer
            while len(kept) > self.most:
                kept.popitem(last=False)
