"""Whether response times tell one tenant that another one has a document. Prints JSON.

    python benchmarks/tenants.py FOLDER [--rounds 200]

Two tenants are made in one index: one of the files of FOLDER, one of a single file. Over HTTP, the second
asks by turns for a document that only the first has, and for one of a made-up name of the same length that
nobody has, while the first asks the same questions at the same time. `auc` is the chance that a request for
the existing document takes longer than one for the made-up one: 0.5 says nothing, and `noise` is two standard
errors of it when the times tell nothing. `told_apart` counts pairs whose answers differ in more than the
name.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2

from pincite.agent.extractive.model import ExtractiveModel
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync
from pincite.server.access import Access
from pincite.server.address import bind
from pincite.server.limits import ServerLimits
from pincite.server.tenants import Serving
from pincite.server.web.app import make_app
from pincite.server.web.run import make_server
from pincite.server.web.running import Site

Send = Callable[[httpx2.Client, str], httpx2.Response]
WAYS: dict[str, Send] = {
    "read": lambda c, name: c.get("/api/read", params={"document": name, "section": "1"}),
    "contents": lambda c, name: c.get("/api/contents", params={"document": name}),
    "open": lambda c, name: c.post(
        "/api/open", json={"document": name, "section": "s1", "version": "v", "span": [0, 3], "quote": "the"}
    ),
    "ask in it": lambda c, name: c.post(
        "/api/ask", json={"question": "What does it say?", "documents": [name]}
    ),
    "search for it": lambda c, name: c.post("/api/search", json={"query": f"What does {name} say?"}),
}


def measure(found: httpx2.Client, names: list[str], rounds: int) -> dict[str, Any]:
    """Each way by turns in random order."""
    result = {}
    for way, send in WAYS.items():
        times: dict[bool, list[float]] = {True: [], False: []}
        apart = 0
        for turn in range(rounds):
            there = names[turn % len(names)]
            made_up = _made_up(there, turn)
            texts = {}
            for real in random.sample([True, False], 2):
                name = there if real else made_up
                started = time.perf_counter()
                response = send(found, name)
                times[real].append(1000 * (time.perf_counter() - started))
                texts[real] = _without(response, name)
            apart += texts[True] != texts[False]
        noise = 2 * math.sqrt((2 * rounds + 1) / (12 * rounds * rounds))
        result[way] = {
            "median_ms": [round(statistics.median(times[real]), 2) for real in (True, False)],
            "auc": round(_auc(times[True], times[False]), 3),
            "noise": round(noise, 3),
            "told_apart": apart,
        }
    return result


def _made_up(name: str, turn: int) -> str:
    """A name as long as this one, with the same ending and folder, that no document has."""
    stem, dot, ending = name.rpartition(".")
    folder, slash, last = stem.rpartition("/")
    letters = random.Random(f"{name} {turn}").choices("abcdefghijklmnopqrstuvwxyz", k=len(last))
    return f"{folder}{slash}{''.join(letters)}{dot}{ending}"


def _without(response: httpx2.Response, name: str) -> str:
    body = json.dumps(_plain(response.json()), sort_keys=True)
    return f"{response.status_code} {body}".replace(json.dumps(name)[1:-1], "NAME")


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        varies = {"ms", "seconds", "session", "attempts"}
        return {key: _plain(one) for key, one in value.items() if key not in varies}
    return [_plain(one) for one in value] if isinstance(value, list) else value


def _auc(longer: list[float], shorter: list[float]) -> float:
    pairs = [(a > b) + 0.5 * (a == b) for a in longer for b in shorter]
    return sum(pairs) / len(pairs)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--rounds", type=int, default=200)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        small = work / "own"
        small.mkdir()
        (small / "note.md").write_text("# Note\n\nThe key hangs by the door.\n", encoding="utf-8")
        sync([chosen.folder], work / "kb", vectors=False, tenant="first")
        sync([small], work / "kb", vectors=False, tenant="second")
        names = [row.id for row in Index.open(work / "kb", "first").documents(Scope())]
        tokens = work / "tokens.toml"
        tokens.write_text("".join(_entry(tenant) for tenant in ("first", "second")), encoding="utf-8")
        most = {"requests_per_minute": 10**6, "questions_per_minute": 10**6}
        site = Site(
            Serving(work / "kb", lambda _index: ExtractiveModel(None)), Access(tokens), ServerLimits(**most)
        )
        server = make_server(make_app(site))
        with bind("127.0.0.1", 0) as listening:
            thread = threading.Thread(target=lambda: server.run(sockets=[listening]), daemon=True)
            thread.start()
            while not server.started:
                time.sleep(0.01)
            url = f"http://127.0.0.1:{listening.getsockname()[1]}"
            stop = threading.Event()
            busy = threading.Thread(target=_ask_too, args=(url, names, stop), daemon=True)
            busy.start()
            with httpx2.Client(
                base_url=url, headers={"authorization": "Bearer second"}, timeout=60
            ) as client:
                for send in WAYS.values():
                    send(client, "note")
                found = measure(client, names, chosen.rounds)
            stop.set()
            busy.join(60)
            server.should_exit = True
            thread.join(20)
    print(json.dumps({"documents_of_the_other": len(names), "rounds": chosen.rounds, **found}, indent=2))


def _entry(tenant: str) -> str:
    digest = hashlib.sha256(tenant.encode()).hexdigest()
    return f'[[token]]\nname = "{tenant}"\nsha256 = "{digest}"\ntenant = "{tenant}"\neverything = true\n\n'


def _ask_too(url: str, names: list[str], stop: threading.Event) -> None:
    """The first tenant asks for its documents meanwhile, which keeps them in its caches."""
    with httpx2.Client(base_url=url, headers={"authorization": "Bearer first"}, timeout=60) as client:
        while not stop.wait(0.05):
            for send in WAYS.values():
                send(client, random.choice(names))


if __name__ == "__main__":
    main()
