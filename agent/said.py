"""Earlier answers as messages, with the passages they cited: when one of those is withdrawn, they go."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import replace

from pincite.agent.messages import Message
from pincite.agent.tooling import ANSWER
from pincite.prompts import load
from pincite.tools.passage import Passage
from pincite.tools.result import ToolResult

_HANDLE = re.compile(r"P[1-9]\d*", re.ASCII)
_ABOUT = "an earlier answer"


def answered(text: str, cited: Iterable[Passage]) -> Message:
    """What the user was told, and what it rests on."""
    passages = tuple(cited)
    result = ToolResult(tool=ANSWER, text=text, passages=passages) if passages else None
    return Message("assistant", text, result=result, about=_ABOUT)


def without_answers(message: Message, withdrawn: AbstractSet[str]) -> Message:
    """The message; an answer that cites a withdrawn passage says only that it did."""
    if message.role != "assistant" or not any(call.name == ANSWER for call in message.tool_calls):
        return message
    calls = tuple(
        replace(call, arguments=_emptied())
        if call.name == ANSWER and not withdrawn.isdisjoint(_HANDLE.findall(call.arguments))
        else call
        for call in message.tool_calls
    )
    return message if calls == message.tool_calls else replace(message, content="", tool_calls=calls)


def _emptied() -> str:
    text = load("receipt_withdrawn", what=_ABOUT).text
    return json.dumps({"statements": [], "unanswered": [text], "status": "not_found"})
