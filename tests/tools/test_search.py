"""Search as a model meets it, on a real index."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.tools.results import LEASE, code, region

from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.corpus.tokens import estimate_tokens
from pincite.tools.context import ToolLimits
from pincite.tools.retrieve import Retriever
from pincite.tools.toolbox import Toolbox


def test_search_shows_passages_with_handles_and_says_how_it_went(toolbox: Toolbox) -> None:
    result = toolbox.call("search", {"query": "when is the rent due", "limit": 3})
    assert result.error is None
    assert result.text.startswith("3 passages (keyword and vector search).\n")
    assert [passage.handle for passage in result.passages] == ["P1", "P2", "P3"]
    assert region(result) == [(passage.handle, passage.text) for passage in result.passages]
    first = result.passages[0]
    assert (first.document, first.number, first.line) == ("club/lease.md", "4.2", 13)
    assert first.text.startswith("Rent is due on the first working day of the month.")
    assert result.used == "fused"
    assert toolbox.ledger.passages["P1"] == first


def test_what_still_stands_is_named_and_what_does_not_comes_again_under_its_handle(toolbox: Toolbox) -> None:
    call = {"query": "when is the rent due", "limit": 2}
    first = toolbox.call("search", call)
    again = toolbox.call("search", call)
    assert (again.passages, again.already_shown) == ((), ("P1", "P2"))
    assert "Nothing new" in again.text
    assert "P1 was shown above." in again.text
    assert region(again) == []
    toolbox.ledger.compact(["P1"])
    third = toolbox.call("search", call)
    assert (third.passages, third.already_shown) == (first.passages[:1], ("P2",))
    part = toolbox.call("read_section", {**LEASE, "section": "4.2(b)"})
    assert (part.passages, part.already_shown) == ((), ("P1",))


def test_pages_of_a_search_continue_without_repeating(toolbox: Toolbox) -> None:
    call: dict[str, Any] = {"query": "berth fee crowns", "limit": 2}
    seen: list[str] = []
    following = None
    for _ in range(4):
        result = toolbox.call("search", {**call, "from": following} if following else call)
        assert len(result.passages) == 2
        seen += [passage.text for passage in result.passages]
        following = result.next
        assert following is not None
        assert f'"from": "{following}"' in result.text
    assert len(set(seen)) == 8


def test_a_from_of_another_call_is_refused(toolbox: Toolbox) -> None:
    following = toolbox.call("search", {"query": "berth fee", "limit": 1}).next
    assert code(toolbox.call("search", {"query": "night watch", "from": following})) == "bad_arguments"


def test_several_queries_take_turns(toolbox: Toolbox) -> None:
    result = toolbox.call("search", {"queries": ["berth metres fee", "fuel pump E17"], "limit": 2})
    assert [passage.path[-1] for passage in result.passages] == ["Berths", "Fuel"]
    half = toolbox.call("search", {"queries": ["keys", "zzzunheard"], "limit": 1, **LEASE})
    assert half.error is None


def test_a_search_in_one_document_stays_there(toolbox: Toolbox) -> None:
    for name in ("club/lease.md", "lease.md", "Lease of the boathouse", "LEASE", "lease"):
        result = toolbox.call("search", {"query": "berth fee crowns", "document": name, "limit": 4})
        assert {passage.document for passage in result.passages} | {"club/lease.md"} == {"club/lease.md"}
        assert result.error is None


def test_no_call_is_longer_than_its_cap(index: Index, retriever: Retriever) -> None:
    limits = ToolLimits(passage_tokens=200, call_tokens=800)
    toolbox = Toolbox(index, retriever, Scope(), limits=limits, seed="s")
    result = toolbox.call("search", {"query": "watch pier lamp berth fee", "limit": 50})
    assert result.next is not None
    assert all(estimate_tokens(passage.text) <= 200 for passage in result.passages)
    assert sum(estimate_tokens(passage.text) for passage in result.passages) <= 800
    read = toolbox.call("read_section", {"document": "handbook", "section": "Night watch"})
    assert estimate_tokens(read.text) <= 1300
    assert read.next is not None


def test_nothing_found_and_nothing_working_are_told_apart(plain_db: Path, index: Index, encoder: Any) -> None:
    plain = Index.open(plain_db)
    nothing = Toolbox(plain, Retriever(plain, None), Scope(), seed="s").call(
        "search", {"query": "zzzunheard"}
    )
    assert code(nothing) == "no_match"
    assert "vector search left out (no encoder is set up)" in nothing.text
    dead = Retriever(index, lambda: encoder, fail=["keyword", "vector"])
    failed = Toolbox(index, dead, Scope(), seed="s").call("search", {"query": "rent"})
    assert code(failed) == "search_unavailable"
    assert [attempt.outcome.value for attempt in failed.attempts] == ["error", "error"]
    half = Retriever(index, lambda: encoder, fail=["vector"])
    result = Toolbox(index, half, Scope(), seed="s").call("search", {"query": "rent", "limit": 1})
    assert result.text.startswith("Vector search failed (error); keyword search answered: 1 passage.\n")


def test_withdrawn_passages_are_neither_shown_nor_named(toolbox: Toolbox) -> None:
    shown = toolbox.call("search", {"query": "when is the rent due", "limit": 1})
    toolbox.ledger.withdraw(["P1"])
    for name, arguments in (
        ("search", {"query": "when is the rent due", "limit": 3}),
        ("read_section", {**LEASE, "section": "4"}),
        ("read_section", {**LEASE, "section": "4.2(b)"}),
    ):
        result = toolbox.call(name, arguments)
        assert "P1" not in result.handles
        assert shown.passages[0].text not in result.text
        assert "15 crowns" not in json.dumps(result.model_dump(mode="json"))
