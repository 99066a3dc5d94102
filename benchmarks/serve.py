"""What the server adds to a question, and how it bears many sessions at once. Prints JSON, in milliseconds.

    python benchmarks/serve.py times DB [--questions N]
    python benchmarks/serve.py load DB FOLDER [--sessions 32] [--turns 20]

`times` asks the questions of a warm server and of the library in the same process, by turns: the first
progress event, the whole answer, the encoder's share of it, and what HTTP adds. DB is an index, with vectors
if it has them.

`load` starts `pincite serve` over a copy of DB and holds so many conversations at the same time while FOLDER
(a folder of that index) is synced again and again; half-way the server is killed with -9 and started again,
and every session goes on. `failures` names requests that failed other than by the kill, and sessions that
hold what is not theirs. `memory_mb` tells the server's resident memory, sampled every second, as medians of
eighths of the time before the kill and of that after it; `growth_mb_per_1000_turns` is the slope of a line
through the samples of the second half of each.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
from conversations import Conversations, Server, eighths, slope

from pincite.agent.chat import Ground, open_chat
from pincite.agent.models import resolve_model
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.evals.extractive_runs import TimedEncoder, load_timed_encoder
from pincite.server.access import Access
from pincite.server.address import bind
from pincite.server.limits import ServerLimits
from pincite.server.tenants import Serving
from pincite.server.web.app import make_app
from pincite.server.web.run import make_server
from pincite.server.web.running import Site
from pincite.tools.retrieve import Retriever


def questions_of(index: Index, most: int) -> list[str]:
    """Questions about headings of the index: "What does … say about …?"."""
    found = []
    for row in index.documents(Scope(), limit=max(1, most // 4)):
        named = [section for section in index.outline(row.id, Scope()) if section.title]
        titles = [section.title.lower() for section in named[:: len(named) // 4 + 1]]
        found += [f"What does {row.title} say about {title}?" for title in titles]
    return found[:most]


def times(options: argparse.Namespace) -> dict[str, Any]:
    index = Index.open(options.db)
    encoder = load_timed_encoder() if index.info.encoder else None
    load = (lambda: encoder) if encoder else None
    serving = Serving(options.db, lambda _index: resolve_model(None, encoder=load), load)
    site = Site(serving, Access(None), ServerLimits())
    server = make_server(make_app(site))
    asked = questions_of(index, options.questions)
    ground = Ground(index, Retriever(index, load), resolve_model(None, encoder=load))
    with bind("127.0.0.1", 0) as listening:
        thread = threading.Thread(target=lambda: server.run(sockets=[listening]), daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        with httpx2.Client(base_url=url, timeout=120) as client:
            for question in asked[:3]:
                over_http(client, question)
                by_library(ground, question, encoder)
            rows = [(over_http(client, q), by_library(ground, q, encoder)) for q in asked]
            # Without a search both ways do the same, and nothing but HTTP lies between them.
            greetings = [(over_http(client, "hello"), by_library(ground, "hello", encoder)) for _ in asked]
        server.should_exit = True
        thread.join(20)
    beyond = [whole - encoding for _, (whole, encoding, _) in rows]
    added = [over[1] - library[0] for over, library in greetings]
    return {
        "chunks": index.counts().chunks,
        "questions": len(rows),
        "answered": sum(library[2] == "answered" for _, library in rows),
        "first_event_ms": middle([over[0] for over, _ in rows]),
        "answer_over_http_ms": middle([over[1] for over, _ in rows]),
        "answer_in_library_ms": middle([library[0] for _, library in rows]),
        "library_beyond_encoder_ms": middle(beyond),
        "added_by_http_ms": middle(added),
    }


def over_http(client: httpx2.Client, question: str) -> tuple[float, float]:
    """(milliseconds to the first progress, to the answer)."""
    started = time.perf_counter()
    first = 0.0
    sent = {"question": question}
    with client.stream("POST", "/api/ask", json=sent, headers={"accept": "text/event-stream"}) as response:
        for line in response.iter_lines():
            if line.startswith("event: progress") and not first:
                first = time.perf_counter() - started
            if line.startswith("event: answer"):
                break
    return 1000 * first, 1000 * (time.perf_counter() - started)


def by_library(ground: Ground, question: str, encoder: TimedEncoder | None) -> tuple[float, float, str]:
    """(milliseconds, those in the encoder, the status)."""
    before = encoder.seconds if encoder else 0.0
    started = time.perf_counter()
    load = (lambda: encoder) if encoder else None
    chat = open_chat(Ground(ground.index, ground.retriever, resolve_model(None, encoder=load)))
    status = chat.ask(question).status
    whole = time.perf_counter() - started
    chat.close()
    return 1000 * whole, 1000 * ((encoder.seconds if encoder else 0.0) - before), str(status)


def middle(values: list[float]) -> dict[str, float]:
    ordered = sorted(values)
    return {
        "median": round(statistics.median(ordered), 1),
        "p95": round(ordered[int(0.95 * (len(ordered) - 1))], 1),
    }


def load(options: argparse.Namespace) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        shutil.copytree(options.db, work / "kb")
        shutil.rmtree(work / "kb" / "default" / "sessions", ignore_errors=True)
        server = Server(work / "kb", options.folder, work)
        server.start()
        asked = questions_of(Index.open(work / "kb"), 4 * options.turns)
        held = Conversations(server, asked, options.turns)
        stop = threading.Event()
        syncing = threading.Thread(target=held.keep_changing, args=(options.folder, stop), daemon=True)
        syncing.start()
        watching = threading.Thread(target=held.keep_measuring, args=(stop,), daemon=True)
        watching.start()
        started = time.perf_counter()
        with ThreadPoolExecutor(options.sessions) as pool:
            jobs = [pool.submit(held.hold, number) for number in range(options.sessions)]
            while held.done < options.sessions * options.turns // 2 and not all(job.done() for job in jobs):
                time.sleep(0.1)
            server.kill()
            server.start()
            for job in jobs:
                job.result()
        seconds = time.perf_counter() - started
        stop.set()
        syncing.join(10)
        watching.join(10)
        server.kill()
        before, after = ([one for one in held.memory if one.kills == kills] for kills in (0, 1))
        return {
            "sessions": options.sessions,
            "turns": held.done,
            "repeated_after_the_kill": held.repeated,
            "changes_synced_meanwhile": held.changes,
            "seconds": round(seconds, 1),
            "turn_ms": middle(held.times),
            "memory_mb": {"before_the_kill": eighths(before), "after_it": eighths(after)},
            "growth_mb_per_1000_turns": [slope(before[len(before) // 2 :]), slope(after[len(after) // 2 :])],
            "failures": held.failures,
        }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    modes = options.add_subparsers(dest="mode", required=True)
    mode = modes.add_parser("times")
    mode.add_argument("db", type=Path)
    mode.add_argument("--questions", type=int, default=40)
    mode = modes.add_parser("load")
    mode.add_argument("db", type=Path)
    mode.add_argument("folder", type=Path)
    mode.add_argument("--sessions", type=int, default=32)
    mode.add_argument("--turns", type=int, default=20)
    chosen = options.parse_args()
    print(json.dumps(times(chosen) if chosen.mode == "times" else load(chosen), indent=2))


if __name__ == "__main__":
    main()
