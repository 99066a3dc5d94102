"""`serve --sync`: a changed file is asked about over HTTP and gives its new text; the lag is told."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest
from tests.server.conftest import ALDER, FILES, write

from pincite.corpus.sync import sync

SECONDS = 90


@contextmanager
def serving(db: Path, texts: Path) -> Iterator[httpx2.Client]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "pincite", "serve", "--db", str(db), "--port", str(port)]
    process = subprocess.Popen([*command, "--sync", str(texts)], stderr=subprocess.PIPE)
    try:
        with httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
            until(lambda: _healthy(client), "the server does not start")
            yield client
        process.send_signal(signal.SIGINT)
        assert process.wait(SECONDS) in {0, 130}
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def _healthy(client: httpx2.Client) -> bool:
    try:
        return client.get("/healthz").status_code == 200
    except httpx2.HTTPError:
        return False


def until(true: Callable[[], bool], complaint: str) -> None:
    end = time.monotonic() + SECONDS
    while not true():
        assert time.monotonic() < end, complaint
        time.sleep(0.1)


@pytest.mark.timeout(400)
def test_a_changed_file_is_answered_with_its_new_text_and_no_request_fails(tmp_path: Path) -> None:
    texts, db = write(tmp_path / "texts", FILES), tmp_path / "kb"
    sync([texts], db, vectors=False)
    with serving(db, texts) as client:

        def said() -> str:
            response = client.post("/api/ask", json={"question": ALDER})
            assert response.status_code == 200, response.text
            return str(response.json()["text"])

        assert "3.00%" in said()
        failed: list[str] = []
        stop = threading.Event()
        asking = threading.Thread(target=_keep_asking, args=(str(client.base_url), stop, failed))
        asking.start()
        (texts / "alder.md").write_text(FILES["alder.md"].replace("3.00%", "6.50%"), encoding="utf-8")
        until(lambda: "6.50%" in said(), "the change is not found")
        (texts / "cedar.md").write_text("# Cedar Fund\n\nThe entry charge is 7.25%.\n", encoding="utf-8")
        until(lambda: "Cedar" in client.get("/api/contents").text, "the new file is not listed")
        (texts / "alder.md").unlink()
        until(lambda: "Alder" not in client.get("/api/contents").text, "the removed file is still listed")
        stop.set()
        asking.join()
        assert not failed
        counted = client.get("/metrics").text
    lag = next(float(line.split()[1]) for line in counted.splitlines() if line.startswith("pincite_sync_lag"))
    assert 0 < lag < SECONDS
    assert 'pincite_syncs_total{outcome="ok"}' in counted
    command = [sys.executable, "-m", "pincite", "doctor", "--db", str(db), "--json"]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)[
        "findings"
    ]
    (freshness,) = (one for one in found if one["what"] == "freshness")
    assert freshness["state"] == "ok"
    assert f"{lag:.1f} s" in freshness["detail"]


def _keep_asking(url: str, stop: threading.Event, failed: list[str]) -> None:
    with httpx2.Client(base_url=url, timeout=60) as client:
        while not stop.is_set():
            asked = client.post(
                "/api/ask", json={"question": "What is the exit charge of the Birch Bond Fund?"}
            )
            if asked.status_code != 200 or "0.20%" not in asked.text:
                failed.append(asked.text)
