"""Two tenants ask the same at the same time, in every way there is, and each gets what it gets alone.

The strongest form of "learns nothing of the other": all that a caller is told, with times and random names
taken out, is the same whether the other tenant exists and is busy or not.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import openai
import pytest
from tests.server.conftest import Running, make_site, running, token_file, write

pytest.importorskip("mcp", reason="the extra mcp is not installed")

import anyio
import uvicorn
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from tests.server.mcp_client import quoting, serving

from pincite.corpus.sync import sync
from pincite.server.access import Access
from pincite.server.address import bind
from pincite.server.mcp.run import make_http_app

# Each word of one tenant's documents alone, also in names that the other asks for.
NORTH, SOUTH = "Quillbank", "Zanzimoor"
QUESTIONS = [
    "What is the mooring fee?",
    "What is the pilot charge?",
    f"What does the {NORTH} plan say?",
    f"What does the {SOUTH} plan say?",
    "and in winter?",
]


def _files(own: str, fee: str) -> dict[str, str]:
    plan = f'# {own} plan\n\n## Terms\n\n"{own} Day" means 3 May.\n\nThe {own} plan costs {fee} crowns.\n'
    charge = f"The mooring fee is {fee} crowns. The pilot charge is {fee[::-1]} crowns."
    fees = f"# Harbour fees\n\n## Fees\n\n{charge}\n"
    only = {f"{own.lower()}-{n}.md": f"# {own} note {n}\n\nBerth {n} is kept for {own}.\n" for n in range(4)}
    return {"fees.md": fees, f"{own.lower()}-plan.md": plan, **only}


WORDS = {"north": [NORTH, NORTH.lower(), "7301"], "south": [SOUTH, SOUTH.lower(), "2846"]}
TOKENS = [
    {"name": f"{tenant}-{number}", "tenant": tenant, "everything": True}
    for tenant in WORDS
    for number in (1, 2)
]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same index with both tenants, and with each of them alone."""
    root = tmp_path_factory.mktemp("tenants")
    write(root / "north", _files(NORTH, "7301"))
    write(root / "south", _files(SOUTH, "2846"))
    for tenant in WORDS:
        for kb in ("both", f"{tenant}-alone"):
            sync([root / tenant], root / kb, vectors=False, tenant=tenant)
    return root


@pytest.mark.timeout(600)
def test_all_that_one_is_told_is_what_it_is_told_when_it_is_alone(made: Path, tmp_path: Path) -> None:
    tokens = token_file(
        tmp_path / "tokens.toml", *TOKENS, {"name": "boss", "everything": True, "operator": True}
    )
    told: dict[str, list[str]] = {}
    with served(made / "both", tokens) as (found, mcp):
        start = threading.Barrier(len(TOKENS))

        def hammer(name: str) -> None:
            start.wait(60)
            told[name] = everything(found, mcp, name)

        with ThreadPoolExecutor(len(TOKENS)) as pool:
            list(pool.map(hammer, [str(one["name"]) for one in TOKENS]))
        counted = found.client("boss").get("/metrics").text
    assert not [word for words in WORDS.values() for word in words if word in counted]
    assert not [name for name in (*WORDS, *told, "fees.md") if name in counted]
    for tenant, others in (("north", "south"), ("south", "north")):
        with served(made / f"{tenant}-alone", tokens) as (found, mcp):
            alone = everything(found, mcp, f"{tenant}-1")
        for name in (f"{tenant}-1", f"{tenant}-2"):
            assert len(told[name]) > 60
            assert [_plain(line, name) for line in told[name]] == [
                _plain(line, f"{tenant}-1") for line in alone
            ]
            assert not [line for line in told[name] if WORDS[others][2] in line]
        assert any(WORDS[tenant][2] in line for line in told[f"{tenant}-1"])


def _plain(line: str, name: str) -> str:
    """Without names and times that differ from run to run."""
    line = line.replace(name, "CALLER")
    line = re.sub(r"\d{8}-\d{6}-[0-9a-f]{6}", "SESSION", line)
    line = re.sub(r"chatcmpl-[0-9a-f]+", "COMPLETION", line)
    line = re.sub(r"(session: |\"session\": ?\")[\w-]{24,}", r"\1SESSION", line)
    line = re.sub(r"⟦/?[0-9a-f]+", "⟦NONCE", line)
    line = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)?", "TIME", line)
    return re.sub(r'("(?:ms|seconds|at|created)": ?|: ok, )[\d.e-]+|, \d+ ms', r"\1T", line)


def everything(found: Running, mcp: str, token: str) -> list[str]:
    """All that a caller is told by the JSON API, the page's requests, OpenAI's API and MCP."""
    client = found.client(token)
    return [
        *_asked(client),
        *_looked_up(client),
        *_by_openai(found, token),
        *anyio.run(_over_mcp, mcp, token),
    ]


def _text(response: httpx2.Response) -> str:
    headers = sorted(f"{k}: {v}" for k, v in response.headers.items() if k not in {"date", "content-length"})
    return f"{response.status_code} {headers} {response.text}"


def _asked(client: httpx2.Client) -> Iterator[str]:
    session = None
    for question in QUESTIONS:
        answer = client.post("/api/ask", json={"question": question, "session": session})
        yield _text(answer)
        session = answer.json()["session"]
    for _ in range(2):
        for question in QUESTIONS[:4]:
            # The second time it comes from the cache, and only then.
            yield _text(client.post("/api/ask", json={"question": question}))
    for path in ("", "/transcript"):
        yield _text(client.get(f"/api/sessions/{session}{path}"))
    stream = {"accept": "text/event-stream"}
    yield _text(client.post("/api/ask", json={"question": "Who keeps berth 3?"}, headers=stream))
    for documents in (["fees.md"], [f"{NORTH.lower()}-plan.md"], [f"{SOUTH} plan"], ["north/fees.md"]):
        yield _text(client.post("/api/ask", json={"question": QUESTIONS[0], "documents": documents}))
    yield json.dumps(sorted(one["first"] for one in client.get("/api/sessions").json()["sessions"]))


def _looked_up(client: httpx2.Client) -> Iterator[str]:
    yield _text(client.get("/api/contents"))
    for own in (NORTH, SOUTH):
        for given in ("plan", "note 2", "plans", "note"):
            named = {"document": f"{own} {given}"}
            yield _text(client.get("/api/contents", params=named))
            yield _text(client.get("/api/read", params={**named, "section": "Terms"}))
        yield _text(client.post("/api/search", json={"query": f"{own} plan costs"}))
        yield _text(client.post("/api/search", json={"query": "berth", "document": f"{own.lower()}-1.md"}))
        found = {
            "document": f"{own.lower()[:5]}/x.md",
            "section": "s1",
            "version": "v",
            "span": [0, 3],
            "quote": "The",
        }
        yield _text(client.post("/api/open", json=found))
    yield _text(client.post("/api/search", json={"query": "fee crowns berth plan", "limit": 50}))
    yield _text(client.get("/metrics"))
    yield _text(client.get("/api/sessions/20260101-000000-abcdef"))


def _by_openai(found: Running, token: str) -> Iterator[str]:
    messages: list[Any] = []
    with openai.OpenAI(base_url=f"{found.url}/v1", api_key=token, max_retries=0) as client:
        for question in QUESTIONS:
            messages.append({"role": "user", "content": question})
            done = client.chat.completions.create(model="pincite", messages=messages)
            yield done.model_dump_json()
            messages.append({"role": "assistant", "content": done.choices[0].message.content})
        for chunk in client.chat.completions.create(model="pincite", messages=messages[:1], stream=True):
            yield chunk.model_dump_json()
        for documents in ([f"{SOUTH} plan"], [f"{NORTH} plan"]):
            try:
                more = {"pincite": {"documents": documents}}
                yield client.chat.completions.create(
                    model="pincite", messages=messages[:1], extra_body=more
                ).model_dump_json()
            except openai.APIStatusError as error:
                yield json.dumps(error.body)


async def _over_mcp(url: str, token: str) -> list[str]:
    told = []
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http), mode="legacy") as client,
    ):
        calls: list[tuple[str, dict[str, Any]]] = [("table_of_contents", {})]
        for own in (NORTH, SOUTH):
            calls += [
                ("search", {"query": f"{own} plan", "queries": ["mooring fee"]}),
                ("define", {"term": f"{own} Day"}),
                ("define", {"term": f"{own} Night"}),
                ("read_section", {"document": f"{own} plan", "section": "Terms"}),
                ("table_of_contents", {"find": own}),
            ]
        calls.append(("check_answer", {"statements": quoting("P1", "crowns", "It is 9999 crowns.")}))
        for tool, given in calls:
            told.append((await client.call_tool(tool, given)).model_dump_json())
        page = await client.list_resources()
        told.append(page.model_dump_json())
        for uri in (
            "pincite://documents",
            "pincite://documents/south%2Ffees.md",
            "pincite://documents/fees.md",
        ):
            try:
                told.append((await client.read_resource(uri)).model_dump_json())
            except MCPError as error:
                told.append(f"{error.message} {error.data}")
    return told


@contextmanager
def served(db: Path, tokens: Path) -> Iterator[tuple[Running, str]]:
    """The web server with a cache, and the MCP server, over one index."""
    app = make_http_app(serving(db), Access(tokens), None)
    with running(make_site(db, tokens, cached_answers=100), None) as found, listening(app) as url:
        yield found, f"{url}/mcp"


@contextmanager
def listening(app: Callable[..., Any]) -> Iterator[str]:
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
