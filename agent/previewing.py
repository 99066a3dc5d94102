"""Checks statements of an answer that is still being written, so that they can be told at once."""

from __future__ import annotations

import json

from pincite.agent.answer import Statement
from pincite.agent.answer_tool import read_answer
from pincite.agent.history import History
from pincite.agent.judge import judge
from pincite.agent.parse import BadArgumentsError
from pincite.agent.tooling import LedgerLike


def preview(written: str, history: History, ledger: LedgerLike) -> Statement | None:
    """The statement in `written` (JSON) if it passes the check, the one that the whole answer meets later."""
    try:
        draft = read_answer({"statements": [json.loads(written)], "status": "answered"})
    except (BadArgumentsError, ValueError):
        return None
    judging = judge(draft, history.recently_asked(), dict(ledger.passages), ledger.withdrawn)
    return next(judging, None)
