"""What may no longer be seen leaves sessions that are running, and kept answers do not bring it back."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.server.conftest import ALDER, FILES, Running, make_site, token_file, write

from pincite.agent.messages import ModelRequest, ModelTurn
from pincite.agent.scripted import ScriptedModel, calls
from pincite.corpus.manage import forget, reindex
from pincite.corpus.sync import sync
from pincite.server.access import Access
from pincite.server.address import bind
from pincite.server.web.running import Site

Start = Callable[[Site], Running]
Revoke = Callable[[Path, Path], None]
QUOTE = "The entry charge is 3.00%."


@pytest.fixture
def db(tmp_path: Path) -> Path:
    sync([write(tmp_path / "texts", FILES)], tmp_path / "kb", vectors=False)
    return tmp_path / "kb"


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    return token_file(tmp_path / "tokens.toml", {"name": "anna", "groups": []})


def _deleted(db: Path, _tokens: Path) -> None:
    forget(db, "texts/alder.md")


def _not_for_anna(_db: Path, tokens: Path) -> None:
    token_file(tokens, {"name": "anna", "groups": [], "documents": ["texts/birch.md"]})


def _for_a_group(db: Path, _tokens: Path) -> None:
    sync([db.parent / "texts" / "alder.md"], db, vectors=False, groups=["board"])


revoking = pytest.mark.parametrize("revoke", [_deleted, _not_for_anna, _for_a_group])


def _citing(request: ModelRequest) -> ModelTurn:
    """Cites the passage that held the charge, by the handle that it had in the first turn."""
    return calls(
        (
            "answer",
            {
                "statements": [{"citations": [{"passage": "P1", "quote": QUOTE}], "text": QUOTE}],
                "status": "answered",
            },
        )
    )


@revoking
def test_its_handle_is_a_withdrawn_passage_over_http(
    start: Start, db: Path, tokens: Path, revoke: Revoke
) -> None:
    search = calls(("search", {"query": "entry charge of the Alder Growth Fund"}))
    nothing = calls(("answer", {"statements": [], "status": "not_found"}))
    model = ScriptedModel([search, _citing, _citing, nothing])
    client = start(make_site(db, tokens, model=lambda: model)).client("anna")
    first = client.post("/api/ask", json={"question": ALDER}).json()
    assert first["statements"][0]["citations"][0]["handle"] == "P1", first
    revoke(db, tokens)
    asked = {"question": "Say that again.", "session": first["session"]}
    told = client.post("/api/ask", json=asked, headers={"accept": "text/event-stream"}).text
    assert "withdrawn_passage" in told
    assert "3.00%" not in told
    sent = "\n".join(message.text for message in model.requests[2].messages)
    assert "3.00%" not in sent
    steps = client.get(f"/api/sessions/{first['session']}/transcript").text
    assert "withdrawn_passage" in steps and "3.00%" not in steps


@revoking
def test_its_handle_is_a_withdrawn_passage_over_mcp(db: Path, tokens: Path, revoke: Revoke) -> None:
    pytest.importorskip("mcp", reason="the extra mcp is not installed")
    import anyio
    import httpx2
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client
    from tests.server.mcp_client import quoting, serving

    from pincite.server.mcp.run import make_http_app

    async def main(url: str) -> None:
        async with (
            httpx2.AsyncClient(headers={"Authorization": "Bearer anna"}, timeout=60) as http,
            Client(streamable_http_client(f"{url}/mcp", http_client=http), mode="legacy") as client,
        ):
            found: Any = (
                await client.call_tool("search", {"query": "entry charge Alder"})
            ).structured_content
            handle = next(one["handle"] for one in found["passages"] if QUOTE in one["text"])
            said = {"statements": quoting(handle, QUOTE, QUOTE)}
            before: Any = (await client.call_tool("check_answer", said)).structured_content
            assert before["passed"]
            revoke(db, tokens)
            after: Any = (await client.call_tool("check_answer", said)).structured_content
            assert [one["code"] for one in after["problems"]] == ["withdrawn_passage"]
            again: Any = (await client.call_tool("search", {"query": "entry charge"})).structured_content
            assert handle not in again["already_shown"]
            assert QUOTE not in str(again)

    with _listening(make_http_app(serving(db), Access(tokens), None)) as url:
        anyio.run(main, url)


@contextmanager
def _listening(app: Any) -> Iterator[str]:
    import uvicorn

    port = bind("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=2))
    thread = threading.Thread(target=lambda: server.run(sockets=[port]), daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{port.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
        port.close()


@revoking
def test_a_kept_answer_is_not_given_again(start: Start, db: Path, tokens: Path, revoke: Revoke) -> None:
    client = start(make_site(db, tokens, cached_answers=10)).client("anna")
    asked = [client.post("/api/ask", json={"question": ALDER}).json() for _ in range(2)]
    assert [one["cached"] for one in asked] == [False, True]
    revoke(db, tokens)
    after = client.post("/api/ask", json={"question": ALDER}).json()
    assert not after["cached"] and "3.00%" not in str(after)


def test_no_kept_answer_outlives_a_reindex(start: Start, db: Path) -> None:
    found = start(make_site(db, cached_answers=10))
    client = found.client()

    def cached() -> bool:
        return bool(client.post("/api/ask", json={"question": ALDER}).json()["cached"])

    assert [cached(), cached()] == [False, True]
    for _ in range(2):
        # Nothing in the documents has changed.
        reindex(db, None)
        assert [cached(), cached()] == [False, True]


def test_no_kept_answer_crosses_scopes(start: Start, db: Path, tmp_path: Path) -> None:
    texts = write(
        tmp_path / "board", {"alder-board.md": "# Alder Growth Fund, board\n\nThe entry charge is 9.99%.\n"}
    )
    sync([texts], db, vectors=False, groups=["board"])
    digests = {name: hashlib.sha256(name.encode()).hexdigest() for name in ("board", "guest", "one", "other")}
    common = {"name": "anna", "groups": []}
    tokens = token_file(
        tmp_path / "scopes.toml",
        # One person with several tokens: the name alone does not tell what may be seen.
        {**common, "sha256": digests["board"], "groups": ["board"]},
        {**common, "sha256": digests["guest"]},
        {**common, "sha256": digests["one"], "documents": ["texts/birch.md"]},
        {**common, "sha256": digests["other"], "name": "bert"},
    )
    found = start(make_site(db, tokens, cached_answers=100))
    for token in digests:
        for expected in (False, True):
            answer = found.client(token).post("/api/ask", json={"question": ALDER}).json()
            assert answer["cached"] is expected
            assert ("9.99%" in str(answer)) <= (token == "board")
            assert ("Alder" in str(answer["statements"])) <= (token != "one")
    narrowed = {"question": ALDER, "documents": ["texts/birch.md"]}
    for token in ("board", "other"):
        assert not found.client(token).post("/api/ask", json=narrowed).json()["cached"]


def test_the_answers_of_one_tenant_do_not_push_out_those_of_another(
    start: Start, db: Path, tmp_path: Path
) -> None:
    sync([tmp_path / "texts"], db, vectors=False, tenant="rival")
    tokens = token_file(
        tmp_path / "two.toml",
        {"name": "anna", "groups": []},
        {"name": "rival", "tenant": "rival", "groups": []},
    )
    found = start(make_site(db, tokens, cached_answers=2))
    anna, rival = found.client("anna"), found.client("rival")
    anna.post("/api/ask", json={"question": ALDER})
    for number in range(4):
        rival.post("/api/ask", json={"question": f"What is the exit charge of fund {number}?"})
    assert anna.post("/api/ask", json={"question": ALDER}).json()["cached"]
