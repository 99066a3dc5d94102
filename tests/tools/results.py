"""Reading a tool result in tests: its data region, what stands around it, its error."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from pincite.corpus.index import Index
from pincite.corpus.sync import sync
from pincite.tools.render import parse_block
from pincite.tools.result import ToolResult

LEASE = {"document": "club/lease.md"}


NONCE = re.compile(r"⟦([0-9a-f]{12}) data⟧")


def region(result: ToolResult) -> list[tuple[str, str]]:
    nonce = NONCE.search(result.text)
    return parse_block(result.text, nonce[1]) if nonce else []


def around(result: ToolResult) -> str:
    return re.sub(r"⟦([0-9a-f]{12}) data⟧.*⟦/\1⟧", "", result.text, flags=re.DOTALL)


def flat(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one for entry in entries for one in (entry, *flat(entry["children"]))]


def code(result: ToolResult) -> str:
    assert result.error is not None
    assert result.text.startswith(f"Error {result.error.code}: ")
    assert result.passages == ()
    return result.error.code


def _synced(docs: Path, db: Path, encoder: Any) -> Index:
    sync([docs], db, encoder=encoder)
    return Index.open(db)
