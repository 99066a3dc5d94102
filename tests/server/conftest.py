"""A real server on a free port of this machine, over small indexes made without an encoder."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra serve is not installed")
pytest.importorskip("uvicorn", reason="the extra serve is not installed")

import httpx2

from pincite.agent.extractive.model import ExtractiveModel
from pincite.agent.model import ChatModel
from pincite.corpus.sync import sync
from pincite.server.access import Access
from pincite.server.address import bind
from pincite.server.limits import ServerLimits
from pincite.server.tenants import Serving
from pincite.server.web.app import make_app
from pincite.server.web.run import make_server
from pincite.server.web.running import Site

FILES = {
    "alder.md": "# Alder Growth Fund\n\n## Costs\n\nThe entry charge is 3.00%. The exit charge is 0.30%.\n",
    "birch.md": "# Birch Bond Fund\n\n## Costs\n\nThe entry charge is 1.25%. The exit charge is 0.20%.\n",
    "hostile.md": "# `<img src=x onerror=alert(1)>`\n\n## Notes\n\n"
    "The marker fee is `<b>7</b>` crowns & more.\n",
}
ALDER = "What is the entry charge of the Alder Growth Fund?"


def write(folder: Path, files: dict[str, str]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@dataclass
class Running:
    """A server, and clients of it."""

    url: str
    site: Site
    clients: list[httpx2.Client] = field(default_factory=list)

    def client(self, token: str | None = None, **headers: str) -> httpx2.Client:
        sent = {**headers, **({"Authorization": f"Bearer {token}"} if token else {})}
        client = httpx2.Client(base_url=self.url, headers=sent, timeout=60)
        self.clients.append(client)
        return client


@contextmanager
def running(site: Site, hosts: frozenset[str] | None = frozenset()) -> Iterator[Running]:
    listening = bind("127.0.0.1", 0)
    server = make_server(make_app(site, hosts))
    thread = threading.Thread(target=lambda: server.run(sockets=[listening]), daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    found = Running(f"http://127.0.0.1:{listening.getsockname()[1]}", site)
    try:
        yield found
    finally:
        for client in found.clients:
            client.close()
        server.should_exit = True
        thread.join(20)
        listening.close()


def make_site(
    db: Path,
    tokens: Path | None = None,
    model: Callable[[], ChatModel] = lambda: ExtractiveModel(None),
    **limits: Any,
) -> Site:
    return Site(Serving(db, lambda _index: model()), Access(tokens), ServerLimits(**limits))


def token_file(path: Path, *entries: dict[str, Any]) -> Path:
    """A token file; the token of an entry is its name."""
    blocks = []
    for entry in entries:
        digest = hashlib.sha256(entry["name"].encode()).hexdigest()
        values = {"sha256": digest, **entry}
        rows = [f"{key} = {_toml(value)}" for key, value in values.items()]
        blocks.append("\n".join(["[[token]]", *rows]))
    path.write_text("\n\n".join(blocks), encoding="utf-8")
    return path


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "[" + ", ".join(f'"{one}"' for one in value) + "]"
    return f'"{value}"'


@pytest.fixture(scope="session")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write(tmp_path_factory.mktemp("served") / "texts", FILES)
    db = tmp_path_factory.mktemp("kb") / "kb"
    sync([folder], db, vectors=False)
    return db


@pytest.fixture
def start() -> Iterator[Callable[[Site], Running]]:
    with ExitStack() as stack:
        yield lambda site: stack.enter_context(running(site))


@pytest.fixture(scope="module")
def served(db: Path) -> Iterator[Running]:
    with running(make_site(db)) as found:
        yield found
