"""A search over HTTP and over MCP names the other documents where the same words stand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.server.conftest import Running, make_site, write
from tests.server.mcp_client import in_memory

pytest.importorskip("mcp", reason="the extra mcp is not installed")

import jsonschema
from mcp import Client

from pincite.corpus.sync import sync
from pincite.server.web.running import Site

KEYS = (
    "The caretaker keeps the spare keys of every flat in the blue cupboard behind the door and writes each "
    "loan of a key into the green book, so that nobody needs to wonder in the evening where a key went or "
    "who has it now."
)


@pytest.fixture
def db(tmp_path: Path) -> Path:
    files = {f"{name}.md": f"# House {name}\n\n## Spare keys\n\n{KEYS}\n" for name in ("one", "two")}
    files["shop.md"] = "# Shop\n\nA green book costs 9 euros.\n"
    sync([write(tmp_path / "texts", files)], tmp_path / "kb", vectors=False)
    return tmp_path / "kb"


def told(passages: list[dict[str, Any]]) -> None:
    (keys,) = [one for one in passages if one["text"] == KEYS]
    assert len(keys["also_in"]) == 1 and keys["also_in"][0].endswith(".md, Spare keys, line 5")
    assert all(not {"also_in", "anchor", "page_label"} & one.keys() for one in passages if one is not keys)
    assert "anchor" not in keys


def test_over_http(start: Callable[[Site], Running], db: Path) -> None:
    found = start(make_site(db)).client().post("/api/search", json={"query": "green book"}).json()
    told(found["passages"])


def test_over_mcp(db: Path) -> None:
    async def use(client: Client) -> None:
        found = (await client.call_tool("search", {"query": "green book"})).structured_content
        schema = next(one for one in (await client.list_tools()).tools if one.name == "search").output_schema
        assert found is not None and schema is not None
        jsonschema.validate(found, schema)
        told(found["passages"])

    in_memory(db, use)
