"""The MCP server, called by the SDK's own client: in memory, over stdio, over streamable HTTP."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.server.conftest import token_file
from tests.server.mcp_client import in_memory, quoting, serving

pytest.importorskip("mcp", reason="the extra mcp is not installed")

import httpx2
import jsonschema
import uvicorn
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from pincite.corpus.manage import forget
from pincite.corpus.sync import sync
from pincite.server.access import Access
from pincite.server.address import bind
from pincite.server.limits import ServerLimits
from pincite.server.mcp.run import make_http_app


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_an_answer_is_checked_against_what_the_session_was_shown(db: Path, mode: str) -> None:
    async def use(client: Client) -> None:
        unseen = await client.call_tool(
            "check_answer", {"statements": quoting("P1", "The entry charge is 3.00%", "It is 3.00%.")}
        )
        assert unseen.structured_content is not None and not unseen.structured_content["passed"]
        found = await client.call_tool("search", {"query": "entry charge Alder Growth Fund"})
        assert found.structured_content is not None and not found.is_error
        passage = next(p for p in found.structured_content["passages"] if "3.00%" in p["text"])
        good = quoting(passage["handle"], "The entry charge is 3.00%.", "The entry charge is 3.00%.")
        checked = (await client.call_tool("check_answer", {"statements": good})).structured_content
        assert checked is not None and checked["passed"], checked
        assert checked["statements"][0]["citations"][0]["document"] == "texts/alder.md"
        bad = quoting(passage["handle"], "The entry charge is 9.00%.", "The entry charge is 9.00%.")
        refused = await client.call_tool("check_answer", {"statements": bad})
        assert refused.structured_content is not None and not refused.structured_content["passed"]
        assert refused.structured_content["problems"][0]["code"] in {
            "quote_not_found",
            "number_not_in_source",
        }
        assert refused.structured_content["advice"]

    in_memory(db, use, mode)


def test_results_keep_to_the_schemas_that_are_announced(db: Path) -> None:
    async def use(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {"search", "table_of_contents", "read_section", "define", "check_answer"}
        given: dict[str, dict[str, Any]] = {
            "search": {"query": "exit charge"},
            "table_of_contents": {"document": "texts/alder.md"},
            "read_section": {"document": "texts/alder.md", "section": "Costs"},
            "define": {"term": "Exit Charge"},
            "check_answer": {"statements": quoting("P1", "nothing", "Nothing.")},
        }
        for name, tool in tools.items():
            result = await client.call_tool(name, given[name])
            assert tool.output_schema is not None
            jsonschema.validate(result.structured_content, tool.output_schema)
            assert tool.annotations is not None and tool.annotations.read_only_hint

    in_memory(db, use)


def test_passages_shown_before_are_named_and_errors_are_plain(db: Path) -> None:
    async def use(client: Client) -> None:
        first = (await client.call_tool("search", {"query": "exit charge"})).structured_content
        again = (await client.call_tool("search", {"query": "exit charge"})).structured_content
        assert first is not None and again is not None
        assert set(again["already_shown"]) == {p["handle"] for p in first["passages"]}
        assert again["passages"] == []
        for tool, arguments, code in [
            ("read_section", {"document": "alder.md", "section": "99"}, "no_such_section"),
            ("read_section", {"document": "nothing", "section": "1"}, "no_such_document"),
            ("search", {"query": "exit", "session": "made-up"}, "no_such_session"),
        ]:
            failed = await client.call_tool(tool, arguments)
            assert failed.is_error
            assert failed.structured_content is not None
            assert failed.structured_content["error"]["code"] == code

    in_memory(db, use)


def test_a_document_that_goes_is_withdrawn_from_the_session(tmp_path: Path) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "a.md").write_text("# Dues\n\nThe yearly dues are 12 crowns.\n", encoding="utf-8")
    (texts / "b.md").write_text("# Fees\n\nThe fee for guests is 3 crowns.\n", encoding="utf-8")
    sync([texts], tmp_path / "kb", vectors=False)

    async def use(client: Client) -> None:
        found = (await client.call_tool("search", {"query": "yearly dues"})).structured_content
        assert found is not None
        handle = next(p["handle"] for p in found["passages"] if "12 crowns" in p["text"])
        forget(tmp_path / "kb", "texts/a.md")
        said = quoting(handle, "The yearly dues are 12 crowns.", "They are 12 crowns.")
        checked = await client.call_tool("check_answer", {"statements": said})
        assert checked.structured_content is not None
        assert checked.structured_content["problems"][0]["code"] == "withdrawn_passage"

    in_memory(tmp_path / "kb", use)


def test_over_stdio_as_a_program_starts_it(db: Path) -> None:
    async def main() -> None:
        command = ["-m", "pincite", "mcp", "--db", str(db)]
        async with Client(
            StdioServerParameters(command=sys.executable, args=command, env=dict(os.environ))
        ) as client:
            found = (await client.call_tool("search", {"query": "exit charge Birch"})).structured_content
            assert found is not None
            handle = next(p["handle"] for p in found["passages"] if "0.20%" in p["text"])
            said = quoting(handle, "The exit charge is 0.20%.", "The exit charge is 0.20%.")
            checked = await client.call_tool("check_answer", {"statements": said})
            assert checked.structured_content is not None and checked.structured_content["passed"]

    anyio.run(main)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_over_http_each_session_has_its_own_ledger_and_each_token_its_scope(
    db: Path, tmp_path: Path, mode: str
) -> None:
    tokens = token_file(
        tmp_path / "t.toml",
        {"name": "anna", "groups": []},
        {"name": "bert", "groups": [], "documents": ["texts/birch.md"]},
    )
    listening = bind("127.0.0.1", 0)
    app = make_http_app(serving(db), Access(tokens), None)
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=2))
    thread = threading.Thread(target=lambda: server.run(sockets=[listening]), daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    url = f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"

    async def search(client: Client, **more: str) -> dict[str, Any]:
        result = await client.call_tool("search", {"query": "entry charge", **more})
        found: dict[str, Any] = result.structured_content or {}
        return found

    async def main() -> None:
        nobody = httpx2.post(url, json={})
        assert (nobody.status_code, nobody.json()["error"]["code"]) == (401, "unauthorized")
        async with _http(url, "anna", mode) as anna, _http(url, "bert", mode) as bert:
            shown = await search(anna)
            handle = next(p["handle"] for p in shown["passages"] if "3.00%" in p["text"])
            said = quoting(handle, "The entry charge is 3.00%.", "It is 3.00%.")
            passed = {"statements": said, "session": shown["session"]}
            assert (await anna.call_tool("check_answer", passed)).structured_content["passed"]
            stolen = (await bert.call_tool("check_answer", passed)).structured_content
            assert stolen["error"]["code"] == "no_such_session"
            theirs = await search(bert)
            assert {p["document"] for p in theirs["passages"]} == {"texts/birch.md"}
            async with _http(url, "anna", mode) as other:
                assert (await search(other))["already_shown"] == []

    try:
        anyio.run(main)
    finally:
        server.should_exit = True
        thread.join(10)
        listening.close()


def test_over_http_too_many_requests_are_429(db: Path) -> None:
    listening = bind("127.0.0.1", 0)
    app = make_http_app(serving(db), Access(None), frozenset(), ServerLimits(requests_per_minute=2))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=2))
    thread = threading.Thread(target=lambda: server.run(sockets=[listening]), daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
        refused = [httpx2.post(url, json={}, timeout=30) for _ in range(4)][-1]
        assert (refused.status_code, refused.json()["error"]["code"]) == (429, "rate_limited")
        assert 1 <= int(refused.headers["retry-after"]) <= 60
    finally:
        server.should_exit = True
        thread.join(10)
        listening.close()


@asynccontextmanager
async def _http(url: str, token: str, mode: str) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode) as client,
    ):
        yield client
