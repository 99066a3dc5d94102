"""The JSON API: its answers, its events, its errors, its description."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.server.conftest import ALDER, FILES, Running, make_site, write

from pincite.agent.extractive.model import ExtractiveModel
from pincite.corpus.manage import forget
from pincite.corpus.sync import sync
from pincite.server.web.running import Site

Start = Callable[[Site], Running]


def ask(found: Running, question: str, **more: Any) -> dict[str, Any]:
    response = found.client().post("/api/ask", json={"question": question, **more})
    assert response.status_code == 200, response.text
    body: dict[str, Any] = response.json()
    return body


def test_a_question_and_its_follow_up(served: Running) -> None:
    first = ask(served, ALDER)
    assert first["status"] == "answered"
    assert first["transcript"] is None
    second = ask(served, "and for the bond fund?", session=first["session"])
    assert second["session"] == first["session"]
    assert "1.25%" in second["text"]


def test_progress_and_statements_come_as_events(served: Running) -> None:
    with served.client(accept="text/event-stream").stream(
        "POST", "/api/ask", json={"question": ALDER}
    ) as response:
        lines = [line for line in response.iter_lines() if line]
    kinds = [line.removeprefix("event: ") for line in lines if line.startswith("event: ")]
    assert kinds[0] == "progress" and kinds[-1] == "answer"
    assert "statement" in kinds
    answer = json.loads(lines[-1].removeprefix("data: "))
    assert answer["status"] == "answered"


def test_search_contents_and_reading(served: Running) -> None:
    client = served.client()
    found = client.post("/api/search", json={"query": "entry charge"}).json()
    assert found["passages"] and found["error"] is None
    documents = client.get("/api/contents").json()["documents"]
    assert [one["document"] for one in documents] == [f"texts/{name}" for name in sorted(FILES)]
    sections = client.get("/api/contents", params={"document": "texts/alder.md"}).json()["sections"]
    names = json.dumps(sections)
    assert "Costs" in names
    read = client.get("/api/read", params={"document": "texts/alder.md", "section": "Costs"}).json()
    assert "3.00%" in read["text"]
    missing = client.get("/api/read", params={"document": "texts/alder.md", "section": "99"}).json()
    assert missing["error"]["code"] == "no_such_section"


def test_the_tools_by_hand_take_what_those_of_the_loop_do(start: Start, tmp_path: Path) -> None:
    lease = (
        '# Lease\n\n## 1 Terms\n\n"Quarter Day" means 1 May.\n\n## 2 Ending\n\n### 2.1 Notice\n\n'
        "By notice.\n\n### 2.2 Form\n\nA notice under Section 2.1 is in writing.\n"
    )
    sync([write(tmp_path / "texts", {"lease.md": lease, **FILES})], tmp_path / "kb", vectors=False)
    client = start(make_site(tmp_path / "kb")).client()
    both = client.post("/api/search", json={"query": "Quarter Day", "queries": ["form of a notice"]}).text
    assert "1 May" in both and "in writing" in both
    named = client.get("/api/contents", params={"find": "lease"}).json()["documents"]
    assert [one["title"] for one in named] == ["Lease"]
    shallow = client.get("/api/contents", params={"document": "Lease", "section": "2", "depth": 1}).json()
    assert [one["sections_below"] for one in shallow["sections"]] == [2]
    wanted = {"document": "Lease", "section": "Section 2.1", "relative_to": "2.2"}
    assert client.get("/api/read", params=wanted).json()["text"] == "By notice."
    found = client.get("/api/define", params={"term": "quarter day"}).json()
    assert found["definitions"][0]["text"].endswith("means 1 May.")
    assert client.get("/api/define", params={"term": "Quarter Night"}).json()["error"]["near"] == [
        "Quarter Day"
    ]
    assert client.get("/api/define", params={"term": "Quarter Night"}).json()["term"] is None
    assert client.get("/api/contents", params={"depth": 99}).status_code == 422
    for path in ("contents", "read?document=Lease&section=2"):
        wrong = client.get(f"/api/{path}{'&' if '?' in path else '?'}start=nothing").json()["error"]
        assert wrong["message"].startswith('"start": ') and not wrong["hint"]


def test_a_citation_is_opened_with_the_quoted_words_marked(served: Running) -> None:
    citation = ask(served, ALDER)["statements"][0]["citations"][0]
    wanted = {key: citation[key] for key in ("document", "section", "version", "span", "quote", "page")}
    opened = served.client().post("/api/open", json=wanted).json()
    start, end = opened["mark"]
    assert opened["text"][start:end] == citation["quote"]
    assert not opened["changed"]


def test_sessions_are_listed_and_shown_step_by_step(served: Running) -> None:
    session = ask(served, ALDER)["session"]
    client = served.client()
    assert session in [one["session"] for one in client.get("/api/sessions").json()["sessions"]]
    turns = client.get(f"/api/sessions/{session}").json()["turns"]
    assert [turn["question"] for turn in turns] == [ALDER]
    steps = client.get(f"/api/sessions/{session}/transcript").json()["steps"]
    kinds = [step["kind"] for step in steps]
    assert kinds[0] == "session_start" and "tool_result" in kinds and "answer" in kinds
    found = next(step for step in steps if step["kind"] == "tool_result")
    assert any(line.startswith("keyword: ok") for line in found["lines"])
    assert found["ms"] > 0


@pytest.mark.parametrize(
    ("line", "body", "status", "code"),
    [
        ("POST /api/ask", {"question": ""}, 422, "bad_arguments"),
        ("POST /api/ask", {"question": "?!"}, 400, "bad_arguments"),
        ("POST /api/ask", {"question": "a", "colour": 1}, 422, "bad_arguments"),
        ("POST /api/ask?documents=b", {"question": "a"}, 422, "bad_arguments"),
        ("GET /api/contents?documnet=alder", None, 422, "bad_arguments"),
        ("POST /api/ask", {"question": "a", "as_of": 0}, 422, "bad_arguments"),
        ("POST /api/ask", {"question": "a", "as_of": "1600000000"}, 422, "bad_arguments"),
        ("POST /api/ask", {"question": "a", "as_of": "2024-02-30"}, 422, "bad_arguments"),
        ("POST /api/ask", {"question": "a", "session": "../../etc/passwd"}, 404, "no_such_session"),
        ("POST /api/ask", {"question": "a", "documents": ["nothing"]}, 404, "no_such_document"),
        ("GET /api/sessions/..%2f..%2fcurrent", None, 404, "not_found"),
        ("GET /api/sessions/nobody/transcript", None, 404, "no_such_session"),
        ("GET /api/nothing", None, 404, "not_found"),
        ("GET /../pyproject.toml", None, 404, "not_found"),
        ("DELETE /api/ask", None, 405, "method_not_allowed"),
    ],
)
def test_errors_say_what_is_wrong_and_name_no_path(
    served: Running, line: str, body: Any, status: int, code: str
) -> None:
    method, path = line.split()
    response = served.client().request(method, path, json=body)
    assert (response.status_code, response.json()["error"]["code"]) == (status, code)
    assert str(served.site.serving.db) not in response.text and "/" not in response.json()["error"]["hint"]


def test_what_is_no_json_or_too_long_is_refused(served: Running, start: Start, db: Path) -> None:
    client = served.client()
    for content in (b"{not json", b"{", b"[" * 100_000, b"\xff\xfe{}"):
        bad = client.post("/api/ask", content=content, headers={"content-type": "application/json"})
        assert (bad.status_code, bad.json()["error"]["code"]) == (422, "bad_arguments")
        assert bad.json()["error"]["message"].endswith("send one object in double-quoted JSON")
    small = start(make_site(db, body_bytes=1_000)).client()
    assert small.post("/api/ask", json={"question": "a" * 2_000}).status_code == 413

    def pieces() -> Any:
        yield from [b'{"question": "', *[b"a" * 500] * 10, b'"}']

    chunked = small.post("/api/ask", content=pieces(), headers={"content-type": "application/json"})
    assert chunked.status_code == 413
    assert chunked.json()["error"]["code"] == "body_too_large"


def test_a_body_that_does_not_come_is_given_up(start: Start, db: Path) -> None:
    found = start(make_site(db, body_seconds=0.5))
    where = urlsplit(found.url)
    assert where.hostname and where.port
    for path, own in (("/api/ask", "near"), ("/v1/chat/completions", "param")):
        head = f"POST {path} HTTP/1.1\r\nHost: {where.netloc}\r\nContent-Type: application/json\r\n"
        for more in ("Content-Length: 500\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"):
            began = time.monotonic()
            with socket.create_connection((where.hostname, where.port), timeout=20) as line:
                line.sendall((head + more).encode())
                said = line.makefile("rb").read().decode()
            assert 0.4 < time.monotonic() - began < 10
            assert said.startswith("HTTP/1.1 408 ")
            error = json.loads(said.partition("\r\n\r\n")[2])["error"]
            assert error["code"] == "body_too_slow" and own in error
            assert ("near" in error) is not ("param" in error)
    time.sleep(0.6)
    assert ask(found, ALDER)["status"] == "answered"


def test_a_question_may_take_longer_than_its_body(start: Start, db: Path) -> None:
    class Slow(ExtractiveModel):
        def respond(self, request: Any) -> Any:
            time.sleep(0.8)
            return super().respond(request)

    found = start(make_site(db, model=lambda: Slow(None), body_seconds=0.4))
    assert ask(found, ALDER)["status"] == "answered"
    events = found.client(accept="text/event-stream").post("/api/ask", json={"question": ALDER})
    assert "event: answer" in events.text


def test_only_its_own_page_on_its_own_name_is_answered(served: Running) -> None:
    assert served.client(host="evil.example").get("/healthz").status_code == 421
    assert served.client(origin="https://evil.example").post("/api/ask", json={}).status_code == 403
    assert served.client(origin=served.url).get("/api/sessions").status_code == 200


def test_every_response_has_the_security_headers(served: Running) -> None:
    client = served.client()
    for path in ("/", "/page.js", "/healthz", "/api/sessions", "/api/nothing"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in headers
        assert "server" not in headers or "uvicorn" not in headers["server"]


def test_the_description_names_every_route_and_error(served: Running) -> None:
    described = served.client().get("/api/openapi.json").json()
    paths = set(described["paths"])
    assert {"/api/ask", "/api/search", "/api/contents", "/api/read", "/api/open", "/api/sessions"} <= paths
    assert {"/api/sessions/{session}/transcript", "/v1/chat/completions", "/healthz", "/metrics"} <= paths
    assert "ErrorOut" in described["components"]["schemas"]


def test_metrics_count_questions_legs_and_times(start: Start, db: Path) -> None:
    found = start(make_site(db))
    ask(found, ALDER)
    ask(found, "hello")
    text = found.client().get("/metrics").text
    assert 'pincite_questions_total{status="answered"} 1.0' in text
    assert 'pincite_questions_total{status="conversation"} 1.0' in text
    assert 'pincite_stop_reasons_total{reason="answered"} 2.0' in text
    assert 'pincite_legs_total{leg="keyword",outcome="ok"}' in text
    assert "pincite_first_event_seconds_count 2.0" in text


@pytest.fixture
def own(tmp_path: Path) -> tuple[Path, Path]:
    texts = write(tmp_path / "texts", FILES)
    sync([texts], tmp_path / "kb", vectors=False)
    return texts, tmp_path / "kb"


def test_a_session_in_use_is_busy_and_goes_on_after_the_server_was_killed(
    start: Start, own: tuple[Path, Path]
) -> None:
    first = start(make_site(own[1]))
    session = ask(first, ALDER)["session"]
    transcript = own[1] / "default" / "sessions" / f"{session}.jsonl"
    second = start(make_site(own[1]))
    busy = second.client().post("/api/ask", json={"question": "thanks", "session": session})
    assert (busy.status_code, busy.json()["error"]["code"]) == (409, "session_locked")
    first.site.sessions.close()
    with transcript.open("ab") as file:
        file.write(b'{"kind":"user_mess')
    again = ask(second, "and its exit charge?", session=session)
    assert "0.30%" in again["text"]


def test_live_sessions_are_bounded_and_closed_ones_go_on(start: Start, own: tuple[Path, Path]) -> None:
    found = start(make_site(own[1], live_sessions=2))
    sessions = [ask(found, ALDER)["session"] for _ in range(5)]
    assert len(found.site.sessions._live) <= 2
    assert "0.30%" in ask(found, "and its exit charge?", session=sessions[0])["text"]


def test_a_document_that_goes_leaves_running_and_past_sessions(start: Start, own: tuple[Path, Path]) -> None:
    found = start(make_site(own[1]))
    first = ask(found, ALDER)
    citation = first["statements"][0]["citations"][0]
    forget(own[1], "texts/alder.md")
    client = found.client()
    session = first["session"]
    shown = [
        client.get(f"/api/sessions/{session}").text,
        client.get(f"/api/sessions/{session}/transcript").text,
        json.dumps(ask(found, ALDER, session=session)),
        json.dumps(ask(found, "what did you say?", session=session)),
    ]
    assert not [text for text in shown if "3.00%" in text]
    assert "withdrawn" in shown[0]
    wanted = {key: citation[key] for key in ("document", "section", "version", "span", "quote", "page")}
    gone = client.post("/api/open", json=wanted)
    assert (gone.status_code, gone.json()["error"]["code"]) == (410, "withdrawn_passage")


def test_the_cache_is_off_until_asked_for_and_never_outlives_the_index(
    start: Start, own: tuple[Path, Path]
) -> None:
    plain = start(make_site(own[1]))
    assert not ask(plain, ALDER)["cached"] and not ask(plain, ALDER)["cached"]
    found = start(make_site(own[1], cached_answers=10))
    first, second = ask(found, ALDER), ask(found, f"  {ALDER.upper()} ")
    assert (first["cached"], second["cached"], second["session"]) == (False, True, "")
    assert second["text"] == first["text"]
    assert not ask(found, ALDER, documents=["texts/alder.md"])["cached"]
    assert not ask(found, ALDER, groups=[])["cached"]
    assert not ask(found, ALDER, session=first["session"])["cached"]
    (own[0] / "alder.md").write_text(FILES["alder.md"].replace("3.00%", "9.75%"), encoding="utf-8")
    sync([own[0]], own[1], vectors=False)
    changed = ask(found, ALDER)
    assert not changed["cached"] and "9.75%" in changed["text"]
