"""A statement that passed and was taken back: told where it can be called back, never as an answer's text."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.server.conftest import ALDER, Running, make_site

from pincite.agent.messages import ModelTurn
from pincite.agent.scripted import ScriptedModel, calls
from pincite.server.web.running import Site

Start = Callable[[Site], Running]
ENTRY, EXIT = "The entry charge is 3.00%.", "The exit charge is 0.30%."


def _answer(*quotes: str) -> ModelTurn:
    said = [{"citations": [{"passage": "P1", "quote": quote}], "text": quote} for quote in quotes]
    return calls(("answer", {"statements": said, "status": "answered"}))


def _model() -> ScriptedModel:
    search = calls(("search", {"query": "entry charge of the Alder Growth Fund"}))
    return ScriptedModel([search, _answer(ENTRY, "The entry charge is 99%."), _answer(EXIT)])


def _lines(found: Running, path: str, body: dict[str, Any]) -> list[str]:
    client = found.client(accept="text/event-stream")
    with client.stream("POST", path, json=body) as response:
        return [line for line in response.iter_lines() if line]


def test_it_is_told_and_called_back_in_the_events_of_the_json_api(start: Start, db: Path) -> None:
    lines = _lines(start(make_site(db, model=_model)), "/api/ask", {"question": ALDER})
    events = [
        (kind.removeprefix("event: "), json.loads(line.removeprefix("data: ")))
        for kind, line in pairwise(lines)
        if kind.startswith("event: ")
    ]
    told = [(kind, found["text"]) for kind, found in events if kind in {"statement", "retracted"}]
    assert told == [("statement", ENTRY), ("statement", EXIT), ("retracted", ENTRY)]
    assert [one["text"] for one in events[-1][1]["statements"]] == [EXIT]
    assert "99%" not in json.dumps([found for kind, found in events if kind == "statement"])


def test_it_is_no_text_of_an_openai_stream(start: Start, db: Path) -> None:
    body = {"model": "pincite", "stream": True, "messages": [{"role": "user", "content": ALDER}]}
    lines = _lines(start(make_site(db, model=_model)), "/v1/chat/completions", body)
    comments = [line for line in lines if line.startswith(":")]
    assert f": passed the check: {ENTRY}" in comments and f": taken back: {ENTRY}" in comments
    chunks = [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: {")]
    text = "".join(chunk["choices"][0]["delta"].get("content") or "" for chunk in chunks)
    assert EXIT in text and ENTRY not in text
    assert not [line for line in lines if "99%" in line and not line.startswith("data: ")]
    first = lines.index(next(line for line in lines if line.startswith("data: ")))
    assert all(line.startswith(":") for line in lines[:first])
