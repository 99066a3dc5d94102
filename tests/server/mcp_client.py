"""The SDK's client of an MCP server in the same process."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
from mcp import Client

from pincite.agent.extractive.model import ExtractiveModel
from pincite.server.access import Access
from pincite.server.mcp.app import make_mcp
from pincite.server.tenants import Serving, Tenants

Use = Callable[[Client], Awaitable[None]]


def serving(db: Path) -> Serving:
    return Serving(db, lambda _index: ExtractiveModel(None))


def in_memory(db: Path, use: Use, mode: Any = "auto") -> None:
    async def main() -> None:
        server = make_mcp(Tenants(serving(db)), Access(None), one_client=True)
        async with Client(server, mode=mode) as client:
            await use(client)

    anyio.run(main)


def quoting(handle: str, quote: str, text: str) -> list[dict[str, Any]]:
    return [{"citations": [{"passage": handle, "quote": quote}], "text": text}]
