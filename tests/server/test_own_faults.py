"""What one caller asks takes nothing from the others, and nobody learns where things lie on this machine."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.server.conftest import ALDER, FILES, Running, make_site, token_file, write

from pincite.corpus.sync import sync
from pincite.server.access import Access
from pincite.server.mcp.sessions import McpTools
from pincite.server.tenants import Tenants
from pincite.server.web.running import Site
from pincite.tools.contract import json_search

Start = Callable[[Site], Running]
HOSTILE = ["W" * 256, "W" * 1_000, "租户可以" * 60, "ж" * 300, "9" * 900]


@pytest.fixture
def own(tmp_path: Path) -> Path:
    sync([write(tmp_path / "texts", FILES)], tmp_path / "kb", vectors=False)
    return tmp_path / "kb"


def test_a_question_that_nothing_can_match_leaves_the_search_of_the_others(
    start: Start, db: Path, tmp_path: Path
) -> None:
    entries = ({"name": "bob", "groups": []}, {"name": "alice", "everything": True})
    found = start(make_site(db, token_file(tmp_path / "tokens.toml", *entries)))
    bob, alice = found.client("bob"), found.client("alice")
    for text in HOSTILE:
        for _ in range(2):
            nothing = bob.post("/api/search", json={"query": text}).json()
            assert nothing["error"]["code"] == "no_match", text[:20]
            assert [one["outcome"] for one in nothing["attempts"]] == ["empty", "skipped"]
        assert bob.post("/api/ask", json={"question": text}).json()["status"] == "not_found", text[:20]
    answer = alice.post("/api/ask", json={"question": ALDER}).json()
    assert answer["status"] == "answered" and "3.00%" in answer["text"]


def test_an_index_that_breaks_is_told_without_its_place(start: Start, own: Path) -> None:
    found = start(make_site(own))
    client = found.client()
    assert client.post("/api/ask", json={"question": ALDER}).json()["status"] == "answered"
    for file in (own / "default" / "lance").rglob("*"):
        if file.is_file() and ("_indices" in file.parts or "data" in file.parts):
            file.write_bytes(b"\x00no index\xff" * 50)
    told: list[Any] = [
        client.post("/api/search", json={"query": "entry charge"}).text,
        client.post("/api/ask", json={"question": ALDER}).text,
        client.get("/api/contents").text,
        client.get("/api/read", params={"document": "alder.md", "section": "Costs"}).text,
        client.post("/v1/chat/completions", json=_message(ALDER)).text,
        *_over_mcp(own),
    ]
    session = client.get("/api/sessions").json()["sessions"][0]["session"]
    told += [client.get(f"/api/sessions/{session}{rest}").text for rest in ("", "/transcript")]
    shutil.rmtree(own / "default" / "lance")
    told += [client.post("/api/ask", json={"question": ALDER}).text, *_over_mcp(own)]
    assert "damaged" in told[0], "the reason is told"
    for text in told:
        assert str(own) not in text and "kb/default" not in text and "/lance" not in text, text


def _message(text: str) -> dict[str, Any]:
    return {"model": "pincite", "messages": [{"role": "user", "content": text}]}


def _over_mcp(db: Path) -> list[str]:
    """What the search over MCP tells, as text and as JSON."""
    tools = McpTools(Tenants(make_site(db).serving), Access(None), one_client=True)
    _, result = tools.call(None, "search", {"query": "entry charge"})
    return [result.text, json_search(result).model_dump_json()]
